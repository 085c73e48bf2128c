// Mutation: what if a clause of a policy, or a field of what is emitted, were another one? Every mutant of the examples
// is judged anew. Each is an error, refuted, undecided for a stated cause, or proven again for a reason that people
// have reviewed (harmless.txt); how many ended in which way is outcomes.txt, with the hash of the table of all of them
// (tests/support/by_hash.h). GPOL_UPDATE_GOLDEN=1 rewrites it; that run fails, so that an update is never taken for a
// pass.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>

#include "tests/mutation/field_table.h"
#include "tests/mutation/judge_all.h"
#include "tests/mutation/table.h"
#include "tests/support/by_hash.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

namespace gpol::mutation {
namespace {

using Kind = Outcome::Kind;

// How many of each, and what must not be: a proof that nobody can explain, a refutation without its story.
// `refuted`: more than so many. `undecided`: fewer of a hundred.
void count(const std::string& what, const std::vector<Mutant>& mutants, const std::vector<Outcome>& outcomes,
           std::vector<Rule>& rules, int refuted = 30, int undecided = 3) {
  std::map<Kind, int> counts;
  int unexplained = 0;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    ++counts[outcomes[i].kind];
    const bool bad = (outcomes[i].kind == Kind::Proven && rule_for(rules, mutants[i]) == nullptr) ||
                     outcomes[i].why.find("WITHOUT A STORY") != std::string::npos ||
                     outcomes[i].why.starts_with("INTERNAL");
    if (!bad) continue;
    ++unexplained;
    std::cout << "mutation: " << mutants[i].field << " | " << mutants[i].change << " | " << mutants[i].where << ": "
              << words(outcomes[i]) << '\n';
  }
  std::cout << "mutation: " << what << ": " << mutants.size() << " mutants: " << counts[Kind::Error] << " errors, "
            << counts[Kind::Refuted] << " refuted, " << counts[Kind::Undecided] << " undecided, "
            << counts[Kind::Proven] << " proven again, " << unexplained << " unexplained\n";
  CHECK(unexplained == 0);
  CHECK(counts[Kind::Refuted] > refuted);
  CHECK(100 * counts[Kind::Undecided] < undecided * static_cast<int>(mutants.size()));
}

// What outcomes.txt says of them.
std::string section(const std::string& name, const std::vector<Mutant>& mutants, const std::vector<Outcome>& outcomes,
                    std::vector<Rule>& rules) {
  const std::string table = table_of(mutants, outcomes, rules);
  return "\n## " + std::to_string(mutants.size()) + " mutants\n" + test::keep_text(table) + "  " + name + "\n" +
         summary_of(mutants, outcomes, rules);
}

void compare(const std::string& file, const std::string& outcomes) {
  const std::string path = std::string(GPOL_ROOT) + "/" + file;
  const std::string committed = test::read_text(path);
  if (committed == outcomes) return;
  if (std::getenv("GPOL_UPDATE_GOLDEN") != nullptr) test::write_text(path, outcomes);
  INFO(file << " is another one; GPOL_UPDATE_GOLDEN=1 rewrites it, and then it is to be reviewed, with what "
               "tests/compare/texts.py shows");
  const bool same = committed == outcomes;
  CHECK(same);
}

// A field that is said not to matter must not change a verdict; one that does must change some.
void check_fields(const std::vector<Mutant>& mutants, const std::vector<Outcome>& outcomes,
                  std::set<const Field*>& mattered) {
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const auto space = mutants[i].field.find(' ');
    if (space == std::string::npos) continue;
    const Field* field = field_of(mutants[i].field.substr(0, space), mutants[i].field.substr(space + 1));
    if (field == nullptr) continue;
    const bool another = outcomes[i].kind != Kind::Proven;
    if (another && (field->matters || outcomes[i].kind != Kind::Error)) mattered.insert(field);
    INFO(mutants[i].field << " | " << mutants[i].change << " | " << mutants[i].where);
    if (!field->matters) CHECK((!another || outcomes[i].kind == Kind::Error));
  }
}

// Each field matters where its table says so, and each reason is needed.
void check_tables(std::span<const Field> table, const std::set<const Field*>& mattered,
                  const std::vector<Rule>& rules) {
  for (const Field& field : table) {
    INFO("field table: " << field.kind << " " << field.path);
    CHECK(mattered.contains(&field) == field.matters);
  }
  for (const Rule& rule : rules) {
    INFO("harmless: " << rule.key << " | " << rule.field << " | " << rule.change);
    CHECK(rule.used > 0);
  }
}

TEST_CASE("every mutant of the examples is refused, refuted, or proven again for a reason") {
  std::vector<Rule> rules = read_rules("tests/mutation/harmless.txt");
  std::set<const Field*> mattered;
  std::vector<std::unique_ptr<Example>> before;
  std::string found = "# How the mutants of the examples end; with the SHA-256 of the table of each. Generated.\n";
  for (const char* name : kExamples) {
    auto example = std::make_unique<Example>(read_example(name));
    CHECK(fields_missing(*example) == std::vector<std::string>{});
    Judge judge;
    const std::string plain = words(judge.judge(example->planned().cluster, example->planned().intent, name));
    CHECK(plain == "proven");
    const auto policies = policy_mutants(*example);
    const auto of_policies = judge_policies(*example, policies, judge);
    count(example->name + ", policy", policies, of_policies, rules);
    found += section(example->name + ".policy", policies, of_policies, rules);

    const auto manifests = yaml_mutants(*example, before.empty() ? nullptr : before.front().get());
    const auto of_manifests = judge_yaml(*example, manifests, judge);
    count(example->name + ", YAML", manifests, of_manifests, rules);
    found += section(example->name + ".yaml", manifests, of_manifests, rules);
    check_fields(manifests, of_manifests, mattered);
    before.push_back(std::move(example));
  }
  compare("tests/mutation/outcomes.txt", found);
  check_tables(fields(), mattered, rules);
}

// Of the files that are written for gateways, with the lines that have them applied; or of the guard on these.
std::vector<Mutant> of_gateways(const Example& example, bool guard) {
  const auto is_theirs = [](const YamlFile& file) {
    return file.path.starts_with("base/gateway-") || file.path == "base/service-callers.yaml";
  };
  std::vector<Mutant> mutants = yaml_mutants(example);
  std::erase_if(mutants, [&](const Mutant& mutant) {
    if (guard) return mutant.where != "gpol-limits-have-writers";
    const YamlFile& changed = mutant.files.front();
    return !is_theirs(changed) &&
           (changed.path != "base/kustomization.yaml" || std::ranges::all_of(example.files, [&](const YamlFile& file) {
              return !is_theirs(file) || changed.bytes.find(file.path.substr(5)) != std::string::npos;
            }));
  });
  return mutants;
}

// The proofs look at what the policy limits, not at the objects: those must be what was planned, as `build` reads them
// back.
TEST_CASE("every mutant of what a gateway is told is refused, refuted, or harmless for a reason") {
  std::vector<Rule> rules = read_rules("tests/mutation/harmless_gateway.txt");
  const std::size_t own = rules.size();
  for (Rule& rule : read_rules("tests/mutation/harmless.txt")) rules.push_back(std::move(rule));
  const Example example = read_example("chat-at-the-edge");
  Judge judge;
  CHECK(words(judge.judge(example.planned().cluster, example.planned().intent, example.name)) == "proven");
  std::string found = "# How the mutants of chat-at-the-edge end, as in outcomes.txt. Generated.\n";
  const auto policies = policy_mutants(example);
  const auto of_policies = judge_policies(example, policies, judge);
  count(example.name + ", policy", policies, of_policies, rules, 20, 10);
  found += section(example.name + ".policy", policies, of_policies, rules);

  std::set<const Field*> mattered;
  const auto read_back = [&](const Example& built) {
    CHECK(fields_missing(built) == std::vector<std::string>{});
    CHECK(words(judge_read_back(built, {{}}).front()) == "proven");
    const auto mutants = of_gateways(built, false);
    const auto outcomes = judge_read_back(built, mutants);
    count(built.name + ", gateway", mutants, outcomes, rules, 20);
    check_fields(mutants, outcomes, mattered);
    return section(built.name + ".gateway", mutants, outcomes, rules) +
           (&built == &example ? "\n" + table_of(mutants, outcomes, rules) : "");
  };
  found += read_back(example);
  for (const char* golden : {"requests_counted_twice", "limits_in_two_namespaces"})
    found += read_back(read_example(golden, "tests/golden/gateway"));

  const auto guards = of_gateways(example, true);
  const auto of_guards = judge_yaml(example, guards, judge);
  count(example.name + ", guard", guards, of_guards, rules, 20);
  found += section(example.name + ".guard", guards, of_guards, rules);
  compare("tests/mutation/outcomes_gateway.txt", found);
  rules.resize(own);
  check_tables(gateway_fields(), mattered, rules);
}

// Each line of the scheduler's configuration: gone, or with another word in it.
std::vector<Mutant> of_configuration(const Example& example) {
  const auto file =
      std::ranges::find_if(example.files, [](const YamlFile& one) { return one.path.starts_with("scheduler/"); });
  const std::pair<std::string, std::string> changes[] = {{"allocate, ", ""},
                                                         {", backfill", ""},
                                                         {"\"allocate", "\"enqueue, allocate"},
                                                         {"backfill\"", "reclaim\""},
                                                         {"backfill\"", "backfil\""},
                                                         {": true", ": false"},
                                                         {"enableH", "enabledH"},
                                                         {"capacity", "proportion"},
                                                         {"name: drf", "name: overcommit"},
                                                         {"name: drf", "name: sla"},
                                                         {"name: drf", "name: capacity"}};
  std::vector<Mutant> mutants;
  const auto put = [&](std::string change, std::string bytes) {
    mutants.push_back({"ConfigMap data.volcano-scheduler.conf",
                       std::move(change),
                       "configuration",
                       {},
                       {{file->path, std::move(bytes)}}});
  };
  for (const auto& [was, is] : changes)
    if (const auto at = file->bytes.rfind(was); at != std::string::npos)
      put("'" + was + "' to '" + is + "'", std::string(file->bytes).replace(at, was.size(), is));
  for (auto begin = file->bytes.find("    actions"); begin < file->bytes.size();) {
    const auto end = file->bytes.find('\n', begin) + 1;
    const std::string line = file->bytes.substr(begin, end - begin);
    put("delete '" + line.substr(line.find_first_not_of(' '), line.size() - line.find_first_not_of(' ') - 1) + "'",
        std::string(file->bytes).erase(begin, end - begin));
    begin = end;
  }
  return mutants;
}

TEST_CASE("every mutant of what Volcano is told is refused, refuted, or harmless for a reason") {
  std::vector<Rule> rules = read_rules("tests/mutation/harmless_volcano.txt");
  const std::size_t own = rules.size();
  for (Rule& rule : read_rules("tests/mutation/harmless.txt")) rules.push_back(std::move(rule));
  const Example example = read_example("morning-ramp-volcano");
  CHECK(fields_missing(example) == std::vector<std::string>{});
  CHECK(words(judge_volcano(example, {{}}).front()) == "proven");
  std::vector<Mutant> mutants = yaml_mutants(example);
  std::erase_if(mutants, [](const Mutant& mutant) {
    return mutant.files.front().path != "base/queues.yaml" && !mutant.files.front().path.starts_with("scheduler/");
  });
  for (Mutant& one : of_configuration(example)) mutants.push_back(std::move(one));
  const auto outcomes = judge_volcano(example, mutants);
  count(example.name + ", YAML", mutants, outcomes, rules, 10, 40);
  std::string found = "# How the mutants of Volcano's manifests end, as in outcomes.txt. Generated.\n" +
                      section(example.name + ".yaml", mutants, outcomes, rules);
  std::set<const Field*> mattered;
  check_fields(mutants, outcomes, mattered);

  Example there;  // Queues on nodes that all of them may use
  there.name = "volcano-tree-batch-below-one";
  there.files.push_back({"base/manifests.yaml", file_text("tests/bundles/" + there.name + "/manifests.yaml")});
  CHECK(words(judge_verified(there, {{}}).front()) == "proven");
  const std::vector<Mutant> of_them = yaml_mutants(there);
  const auto verified = judge_verified(there, of_them);
  count(there.name, of_them, verified, rules, 12, 20);
  found += section(there.name, of_them, verified, rules);
  compare("tests/mutation/outcomes_volcano.txt", found);
  rules.resize(own);
  check_tables(volcano_fields(), mattered, rules);
}

}  // namespace
}  // namespace gpol::mutation
