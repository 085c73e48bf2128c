#include "tests/answered/renamed.h"

#include <set>
#include <unordered_map>

#include "compiler/source/lookup.h"

namespace gpol::answered {

namespace {

using Kind = cel::Expr::Kind;

cel::ExprPtr operand(const cel::ExprPtr& expr, const Renaming& how) {
  cel::Expr out = *expr;
  if (expr->kind != Kind::Literal) return renamed(expr, how);
  if (const auto* text = expr->value.as<std::string>())
    if (const auto found = how.names.find(*text); found != how.names.end()) out.value = found->second;
  if (const auto* number = expr->value.as<std::int64_t>())
    if (const auto found = how.numbers.find(*number); found != how.numbers.end()) {
      out = {};
      out.kind = Kind::Ident;
      out.name = found->second;
    }
  return std::make_shared<const cel::Expr>(std::move(out));
}

void rename(std::string& text, const Renaming& how) {
  if (const auto found = how.names.find(text); found != how.names.end()) text = found->second;
}

void rename(MatchResources& match, const Renaming& how) {
  for (auto* rules : {&match.rules, &match.excluded})
    for (auto& rule : *rules)
      for (std::string& name : rule.names) rename(name, how);
  for (Selector* selector : {&match.namespaces, &match.objects}) {
    for (auto& [key, value] : selector->match_labels) rename(value, how);
    for (auto& one : selector->expressions)
      for (std::string& value : one.values) rename(value, how);
  }
}

class Symbols {
 public:
  explicit Symbols(const std::map<std::int64_t, std::string>& symbols) : symbols_(symbols) {}
  Term operator()(const Term& term) {
    if (const auto found = made_.find(term.get()); found != made_.end()) return found->second;
    Term out = term;
    if (term->op == Op::IntConst) {
      if (const auto found = symbols_.find(term->value); found != symbols_.end()) out = int_symbol(found->second);
    } else if (!term->args.empty()) {
      TermNode node{term->op, term->sort, term->value, {}, {}};
      for (const Term& arg : term->args) node.args.push_back((*this)(arg));
      out = std::make_shared<const TermNode>(std::move(node));
    }
    return made_.emplace(term.get(), out).first->second;
  }

 private:
  const std::map<std::int64_t, std::string>& symbols_;
  std::unordered_map<const TermNode*, Term> made_;
};

}  // namespace

cel::ExprPtr renamed(const cel::ExprPtr& expr, const Renaming& how) {
  if (!expr) return expr;
  cel::Expr out = *expr;
  const bool call = expr->kind == Kind::Call && !expr->method && expr->args.size() == 2;
  const bool compares = call && contains({"==", "!=", "<", "<=", ">", ">="}, std::string_view(expr->name));
  const bool choice = expr->kind == Kind::Call && expr->name == "?:";
  const bool listed = call && expr->name == "in" && expr->args[1]->kind == Kind::Sequence;
  for (cel::ExprPtr& arg : out.args) arg = compares || choice || listed ? operand(arg, how) : renamed(arg, how);
  if (listed) {
    cel::Expr list = *expr->args[1];
    for (cel::ExprPtr& arg : list.args) arg = operand(arg, how);
    out.args[1] = std::make_shared<const cel::Expr>(std::move(list));
  }
  return std::make_shared<const cel::Expr>(std::move(out));
}

RenamedPolicies::RenamedPolicies(const std::vector<OneValidation>& those, const Renaming& how) {
  for (const OneValidation& one : those) {
    auto made = std::make_unique<One>(One{*one.policy->policy, {}, *one.policy});
    rename(made->policy.match, how);
    for (const AdmissionBinding* binding : one.policy->bindings) {
      made->bindings.push_back(*binding);
      rename(made->bindings.back().match, how);
    }
    PreparedPolicy& prepared = made->prepared;
    prepared.policy = &made->policy;
    prepared.bindings.clear();
    for (const AdmissionBinding& binding : made->bindings) prepared.bindings.push_back(&binding);
    prepared.validations = {renamed(one.policy->validations[one.index], how)};
    for (cel::ExprPtr& condition : prepared.conditions) condition = renamed(condition, how);
    for (auto& [name, variable] : prepared.variables) variable = renamed(variable, how);
    all_.push_back(std::move(made));
  }
}

std::vector<const PreparedPolicy*> RenamedPolicies::policies() const {
  std::vector<const PreparedPolicy*> out;
  for (const auto& one : all_) out.push_back(&one->prepared);
  return out;
}

Formula with_symbols(const Formula& formula, const std::map<std::int64_t, std::string>& symbols,
                     const std::vector<std::string>& order) {
  Symbols in(symbols);
  Formula out = formula;
  for (auto& fact : out.facts) fact.term = in(fact.term);
  out.negated_goal = in(formula.negated_goal);
  const auto term = [](const std::string& name) { return name == "0" ? integer(0) : int_symbol(name); };
  std::vector<Term> less;
  for (std::size_t i = 1; i < order.size(); ++i) less.push_back(term(order[i - 1]) < term(order[i]));
  if (!less.empty()) out.facts.push_back({"order", all_of(std::move(less))});
  return out;
}

}  // namespace gpol::answered
