// The table of answered questions about guards (checker/guards/answered.h) is what the policies of the examples and the
// goldens make: what their premises demand, asked of as few validations as deny it. A row is of an example, or of two
// policies. Of a held-out third of the policies nine tenths of what guards deny must be among the rows of the others.
// GPOL_UPDATE_GOLDEN=1 writes the table, GPOL_SHOW=1 tells which demands met no row.
#include <map>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "checker/families/guard_book.h"
#include "checker/guards/answered.h"
#include "checker/guards/namespaces.h"
#include "checker/guards/question.h"
#include "compiler/source/lookup.h"
#include "tests/answered/policies.h"
#include "tests/answered/renamed.h"
#include "tests/unit/guards/support.h"

using namespace gpol;
using namespace gpol::answered;

namespace {

using Those = std::vector<OneValidation>;

std::vector<FormPart> parts_of(const cel::Expr& bad, const Those& those) {
  std::vector<FormPart> parts = gpol::parts_of(bad);
  for (const OneValidation& one : those) parts.push_back(part_of(one));
  return parts;
}

Form form_of(const AdmissionTarget& target, const std::vector<FormPart>& parts) {
  std::vector<const FormPart*> all;
  for (const FormPart& part : parts) all.push_back(&part);
  return gpol::form_of(target, all);
}

// What is asked of these policies, where they deny it.
std::optional<Formula> denied(const AdmissionTarget& target, const cel::ExprPtr& bad,
                              const std::vector<const PreparedPolicy*>& policies) {
  std::optional<Formula> asked;
  Solver solver({}, [&](const Formula& formula, const Answer&) { asked = formula; });
  std::map<std::string, symbolic::PathPlan> plan;
  const Reach reached = reach_past(Cluster{}, policies, target, bad, solver, plan);
  return reached.kind == Reach::Kind::Denied ? asked : std::nullopt;
}

// The formula for all names of this form, whatever their sizes, groups of any number of names, and all integers in this
// order, if it is unsatisfiable. The encoder is given no integers; names of other sizes must not make another formula.
// A request holds no more names than there are symbols for them.
std::optional<Formula> denied_in_general(const AdmissionTarget& target, const cel::ExprPtr& bad, const Those& those) {
  const std::vector<FormPart> parts = parts_of(*bad, those);
  const Form form = form_of(target, parts);
  std::set<std::int64_t> numbers{0};
  for (const FormPart& part : parts) numbers.insert(part.numbers.begin(), part.numbers.end());
  std::map<std::int64_t, std::string> symbols;
  std::vector<std::string> order;
  for (const std::int64_t number : numbers) {
    order.push_back(number == 0 ? "0" : fmt::format("#{}", order.size()));
    if (number != 0) symbols[number] = order.back();
  }
  const auto formula_with = [&](std::size_t members, std::size_t longer) -> std::optional<Formula> {
    Renaming how = renaming_of(form, members, longer);
    Those same;
    const RenamedPolicies alike(those, how);
    for (const PreparedPolicy* policy : alike.policies()) same.push_back({policy, 0});
    if (form_of(target, parts_of(*renamed(bad, how), same)).digest != form.digest) return std::nullopt;
    how.numbers = symbols;
    const RenamedPolicies policies(those, how);
    std::map<std::string, symbolic::PathPlan> plan;
    std::optional<Formula> general;
    Solver solver({}, [&](const Formula& formula, const Answer&) { general = with_symbols(formula, {}, order); });
    reach_past(Cluster{}, policies.policies(), target, renamed(bad, how), solver, plan);
    return general;
  };
  const auto texts_in = [](const Formula& formula) {
    return static_cast<std::size_t>(
        std::ranges::count(symbols_of(formula), Sort::Name, [](const Term& symbol) { return symbol->sort; }));
  };
  std::optional<Formula> general = formula_with(1, 3);
  if (!general) return std::nullopt;
  const std::size_t most = std::max<std::size_t>(1, texts_in(*general));
  general = formula_with(most, 3);
  const auto longer = formula_with(most, 7);
  if (!general || !longer || texts_in(*general) > most || smtlib(*general) != smtlib(*longer)) return std::nullopt;
  return Solver().check(*general).kind == Answer::Kind::Unsat ? general : std::nullopt;
}

class Table {
 public:
  std::map<std::string, std::string> rows;  // the line behind the digest of the bad request, by the whole question's
  std::size_t demands = 0, hit = 0, questions = 0;
  std::map<std::string, std::size_t> missed;
  std::map<std::string, std::set<std::string>> files;  // that ask for a row
  std::map<std::string, Formula> formulas;             // of a row: unsatisfiable
  std::string file;

  void ask(const Cluster& cluster, const Demands& all, const std::set<std::string>* known) {
    const auto policies = prepare_policies(cluster.admission_policies, cluster.admission_bindings);
    const Cluster fewer = guards_without(cluster, all.left_out);
    const auto of_fewer = prepare_policies(fewer.admission_policies, fewer.admission_bindings);
    parts_.clear();  // of policies that are gone
    for (const Demand& demand : all.list) ask(demand.in_listed ? of_fewer : policies, demand, known);
  }

 private:
  // `known`: rows that count as hits; null: all.
  void ask(const std::vector<PreparedPolicy>& policies, const Demand& demand, const std::set<std::string>* known) {
    const AdmissionTarget target = target_of(demand);
    const cel::Parsed bad = cel::parse(demand.bad);
    Those all;
    for (const PreparedPolicy* policy : sure_about(policies, target))
      for (std::size_t v = 0; v < policy->validations.size(); ++v) all.push_back({policy, v});
    const std::vector<FormPart> wanted = gpol::parts_of(*bad.expr);
    std::vector<const FormPart*> wanted_parts;
    for (const FormPart& one : wanted) wanted_parts.push_back(&one);
    const auto whole = [&](const Those& those) {
      std::vector<const FormPart*> parts = wanted_parts;
      for (const OneValidation& one : those) parts.push_back(&part(one));
      return gpol::form_of(target, parts).digest;
    };
    const auto count = [&](const std::string& key) {
      ++demands;
      const bool old = known == nullptr ? rows.contains(key) : known->contains(key);
      hit += old ? 1 : 0;
      if (!old) ++missed[target.operation + " " + target.resource + " " + demand.does];
      files[key].insert(file);
    };
    const auto key_of_row = [&](const Those& those) -> std::optional<std::string> {
      std::string key = whole(those);
      return rows.contains(key) ? std::optional(std::move(key)) : std::nullopt;
    };
    // Nothing: not denied.
    const auto denied_by = [&](const Those& those) -> std::optional<Formula> {
      if (const auto key = key_of_row(those)) return formulas.at(*key);
      if (not_denied_.contains(whole(those))) return std::nullopt;
      ++questions;
      auto formula = denied(target, bad.expr, RenamedPolicies(those, {}).policies());
      if (!formula) not_denied_.insert(whole(those));
      return formula;
    };
    for (const OneValidation& one : all)
      if (const auto key = key_of_row({one})) return count(*key);
    if (not_denied_.contains(whole(all))) return;
    Solver solver;
    const Reach reached = reach(Cluster{}, policies, {{target}, demand.bad}, solver);
    if (reached.kind != Reach::Kind::Denied) return (void)not_denied_.insert(whole(all));  // nobody keeps it away
    Those those;
    for (const OneValidation& one : all)
      if (contains(reached.policies, one.policy->policy->name)) those.push_back(one);
    for (std::size_t i = those.size(); i-- > 0;) {
      Those fewer = those;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (!fewer.empty() && denied_by(fewer)) those = std::move(fewer);
    }
    if (those.empty()) return;
    if (const auto key = key_of_row(those)) return count(*key);
    std::optional<Formula> general = denied_in_general(target, bad.expr, those);
    const std::string key = whole(those);
    count(key);
    if (!general) return;
    add(key, target, text_of(target, wanted_parts), those);
    formulas[key] = *std::move(general);
  }

  std::set<std::string> not_denied_;  // digests of questions
  std::map<std::pair<const PreparedPolicy*, std::size_t>, FormPart> parts_;

  const FormPart& part(const OneValidation& one) {
    const auto [found, fresh] = parts_.try_emplace({one.policy, one.index});
    if (fresh) found->second = part_of(one);
    return found->second;
  }

  void add(const std::string& key, const AdmissionTarget& target, const std::string& bad, const Those& those) {
    std::string line = bad + " " + key;
    for (const OneValidation& one : those) line += " " + part_of(one).text;
    rows[key] = line + " # " + target.operation + " " + target.group + "/" + target.resource +
                (target.subresource.empty() ? "" : "/" + target.subresource);
  }
};

// GPOL_SEED draws the policies, a twelfth of them.
unsigned long drawn() {
  const char* seed = std::getenv("GPOL_SEED");
  return (seed == nullptr ? 1 : std::stoul(seed)) % 12;
}

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
  std::vector<Formula> proven;
  for (const auto& [key, line] : table.rows) {
    const auto& asked = table.files[key];
    if (asked.size() < 2 && std::ranges::none_of(asked, is_example)) continue;
    lines.insert(line);
    proven.push_back(table.formulas.at(key));
  }
  compare_table(
      "checker/guards/answered.table",
      "# Questions about guards that were answered with \"denied\" (answered.h). The test `answered` makes them "
      "anew.",
      lines);
  check_by_cvc5(proven);
}

TEST_CASE("what the table says of policies the solver says, too") {
  std::size_t demands_met = 0, answers = 0;
  std::set<std::string> asked;
  for (const std::string& file : policies_of_tests()) {
    if (number_of(file) % 12 != drawn()) continue;
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
        Those all_of_them;
        for (const PreparedPolicy& policy : policies)
          if (contains(*deniers, policy.policy->name)) {
            those.push_back(&policy);
            for (std::size_t v = 0; v < policy.validations.size(); ++v) all_of_them.push_back({&policy, v});
          }
        if (!asked.insert(form_of(target, parts_of(*bad.expr, all_of_them)).digest).second) continue;
        Solver solver;
        std::map<std::string, symbolic::PathPlan> plan;
        INFO(file << ": " << demand.does);
        CHECK(reach_past(guarded, those, target, bad.expr, solver, plan).kind == Reach::Kind::Denied);
        ++answers;
      }
    }
  }
  std::cout << demands_met << " demands that the table answers, " << answers << " questions (seed " << drawn() << ")\n";
  CHECK(answers > 50);
}

// The guards that are named, where several deny the same, may be others; figures, verdicts and stories may not.
TEST_CASE("what the tables answer changes no report") {
  std::size_t reports = 0;
  for (const std::string& file : policies_of_tests()) {
    if (number_of(file) % 12 != drawn()) continue;
    const auto report = [&](std::vector<std::string> flags) {
      flags.insert(flags.begin(), {"check", file, "--format", "json"});
      const test::Ran ran = test::run_gpol(flags);
      auto all = nlohmann::json::parse(ran.out);
      all["stats"].erase("solver_questions");
      for (auto& assumption : all["assumptions"]) assumption.erase("by");
      return std::pair(ran.code, all.dump(1));
    };
    INFO(file);
    CHECK(report({}) == report({"--solve-all"}));
    ++reports;
  }
  CHECK(reports > 20);
}

TEST_CASE("what the table holds is true of all integers in an order, and not of those in a policy alone") {
  const auto general = [](const std::string& bad, const std::string& validation) {
    const Cluster cluster = guard_test::guarded(guard_test::about("", "pods"), {validation});
    const auto policies = prepare_policies(cluster.admission_policies, cluster.admission_bindings);
    REQUIRE(policies.front().exists == Tri::Yes);
    const Those those{{&policies.front(), 0}};
    const AdmissionTarget pods = guard_test::target("CREATE", "", "pods");
    CHECK(denied(pods, cel::parse(bad).expr, RenamedPolicies(those, {}).policies()));
    return denied_in_general(pods, cel::parse(bad).expr, those).has_value();
  };
  const std::string longer = "request.namespace == 'a' && object.spec.terminationGracePeriodSeconds > 60";
  CHECK(general(longer, "request.namespace != 'a' || object.spec.terminationGracePeriodSeconds <= 60"));
  CHECK(general(longer, "object.spec.terminationGracePeriodSeconds <= 30"));
  // Of lists of any length, too.
  CHECK(general("request.namespace in ['a', 'b', 'c']", "!(request.namespace in ['a', 'b', 'c', 'd', 'e'])"));
  // What is true of these because of what they are: a list is shorter, a sum is less, a name is longer.
  CHECK_FALSE(general("request.namespace == 'a'", "['x', 'y'].size() >= 3"));
  CHECK_FALSE(general("request.namespace == 'a'", "1 + 1 >= 3"));
  CHECK_FALSE(general("request.namespace == 'abcd'", "request.namespace.size() <= 3"));
  CHECK_FALSE(general("request.namespace in ['a'] && request.name in ['a'] && request.name != request.namespace",
                      "request.namespace != request.name"));
}
