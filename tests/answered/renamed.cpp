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
    if (const auto found = how.names.find(*text); found != how.names.end()) out.value = found->second.others.front();
  if (const auto* number = expr->value.as<std::int64_t>())
    if (const auto found = how.numbers.find(*number); found != how.numbers.end()) {
      out = {};
      out.kind = Kind::Ident;
      out.name = found->second;
    }
  return std::make_shared<const cel::Expr>(std::move(out));
}

// In the order of what stands for them.
std::vector<std::string> list(const std::vector<std::string>& names, const Renaming& how) {
  std::set<std::pair<std::string, std::string>> all;
  for (const std::string& name : names)
    if (const auto found = how.names.find(name); found == how.names.end())
      all.emplace(name, name);
    else
      for (const std::string& other : found->second.others) all.emplace(found->second.stands, other);
  std::vector<std::string> out;
  for (const auto& [stands, text] : all) out.push_back(text);
  return out;
}

void rename(MatchResources& match, const Renaming& how) {
  for (auto* rules : {&match.rules, &match.excluded})
    for (auto& rule : *rules) rule.names = list(rule.names, how);
  for (Selector* selector : {&match.namespaces, &match.objects}) {
    for (auto& [key, value] : selector->match_labels)
      if (const auto found = how.names.find(value); found != how.names.end()) value = found->second.others.front();
    for (auto& one : selector->expressions) one.values = list(one.values, how);
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

Renaming renaming_of(const Form& form, std::size_t members, std::size_t longer) {
  Renaming how;
  std::map<std::string, std::size_t> numbers;  // by what stands for a name
  for (const auto& [name, stands] : form.names) {
    const std::size_t at = stands.find('$');
    const bool group = at != std::string::npos && stands[at + 1] == 'g';
    Renaming::Texts texts{stands.empty() ? name : stands, {}};
    if (at == std::string::npos || (!group && longer == 0)) {
      texts.others.push_back(name);
    } else {
      const std::size_t size = longer * numbers.emplace(stands, numbers.size() + 1).first->second;
      for (std::size_t i = 0; i < (group ? members : 1); ++i)
        texts.others.push_back(stands.substr(0, at) + std::string(size + i, 'x') + stands.substr(at));
    }
    how.names.emplace(name, std::move(texts));
  }
  return how;
}

cel::ExprPtr renamed(const cel::ExprPtr& expr, const Renaming& how) {
  if (!expr) return expr;
  cel::Expr out = *expr;
  const bool call = expr->kind == Kind::Call && !expr->method && expr->args.size() == 2;
  const bool compares = call && contains({"==", "!=", "<", "<=", ">", ">="}, std::string_view(expr->name));
  const bool choice = expr->kind == Kind::Call && expr->name == "?:";
  const bool listed = call && expr->name == "in" && expr->args[1]->kind == Kind::Sequence;
  for (cel::ExprPtr& arg : out.args) arg = compares || choice || listed ? operand(arg, how) : renamed(arg, how);
  if (listed) {
    cel::Expr elements = *expr->args[1];
    std::vector<std::string> names;
    for (const cel::ExprPtr& arg : elements.args)
      if (const auto* text = arg->value.as<std::string>(); arg->kind == Kind::Literal && text != nullptr)
        names.push_back(*text);
    if (names.size() < elements.args.size()) {
      for (cel::ExprPtr& arg : elements.args) arg = operand(arg, how);
    } else {
      elements.args.clear();
      for (const std::string& name : list(names, how)) {
        cel::Expr literal;
        literal.kind = Kind::Literal;
        literal.value = name;
        elements.args.push_back(std::make_shared<const cel::Expr>(std::move(literal)));
      }
    }
    out.args[1] = std::make_shared<const cel::Expr>(std::move(elements));
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
