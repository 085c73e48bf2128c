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
void count(const std::string& what, const std::vector<Mutant>& mutants, const std::vector<Outcome>& outcomes,
           std::vector<Rule>& rules) {
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
  CHECK(counts[Kind::Refuted] > 30);
  CHECK(100 * counts[Kind::Undecided] < 3 * static_cast<int>(mutants.size()));
}

constexpr const char* kOutcomes = "tests/mutation/outcomes.txt";

// What outcomes.txt says of them.
std::string section(const std::string& name, const std::vector<Mutant>& mutants, const std::vector<Outcome>& outcomes,
                    std::vector<Rule>& rules) {
  const std::string table = table_of(mutants, outcomes, rules);
  return "\n## " + std::to_string(mutants.size()) + " mutants\n" + test::keep_text(table) + "  " + name + "\n" +
         summary_of(mutants, outcomes, rules);
}

void compare(const std::string& outcomes) {
  const std::string path = std::string(GPOL_ROOT) + "/" + kOutcomes;
  const std::string committed = test::read_text(path);
  if (committed == outcomes) return;
  if (std::getenv("GPOL_UPDATE_GOLDEN") != nullptr) test::write_text(path, outcomes);
  INFO(kOutcomes << " is another one; GPOL_UPDATE_GOLDEN=1 rewrites it, and then it is to be reviewed, with what "
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
  compare(found);
  for (const Field& field : fields()) {
    INFO("field table: " << field.kind << " " << field.path);
    CHECK(mattered.contains(&field) == field.matters);
  }
  for (const Rule& rule : rules) {
    INFO("harmless.txt: " << rule.key << " | " << rule.field << " | " << rule.change);
    CHECK(rule.used > 0);
  }
}

}  // namespace
}  // namespace gpol::mutation
