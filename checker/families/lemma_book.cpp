#include "checker/families/lemma_book.h"

#include <fmt/format.h>

namespace gpol {

const Answer& LemmaBook::ask(const std::string& key, const std::function<Formula()>& formula) {
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const Formula asked = formula();
  if (dump_ != nullptr) dump_->push_back(asked);
  return known_.emplace(key, solver_.check(asked)).first->second;
}

bool LemmaBook::holds(const std::string& key, const std::function<Formula()>& formula) {
  const Answer& answer = ask(key, formula);
  if (answer.kind == Answer::Kind::Sat) {
    std::string model;
    for (const auto& [name, value] : answer.model) model += fmt::format(" {}={}", name, value);
    throw InternalError(fmt::format("the lemma {} is false:{}", key, model));
  }
  if (answer.kind == Answer::Kind::Unknown) why_ = fmt::format("the solver gave up on {}: {}", key, answer.why);
  return answer.kind == Answer::Kind::Unsat;
}

}  // namespace gpol
