// The table of answered questions about guards (checker/guards/answered.h) is what the policies of the examples and the
// goldens make: what their premises demand, asked of as few validations as deny it. A row is of an example, or of two
// policies. Of a held-out third of the policies nine tenths of what guards deny must be among the rows of the others.
// GPOL_UPDATE_GOLDEN=1 writes the table, GPOL_SHOW=1 tells which demands met no row.
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <set>

#include "checker/families/guard_book.h"
#include "checker/guards/answered.h"
#include "checker/guards/namespaces.h"
#include "checker/guards/question.h"
#include "cli/commands/session.h"
#include "compiler/source/lookup.h"
#include "compiler/source/sha256.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol;
using namespace gpol::test;

namespace {

// What was found of a question with some validations.
struct Found {
  bool denied = false, sizes = false;
};

std::string digest(const AdmissionTarget& target, const cel::Expr* bad, const std::vector<OneValidation>& those,
                   bool sizes) {
  std::vector<FormPart> parts;
  if (bad != nullptr) parts.push_back(part_of(target, *bad));
  for (const OneValidation& one : those) parts.push_back(part_of(target, one));
  std::vector<const FormPart*> all;
  for (const FormPart& part : parts) all.push_back(&part);
  return digest_of(target, all, sizes);
}

class Table {
 public:
  std::map<std::string, std::string> rows;  // the line behind the digest of the bad request, by the whole question's
  std::size_t demands = 0, hit = 0, questions = 0;
  std::map<std::string, std::size_t> missed;
  std::map<std::string, std::set<std::string>> files;  // that ask for a row
  std::string file;

  void ask(const Cluster& cluster, const Demands& all, const std::set<std::string>* known) {
    const auto policies = prepare_policies(cluster.admission_policies, cluster.admission_bindings);
    const Cluster fewer = guards_without(cluster, all.left_out);
    const auto of_fewer = prepare_policies(fewer.admission_policies, fewer.admission_bindings);
    for (const Demand& demand : all.list) ask(demand.in_listed ? of_fewer : policies, demand, known);
  }

 private:
  using Those = std::vector<OneValidation>;

  // `known`: rows that count as hits; null: all.
  void ask(const std::vector<PreparedPolicy>& policies, const Demand& demand, const std::set<std::string>* known) {
    const AdmissionTarget target = target_of(demand);
    const cel::Parsed bad = cel::parse(demand.bad);
    Those all;
    for (const PreparedPolicy* policy : sure_about(policies, target))
      for (std::size_t v = 0; v < policy->validations.size(); ++v) all.push_back({policy, v});
    const auto whole = [&](const Those& those, bool sizes) { return digest(target, bad.expr.get(), those, sizes); };
    const auto count = [&](const std::string& key) {
      ++demands;
      const bool old = known == nullptr ? rows.contains(key) : known->contains(key);
      hit += old ? 1 : 0;
      if (!old) ++missed[target.operation + " " + target.resource + " " + demand.does];
      files[key].insert(file);
    };
    const auto enough = [&](const Those& those) {
      for (const bool sizes : {false, true})
        if (const std::string key = whole(those, sizes); rows.contains(key)) return count(key), true;
      if (not_denied_.contains(whole(those, false))) return false;
      const Found found = solve(target, bad.expr, those);
      if (!found.denied) return not_denied_.insert(whole(those, false)), false;
      const std::string key = whole(those, found.sizes);
      count(key);
      add(key, target, *bad.expr, those, found.sizes);
      return true;
    };
    for (const OneValidation& one : all)
      for (const bool sizes : {false, true})
        if (const std::string key = whole({one}, sizes); rows.contains(key)) return count(key);
    if (not_denied_.contains(whole(all, false))) return;
    Solver solver;
    const Reach reached = reach(Cluster{}, policies, {{target}, demand.bad}, solver);
    if (reached.kind != Reach::Kind::Denied)
      return (void)not_denied_.insert(whole(all, false));  // nobody keeps it away
    Those those;
    for (const OneValidation& one : all)
      if (contains(reached.policies, one.policy->policy->name)) those.push_back(one);
    for (std::size_t i = those.size(); i-- > 0;) {
      Those fewer = those;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (!fewer.empty() && solve(target, bad.expr, fewer).denied) those = std::move(fewer);
    }
    if (!those.empty()) enough(those);
  }

  std::set<std::string> not_denied_;  // digests of questions

  Found solve(const AdmissionTarget& target, const cel::ExprPtr& bad, const Those& those) {
    std::vector<PreparedPolicy> alone;
    for (const OneValidation& one : those) {
      alone.push_back(*one.policy);
      alone.back().validations = {one.policy->validations[one.index]};
    }
    std::vector<const PreparedPolicy*> policies;
    for (const PreparedPolicy& policy : alone) policies.push_back(&policy);
    Found found;
    Solver solver({}, [&](const Formula& formula, const Answer&) {
      for (const Term& symbol : symbols_of(formula)) found.sizes = found.sizes || symbol->name.starts_with("size#");
    });
    std::map<std::string, symbolic::PathPlan> plan;
    ++questions;
    found.denied = reach_past(Cluster{}, policies, target, bad, solver, plan).kind == Reach::Kind::Denied;
    return found;
  }

  void add(const std::string& key, const AdmissionTarget& target, const cel::Expr& bad, const Those& those,
           bool sizes) {
    std::string line = digest(target, &bad, {}, false) + " " + key + (sizes ? " sizes" : " -");
    for (const OneValidation& one : those) line += " " + digest(target, nullptr, {one}, false);
    rows[key] = line + " # " + target.operation + " " + target.group + "/" + target.resource +
                (target.subresource.empty() ? "" : "/" + target.subresource);
  }
};

std::set<std::string> policies_of_tests() {
  std::set<std::string> files;
  for (const char* folder : {"/examples", "/tests/golden"})
    for (const auto& file : std::filesystem::recursive_directory_iterator(std::string(GPOL_ROOT) + folder))
      if (file.path().extension() == ".gpol") files.insert(file.path().string());
  return files;
}

std::unique_ptr<Session> planned(const std::string& file) {
  SessionOptions options;
  options.until = Phase::Planned;
  return check_policy({file, read_text(file)}, options);
}

// One of 65,536 numbers, alike on every machine.
unsigned long number_of(const std::string& text) { return std::stoul(sha256(text).substr(0, 4), nullptr, 16); }

bool held_out(const std::string& file) { return number_of(file.substr(file.rfind('/'))) % 3 == 0; }

}  // namespace

TEST_CASE("the table of answered questions about guards is what these policies make") {
  Table table;
  const std::set<std::string> files = policies_of_tests();
  std::set<std::string> known;
  for (const bool last : {false, true}) {
    if (last)
      for (const auto& [key, row] : table.rows)
        if (table.files[key].size() > 1) known.insert(key);
    const std::size_t demands_before = table.demands;
    table.hit = 0, table.missed.clear();
    for (const std::string& file : files) {
      if (held_out(file) != last) continue;
      const auto session = planned(file);
      table.file = file;
      if (session->planned)
        table.ask(session->planned->cluster, demands(session->planned->cluster, session->planned->intent),
                  last ? &known : nullptr);
    }
    std::cout << (last ? "a held-out third: " : "two thirds: ") << table.demands - demands_before
              << " demands that guards meet, of " << table.hit << " a row was there; " << table.rows.size() << " rows, "
              << table.questions << " questions\n";
    if (last) CHECK(table.hit * 10 >= (table.demands - demands_before) * 9);
  }
  if (std::getenv("GPOL_SHOW") != nullptr)
    for (const auto& [what, times] : table.missed) std::cout << "missed " << times << " " << what << "\n";
  std::set<std::string> lines;
  for (const auto& [key, line] : table.rows) {
    const auto& asked = table.files[key];
    const bool example =
        std::ranges::any_of(asked, [](const auto& file) { return file.find("/examples/") != std::string::npos; });
    if (example || asked.size() > 1) lines.insert(line);
  }
  std::string text =
      "# Questions about guards that were answered with \"denied\" (answered.h). The test `answered` makes them "
      "anew.\n";
  for (const std::string& line : lines) text += line + "\n";
  const std::string path = GPOL_ROOT "/checker/guards/answered.table";
  if (std::getenv("GPOL_UPDATE_GOLDEN") != nullptr) write_text(path, text);
  CHECK(text == read_text(path));
}

// GPOL_SEED draws the policies, a twelfth of them.
TEST_CASE("what the table says of policies the solver says, too") {
  const char* seed = std::getenv("GPOL_SEED");
  const unsigned long drawn = (seed == nullptr ? 1 : std::stoul(seed)) % 12;
  std::size_t demands_met = 0, answers = 0;
  std::set<std::string> asked;
  for (const std::string& file : policies_of_tests()) {
    if (number_of(file) % 12 != drawn) continue;
    const auto session = planned(file);
    if (!session->planned) continue;
    const Cluster& cluster = session->planned->cluster;
    const Demands all = demands(cluster, session->planned->intent);
    const Cluster fewer = guards_without(cluster, all.left_out);
    for (const bool listed : {false, true}) {
      const Cluster& guarded = listed ? fewer : cluster;
      const auto policies = prepare_policies(guarded.admission_policies, guarded.admission_bindings);
      AnsweredGuards table(policies);
      for (const Demand& demand : all.list) {
        if (demand.in_listed != listed) continue;
        const AdmissionTarget target = target_of(demand);
        const auto deniers = table.deniers(target, demand.bad);
        if (!deniers) continue;
        ++demands_met;
        const cel::Parsed bad = cel::parse(demand.bad);
        std::vector<const PreparedPolicy*> those;
        std::string question = digest(target, bad.expr.get(), {}, true);
        for (const PreparedPolicy& policy : policies)
          if (contains(*deniers, policy.policy->name)) {
            those.push_back(&policy);
            for (std::size_t v = 0; v < policy.validations.size(); ++v)
              question += digest(target, nullptr, {{&policy, v}}, true);
          }
        if (!asked.insert(question).second) continue;
        Solver solver;
        std::map<std::string, symbolic::PathPlan> plan;
        INFO(file << ": " << demand.does);
        CHECK(reach_past(guarded, those, target, bad.expr, solver, plan).kind == Reach::Kind::Denied);
        ++answers;
      }
    }
  }
  std::cout << demands_met << " demands that the table answers, " << answers << " questions (seed " << drawn << ")\n";
  CHECK(answers > 50);
}
