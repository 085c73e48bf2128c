// Operators and functions on values (cel_eval.h). Overloads: cel-go common/stdlib, apiserver
// pkg/cel/library/quantity.go.
#include <algorithm>
#include <cmath>
#include <set>

#include "checker/guards/cel_eval.h"
#include "checker/planted.h"
#include "compiler/source/number.h"
#include "compiler/source/utf8.h"

namespace gpol::cel {

namespace {

Result no_overload() { return Result::error("no such overload"); }

Result arithmetic(const std::string& name, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  bool over = false;
  if (name == "+") {
    over = __builtin_add_overflow(a, b, &out);
  } else if (name == "-") {
    over = __builtin_sub_overflow(a, b, &out);
  } else if (name == "*") {
    over = __builtin_mul_overflow(a, b, &out);
  } else {
    if (b == 0) return Result::error("division by zero");
    if (a == INT64_MIN && b == -1) return Result::error("integer overflow");
    out = name == "/" ? a / b : a % b;
  }
  return over ? Result::error("integer overflow") : Result::of(out);
}

Result arithmetic(const std::string& name, double a, double b) {
  if (name == "+") return Result::of(a + b);
  if (name == "-") return Result::of(a - b);
  if (name == "*") return Result::of(a * b);
  return name == "/" ? Result::of(a / b) : no_overload();
}

Result arithmetic(const std::string& name, const Value& a, const Value& b) {
  const auto *ai = a.as<std::int64_t>(), *bi = b.as<std::int64_t>();
  if (ai != nullptr && bi != nullptr) return arithmetic(name, *ai, *bi);
  const auto *ad = a.as<double>(), *bd = b.as<double>();
  if (ad != nullptr && bd != nullptr) return arithmetic(name, *ad, *bd);
  if (name != "+") return no_overload();
  const auto *as = a.as<std::string>(), *bs = b.as<std::string>();
  if (as != nullptr && bs != nullptr) return Result::of(*as + *bs);
  const auto *al = a.as<List>(), *bl = b.as<List>();
  if (al == nullptr || bl == nullptr) return no_overload();
  List both = *al;
  both.insert(both.end(), bl->begin(), bl->end());
  return Result::of(std::move(both));
}

Result in(const Value& value, const Value& container) {
  if (const auto* list = container.as<List>())
    return Result::of(std::ranges::any_of(*list, [&](const Value& element) { return equals(element, value); }));
  const auto* map = container.as<Map>();
  if (map == nullptr) return no_overload();
  const auto* key = value.as<std::string>();
  return Result::of(key != nullptr && map->count(*key) != 0);
}

Result index(const Value& container, const Value& key) {
  if (const auto* map = container.as<Map>()) {
    const auto* name = key.as<std::string>();
    const auto found = name == nullptr ? map->end() : map->find(*name);
    return found == map->end() ? Result::error("no such key") : Result::of(found->second);
  }
  const auto* list = container.as<List>();
  if (list == nullptr) return no_overload();
  std::int64_t at = -1;
  if (const auto* i = key.as<std::int64_t>()) at = *i;
  if (const auto* d = key.as<double>())
    if (*d >= 0 && *d < 1e15 && std::floor(*d) == *d) at = static_cast<std::int64_t>(*d);
  if (at < 0 || static_cast<std::size_t>(at) >= list->size()) return Result::error("index out of bounds");
  return Result::of((*list)[static_cast<std::size_t>(at)]);
}

Result to_int(const Value& from) {
  if (from.as<std::int64_t>() != nullptr) return Result::of(from);
  if (const auto* d = from.as<double>()) {
    if (std::isnan(*d) || *d <= -9223372036854775808.0 || *d >= 9223372036854775808.0)
      return Result::error("integer overflow");
    return Result::of(static_cast<std::int64_t>(*d));
  }
  const auto* s = from.as<std::string>();
  if (s == nullptr) return no_overload();
  const bool plus = s->size() > 1 && (*s)[0] == '+' && (*s)[1] != '-';
  const auto value = whole_number(std::string_view(*s).substr(plus ? 1 : 0));
  return value ? Result::of(*value) : Result::error("type conversion error");
}

Result to_string(const Value& from) {
  if (from.as<std::string>() != nullptr) return Result::of(from);
  if (const auto* i = from.as<std::int64_t>()) return Result::of(std::to_string(*i));
  if (const auto* b = from.as<bool>()) return Result::of(*b ? "true" : "false");
  return from.as<double>() != nullptr ? Result::unknown("string() of a double") : no_overload();
}

Result matches(const std::string& text, std::string_view pattern) {
  const auto plain = plain_pattern(pattern);
  if (!plain) return Result::unknown("a regular expression that is not plain text");
  if (plain->from && plain->to) return Result::of(text == plain->text);
  if (plain->from) return Result::of(text.starts_with(plain->text));
  return Result::of(plain->to ? text.ends_with(plain->text) : text.find(plain->text) != std::string::npos);
}

Result quantity(const Value& from) {
  const auto* text = from.as<std::string>();
  if (text == nullptr) return no_overload();
  bool too_large = false;
  if (const auto parsed = parse_quantity(*text, too_large); parsed) return Result::of(*parsed);
  return too_large ? Result::unknown("a quantity beyond what is kept here") : Result::error("not a quantity");
}

Result quantity_method(const std::string& name, const std::vector<Value>& args) {
  const auto* self = args[0].as<Quantity>();
  if (self == nullptr) return no_overload();
  if (name == "sign" && args.size() == 1) return Result::of(std::int64_t{self->nano < 0 ? -1 : self->nano > 0 ? 1 : 0});
  if (args.size() != 2) return no_overload();
  Quantity::Nano other = 0;
  if (const auto* q = args[1].as<Quantity>())
    other = q->nano;
  else if (const auto* i = args[1].as<std::int64_t>(); i != nullptr && (name == "add" || name == "sub"))
    other = Quantity::Nano{*i} * 1'000'000'000;
  else
    return no_overload();
  if (name == "isLessThan") return Result::of(self->nano < other);
  if (name == "isGreaterThan") return Result::of(self->nano > other);
  if (name == "compareTo") return Result::of(std::int64_t{self->nano < other ? -1 : self->nano > other ? 1 : 0});
  return Result::of(Quantity{name == "add" ? self->nano + other : self->nano - other});
}

Result size(const Value& of) {
  if (const auto* s = of.as<std::string>()) return Result::of(static_cast<std::int64_t>(code_points(*s)));
  if (const auto* l = of.as<List>()) return Result::of(static_cast<std::int64_t>(l->size()));
  if (const auto* m = of.as<Map>()) return Result::of(static_cast<std::int64_t>(m->size()));
  return no_overload();
}

}  // namespace

std::optional<PlainPattern> plain_pattern(std::string_view pattern) {
  PlainPattern plain;
  plain.from = pattern.starts_with('^');
  if (plain.from) pattern.remove_prefix(1);
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '$' && i + 1 == pattern.size()) {
      plain.to = true;
    } else if (c == '\\' && i + 1 < pattern.size() && std::ispunct(static_cast<unsigned char>(pattern[i + 1])) != 0) {
      plain.text += pattern[++i];
    } else if (std::string_view(R"(\.+*?()|[]{}^$)").find(c) != std::string_view::npos) {
      return std::nullopt;
    } else {
      plain.text += c;
    }
  }
  return plain;
}

bool is_operator(const std::string& name) {
  static const std::set<std::string> kOperators = {"==", "!=", "<", "<=", ">", ">=",  "in", "+",
                                                   "-",  "*",  "/", "%",  "!", "neg", "[]"};
  return kOperators.count(name) != 0;
}

Result call_operator(const std::string& name, const std::vector<Value>& args) {
  if (name == "!") {
    const auto* b = args[0].as<bool>();
    return b == nullptr ? no_overload() : Result::of(!*b);
  }
  if (name == "neg") {
    if (const auto* i = args[0].as<std::int64_t>())
      return *i == INT64_MIN ? Result::error("integer overflow") : Result::of(-*i);
    const auto* d = args[0].as<double>();
    return d == nullptr ? no_overload() : Result::of(-*d);
  }
  const Value &a = args[0], &b = args[1];
  if (name == "==") return Result::of(equals(a, b));
  if (name == "!=") return Result::of(!equals(a, b));
  if (name == "in") return in(a, b);
  if (name == "[]") return index(a, b);
  if (name[0] == '<' || name[0] == '>') {
    const bool swap = name[0] == '>', or_equal = name.size() == 2;
    const auto below = swap ? less(b, a) : less(a, b);
    if (!below) return no_overload();
    return Result::of(*below || ((or_equal || planted(Bug::ModelStrictInequality)) && equals(a, b)));
  }
  return arithmetic(name, a, b);
}

Result call_function(const std::string& name, bool method, const std::vector<Value>& args) {
  static const std::set<std::string> kQuantity = {"isLessThan", "isGreaterThan", "compareTo", "sign", "add", "sub"};
  static const std::set<std::string> kText = {"startsWith", "endsWith", "contains", "matches"};
  if (name == "size" && args.size() == 1) return size(args[0]);
  if ((kText.count(name) != 0 && method) || name == "matches") {
    if (args.size() != 2) return no_overload();
    const auto *text = args[0].as<std::string>(), *part = args[1].as<std::string>();
    if (text == nullptr || part == nullptr) return no_overload();
    if (name == "startsWith") return Result::of(text->starts_with(*part));
    if (name == "endsWith") return Result::of(text->ends_with(*part));
    return name == "contains" ? Result::of(text->find(*part) != std::string::npos) : matches(*text, *part);
  }
  if (method && kQuantity.count(name) != 0) return quantity_method(name, args);
  if (!method && args.size() == 1) {
    if (name == "dyn") return Result::of(args[0]);
    if (name == "int") return to_int(args[0]);
    if (name == "string") return to_string(args[0]);
    if (name == "quantity") return quantity(args[0]);
    if (name == "isQuantity") {
      const Result parsed = quantity(args[0]);
      if (parsed.is_unknown() || args[0].as<std::string>() == nullptr) return parsed;
      return Result::of(parsed.is_value());
    }
  }
  return Result::unknown("the function " + name + "() is not supported");
}

}  // namespace gpol::cel
