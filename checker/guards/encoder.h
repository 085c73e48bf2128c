// CEL expressions over a symbolic request (symbolic.h), with CEL's own way of errors. What is not understood becomes
// unknown, which may be anything: more requests are admitted so, never fewer.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "checker/guards/cel.h"
#include "checker/guards/symbolic.h"

namespace gpol::symbolic {

// How deep an unrolled expression may get in all, in evaluations of one node each.
struct EncodeLimits {
  std::size_t steps = 60'000;
};

constexpr unsigned kTrue = 1, kFalse = 2, kError = 4, kAnyOutcome = 7;

class Encoder {
 public:
  Encoder(Space& space, std::size_t& steps) : space_(space), steps_(steps) {}

  std::map<std::string, cel::ExprPtr> variables;
  bool in_condition = false;  // namespaceObject is null there

  // `want`: the outcomes that matter. Of a list, elements are kept only for these: a request that has one of them has
  // it still without the other elements.
  Truth condition(const cel::Expr& expr, unsigned want);
  Value value(const cel::Expr& expr);
  bool exhausted() const { return steps_ == 0; }

  // Of the request itself, as a value.
  Value of_node(Node* node);
  Value dig(const Value& from, const Value& key, bool optional, bool by_field);
  Truth truth_of(const Value& value);

 private:
  Value ident(const std::string& name);
  Value select(const cel::Expr& expr);
  Value has(const cel::Expr& expr);
  Value call(const cel::Expr& expr);
  Value aggregate(const cel::Expr& expr);
  Value macro(const cel::Expr& expr);
  Value optional_call(const cel::Expr& expr);
  Value dig_one(const Alternative& from, const Alternative& key, bool optional, bool by_field);

  Value operation(const std::string& name, const std::vector<Value>& args);
  Value function(const cel::Expr& expr, const std::vector<Value>& args);
  Term same(const Value& a, const Value& b);
  Term same_one(const Alternative& a, const Alternative& b);
  Value compare(const std::string& name, const Alternative& a, const Alternative& b);
  Value contained(const Alternative& value, const Alternative& in);
  Value arithmetic(const std::string& name, const Alternative& a, const Alternative& b);
  // One alternative of each argument.
  class Tuple {
   public:
    const Alternative& operator[](std::size_t at) const { return *all[at]; }
    std::size_t size() const { return all.size(); }
    std::vector<const Alternative*> all;
  };
  Value function_one(const std::string& name, bool method, const Tuple& args);
  Value combine(const std::vector<Value>& args, const std::function<Value(const Tuple&)>& apply);
  bool is_variable(const cel::Expr& expr) const;
  Truth quantified(const cel::Expr& expr, unsigned want);
  Value collected(const cel::Expr& expr, const Alternative& range);
  std::vector<Item> elements(const Alternative& range, std::size_t needs);

  Space& space_;
  std::size_t& steps_;
  std::vector<std::pair<std::string, Value>> bound_;
  bool keep_found_ = true;                         // what `in` finds matters, not only that it finds nothing
  std::map<std::string, Value> known_;             // variables, each evaluated once
  std::map<std::string, Truth> known_conditions_;  // and as conditions
};

Alternative of_kind(Kind kind, Term a = {});
Value just(Alternative alternative);
Value boolean_value(Term truth);
Value integer_value(Term number);
Value an_error();
Value an_unknown();
Value of_truth(const Truth& truth);
Value of_literal(const cel::Value& value, Strings& strings);
// `value` under `when`, added to `out`.
void add_under(Value& out, const Term& when, const Value& value);

}  // namespace gpol::symbolic
