#include "checker/guards/cel_eval.h"

#include <algorithm>

#include "checker/planted.h"

namespace gpol::cel {

namespace {

using Kind = Expr::Kind;

Result no_key(const std::string& name) { return Result::error("no such key: " + name); }

class Evaluator {
 public:
  Evaluator(const Activation& activation, std::size_t steps) : activation_(activation), left_(steps) {}

  Result run(const Expr& expr) {
    if (left_ == 0) return Result::unknown("too many steps");
    --left_;
    switch (expr.kind) {
      case Kind::Literal:
        return Result::of(expr.value);
      case Kind::Ident:
        return ident(expr.name);
      case Kind::Select:
        return select(expr);
      case Kind::Has:
        return has(expr);
      case Kind::Index:
        return index(expr);
      case Kind::Call:
        return call(expr);
      case Kind::Sequence:
        return list(expr);
      case Kind::Mapping:
        return map(expr);
      case Kind::Macro:
        return macro(expr);
      case Kind::Unknown:
        break;
    }
    return Result::unknown("not supported: " + expr.name);
  }

 private:
  // A copy costs as much as what it copies: a variable of twice the one before may not grow without end.
  Result charged(const Value& value) {
    std::size_t weight = 0;
    weigh(value, weight);
    if (weight >= left_) {
      left_ = 0;
      return Result::unknown("too many steps");
    }
    left_ -= weight;
    return Result::of(value);
  }

  void weigh(const Value& value, std::size_t& weight) const {
    if (weight > left_) return;
    weight += 1;
    if (const auto* s = value.as<std::string>()) weight += s->size() / 64;
    if (const auto* list = value.as<List>())
      for (const Value& element : *list) weigh(element, weight);
    if (const auto* map = value.as<Map>())
      for (const auto& [key, of] : *map) weigh(of, weight);
  }

  Result ident(const std::string& name) {
    for (auto it = bound_.rbegin(); it != bound_.rend(); ++it)
      if (it->first == name) return charged(it->second);
    const auto found = activation_.names.find(name);
    if (found != activation_.names.end()) return charged(found->second);
    return Result::unknown("the name " + name + " is not known");
  }

  bool is_variables(const Expr& expr) const {
    return expr.kind == Kind::Ident && expr.name == "variables" &&
           std::ranges::none_of(bound_, [](const auto& bound) { return bound.first == "variables"; });
  }

  // Each is evaluated once, in the scope of the whole expression (pkg/admission/plugin/cel/composition.go).
  Result variable(const std::string& name) {
    const auto known = variables_.find(name);
    if (known != variables_.end()) return known->second.is_value() ? charged(known->second.value) : known->second;
    const auto found = activation_.variables.find(name);
    if (found == activation_.variables.end() || !found->second)
      return Result::unknown("the variable " + name + " is not known");
    variables_.emplace(name, Result::unknown("the variable " + name + " stands for itself"));
    std::vector<std::pair<std::string, Value>> outside;
    outside.swap(bound_);
    Result result = run(*found->second);
    outside.swap(bound_);
    return variables_[name] = std::move(result);
  }

  static Result optional_of(Value value) {
    return Result::of(Optional{std::make_shared<const Value>(std::move(value))});
  }

  // A field or a key of an optional: of what it holds, where it holds something that has it
  // (interpreter/attributes.go).
  static Result inside(const Value& held, const Value& key) {
    if (held.as<List>() != nullptr && key.as<std::string>() != nullptr) return Result::error("not an index");
    if (held.as<Map>() == nullptr && held.as<List>() == nullptr) return Result::of(Optional{});
    Result found = call_operator("[]", {held, key});
    return found.is_value() ? optional_of(std::move(found.value)) : Result::of(Optional{});
  }

  static Result dig(const Result& from, const Value& key, bool optional) {
    if (!from.is_value()) return from;
    if (const auto* some = from.value.as<Optional>()) return some->value ? inside(*some->value, key) : from;
    return optional ? inside(from.value, key) : call_operator("[]", {from.value, key});
  }

  Result select(const Expr& expr) {
    if (is_variables(*expr.args[0])) {
      Result of = variable(expr.name);
      if (!expr.optional || !of.is_value()) return of;
      return optional_of(std::move(of.value));
    }
    const Result from = run(*expr.args[0]);
    if (from.is_value() && !expr.optional && from.value.as<Optional>() == nullptr && from.value.as<Map>() == nullptr)
      return no_key(expr.name);
    return dig(from, expr.name, expr.optional);
  }

  Result has(const Expr& expr) {
    if (is_variables(*expr.args[0])) return Result::unknown("has() of variables");
    const Result from = run(*expr.args[0]);
    if (!from.is_value()) return from;
    Result found = inside(from.value, expr.name);
    if (from.value.as<Optional>() != nullptr) found = dig(from, expr.name, true);
    if (!found.is_value()) return found;
    return Result::of(found.value.as<Optional>()->value != nullptr);
  }

  Result index(const Expr& expr) {
    const Result from = run(*expr.args[0]);
    if (!from.is_value()) return from;
    const Result key = run(*expr.args[1]);
    return key.is_value() ? dig(from, key.value, expr.optional) : key;
  }

  Result list(const Expr& expr) {
    List out;
    for (const ExprPtr& arg : expr.args) {
      Result element = run(*arg);
      if (!element.is_value()) return element;
      out.push_back(std::move(element.value));
    }
    return Result::of(std::move(out));
  }

  Result map(const Expr& expr) {
    Map out;
    for (std::size_t i = 0; i + 1 < expr.args.size(); i += 2) {
      const Result key = run(*expr.args[i]);
      if (!key.is_value()) return key;
      Result value = run(*expr.args[i + 1]);
      if (!value.is_value()) return value;
      const auto* name = key.value.as<std::string>();
      if (name == nullptr) return Result::unknown("a map with keys that are no strings");
      if (!out.emplace(*name, std::move(value.value)).second) return Result::error("a key twice");
    }
    return Result::of(std::move(out));
  }

  // One of && and || with what came before: what decides wins over unknown, unknown over an error.
  static void join(Result& so_far, Result next, bool decides) {
    if (const bool* b = so_far.boolean(); b != nullptr && *b == decides) return;
    const bool* n = next.boolean();
    if (next.is_value() && n == nullptr) next = Result::error("no such overload");
    if (planted(Bug::ModelErrorWins) && so_far.is_error()) return;
    if (n != nullptr && *n == decides) {
      so_far = std::move(next);
    } else if (next.is_unknown() || (next.is_error() && !so_far.is_unknown())) {
      so_far = std::move(next);
    }
  }

  Result call(const Expr& expr) {
    const auto& args = expr.args;
    if (!expr.method && (expr.name == "&&" || expr.name == "||")) {
      const bool decides = expr.name == "||";
      Result out = Result::of(!decides);
      for (const ExprPtr& arg : args) {
        join(out, run(*arg), decides);
        if (const bool* b = out.boolean(); b != nullptr && *b == decides) break;
      }
      return out;
    }
    if (expr.name == "?:" && !expr.method) {
      const Result condition = run(*args[0]);
      if (!condition.is_value()) return condition;
      const bool* b = condition.boolean();
      return b == nullptr ? Result::error("no such overload") : run(*args[*b ? 1 : 2]);
    }
    if (Result done = Result::unknown(""); expr.method && optional_call(expr, done)) return done;
    std::vector<Value> values;
    Result fault = Result::of(true);
    for (const ExprPtr& arg : args) {
      Result value = run(*arg);
      if (value.is_unknown()) return value;
      if (value.is_error() && fault.is_value()) fault = value;
      values.push_back(std::move(value.value));
    }
    if (!fault.is_value()) return fault;
    return !expr.method && is_operator(expr.name) ? call_operator(expr.name, values)
                                                  : call_function(expr.name, expr.method, values);
  }

  // optional.of(x), optional.none(), and what an optional can be asked (cel/library.go of cel-go).
  bool optional_call(const Expr& expr, Result& out) {
    const auto& args = expr.args;
    if (args[0]->kind == Kind::Ident && args[0]->name == "optional") {
      if (expr.name == "none" && args.size() == 1) return out = Result::of(Optional{}), true;
      if (expr.name != "of" || args.size() != 2) return false;
      out = run(*args[1]);
      if (out.is_value()) out = optional_of(std::move(out.value));
      return true;
    }
    const bool asks = (expr.name == "hasValue" || expr.name == "value") && args.size() == 1;
    const bool gives = (expr.name == "orValue" || expr.name == "or") && args.size() == 2;
    if (!asks && !gives) return false;
    out = run(*args[0]);
    if (!out.is_value()) return true;
    const auto* some = out.value.as<Optional>();
    if (some == nullptr) return out = Result::error("no such overload"), true;
    const auto held = some->value;
    if (expr.name == "hasValue") {
      out = Result::of(held != nullptr);
    } else if (gives && !held) {
      out = run(*args[1]);
    } else if (expr.name != "or") {
      out = held ? Result::of(*held) : Result::error("optional.none() dereference");
    }
    return true;
  }

  Result macro(const Expr& expr) {
    const Result range = run(*expr.args[0]);
    if (!range.is_value()) return range;
    List over;
    if (const auto* l = range.value.as<List>())
      over = *l;
    else if (const auto* m = range.value.as<Map>())
      for (const auto& [key, value] : *m) over.emplace_back(key);
    else
      return Result::error("no such overload");
    const bool quantifies = expr.name == "all" || expr.name == "exists";
    Result out = Result::of(expr.name == "all");
    Result fault = Result::of(true);
    List kept;
    std::int64_t count = 0;
    for (Value& element : over) {
      bound_.emplace_back(expr.variable, std::move(element));
      const Result next = run(*expr.args[1]);
      if (quantifies)
        join(out, next, expr.name == "exists");
      else
        collect(expr, next, fault, kept, count);
      bound_.pop_back();
    }
    if (quantifies) return out;
    if (!fault.is_value()) return fault;
    return expr.name == "exists_one" ? Result::of(count == 1) : Result::of(std::move(kept));
  }

  // exists_one, filter and map absorb nothing: one error is the error of all.
  void collect(const Expr& expr, const Result& next, Result& fault, List& kept, std::int64_t& count) {
    Result add = Result::of(true);
    if (expr.name == "map" && expr.args.size() == 2) {
      add = next;
      if (add.is_value()) kept.push_back(add.value);
    } else if (const bool* b = next.boolean()) {
      if (!*b) return;
      ++count;
      add = expr.name == "map" ? run(*expr.args[2]) : Result::of(bound_.back().second);
      if (add.is_value()) kept.push_back(add.value);
    } else {
      add = next.is_value() ? Result::error("no such overload") : next;
    }
    if (!add.is_value() && !fault.is_unknown() && (add.is_unknown() || fault.is_value())) fault = add;
  }

  const Activation& activation_;
  std::size_t left_;
  std::vector<std::pair<std::string, Value>> bound_;
  std::map<std::string, Result> variables_;
};

}  // namespace

Result evaluate(const ExprPtr& expr, const Activation& activation, const EvalLimits& limits) {
  return expr ? Evaluator(activation, limits.steps).run(*expr) : Result::unknown("no expression");
}

}  // namespace gpol::cel
