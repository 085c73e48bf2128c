#include "tests/second_solver/questions.h"

#include <unordered_map>

namespace gpol::second {

namespace {

class Renamer {
 public:
  Term operator()(const Term& term) {
    if (const auto found = made_.find(term.get()); found != made_.end()) return found->second;
    Term out = term;
    if (term->op == Op::Symbol) {
      const std::string name = "x" + std::to_string(names_.try_emplace(term->name, names_.size()).first->second);
      out = term->sort == Sort::Bool  ? bool_symbol(name)
            : term->sort == Sort::Int ? int_symbol(name)
                                      : name_symbol(name);
    } else if (!term->args.empty()) {
      TermNode node{term->op, term->sort, term->value, {}, {}};
      for (const Term& arg : term->args) node.args.push_back((*this)(arg));
      out = std::make_shared<const TermNode>(std::move(node));
    }
    made_.emplace(term.get(), out);
    return out;
  }

 private:
  std::map<std::string, std::size_t> names_;
  std::unordered_map<const TermNode*, Term> made_;
};

std::string canonical(const Formula& formula) {
  Renamer renamed;
  Formula out;
  for (const auto& fact : formula.facts) out.facts.push_back({std::to_string(out.facts.size()), renamed(fact.term)});
  out.negated_goal = renamed(formula.negated_goal);
  return smtlib(out);
}

}  // namespace

void Questions::add(const Formula& formula, const Answer& answer) {
  ++asked_;
  const auto [at, fresh] = known_.try_emplace(canonical(formula), distinct_.size());
  if (!fresh) {
    if (answers_[at->second] != answer.kind) fickle_.push_back(formula.name);
    return;
  }
  distinct_.push_back(formula);
  answers_.push_back(answer.kind);
}

}  // namespace gpol::second
