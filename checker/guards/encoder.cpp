#include "checker/guards/encoder.h"

#include <cmath>
#include <utility>

#include "checker/guards/fold.h"
#include "compiler/source/lookup.h"

namespace gpol::symbolic {

namespace {

using E = cel::Expr::Kind;

unsigned swapped(unsigned want) {
  return (want & kError) | ((want & kTrue) != 0 ? kFalse : 0U) | ((want & kFalse) != 0 ? kTrue : 0U);
}

}  // namespace

Alternative of_kind(Kind kind, Term a) {
  Alternative is;
  is.kind = kind;
  is.a = std::move(a);
  return is;
}
Value just(Alternative alternative) {
  alternative.when = boolean(true);
  Value value;
  value.alternatives.push_back(std::move(alternative));
  return value;
}
Value boolean_value(Term truth) { return just(of_kind(Kind::Bool, std::move(truth))); }
Value integer_value(Term number) { return just(of_kind(Kind::Int, std::move(number))); }
Value an_error() { return {boolean(true), boolean(false), {}}; }
Value an_unknown() { return {boolean(false), boolean(true), {}}; }

Value of_truth(const Truth& truth) {
  Alternative is{either_of(truth.yes, truth.no), Kind::Bool, truth.yes, nullptr, nullptr, {}, {}, {}, nullptr};
  Value value;
  value.error = negated(is.when);
  if (!is_false(is.when)) value.alternatives.push_back(std::move(is));
  return value;
}

void add_under(Value& out, const Term& when, const Value& value) {
  if (is_false(when)) return;
  out.error = either_of(out.error, both_of(when, value.error));
  out.unknown = either_of(out.unknown, both_of(when, value.unknown));
  for (Alternative alternative : value.alternatives) {
    alternative.when = both_of(when, alternative.when);
    if (!is_false(alternative.when)) out.alternatives.push_back(std::move(alternative));
  }
}

Value of_literal(const cel::Value& value, Strings& strings) {
  if (const auto* b = value.as<bool>()) return boolean_value(boolean(*b));
  if (const auto* i = value.as<std::int64_t>()) return integer_value(integer(*i));
  if (const auto* d = value.as<double>()) {
    const double floor = std::floor(*d);
    if (!(floor > -1e15 && floor < 1e15)) return an_unknown();
    Alternative is = of_kind(Kind::Double, integer(static_cast<std::int64_t>(floor)));
    is.b = boolean(floor != *d);
    return just(std::move(is));
  }
  if (const auto* s = value.as<std::string>()) return just(of_kind(Kind::String, strings.literal(*s)));
  return value.as<cel::Null>() != nullptr ? just({}) : an_unknown();
}

Value Encoder::of_node(Node* node) {
  Value value;
  for (unsigned k = 0; k < 7; ++k) {
    if ((node->kinds & (1U << k)) == 0) continue;
    Alternative is = of_kind(static_cast<Kind>(k));
    is.when = node->is[k];
    is.node = node;
    if (is.kind == Kind::Bool) is.a = node->truth;
    if (is.kind == Kind::Int || is.kind == Kind::Double) is.a = node->number;
    if (is.kind == Kind::Double) is.b = node->fraction;
    if (is.kind == Kind::String) is.a = node->text;
    value.alternatives.push_back(std::move(is));
  }
  return value;
}

Truth Encoder::truth_of(const Value& value) {
  Truth truth{boolean(false), boolean(false)};
  for (const Alternative& is : value.alternatives) {
    if (is.kind != Kind::Bool) continue;
    truth.yes = either_of(truth.yes, both_of(is.when, is.a));
    truth.no = either_of(truth.no, both_of(is.when, negated(is.a)));
  }
  if (!is_false(value.unknown)) {
    const Term yes = space_.fresh_truth(), no = space_.fresh_truth();
    truth.yes = either_of(truth.yes, both_of(value.unknown, yes));
    truth.no = either_of(truth.no, both_of(value.unknown, both_of(no, negated(yes))));
  }
  return truth;
}

bool Encoder::is_variable(const cel::Expr& expr) const {
  if (expr.kind != E::Select || expr.optional || expr.args[0]->kind != E::Ident || expr.args[0]->name != "variables")
    return false;
  return !contains(bound_, "variables", &std::pair<std::string, Value>::first);
}

Truth Encoder::condition(const cel::Expr& expr, unsigned want) {
  if (steps_ == 0) return truth_of(an_unknown());
  if (is_variable(expr)) {
    const auto found = variables.find(expr.name);
    if (found == variables.end() || !found->second) return truth_of(an_unknown());
    const std::string key = expr.name + "?" + std::to_string(want);
    if (const auto known = known_conditions_.find(key); known != known_conditions_.end()) return known->second;
    std::vector<std::pair<std::string, Value>> outside;
    outside.swap(bound_);
    Truth truth = condition(*found->second, want);
    truth = {space_.define(truth.yes), space_.define(truth.no)};
    outside.swap(bound_);
    return known_conditions_.emplace(key, truth).first->second;
  }
  if (expr.kind == E::Macro && (expr.name == "all" || expr.name == "exists")) return --steps_, quantified(expr, want);
  if (expr.kind != E::Call || expr.method) return truth_of(value(expr));
  if (expr.name == "!") {
    --steps_;
    const Truth of = condition(*expr.args[0], swapped(want));
    return {of.no, of.yes};
  }
  if (expr.name == "&&" || expr.name == "||") {
    --steps_;
    const bool conjunction = expr.name == "&&";
    const unsigned inner = (want & kError) != 0 ? kAnyOutcome : want;
    const Truth a = condition(*expr.args[0], inner), b = condition(*expr.args[1], inner);
    if (conjunction) return {both_of(a.yes, b.yes), either_of(a.no, b.no)};
    return {either_of(a.yes, b.yes), both_of(a.no, b.no)};
  }
  if (expr.name == "?:") {
    --steps_;
    Truth on = condition(*expr.args[0], (want & kError) != 0 ? kAnyOutcome : kTrue | kFalse);
    on = {space_.define(on.yes), space_.define(on.no)};
    const Truth then = condition(*expr.args[1], want), otherwise = condition(*expr.args[2], want);
    return {either_of(both_of(on.yes, then.yes), both_of(on.no, otherwise.yes)),
            either_of(both_of(on.yes, then.no), both_of(on.no, otherwise.no))};
  }
  if (expr.name == "in" && (want & kTrue) == 0) {
    const std::vector<Value> args = {value(*expr.args[0]), value(*expr.args[1])};
    keep_found_ = false;
    const Value found = operation("in", args);
    keep_found_ = true;
    return truth_of(found);
  }
  return truth_of(value(expr));
}

Value Encoder::value(const cel::Expr& expr) {
  if (steps_ == 0 || space_.too_large()) return an_unknown();
  --steps_;
  switch (expr.kind) {
    case E::Literal:
      return of_literal(expr.value, space_.strings);
    case E::Ident:
      return ident(expr.name);
    case E::Select:
      return select(expr);
    case E::Has:
      return has(expr);
    case E::Index: {
      // One after the other: in which order arguments are evaluated is the compiler's choice, and texts are numbered
      // here.
      const Value key = value(*expr.args[1]);
      return dig(value(*expr.args[0]), key, expr.optional, false);
    }
    case E::Call:
      return call(expr);
    case E::Sequence:
    case E::Mapping:
      return aggregate(expr);
    case E::Macro:
      return macro(expr);
    case E::Unknown:
      break;
  }
  return an_unknown();
}

Value Encoder::ident(const std::string& name) {
  for (auto it = bound_.rbegin(); it != bound_.rend(); ++it)
    if (it->first == name) return it->second;
  if (name == "object" || name == "oldObject" || name == "request") return of_node(space_.root(name));
  if (name.starts_with('#')) return integer_value(int_symbol(name));  // any integer: no text of CEL has such a name
  if (name != "namespaceObject") return an_unknown();
  const bool none = in_condition || !space_.target().namespaced || space_.target().resource == "namespaces";
  return none ? just({}) : of_node(space_.root("namespace"));
}

Value Encoder::select(const cel::Expr& expr) {
  if (is_variable(expr)) {
    const auto found = variables.find(expr.name);
    if (found == variables.end() || !found->second) return an_unknown();
    if (const auto known = known_.find(expr.name); known != known_.end()) return known->second;
    std::vector<std::pair<std::string, Value>> outside;
    outside.swap(bound_);
    Value result = value(*found->second);
    outside.swap(bound_);
    return known_.emplace(expr.name, std::move(result)).first->second;
  }
  const Value name = of_literal(expr.name, space_.strings);  // first, whatever the compiler: texts are numbered here
  return dig(value(*expr.args[0]), name, expr.optional, true);
}

Value Encoder::has(const cel::Expr& expr) {
  const Value from = value(*expr.args[0]);
  const Value found = dig(from, of_literal(expr.name, space_.strings), true, true);
  Value out{found.error, found.unknown, {}};
  for (const Alternative& is : found.alternatives) {
    Alternative answer = of_kind(Kind::Bool, boolean(is.kind == Kind::Some));
    answer.when = is.when;
    out.alternatives.push_back(std::move(answer));
  }
  return out;
}

Value Encoder::aggregate(const cel::Expr& expr) {
  Alternative is = of_kind(expr.kind == E::Sequence ? Kind::List : Kind::Map);
  Term error = boolean(false), unknown = boolean(false);
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    if (expr.kind == E::Mapping && i % 2 == 0) {
      const auto* key = expr.args[i]->kind == E::Literal ? expr.args[i]->value.as<std::string>() : nullptr;
      if (key == nullptr || contains(is.keys, *key)) return an_unknown();
      is.keys.push_back(*key);
      continue;
    }
    Value element = value(*expr.args[i]);
    error = either_of(error, element.error);
    unknown = either_of(unknown, element.unknown);
    is.items.push_back({boolean(true), std::make_shared<const Value>(std::move(element))});
  }
  Value out{error, both_of(negated(error), unknown), {}};
  is.when = negated(either_of(error, unknown));
  if (!is_false(is.when)) out.alternatives.push_back(std::move(is));
  return out;
}

}  // namespace gpol::symbolic
