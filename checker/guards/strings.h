// Strings in formulas are integers: each literal has its number, and a symbolic string with another number is another
// string. What can be said of a string (it starts with ...) is a truth value per symbolic string, tied by facts: two
// strings that are equal share it, and one that equals a literal has what the literal has.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checker/solver/terms.h"

namespace gpol::symbolic {

class Strings {
 public:
  Term literal(const std::string& text);
  Term fresh(const std::string& name);  // the same name gives the same string
  bool is_literal(const Term& id) const;
  const std::string& text(const Term& literal) const;

  // predicate: startsWith, endsWith, contains, isInt, isQuantity; the last two have no argument.
  Term holds(const std::string& predicate, const std::string& argument, const Term& id);
  // function: size, int, quantity (whole units, rounded down), and whether a quantity has a fraction.
  Term number(const std::string& function, const Term& id);

  // What ties all that was asked for together; to be taken once everything was asked.
  std::vector<Term> facts() const;

  // For every symbolic string a text that fits the values of a model; nothing if none was found.
  bool synthesise(const std::map<std::string, std::int64_t>& model);
  std::optional<std::string> shown(const Term& id, const std::map<std::string, std::int64_t>& model) const;

 private:
  struct Predicate {
    std::string name, argument;
    std::map<std::string, Term> of;  // by symbol
  };
  struct Number {
    std::map<std::string, Term> of;
  };
  void chain(std::vector<Term>& facts) const;

  std::map<std::string, std::int64_t> ids_;
  std::deque<std::string> texts_;  // text() hands out references
  std::map<std::string, Term> symbols_;
  std::map<std::string, Predicate> predicates_;
  std::map<std::string, Number> numbers_;
  std::map<std::int64_t, std::string> made_;
};

}  // namespace gpol::symbolic
