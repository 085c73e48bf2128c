// SMT-LIB 2.6 (smt-lib.org), logic QF_LIA, or QF_UFLIA where there are names. The text is what `--dump=smt` shows and
// what a second solver is given.
#include <iterator>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

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
  return value >= 0 ? std::to_string(value) : "(- " + std::to_string(value).substr(1) + ")";
}

std::string_view operator_name(Op op) {
  constexpr std::string_view kNames[] = {"",  "",   "",  "",  "not", "and", "or", "=>",  // of constants none
                                         "=", "<=", "<", "+", "-",   "*",   "ite"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Op::Ite) + 1);
  const std::string_view name = kNames[static_cast<std::size_t>(op)];
  if (name.empty()) throw std::logic_error("smtlib: a constant is not an operator");
  return name;
}

std::string sort_name(Sort sort) { return sort == Sort::Bool ? "Bool" : sort == Sort::Int ? "Int" : "Name"; }
std::string name_of(std::int64_t constant) { return "name." + std::to_string(constant); }

// Terms share their parts, and text that wrote every part out wherever it stands would grow without measure: what
// stands in two places and is long is defined once, by a name that no constant has.
class Printer {
 public:
  explicit Printer(const Formula& formula) {
    for (const Term& s : symbols_of(formula)) taken_.insert(s->name);
    for (const auto& fact : formula.facts) count(fact.term);
    count(formula.negated_goal);
  }

  // The text of a term; definitions that it needs are appended to `before`.
  std::string text(const Term& term, std::string& before) {
    if (term->op == Op::BoolConst) return term->value != 0 ? "true" : "false";
    if (term->op == Op::IntConst) return number(term->value);
    if (term->op == Op::NameConst) return name_of(term->value);
    if (term->op == Op::Symbol) return symbol(term->name);
    if (const auto found = defined_.find(term.get()); found != defined_.end()) return found->second;
    std::string out = "(";
    out += operator_name(term->op);
    for (const Term& arg : term->args) out += ' ' + text(arg, before);
    out += ')';
    if (uses_.at(term.get()) < 2 || out.size() < kWorthAName) return out;
    std::string name;
    do name = "shared." + std::to_string(++names_);
    while (taken_.count(name) != 0);
    before += "(define-fun " + name + " () " + sort_name(term->sort) + ' ' + out + ")\n";
    return defined_[term.get()] = name;
  }

 private:
  static constexpr std::size_t kWorthAName = 120;

  void count(const Term& term) {
    if (++uses_[term.get()] > 1) return;
    for (const Term& arg : term->args) count(arg);
  }

  std::unordered_map<const TermNode*, std::size_t> uses_;
  std::unordered_map<const TermNode*, std::string> defined_;
  std::set<std::string> taken_;
  std::size_t names_ = 0;
};

// Comments may not hold a line break.
std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

// The constants of sort Name, and their symbols.
struct Names {
  std::set<std::int64_t> constants;
  bool symbols = false;
  bool empty() const { return constants.empty() && !symbols; }
};
class NameSearch {
 public:
  void look(const Term& term) {
    if (!seen_.insert(term.get()).second) return;
    if (term->op == Op::NameConst) found.constants.insert(term->value);
    if (term->op == Op::Symbol && term->sort == Sort::Name) found.symbols = true;
    for (const Term& arg : term->args) look(arg);
  }
  Names found;

 private:
  std::unordered_set<const TermNode*> seen_;
};
Names names_in(const Formula& formula) {
  NameSearch search;
  for (const auto& fact : formula.facts) search.look(fact.term);
  search.look(formula.negated_goal);
  return search.found;
}

std::string questioned(const Formula& formula, const std::string& head) {
  std::string out = "; " + one_line(formula.name) + "\n; " + one_line(formula.sentence) + "\n" + head;
  const Names names = names_in(formula);
  if (!names.empty()) out += "(declare-sort Name 0)\n";
  for (const Term& s : symbols_of(formula))
    out += "(declare-const " + symbol(s->name) + ' ' + sort_name(s->sort) + ")\n";
  std::string different;
  for (const std::int64_t one : names.constants) {
    out += "(declare-const " + name_of(one) + " Name)\n";
    different += ' ' + name_of(one);
  }
  if (names.constants.size() > 1) out += "(assert (distinct" + different + "))\n";
  Printer printer(formula);
  // Labels share SMT-LIB's name space with the constants: "fact." keeps them apart.
  for (const auto& fact : formula.facts) {
    const std::string text = printer.text(fact.term, out);
    out += "(assert (! " + text + " :named " + symbol("fact." + fact.name) + "))\n";
  }
  const std::string goal = printer.text(formula.negated_goal, out);
  return out + "; the negation of the goal\n(assert " + goal + ")\n(check-sat)\n";
}

}  // namespace

std::string smtlib(const std::vector<Formula>& formulas) {
  std::string out = "(set-option :produce-unsat-cores true)\n(set-logic QF_UFLIA)\n";
  for (const Formula& formula : formulas) out += "(push 1)\n" + questioned(formula, "") + "(pop 1)\n";
  return out;
}

std::string smtlib(const Formula& formula) {
  return questioned(formula, std::string("(set-option :produce-unsat-cores true)\n(set-logic ") +
                                 (names_in(formula).empty() ? "QF_LIA" : "QF_UFLIA") + ")\n");
}

}  // namespace gpol
