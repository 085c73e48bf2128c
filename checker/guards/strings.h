// Strings in formulas are names: each literal is a constant, and a symbolic string that is none of those it was
// compared with is another string. What can be said of a string (it starts with ...) is a truth value per symbolic
// string, tied by facts: two strings that are equal share it, and one that equals a literal has what the literal has.
// Strings that nothing compares need no such fact: they can differ.
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
  bool is_literal(const Term& id) const { return id->op == Op::NameConst; }
  const std::string& text(const Term& literal) const;

  // Whether two strings are equal. All comparisons must be made here: facts() is about these.
  Term same(const Term& a, const Term& b);

  // predicate: startsWith, endsWith, contains, isInt, isQuantity; the last two have no argument.
  Term holds(const std::string& predicate, const std::string& argument, const Term& id);
  // function: size, int, quantity (whole units, rounded down), and whether a quantity has a fraction.
  Term number(const std::string& function, const Term& id);

  // What ties all that was asked for together; to be taken once everything was asked.
  std::vector<Term> facts();

  // For every symbolic string a text that fits the values of a model; nothing if none was found.
  bool synthesise(const std::map<std::string, std::int64_t>& model);
  std::optional<std::string> shown(const Term& id) const;  // in the model of the last synthesis

 private:
  struct Predicate {
    std::string name, argument;
    std::map<std::string, Term> of;
  };
  struct Number {
    std::map<std::string, Term> of;
  };
  using Values = std::map<std::string, Term>;  // of a predicate or number, by symbol
  template <typename Made, typename Known>
  void tie(Values& of, const Made& made, const Known& known, std::vector<Term>& facts);
  void chain(std::vector<Term>& facts) const;

  std::map<std::string, std::int64_t> ids_;
  std::deque<std::string> texts_;  // text() hands out references
  std::map<std::string, Term> symbols_;
  std::map<std::string, Predicate> predicates_;
  std::map<std::string, Number> numbers_;
  std::map<std::string, std::map<std::string, Term>> compared_;   // symbols, with symbols; each pair both ways
  std::map<std::string, std::map<std::int64_t, Term>> literals_;  // symbols, with literals
  std::map<std::string, std::int64_t> ids_in_;                    // of symbols, in the model of the last synthesis
  std::map<std::int64_t, std::string> made_;
};

}  // namespace gpol::symbolic
