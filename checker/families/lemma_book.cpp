#include "checker/families/lemma_book.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "compiler/source/sha256.h"

namespace gpol {

namespace {

constexpr const char* kOrder = "order of integers";

std::optional<Answer> row_of(const Formula& formula) {
  const std::string digest = digest_of(formula);
  const auto found = std::ranges::lower_bound(kProvenFormulas, std::string_view(digest), {}, &ProvenFormula::digest);
  if (found == kProvenFormulas.end() || found->digest != digest) return std::nullopt;
  Answer answer{Answer::Kind::Unsat, {}, {}, ""};
  std::istringstream core{std::string(found->core)};
  for (std::size_t fact = 0; core >> fact;) answer.core.push_back(formula.facts.at(fact).name);
  std::erase(answer.core, kOrder);
  std::ranges::sort(answer.core);
  return answer;
}

class Generalizer {
 public:
  void note(const Term& term) {
    if (!seen_.insert(term.get()).second) return;
    if (term->op == Op::IntConst && term->value > 1) numbers_.insert(term->value);
    for (const Term& arg : parts(*term)) note(arg);
  }
  Term operator()(const Term& term) {
    if (term->op == Op::IntConst && term->value > 1) return symbol(term->value);
    if (term->args.empty()) return term;
    if (const auto found = made_.find(term.get()); found != made_.end()) return found->second;
    TermNode node = *term;
    for (Term& arg : std::span(node.args).last(parts(*term).size())) arg = (*this)(arg);
    return made_[term.get()] = std::make_shared<const TermNode>(std::move(node));
  }
  Term order() const {
    std::vector<Term> less;
    Term last = integer(1);
    for (const std::int64_t number : numbers_) less.push_back(last < symbol(number)), last = symbol(number);
    return all_of(std::move(less));
  }

 private:
  // A factor stays: what it multiplies would be no linear arithmetic.
  static std::span<const Term> parts(const TermNode& node) {
    return std::span(node.args).subspan(node.op == Op::Multiply ? 1 : 0);
  }
  Term symbol(std::int64_t number) const {
    return int_symbol(fmt::format("#{}", std::distance(numbers_.begin(), numbers_.find(number))));
  }
  std::set<std::int64_t> numbers_;
  std::unordered_set<const TermNode*> seen_;
  std::unordered_map<const TermNode*, Term> made_;
};

}  // namespace

std::string digest_of(const Formula& formula) { return sha256(smtlib(formula)).substr(0, 32); }

Formula in_general(const Formula& formula) {
  Generalizer general;
  for (const auto& fact : formula.facts) general.note(fact.term);
  general.note(formula.negated_goal);
  Formula out = formula;
  for (auto& fact : out.facts) fact.term = general(fact.term);
  out.negated_goal = general(formula.negated_goal);
  out.facts.push_back({kOrder, general.order()});
  return out;
}

const Answer& LemmaBook::ask(const std::string& key, const std::function<Formula()>& formula) {
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const Formula asked = formula();
  if (dump_ != nullptr) dump_->push_back(asked);
  std::optional<Answer> before;
  if (!solver_.asks_anew() && !(before = row_of(in_general(asked)))) before = row_of(asked);
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
