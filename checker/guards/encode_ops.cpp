// Operators and functions of the encoder: what call_operator and call_function are to values (encoder.h).
#include <algorithm>
#include <limits>

#include "checker/guards/cel_eval.h"
#include "checker/guards/encoder.h"
#include "checker/guards/fold.h"
#include "checker/planted.h"

namespace gpol::symbolic {

namespace {

bool is_number(const Alternative& is) { return is.kind == Kind::Int || is.kind == Kind::Double; }
Term fraction(const Alternative& is) { return is.kind == Kind::Int ? boolean(false) : is.b; }

Value text_value(Term text) { return just(of_kind(Kind::String, std::move(text))); }

// A value that is there unless `fails`, which is an error.
Value unless(const Term& fails, const Value& value) {
  Value out{fails, boolean(false), {}};
  add_under(out, negated(fails), value);
  return out;
}

// a < b. Two fractions between the same whole numbers are not told apart.
Term lower(const Alternative& a, const Alternative& b, Space& space) {
  const Term fa = fraction(a), fb = fraction(b), level = same_number(a.a, b.a);
  const Term open = both_of(fa, fb);
  Term within = both_of(negated(fa), fb);
  if (!is_false(open)) within = either_of(within, both_of(open, space.fresh_truth()));
  return either_of(below(a.a, b.a), both_of(level, within));
}

bool fixed_list(const Alternative& is) {
  if (is.kind != Kind::List || is.node != nullptr || !is.origins.empty()) return false;
  return std::ranges::all_of(is.items, is_true, &Item::present);
}

}  // namespace

Value Encoder::combine(const std::vector<Value>& args, const std::function<Value(const Tuple&)>& apply) {
  std::vector<Term> whens = {boolean(true)};
  std::vector<Tuple> tuples(1);
  Term error = boolean(false), unknown = boolean(false);
  for (const Value& arg : args) {
    error = either_of(error, arg.error);
    unknown = either_of(unknown, arg.unknown);
    std::vector<Term> next_whens;
    std::vector<Tuple> next;
    for (std::size_t i = 0; i < tuples.size(); ++i)
      for (const Alternative& is : arg.alternatives) {
        const Term when = both_of(whens[i], is.when);
        if (is_false(when)) continue;
        next.push_back(tuples[i]);
        next.back().all.push_back(&is);
        next_whens.push_back(when);
      }
    if (next.size() > 300) return an_unknown();
    tuples = std::move(next);
    whens = std::move(next_whens);
  }
  Value out{error, both_of(negated(error), unknown), {}};
  for (std::size_t i = 0; i < tuples.size(); ++i) add_under(out, whens[i], apply(tuples[i]));
  return out;
}

Term Encoder::same(const Value& a, const Value& b) {
  Term all = boolean(false);
  for (const Alternative& one : a.alternatives)
    for (const Alternative& two : b.alternatives) {
      const Term when = both_of(one.when, two.when);
      if (!is_false(when)) all = either_of(all, both_of(when, same_one(one, two)));
    }
  const Term open = either_of(either_of(a.unknown, b.unknown), either_of(a.error, b.error));
  return is_false(open) ? all : either_of(all, both_of(open, space_.fresh_truth()));
}

Term Encoder::same_one(const Alternative& a, const Alternative& b) {
  if ((is_number(a) && is_number(b)) || (a.kind == Kind::Quantity && b.kind == Kind::Quantity)) {
    const Term fa = fraction(a), fb = fraction(b), open = both_of(fa, fb);
    Term within = both_of(negated(fa), negated(fb));
    if (!is_false(open)) within = either_of(within, both_of(open, space_.fresh_truth()));
    return both_of(same_number(a.a, b.a), within);
  }
  if (a.kind != b.kind) return boolean(false);
  switch (a.kind) {
    case Kind::Bool:
      return same_truth(a.a, b.a);
    case Kind::String:
      return space_.strings.same(a.a, b.a);
    case Kind::List: {
      if (a.node != nullptr && a.node == b.node) return boolean(true);
      if (fixed_list(a) && fixed_list(b)) {
        Term all = boolean(a.items.size() == b.items.size());
        for (std::size_t i = 0; i < a.items.size() && !is_false(all); ++i)
          all = both_of(all, same(*a.items[i].value, *b.items[i].value));
        return all;
      }
      if (a.node != nullptr && b.node != nullptr) return space_.alike(a.node, b.node);
      const Alternative &node = a.node != nullptr ? a : b, &list = a.node != nullptr ? b : a;
      if (node.node == nullptr || !fixed_list(list) || list.items.size() > 8) return space_.fresh_truth();
      Term all = equal(space_.size(*node.node, Kind::List), integer(static_cast<std::int64_t>(list.items.size())));
      for (std::size_t i = 0; i < list.items.size(); ++i) {
        const Entry* entry = space_.position(*node.node, i);
        all = both_of(all, both_of(entry->present, same(of_node(entry->node), *list.items[i].value)));
      }
      return all;
    }
    case Kind::Map: {
      if (a.node != nullptr && a.node == b.node) return boolean(true);
      if (a.node != nullptr && b.node != nullptr) return space_.alike(a.node, b.node);
      const Alternative &node = a.node != nullptr ? a : b, &map = a.node != nullptr ? b : a;
      if (node.node == nullptr || map.node != nullptr || !map.items.empty()) return space_.fresh_truth();
      return equal(space_.size(*node.node, Kind::Map), integer(0));
    }
    case Kind::Some:
      return same(*a.inside, *b.inside);
    default:
      return boolean(true);
  }
}

Value Encoder::compare(const std::string& name, const Alternative& a, const Alternative& b) {
  const bool turn = name[0] == '>', or_equal = name.size() == 2;
  const Alternative &x = turn ? b : a, &y = turn ? a : b;  // x < y, or x <= y
  if (is_number(a) && is_number(b)) return boolean_value(or_equal ? negated(lower(y, x, space_)) : lower(x, y, space_));
  if (a.kind != b.kind) return an_error();
  if (a.kind == Kind::Bool) return boolean_value(or_equal ? either_of(negated(x.a), y.a) : both_of(negated(x.a), y.a));
  if (a.kind != Kind::String) return an_error();
  if (!space_.strings.is_literal(a.a) || !space_.strings.is_literal(b.a)) return boolean_value(space_.fresh_truth());
  const std::string &left = space_.strings.text(x.a), &right = space_.strings.text(y.a);
  return boolean_value(boolean(or_equal ? left <= right : left < right));
}

Value Encoder::contained(const Alternative& value, const Alternative& in) {
  if (in.kind != Kind::List && in.kind != Kind::Map) return an_error();
  if (in.kind == Kind::Map && value.kind != Kind::String) return boolean_value(boolean(false));
  if (in.kind == Kind::Map) {
    const Value found = dig_one(in, value, true, false);
    Value out;
    out.unknown = found.unknown;
    Term there = boolean(false);
    for (const Alternative& is : found.alternatives)
      if (is.kind == Kind::Some || planted(Bug::EncodingAbsentKeyThere)) there = either_of(there, is.when);
    add_under(out, negated(found.unknown), boolean_value(there));
    return out;
  }
  Term any = boolean(false);
  Alternative wanted = value;
  for (const Item& item : elements(in, keep_found_ ? 1 : 0))
    any = either_of(any, both_of(item.present, same(*item.value, just(wanted))));
  return boolean_value(any);
}

Value Encoder::arithmetic(const std::string& name, const Alternative& a, const Alternative& b) {
  if (a.kind == Kind::String && b.kind == Kind::String && name == "+") {
    if (!space_.strings.is_literal(a.a) || !space_.strings.is_literal(b.a)) return text_value(space_.fresh_text());
    return text_value(space_.strings.literal(space_.strings.text(a.a) + space_.strings.text(b.a)));
  }
  if (a.kind != b.kind) return an_error();
  if (a.kind == Kind::Double || (a.kind == Kind::List && name == "+")) return an_unknown();
  if (a.kind != Kind::Int) return an_error();
  const bool ca = a.a->op == Op::IntConst, cb = b.a->op == Op::IntConst;
  if (ca && cb) {
    const cel::Result result = cel::call_operator(name, {a.a->value, b.a->value});
    return result.is_value() ? of_literal(result.value, space_.strings) : an_error();
  }
  Term out;
  if (name == "+") out = a.a + b.a;
  if (name == "-") out = a.a - b.a;
  if (name == "*" && (ca || cb)) out = ca ? a.a->value * b.a : b.a->value * a.a;
  if (out.get() == nullptr) return an_unknown();
  using Limits = std::numeric_limits<std::int64_t>;
  return unless(any_of({out > integer(Limits::max()), out < integer(Limits::min())}), integer_value(out));
}

Value Encoder::operation(const std::string& name, const std::vector<Value>& args) {
  return combine(args, [&](const Tuple& is) -> Value {
    if (name == "==") return boolean_value(same_one(is[0], is[1]));
    if (name == "!=") return boolean_value(negated(same_one(is[0], is[1])));
    if (name == "in") return contained(is[0], is[1]);
    if (name == "neg") {
      if (is[0].kind == Kind::Double) return an_unknown();
      return is[0].kind != Kind::Int ? an_error() : arithmetic("-", of_kind(Kind::Int, integer(0)), is[0]);
    }
    return name[0] == '<' || name[0] == '>' ? compare(name, is[0], is[1]) : arithmetic(name, is[0], is[1]);
  });
}

Value Encoder::function_one(const std::string& name, bool method, const Tuple& args) {
  Strings& strings = space_.strings;
  const Alternative& first = args[0];
  const bool text = first.kind == Kind::String;
  if (name == "size" && args.size() == 1) {
    if (text) {
      strings.literal("");
      return integer_value(strings.number("size", first.a));
    }
    if (first.kind != Kind::List && first.kind != Kind::Map) return an_error();
    if (first.node != nullptr) return integer_value(space_.size(*first.node, first.kind));
    Term seen = integer(0);
    std::vector<Term> any;
    for (const Item& item : elements(first, 1)) {
      seen = is_true(item.present) && seen->op == Op::IntConst ? integer(seen->value + 1)
                                                               : seen + ite(item.present, integer(1), integer(0));
      any.push_back(item.present);
    }
    if (first.origins.empty()) return integer_value(seen);
    const Term size = space_.fresh_number();  // of what is kept of a list, of which only some elements are looked at
    space_.require(size >= seen);
    space_.require(implies(size > integer(0), any_of(any)));
    return integer_value(size);
  }
  if (method && args.size() == 2 &&
      (name == "startsWith" || name == "endsWith" || name == "contains" || name == "matches")) {
    if (!text || args[1].kind != Kind::String) return an_error();
    if (!strings.is_literal(args[1].a)) return boolean_value(space_.fresh_truth());
    std::string part = strings.text(args[1].a), predicate = name;
    if (name == "matches") {
      const auto plain = cel::plain_pattern(part);
      if (!plain) return an_unknown();
      part = plain->text;
      if (plain->from && plain->to) return boolean_value(strings.same(first.a, strings.literal(part)));
      predicate = plain->from ? "startsWith" : plain->to ? "endsWith" : "contains";
    }
    if (planted(Bug::EncodingPrefixAnywhere) && predicate == "startsWith") predicate = "contains";
    return boolean_value(strings.holds(predicate, part, first.a));
  }
  if (!method && args.size() == 1) {
    if (name == "dyn") return just(first);
    if (name == "int") {
      if (first.kind == Kind::Int) return just(first);
      if (first.kind == Kind::Double) return an_unknown();
      if (!text) return an_error();
      const Term number = strings.number("int", first.a);
      if (planted(Bug::EncodingConversionNeverFails)) return integer_value(number);
      return unless(negated(strings.holds("isInt", "", first.a)), integer_value(number));
    }
    if (name == "string") {
      if (text) return just(first);
      return first.kind == Kind::Int || first.kind == Kind::Bool || first.kind == Kind::Double ? an_unknown()
                                                                                               : an_error();
    }
    if (name == "isQuantity") return text ? boolean_value(strings.holds("isQuantity", "", first.a)) : an_error();
    if (name == "quantity") {
      if (!text) return an_error();
      Alternative is = of_kind(Kind::Quantity, strings.number("quantity", first.a));
      is.b = same_number(strings.number("fraction", first.a), integer(1));
      return unless(negated(strings.holds("isQuantity", "", first.a)), just(std::move(is)));
    }
  }
  const bool compares = name == "isLessThan" || name == "isGreaterThan" || name == "compareTo";
  if (method && args.size() == 2 && compares) {
    if (first.kind != Kind::Quantity || args[1].kind != Kind::Quantity) return an_error();
    const Term less = lower(first, args[1], space_), more = lower(args[1], first, space_);
    if (name == "isLessThan") return boolean_value(less);
    if (name == "isGreaterThan") return boolean_value(more);
    return integer_value(ite(less, integer(-1), ite(more, integer(1), integer(0))));
  }
  return an_unknown();
}

Value Encoder::function(const cel::Expr& expr, const std::vector<Value>& args) {
  if (args.empty()) return an_unknown();
  return combine(args, [&](const Tuple& is) { return function_one(expr.name, expr.method, is); });
}

}  // namespace gpol::symbolic
