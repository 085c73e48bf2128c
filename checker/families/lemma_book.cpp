#include "checker/families/lemma_book.h"

#include <fmt/format.h>

namespace gpol {

bool LemmaBook::holds(const std::string& key, const std::function<Formula()>& formula) {
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const Formula asked = formula();
  if (dump_ != nullptr) dump_->push_back(asked);
  const Answer answer = solver_.check(asked);
  if (answer.kind == Answer::Kind::Sat) {
    std::string model;
    for (const auto& [name, value] : answer.model) model += fmt::format(" {}={}", name, value);
    throw InternalError(fmt::format("the lemma {} is false:{}", asked.name, model));
  }
  const bool proven = answer.kind == Answer::Kind::Unsat;
  if (!proven) why_ = fmt::format("the solver gave up on {}: {}", asked.name, answer.why);
  known_.emplace(key, proven);
  return proven;
}

}  // namespace gpol
