#include "checker/families/lemma_book.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "compiler/source/sha256.h"

namespace gpol {

namespace {

std::optional<Answer> answered_before(const Formula& formula) {
  const std::string digest = digest_of(formula);
  const auto found = std::ranges::lower_bound(kProvenFormulas, std::string_view(digest), {}, &ProvenFormula::digest);
  if (found == kProvenFormulas.end() || found->digest != digest) return std::nullopt;
  Answer answer{Answer::Kind::Unsat, {}, {}, ""};
  std::istringstream core{std::string(found->core)};
  for (std::size_t fact = 0; core >> fact;) answer.core.push_back(formula.facts.at(fact).name);
  std::ranges::sort(answer.core);
  return answer;
}

}  // namespace

std::string digest_of(const Formula& formula) { return sha256(smtlib(formula)).substr(0, 32); }

const Answer& LemmaBook::ask(const std::string& key, const std::function<Formula()>& formula) {
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const Formula asked = formula();
  if (dump_ != nullptr) dump_->push_back(asked);
  std::optional<Answer> before = solver_.asks_anew() ? std::nullopt : answered_before(asked);
  return known_.emplace(key, before ? *std::move(before) : solver_.check(asked)).first->second;
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
