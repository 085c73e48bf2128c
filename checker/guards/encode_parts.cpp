// Fields, elements, macros and optionals of the encoder (encoder.h).
#include <algorithm>

#include "checker/guards/cel_eval.h"
#include "checker/guards/encoder.h"
#include "checker/guards/fold.h"

namespace gpol::symbolic {

namespace {

using E = cel::Expr::Kind;

// What a key finds: values under conditions that exclude each other.
struct Lookup {
  enum class State : std::uint8_t { Found, NoContainer, BadKey, Unknown } state = State::Found;
  std::vector<std::pair<Term, Value>> hits;
};

Lookup without(Lookup::State state) {
  Lookup lookup;
  lookup.state = state;
  return lookup;
}

Alternative some(Value value) {
  Alternative is = of_kind(Kind::Some);
  is.inside = std::make_shared<const Value>(std::move(value));
  return is;
}

}  // namespace

Value Encoder::dig_one(const Alternative& from, const Alternative& key, bool optional, bool by_field) {
  if (from.kind == Kind::None) return just(of_kind(Kind::None));
  if (from.kind == Kind::Some) {
    Value out;
    out.unknown = from.inside->unknown;
    for (const Alternative& is : from.inside->alternatives) add_under(out, is.when, dig_one(is, key, true, by_field));
    return out;
  }
  Lookup lookup;
  if (from.kind == Kind::Map && key.kind != Kind::String) {
    // not found
  } else if (from.node != nullptr && from.kind == Kind::Map && space_.strings.is_literal(key.a) &&
             Space::is_position(space_.strings.text(key.a))) {
    lookup = without(Lookup::State::Unknown);
  } else if (from.kind == Kind::Map && from.node != nullptr) {
    Node& map = *from.node;
    if (space_.strings.is_literal(key.a)) {
      const Entry& entry = space_.child(map, space_.strings.text(key.a));
      lookup.hits.emplace_back(entry.present, of_node(entry.node));
    } else if (const auto own =
                   std::ranges::find_if(map.others, [&](const Entry& entry) { return entry.key->name == key.a->name; });
               own != map.others.end()) {
      lookup.hits.emplace_back(own->present, of_node(own->node));  // a key of this map itself: no other has it
    } else {
      // The element that this key finds is kept, if there is one: once for each key.
      if (keep_found_) space_.need(map, "key:" + key.a->name);
      for (const Entry& entry : space_.walk(map, Kind::Map, 0))
        lookup.hits.emplace_back(both_of(entry.present, space_.strings.same(entry.key, key.a)), of_node(entry.node));
    }
  } else if (from.kind == Kind::Map) {
    for (std::size_t i = 0; i < from.keys.size(); ++i)
      lookup.hits.emplace_back(space_.strings.same(space_.strings.literal(from.keys[i]), key.a), *from.items[i].value);
  } else if (from.kind == Kind::List) {
    if (key.kind == Kind::Double) lookup = without(Lookup::State::Unknown);
    if (key.kind != Kind::Int && key.kind != Kind::Double) lookup = without(Lookup::State::BadKey);
    const bool fixed = key.kind == Kind::Int && key.a->op == Op::IntConst;
    if (key.kind == Kind::Int && !fixed) lookup = without(Lookup::State::Unknown);
    if (fixed && key.a->value >= 0) {
      const auto at = static_cast<std::size_t>(key.a->value);
      const Entry* entry = from.node == nullptr ? nullptr : space_.position(*from.node, at);
      bool plain = from.node == nullptr && from.origins.empty();
      for (const Item& item : from.items) plain = plain && is_true(item.present);
      if (entry != nullptr)
        lookup.hits.emplace_back(entry->present, of_node(entry->node));
      else if (!plain)
        lookup = without(Lookup::State::Unknown);
      else if (at < from.items.size())
        lookup.hits.emplace_back(boolean(true), *from.items[at].value);
    }
  } else {
    lookup = without(Lookup::State::NoContainer);
  }
  if (lookup.state == Lookup::State::Unknown) return an_unknown();
  if (lookup.state == Lookup::State::BadKey) return an_error();
  Value out;
  Term found = boolean(false);
  for (const auto& [when, value] : lookup.hits) {
    add_under(out, when, optional ? just(some(value)) : value);
    found = either_of(found, when);
  }
  add_under(out, negated(found), optional ? just(of_kind(Kind::None)) : an_error());
  return out;
}

Value Encoder::dig(const Value& from, const Value& key, bool optional, bool by_field) {
  return combine({from, key}, [&](const Tuple& is) -> Value {
    // A field of what has none is an error; asked for as an optional it is none.
    return by_field && !optional && is[0].kind == Kind::List ? an_error() : dig_one(is[0], is[1], optional, by_field);
  });
}

std::vector<Item> Encoder::elements(const Alternative& range, std::size_t needs) {
  std::vector<Item> items;
  if (range.node != nullptr) {
    for (const Entry& entry : space_.walk(*range.node, range.kind, needs)) {
      items.push_back(
          {entry.present, std::make_shared<const Value>(range.kind == Kind::Map ? just(of_kind(Kind::String, entry.key))
                                                                                : of_node(entry.node))});
    }
    return items;
  }
  for (Node* origin : range.origins) space_.walk(*origin, Kind::List, needs);
  if (range.kind == Kind::List) return range.items;
  for (const std::string& key : range.keys)
    items.push_back({boolean(true), std::make_shared<const Value>(of_literal(key, space_.strings))});
  return items;
}

Truth Encoder::quantified(const cel::Expr& expr, unsigned want) {
  const bool exists = expr.name == "exists";
  const Value range = value(*expr.args[0]);
  const unsigned by_one = kError | (exists ? kTrue : kFalse);  // the outcomes that one element brings about
  const unsigned inner = (want & kError) != 0 ? kAnyOutcome : want;
  Truth out{boolean(false), boolean(false)};
  if (!is_false(range.unknown)) {
    const Truth open = truth_of({boolean(false), range.unknown, {}});
    out = {open.yes, open.no};
  }
  for (const Alternative& is : range.alternatives) {
    if (is.kind != Kind::List && is.kind != Kind::Map) continue;
    std::vector<Term> one, all;
    for (const Item& item : elements(is, (want & by_one) != 0 ? 1 : 0)) {
      bound_.emplace_back(expr.variable, *item.value);
      const Truth truth = condition(*expr.args[1], inner);
      bound_.pop_back();
      one.push_back(both_of(item.present, exists ? truth.yes : truth.no));
      all.push_back(either_of(negated(item.present), exists ? truth.no : truth.yes));
    }
    const Term some_one = space_.define(both_of(is.when, any_of(one))),
               every = space_.define(both_of(is.when, all_of(all)));
    out.yes = either_of(out.yes, exists ? some_one : every);
    out.no = either_of(out.no, exists ? every : some_one);
  }
  return out;
}

// exists_one, filter and map: one error is the error of all.
Value Encoder::collected(const cel::Expr& expr, const Alternative& range) {
  const bool plain_map = expr.name == "map" && expr.args.size() == 2;
  Term error = boolean(false), unknown = boolean(false), any = boolean(false), two = boolean(false);
  Alternative list = of_kind(Kind::List);
  list.origins = range.origins;
  // Elements of a map's keys are walked as those of a map: they are no list to keep elements of.
  if (range.node != nullptr && range.kind == Kind::Map) return an_unknown();
  if (range.node != nullptr) list.origins.push_back(range.node);
  for (const Item& item : elements(range, expr.name == "exists_one" ? 2 : 1)) {
    bound_.emplace_back(expr.variable, *item.value);
    Term present = item.present;
    if (!plain_map) {
      const Truth truth = condition(*expr.args[1], kAnyOutcome);
      error = either_of(error, both_of(present, negated(either_of(truth.yes, truth.no))));
      present = space_.define(both_of(present, truth.yes));
    }
    std::shared_ptr<const Value> kept = item.value;
    if (expr.name == "map") {
      Value made = value(*expr.args[plain_map ? 1 : 2]);
      error = either_of(error, both_of(present, made.error));
      unknown = either_of(unknown, both_of(present, made.unknown));
      kept = std::make_shared<const Value>(std::move(made));
    }
    bound_.pop_back();
    two = either_of(two, both_of(any, present));
    any = either_of(any, present);
    list.items.push_back({present, std::move(kept)});
  }
  const Term fails = space_.define(error);
  Value out{fails, both_of(negated(fails), unknown), {}};
  const Alternative one = of_kind(Kind::Bool, both_of(any, negated(two)));
  add_under(out, negated(either_of(out.error, unknown)), just(expr.name == "exists_one" ? one : list));
  return out;
}

Value Encoder::macro(const cel::Expr& expr) {
  if (expr.name == "all" || expr.name == "exists") return of_truth(quantified(expr, kAnyOutcome));
  return combine({value(*expr.args[0])}, [&](const Tuple& is) -> Value {
    return is[0].kind != Kind::List && is[0].kind != Kind::Map ? an_error() : collected(expr, is[0]);
  });
}

Value Encoder::call(const cel::Expr& expr) {
  const auto& args = expr.args;
  if (!expr.method && (expr.name == "&&" || expr.name == "||" || expr.name == "!"))
    return of_truth(condition(expr, kAnyOutcome));
  if (!expr.method && expr.name == "?:") {
    Truth on = condition(*args[0], kAnyOutcome);
    on = {space_.define(on.yes), space_.define(on.no)};
    Value out;
    out.error = negated(either_of(on.yes, on.no));
    add_under(out, on.yes, value(*args[1]));
    add_under(out, on.no, value(*args[2]));
    return out;
  }
  if (expr.method && (expr.name == "none" || expr.name == "of" || expr.name == "hasValue" || expr.name == "value" ||
                      expr.name == "orValue" || expr.name == "or"))
    return optional_call(expr);
  std::vector<Value> values;
  for (const cel::ExprPtr& arg : args) values.push_back(value(*arg));
  const bool operation_name = !expr.method && args.size() <= 2 && cel::is_operator(expr.name);
  return operation_name ? operation(expr.name, values) : function(expr, values);
}

Value Encoder::optional_call(const cel::Expr& expr) {
  const auto& args = expr.args;
  const bool space = args[0]->kind == E::Ident && args[0]->name == "optional";
  if (space && expr.name == "none" && args.size() == 1) return just(of_kind(Kind::None));
  if (space && expr.name == "of" && args.size() == 2) {
    Value held = value(*args[1]);
    Value out{held.error, held.unknown, {}};
    const Term there = negated(either_of(held.error, held.unknown));
    add_under(out, there, just(some(std::move(held))));
    return out;
  }
  const bool asks = expr.name == "hasValue" || expr.name == "value";
  if (space || args.size() != (asks ? 1 : 2) || expr.name == "none" || expr.name == "of") return an_unknown();
  const Value target = value(*args[0]);
  Value out{target.error, target.unknown, {}};
  Value otherwise;  // asked for only where it is needed
  bool evaluated = false;
  for (const Alternative& is : target.alternatives) {
    if (is.kind != Kind::None && is.kind != Kind::Some) {
      add_under(out, is.when, an_error());
    } else if (expr.name == "hasValue") {
      add_under(out, is.when, boolean_value(boolean(is.kind == Kind::Some)));
    } else if (is.kind == Kind::Some) {
      add_under(out, is.when, expr.name == "or" ? just(is) : *is.inside);
    } else if (expr.name == "value") {
      add_under(out, is.when, an_error());
    } else {
      if (!evaluated) otherwise = value(*args[1]);
      evaluated = true;
      add_under(out, is.when, otherwise);
    }
  }
  return out;
}

}  // namespace gpol::symbolic
