#include "checker/guards/strings.h"

#include <algorithm>
#include <set>

#include "checker/guards/cel_eval.h"
#include "compiler/source/lookup.h"
#include "compiler/source/utf8.h"

namespace gpol::symbolic {

namespace {

// Nothing: not known (a quantity that is too large to keep).
std::optional<bool> evaluate_predicate(const std::string& name, const std::string& argument, const std::string& text) {
  if (name == "startsWith") return text.starts_with(argument);
  if (name == "endsWith") return text.ends_with(argument);
  if (name == "contains") return text.find(argument) != std::string::npos;
  const auto made = cel::call_function(name == "isInt" ? "int" : "quantity", false, {text});
  return made.is_unknown() ? std::nullopt : std::optional(made.is_value());
}

// Nothing: the text has no such number.
std::optional<std::int64_t> evaluate_number(const std::string& function, const std::string& text) {
  if (function == "size") return static_cast<std::int64_t>(code_points(text));
  if (function == "int") {
    const auto made = cel::call_function("int", false, {text});
    return made.is_value() ? std::optional(*made.value.as<std::int64_t>()) : std::nullopt;
  }
  const auto made = cel::call_function("quantity", false, {text});
  if (!made.is_value()) return std::nullopt;
  constexpr cel::Quantity::Nano kUnit = 1'000'000'000;
  const auto nano = made.value.as<cel::Quantity>()->nano;
  auto whole = nano / kUnit;
  if (nano % kUnit < 0) --whole;
  return function == "quantity" ? static_cast<std::int64_t>(whole) : nano % kUnit != 0 ? 1 : 0;
}

bool is_text(const std::string& name) { return name == "startsWith" || name == "endsWith" || name == "contains"; }

}  // namespace

Term Strings::literal(const std::string& text) {
  const auto [found, added] = ids_.emplace(text, static_cast<std::int64_t>(texts_.size()));
  if (added) texts_.push_back(text);
  return name_constant(found->second);
}

Term Strings::fresh(const std::string& name) {
  Term& symbol = symbols_["s:" + name];
  if (symbol.get() == nullptr) symbol = name_symbol("s:" + name);
  return symbol;
}

Term Strings::same(const Term& a, const Term& b) {
  if (is_literal(a) && is_literal(b)) return boolean(a->value == b->value);
  if (is_literal(a)) return same(b, a);
  if (a->name == b->name) return boolean(true);
  if (is_literal(b)) {
    Term& known = literals_[a->name][b->value];
    if (known.get() == nullptr) known = equal(a, b);
    return known;
  }
  Term& known = compared_[a->name][b->name];
  if (known.get() == nullptr) {
    known = equal(a, b);
    compared_[b->name].emplace(a->name, known);
  }
  return known;
}

const std::string& Strings::text(const Term& literal) const {
  return texts_.at(static_cast<std::size_t>(literal->value));
}

Term Strings::holds(const std::string& predicate, const std::string& argument, const Term& id) {
  if (is_literal(id)) {
    const auto known = evaluate_predicate(predicate, argument, text(id));
    return known ? boolean(*known) : bool_symbol(predicate + "?" + text(id));
  }
  if (argument.empty() && is_text(predicate)) return boolean(true);
  const std::string key = predicate + "(" + argument + ")";
  Predicate& entry = predicates_[key];
  entry.name = predicate;
  entry.argument = argument;
  const auto found = entry.of.find(id->name);
  if (found != entry.of.end()) return found->second;
  return entry.of.emplace(id->name, bool_symbol(key + id->name)).first->second;
}

Term Strings::number(const std::string& function, const Term& id) {
  if (is_literal(id)) {
    const auto known = evaluate_number(function, text(id));
    return known ? integer(*known) : int_symbol(function + "?" + text(id));
  }
  Number& entry = numbers_[function];
  const auto found = entry.of.find(id->name);
  if (found != entry.of.end()) return found->second;
  return entry.of.emplace(id->name, int_symbol(function + "#" + id->name)).first->second;
}

// What one truth says of another, of the same string: a string starts with "ab" only if it starts with "a", and never
// with "ab" and "ac" both.
void Strings::chain(std::vector<Term>& facts) const {
  for (const auto& [key, a] : predicates_)
    for (const auto& [other, b] : predicates_) {
      if (&a == &b || !is_text(a.name) || !is_text(b.name)) continue;
      const bool starts = a.name == "startsWith";
      const bool within = a.argument.find(b.argument) != std::string::npos;
      const bool same = a.name == b.name && a.name != "contains";
      const bool follows = b.name == "contains" ? within
                                                : same && (starts ? a.argument.starts_with(b.argument)
                                                                  : a.argument.ends_with(b.argument));
      const bool excludes =
          same && !follows && !(starts ? b.argument.starts_with(a.argument) : b.argument.ends_with(a.argument));
      if (!follows && !excludes) continue;
      for (const auto& [symbol, term] : a.of) {
        const auto found = b.of.find(symbol);
        if (found == b.of.end()) continue;
        facts.push_back(follows ? implies(term, found->second) : !(term && found->second));
      }
    }
}

// Whatever a comparison can lead to has the value too: `made` asks for it, of a symbol.
template <typename Made, typename Known>
void Strings::tie(Values& of, const Made& made, const Known& known, std::vector<Term>& facts) {
  std::vector<std::string> open;
  for (const auto& [symbol, value] : of) open.push_back(symbol);
  while (!open.empty()) {
    const std::string symbol = open.back();
    open.pop_back();
    const Term value = of.at(symbol);
    for (const auto& [literal, equals] : literals_[symbol])
      if (const Term its = known(texts_.at(static_cast<std::size_t>(literal))); its.get() != nullptr)
        facts.push_back(implies(equals, equal(value, its)));
    for (const auto& [other, equals] : compared_[symbol]) {
      if (of.count(other) == 0) {
        of.emplace(other, made(other));
        open.push_back(other);
      }
      if (symbol < other) facts.push_back(implies(equals, equal(value, of.at(other))));
    }
  }
}

std::vector<Term> Strings::facts() {
  std::vector<Term> facts;
  const auto empty = ids_.find("");
  // Only the empty string has no characters. It comes first: it compares with one.
  const auto empty_at_0 = [&](const std::string& function, const std::string& symbol, const Term& size) {
    if (function == "size" && empty != ids_.end())
      facts.push_back(implies(equal(size, integer(0)), same(symbols_.at(symbol), name_constant(empty->second))));
    return size;
  };
  for (auto& [function, n] : numbers_) {
    for (const auto& [symbol, term] : n.of) empty_at_0(function, symbol, term);
    tie(
        n.of,
        [&, &name = function](const std::string& symbol) {
          return empty_at_0(name, symbol, int_symbol(name + "#" + symbol));
        },
        [&name = function](const std::string& text) -> Term {
          const auto value = evaluate_number(name, text);
          return value ? integer(*value) : nullptr;
        },
        facts);
    if (function == "size")
      for (const auto& [symbol, term] : n.of) facts.push_back(term >= integer(0));
    if (function == "fraction")
      for (const auto& [symbol, term] : n.of) facts.push_back(integer(0) <= term && term <= integer(1));
  }
  for (auto& [key, p] : predicates_)
    tie(
        p.of, [&of = key](const std::string& symbol) { return bool_symbol(of + symbol); },
        [&of = p](const std::string& text) -> Term {
          const auto known = evaluate_predicate(of.name, of.argument, text);
          return known ? boolean(*known) : nullptr;
        },
        facts);
  chain(facts);
  return facts;
}

// Of a text that is made up because something asks for its length.
constexpr std::int64_t kLongest = 32'768;

bool Strings::synthesise(const std::map<std::string, std::int64_t>& model) {
  made_.clear();
  ids_in_.clear();
  std::set<std::int64_t> wanted;
  for (const auto& [name, symbol] : symbols_) {
    // One that the formula compares with nothing is another than all.
    const auto found = model.find(name);
    const std::int64_t id =
        found == model.end() ? 2 * kOtherNames + static_cast<std::int64_t>(ids_in_.size()) : found->second;
    ids_in_.emplace(name, id);
    if (id >= kOtherNames) wanted.insert(id);
  }
  const auto id_of = [&](const std::string& symbol) { return value_or(ids_in_, symbol, std::int64_t{-1}); };
  std::set<std::string> used(texts_.begin(), texts_.end());
  for (const std::int64_t id : wanted) {
    std::string prefix, suffix, middle;
    std::vector<std::string> candidates;
    std::vector<std::pair<const Predicate*, bool>> rules;
    std::vector<std::pair<std::string, std::int64_t>> numbers;
    for (const auto& [function, n] : numbers_)
      for (const auto& [symbol, term] : n.of)
        if (const auto value = model.find(term->name); id_of(symbol) == id && value != model.end())
          numbers.emplace_back(function, value->second);
    for (const auto& [key, p] : predicates_)
      for (const auto& [symbol, term] : p.of) {
        const auto value = model.find(term->name);
        if (id_of(symbol) != id || value == model.end()) continue;
        rules.emplace_back(&p, value->second != 0);
        if (value->second == 0) continue;
        if (p.name == "startsWith" && p.argument.size() > prefix.size()) prefix = p.argument;
        if (p.name == "endsWith" && p.argument.size() > suffix.size()) suffix = p.argument;
        if (p.name == "contains") middle += p.argument;
        if (p.name != "isInt" && p.name != "isQuantity") continue;
        for (const auto& [function, number] : numbers)
          if (function == "int" || function == "quantity") {
            candidates.push_back(std::to_string(number));
            candidates.push_back("+" + std::to_string(number));
            candidates.push_back(std::to_string(number) + ".5");
          }
        candidates.push_back("7");
      }
    for (const std::string filler : {"", "s", "other"}) {
      const std::string more = filler.empty() ? "" : filler + std::to_string(made_.size() + 1);
      candidates.push_back(prefix + middle + more + suffix);
      candidates.push_back(prefix + more + suffix);
    }
    // Of a length that something asks for: several may have the same.
    for (const auto& [function, number] : numbers) {
      const auto length = static_cast<std::int64_t>(prefix.size() + middle.size() + suffix.size());
      if (function != "size" || number < length || number > kLongest) continue;
      const std::string_view fillings = number < 300 ? "xabcdefghijklmnopqrstuvwyz0123456789" : "xabc";
      for (const char filling : fillings)
        candidates.push_back(prefix + middle + std::string(static_cast<std::size_t>(number - length), filling) +
                             suffix);
    }
    const auto fits = [&](const std::string& text) {
      return used.count(text) == 0 && !text.empty() &&
             std::ranges::all_of(rules,
                                 [&](const auto& rule) {
                                   return evaluate_predicate(rule.first->name, rule.first->argument, text) ==
                                          rule.second;
                                 }) &&
             std::ranges::all_of(numbers, [&](const auto& number) {
               const auto value = evaluate_number(number.first, text);
               return !value || *value == number.second;
             });
    };
    const auto found = std::ranges::find_if(candidates, fits);
    if (found == candidates.end()) return false;
    used.insert(*found);
    made_[id] = *found;
  }
  return true;
}

std::optional<std::string> Strings::shown(const Term& id) const {
  if (is_literal(id)) return text(id);
  const auto value = ids_in_.find(id->name);
  if (value == ids_in_.end()) return std::nullopt;
  if (value->second < kOtherNames) return texts_.at(static_cast<std::size_t>(value->second));
  const auto found = made_.find(value->second);
  return found == made_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace gpol::symbolic
