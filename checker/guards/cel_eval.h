// What an expression is worth, exactly as the API server has it (cel-go v0.27 interpreter, in the environment of
// k8s.io/apiserver v0.36 pkg/cel/environment): a value, an error, or unknown where it uses what is not supported here.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "checker/guards/cel.h"

namespace gpol::cel {

struct Result {
  enum class State : std::uint8_t { Value, Error, Unknown } state = State::Unknown;
  Value value;
  std::string why;  // Error and Unknown

  static Result of(Value value) { return {State::Value, std::move(value), ""}; }
  static Result error(std::string why) { return {State::Error, {}, std::move(why)}; }
  static Result unknown(std::string why) { return {State::Unknown, {}, std::move(why)}; }
  bool is_error() const { return state == State::Error; }
  bool is_unknown() const { return state == State::Unknown; }
  bool is_value() const { return state == State::Value; }
  const bool* boolean() const { return is_value() ? value.as<bool>() : nullptr; }
};

struct Activation {
  std::map<std::string, Value> names;        // "object", "request", ...
  std::map<std::string, ExprPtr> variables;  // what `variables.x` stands for, evaluated when it is asked for
};

struct EvalLimits {
  std::size_t steps = 1'000'000;  // then the result is unknown
};

Result evaluate(const ExprPtr& expr, const Activation& activation, const EvalLimits& limits = {});

// A function or method of strings, numbers and quantities (not operators, not macros) on values; unknown if there is
// none of that name here. `args[0]` is the target of a method.
Result call_function(const std::string& name, bool method, const std::vector<Value>& args);

// An operator on values: == != < <= > >= in + - * / % ! neg [] . None absorbs errors.
Result call_operator(const std::string& name, const std::vector<Value>& args);
bool is_operator(const std::string& name);

// A regular expression (RE2) that is plain text, anchored or not.
struct PlainPattern {
  bool from = false, to = false;  // ^ and $
  std::string text;
};
std::optional<PlainPattern> plain_pattern(std::string_view pattern);

}  // namespace gpol::cel
