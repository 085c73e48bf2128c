#include "checker/guards/namespaces.h"

#include <algorithm>
#include <optional>

namespace gpol {

namespace {

constexpr std::string_view kNameLabel = "kubernetes.io/metadata.name";

// Where expressions look at a namespace: only by comparing its name with texts, or in a way that may tell any two
// apart.
class Looks {
 public:
  std::set<std::string> texts;  // all that the expressions contain
  bool only_by_name = true;

  void at(const std::string& text) {
    const cel::Parsed parsed = cel::parse(text);
    if (parsed.expr) at(*parsed.expr);  // else such a policy denies nothing
  }
  void at(const cel::Expr& expr) {
    // A variable may be the name itself, or what holds it, and be used under its own name elsewhere.
    if (is_namespace(plain(expr)) || holds_namespace(plain(expr))) only_by_name = false;
    visit(expr);
  }

 private:
  using Kind = cel::Expr::Kind;
  static bool is_namespace(const cel::Expr& expr) { return expr.kind == Kind::Select && expr.name == "namespace"; }
  static bool holds_namespace(const cel::Expr& expr) {
    const bool root = expr.kind == Kind::Ident && (expr.name == "request" || expr.name == "object" ||
                                                   expr.name == "oldObject" || expr.name == "variables");
    return root || (expr.kind == Kind::Select && expr.name == "metadata");
  }
  static bool is_dyn(const cel::Expr& expr) {
    return expr.kind == Kind::Call && !expr.method && expr.name == "dyn" && expr.args.size() == 1;
  }
  // `dyn(x)` is x to everything but the type checker.
  static const cel::Expr& plain(const cel::Expr& expr) { return is_dyn(expr) ? plain(*expr.args[0]) : expr; }
  static bool is_text(const cel::Expr& expr) {
    return expr.kind == Kind::Literal && expr.value.as<std::string>() != nullptr;
  }
  static bool compares(const cel::Expr& expr) {
    if (expr.kind != Kind::Call || expr.method || expr.args.size() != 2) return false;
    const cel::Expr &left = *expr.args[0], &right = *expr.args[1];
    if (expr.name == "==" || expr.name == "!=")
      return (is_namespace(left) && is_text(right)) || (is_text(left) && is_namespace(right));
    return expr.name == "in" && is_namespace(left) && right.kind == Kind::Sequence &&
           std::ranges::all_of(right.args, [](const auto& arg) { return is_text(*arg); });
  }

  void visit(const cel::Expr& expr) {
    if (const auto* text = expr.value.as<std::string>(); text != nullptr) texts.insert(*text);
    const bool fine = compares(expr);
    // Any other way to a name, or to the whole that holds it.
    const bool whole = expr.kind == Kind::Ident && expr.name == "namespaceObject";
    const bool by_key = expr.kind == Kind::Index && !expr.args.empty() && expr.args.back()->kind == Kind::Literal &&
                        expr.args.back()->value.as<std::string>() != nullptr &&
                        *expr.args.back()->value.as<std::string>() == "namespace";
    if (whole || by_key || expr.kind == Kind::Unknown) only_by_name = false;
    for (const auto& arg : expr.args) {
      if (!arg) continue;
      if (is_namespace(plain(*arg)) && !fine) only_by_name = false;
      visit(*arg);
    }
    // What holds a name could be compared, or walked, with the name in it.
    const bool inner = expr.kind == Kind::Select || expr.kind == Kind::Has || is_dyn(expr);
    for (const auto& arg : expr.args)
      if (arg && !inner && holds_namespace(plain(*arg))) only_by_name = false;
  }
};

// The names that a selector lists; nothing where it asks for another label.
std::optional<std::set<std::string>> listed(const Selector& selector) {
  std::set<std::string> names;
  for (const auto& [key, value] : selector.match_labels) {
    if (key != kNameLabel) return std::nullopt;
    names.insert(value);
  }
  for (const auto& e : selector.expressions) {
    if (e.key != kNameLabel) return std::nullopt;
    names.insert(e.values.begin(), e.values.end());
  }
  return names;
}

}  // namespace

std::map<std::string, std::string> represented(const Cluster& cluster, const std::set<std::string>& names,
                                               const cel::Expr* beside) {
  Looks looks;
  if (beside != nullptr) looks.at(*beside);
  std::vector<std::set<std::string>> lists;
  bool plain = true;
  const auto read = [&](const MatchResources& match) {
    const auto list = listed(match.namespaces);
    plain = plain && list.has_value();
    if (list && !list->empty()) lists.push_back(*list);
  };
  for (const AdmissionPolicy& policy : cluster.admission_policies) {
    read(policy.match);
    for (const auto& condition : policy.conditions) looks.at(condition.expression);
    for (const auto& variable : policy.variables) looks.at(variable.expression);
    for (const auto& validation : policy.validations) looks.at(validation.expression);
  }
  for (const AdmissionBinding& binding : cluster.admission_bindings) read(binding.match);
  std::map<std::string, std::string> out;
  std::map<std::vector<bool>, std::string> groups;
  for (const std::string& name : names) {
    std::vector<bool> in;
    for (const auto& list : lists) in.push_back(list.contains(name));
    const bool apart = !plain || !looks.only_by_name || looks.texts.contains(name);
    out.emplace(name, apart ? name : groups.try_emplace(std::move(in), name).first->second);
  }
  return out;
}

std::set<std::string> representatives(const Cluster& cluster, const std::set<std::string>& names,
                                      const cel::Expr* beside) {
  std::set<std::string> out;
  for (const auto& [name, by] : represented(cluster, names, beside)) out.insert(by);
  return out;
}

Cluster guards_without(const Cluster& cluster, const std::set<std::string>& names) {
  Cluster out;
  for (const Namespace& one : cluster.namespaces)
    if (!names.contains(one.name)) out.namespaces.push_back(one);
  out.admission_policies = cluster.admission_policies;
  out.admission_bindings = cluster.admission_bindings;
  const auto drop = [&](MatchResources& match) {
    for (auto& e : match.namespaces.expressions)
      if (e.key == kNameLabel && e.op == "In")
        std::erase_if(e.values, [&](const std::string& value) { return names.contains(value); });
  };
  for (AdmissionPolicy& policy : out.admission_policies) drop(policy.match);
  for (AdmissionBinding& binding : out.admission_bindings) drop(binding.match);
  return out;
}

}  // namespace gpol
