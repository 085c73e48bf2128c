// SMT-LIB 2.6 (smt-lib.org), logic QF_LIA. The text is what `--dump=smt` shows and what a second solver is given.
#include <stdexcept>

#include "checker/solver/terms.h"

namespace gpol {
namespace {

// A simple symbol of SMT-LIB 2.6 section 3.1, else quoted; `|` and `\` cannot stand inside quotes and become `_`.
std::string symbol(const std::string& name) {
  static constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789~!@$%^&*_-+=<>.?/";
  const bool digit = !name.empty() && name.front() >= '0' && name.front() <= '9';
  if (!name.empty() && !digit && name.find_first_not_of(kAllowed) == std::string::npos) return name;
  std::string quoted = "|";
  for (const char c : name) quoted += c == '|' || c == '\\' ? '_' : c;
  return quoted + "|";
}

std::string number(std::int64_t value) {
  if (value >= 0) return std::to_string(value);
  const std::string digits = std::to_string(value);
  return "(- " + digits.substr(1) + ")";
}

std::string_view operator_name(Op op) {
  switch (op) {
    case Op::Not:
      return "not";
    case Op::And:
      return "and";
    case Op::Or:
      return "or";
    case Op::Implies:
      return "=>";
    case Op::Equal:
      return "=";
    case Op::LessEqual:
      return "<=";
    case Op::Less:
      return "<";
    case Op::Add:
      return "+";
    case Op::Subtract:
      return "-";
    case Op::Multiply:
      return "*";
    case Op::Ite:
      return "ite";
    case Op::BoolConst:
    case Op::IntConst:
    case Op::Symbol:
      break;
  }
  throw std::logic_error("smtlib: a constant is not an operator");
}

void print(const Term& term, std::string& out) {
  switch (term->op) {
    case Op::BoolConst:
      out += term->value != 0 ? "true" : "false";
      return;
    case Op::IntConst:
      out += number(term->value);
      return;
    case Op::Symbol:
      out += symbol(term->name);
      return;
    default:
      break;
  }
  out += '(';
  out += operator_name(term->op);
  for (const Term& arg : term->args) {
    out += ' ';
    print(arg, out);
  }
  out += ')';
}

// Comments may not hold a line break.
std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

}  // namespace

std::string smtlib(const Formula& formula) {
  std::string out = "; " + one_line(formula.name) + "\n; " + one_line(formula.sentence) + "\n";
  out += "(set-option :produce-unsat-cores true)\n(set-logic QF_LIA)\n";
  for (const Term& s : symbols_of(formula))
    out += "(declare-const " + symbol(s->name) + (s->sort == Sort::Bool ? " Bool)\n" : " Int)\n");
  // Labels share SMT-LIB's name space with the constants: "fact." keeps them apart.
  for (const auto& fact : formula.facts) {
    out += "(assert (! ";
    print(fact.term, out);
    out += " :named " + symbol("fact." + fact.name) + "))\n";
  }
  out += "; the negation of the goal\n(assert ";
  print(formula.negated_goal, out);
  return out + ")\n(check-sat)\n";
}

}  // namespace gpol
