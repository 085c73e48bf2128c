#include "checker/guards/search.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "checker/guards/question.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

std::map<const PreparedPolicy*, std::int64_t> nearness(const std::vector<const PreparedPolicy*>& policies,
                                                       const cel::ExprPtr& bad) {
  constexpr std::int64_t kWord = 1'000'000;
  std::set<std::string> words;
  collect_words(bad, words);
  std::map<const PreparedPolicy*, std::int64_t> near;
  for (const std::string& word : words) {
    const auto count =
        std::ranges::count_if(policies, [&](const PreparedPolicy* policy) { return policy->speaks_of(word); });
    for (const PreparedPolicy* policy : policies)
      if (policy->speaks_of(word)) near[policy] += kWord / count;
  }
  return near;
}

class DenierSearch {
 public:
  DenierSearch(const Cluster& cluster, std::vector<const PreparedPolicy*> kin, const AdmissionTarget& target,
               const cel::ExprPtr& bad, Solver& solver)
      : cluster_(cluster), kin_(std::move(kin)), target_(target), bad_(bad), solver_(solver) {}

  std::optional<std::vector<std::string>> deniers() {
    // A request that gets past some names the next policy: the nearest one that denies it.
    std::vector<bool> some(kin_.size());
    for (std::size_t step = 0; step < kSteps && step < kin_.size(); ++step) {
      const std::optional<std::size_t> next = step == 0 ? 0 : next_after(some);
      if (!next) return std::nullopt;
      some[*next] = true;
      if (ask(some)) return fewest(some);
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kSteps = 12;
  using Chosen = std::vector<bool>;  // of kin_

  std::vector<const PreparedPolicy*> those(const Chosen& chosen) const {
    std::vector<const PreparedPolicy*> out;
    for (std::size_t i = 0; i < kin_.size(); ++i)
      if (chosen[i]) out.push_back(kin_[i]);
    return out;
  }

  bool ask(const Chosen& chosen) {
    const Reach found =
        reach_past(cluster_, those(chosen), target_, bad_, solver_, plan_, !std::exchange(asked_, true));
    if (found.kind == Reach::Kind::Denied) return true;
    shown_.reset();
    if (found.kind != Reach::Kind::Admitted) return false;
    const cel::Result is_bad = cel::evaluate(bad_, activation_of(found.request));
    if (const bool* yes = is_bad.boolean(); yes == nullptr || !*yes) return false;
    shown_ = each_admits(kin_, cluster_.namespaces, found.request);
    shown_before_.push_back(*shown_);
    return false;
  }

  // The one to add, after the last answer.
  std::optional<std::size_t> next_after(const Chosen& chosen) const {
    for (const auto wanted : {Decision::Kind::Denied, Decision::Kind::Unknown})
      for (std::size_t i = 0; shown_ && i < kin_.size(); ++i)
        if (!chosen[i] && (*shown_)[i].kind == wanted) return i;
    if (shown_) return std::nullopt;  // it is bad, and gets past all
    const auto free = std::ranges::find(chosen, false);
    return free == chosen.end() ? std::nullopt : std::optional<std::size_t>(free - chosen.begin());
  }

  bool known_to_let_in(const Chosen& chosen) const {
    return std::ranges::any_of(shown_before_, [&](const std::vector<Decision>& each) {
      for (std::size_t i = 0; i < kin_.size(); ++i)
        if (chosen[i] && each[i].kind != Decision::Kind::Admitted) return false;
      return true;
    });
  }

  // `enough` are known to deny.
  std::vector<std::string> fewest(const Chosen& enough) {
    Chosen kept(kin_.size(), true), known = enough;
    for (std::size_t i = kin_.size(); i-- > 0;) {
      kept[i] = false;
      if (!known[i]) continue;  // what is known to be enough is still there
      const bool none = !contains(kept, true);
      if (!none && !known_to_let_in(kept) && ask(kept))
        known = kept;
      else
        kept[i] = true;
    }
    std::vector<std::string> names;
    for (const PreparedPolicy* policy : those(kept)) names.push_back(policy->policy->name);
    std::ranges::sort(names);
    return names;
  }

  const Cluster& cluster_;
  const std::vector<const PreparedPolicy*> kin_;
  const AdmissionTarget& target_;
  const cel::ExprPtr& bad_;
  Solver& solver_;
  std::map<std::string, symbolic::PathPlan> plan_;
  bool asked_ = false;
  std::optional<std::vector<Decision>> shown_;  // what each does to the request of the last answer
  std::vector<std::vector<Decision>> shown_before_;
};

}  // namespace

std::vector<const PreparedPolicy*> nearest_first(std::vector<const PreparedPolicy*> policies, const cel::ExprPtr& bad) {
  auto near = nearness(policies, bad);
  std::ranges::stable_sort(policies,
                           [&](const PreparedPolicy* a, const PreparedPolicy* b) { return near[a] > near[b]; });
  return policies;
}

std::optional<std::vector<std::string>> find_deniers(const Cluster& cluster, std::vector<const PreparedPolicy*> kin,
                                                     const AdmissionTarget& target, const cel::ExprPtr& bad,
                                                     Solver& solver) {
  return DenierSearch(cluster, std::move(kin), target, bad, solver).deniers();
}

}  // namespace gpol
