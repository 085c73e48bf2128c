#include "checker/kueue/flavor_assigner.h"

#include <algorithm>
#include <climits>

#include "checker/kueue/amount.h"
#include "checker/kueue/preemption.h"
#include "checker/planted.h"
#include "compiler/cluster/taints.h"
#include "compiler/source/lookup.h"

namespace gpol::kueue {

namespace {

// From worst to best (flavorassigner.go preemptionMode).
enum class Granular : std::uint8_t { NoFit, NoCandidates, Preempt, Reclaim, Fit };

struct Rank {
  Granular mode = Granular::NoFit;
  int height = INT_MAX;
};

// flavorassigner.go isPreferred: whether `a` is better than `b`. A flavor on which nobody can be evicted ranks below
// all that can work, whatever the preference.
bool preferred(const Rank& a, const Rank& b, bool preemption_over_borrowing) {
  if (a.mode == Granular::NoFit || b.mode == Granular::NoFit) return a.mode != Granular::NoFit;
  const bool a_none = a.mode == Granular::NoCandidates, b_none = b.mode == Granular::NoCandidates;
  if (a_none != b_none) return b_none;
  if (preemption_over_borrowing) return a.height != b.height ? a.height < b.height : a.mode > b.mode;
  return a.mode != b.mode ? a.mode > b.mode : a.height < b.height;
}

// flavorassigner.go shouldTryNextFlavor.
bool try_next(const Rank& rank, const Queue& queue) {
  if (rank.mode == Granular::NoFit || rank.mode == Granular::NoCandidates) return true;
  if (rank.mode != Granular::Fit && queue.when_can_preempt == Search::TryNextFlavor &&
      !planted(Bug::ModelPreemptStopsSearch))
    return true;
  return rank.height != 0 && queue.when_can_borrow == Search::TryNextFlavor && !planted(Bug::ModelBorrowStopsSearch);
}

FitMode external(Granular mode) {
  if (mode == Granular::NoFit) return FitMode::NoFit;
  return mode == Granular::Fit ? FitMode::Fit : FitMode::Preempt;
}

class Assigner {
 public:
  Assigner(Ledger& snapshot, const std::vector<Workload>& workloads, WorkloadId id, const Nominated* nominated)
      : snapshot_(snapshot),
        workloads_(workloads),
        id_(id),
        workload_(workloads[id]),
        podsets_(workload_.spec.podsets()),
        queue_(snapshot.queue(workload_.spec.queue)),
        nominated_(nominated) {}

  Assignment run();

 private:
  const ResourceGroup* group_of(std::uint32_t resource) const;
  bool matches(const PodSet& podset, std::uint32_t flavor) const;
  int next_flavor(Part part) const;
  bool skipped_now(Part part, std::uint32_t flavor) const;
  bool better(const Rank& a, const Rank& best) const;
  Rank rank(FlavorResource fr, std::int64_t amount, std::string& why);
  bool jointly_possible(const std::vector<Assignment::Part>& parts);
  bool choose(const ResourceGroup& group, std::uint32_t podset, std::uint32_t resource, Assignment& out);
  bool assign(std::uint32_t podset, Assignment& out);
  std::string resource_name(std::uint32_t r) const {
    const auto& names = snapshot_.compiled().cluster().resources;
    return r < names.size() ? names[r] : "a resource that a transformation makes";
  }

  Ledger& snapshot_;
  const std::vector<Workload>& workloads_;
  WorkloadId id_;
  const Workload& workload_;
  const std::vector<PodSet> podsets_;
  const Queue& queue_;
  const Nominated* nominated_;
  bool skips_the_rest_ = false;
  bool all_fit_ = true;  // the chosen flavor of every group of a podset ranks as a fit
};

const ResourceGroup* Assigner::group_of(std::uint32_t resource) const {
  return find_where(queue_.groups, [&](const auto& group) { return contains(group.covered, resource); });
}

// flavorassigner.go checkFlavorForPodSets: of the node selector only the keys that the flavor labels its nodes with
// matter, and those must match.
bool Assigner::matches(const PodSet& podset, std::uint32_t flavor) const {
  if (!podset.flavor || !snapshot_.holds(Rule::NodeSelector)) return true;
  const auto& flavors = snapshot_.compiled().cluster().flavors;
  const auto& selector = flavors[*podset.flavor].node_labels;
  return std::ranges::all_of(flavors[flavor].node_labels, [&](const auto& label) {
    const auto asked = selector.find(label.first);
    return asked == selector.end() || asked->second == label.second;
  });
}

// workload.go NextFlavorToTryForPodSetResource.
int Assigner::next_flavor(Part part) const {
  if (!workload_.progress || !snapshot_.on(Gate::FlavorFungibility)) return 0;
  const auto found = workload_.progress->tried.find(part);
  return found == workload_.progress->tried.end() ? 0 : found->second + 1;
}

// flavorassigner.go shouldSkipBasedOnNominationMapping: asked for the resource that the search began with.
bool Assigner::skipped_now(Part part, std::uint32_t flavor) const {
  if (nominated_ == nullptr) return false;
  const auto found = nominated_->find(part);
  return found == nominated_->end() || found->second != flavor;
}

bool Assigner::better(const Rank& a, const Rank& best) const {
  if (!snapshot_.on(Gate::FlavorFungibility)) return a.mode > best.mode;
  return preferred(a, best, queue_.fungibility_preference == "PreemptionOverBorrowing");
}

// flavorassigner.go fitsResourceQuota: one (flavor, resource) by itself, as if it were all that is asked.
Rank Assigner::rank(FlavorResource fr, std::int64_t amount, std::string& why) {
  const Node q = workload_.spec.queue;
  const Limits& limits = snapshot_.limits(fr);
  if (amount > limits.potential[q]) {
    why = "asks more " + resource_name(fr.resource) + " than its queue can ever have";
    return {Granular::NoFit, 0};
  }
  const auto [height, within_tree] = lowest_subtree_that_fits(snapshot_, q, fr, amount);
  if (amount <= snapshot_.available(q, fr)) return {Granular::Fit, height};
  why = "not enough " + resource_name(fr.resource) + " is free";
  const bool fair = snapshot_.compiled().cluster().config.fair_sharing;
  const bool may_preempt_while_borrowing = queue_.preemption.borrow_within_cohort != BorrowWithin::Never ||
                                           (fair && queue_.preemption.reclaim_within_cohort != Reclaim::Never);
  if (snapshot_.holds(Rule::NominalGate) && limits.nominal[q] < amount && !within_tree &&
      !may_preempt_while_borrowing) {
    why += ", and it may not evict beyond its queue's nominal quota";
    return {Granular::NoFit, height};
  }
  const auto [possibility, after] = simulate_preemption(snapshot_, workloads_, id_, fr, amount);
  switch (possibility) {
    case Possibility::NoCandidates:
      return {Granular::NoCandidates, after};
    case Possibility::Preempt:
      return {Granular::Preempt, after};
    case Possibility::Reclaim:
      break;
  }
  return {Granular::Reclaim, after};
}

// What upstream does not ask: are there victims for all resources of the flavor together?
bool Assigner::jointly_possible(const std::vector<Assignment::Part>& parts) {
  PreemptionRequest request{workloads_, id_, {}, {}};
  for (const auto& part : parts) {
    if (part.amount != 0) request.requests.push_back({part.fr, part.amount});
    if (part.mode == FitMode::Preempt) request.need.insert(part.fr);
  }
  return !find_victims(snapshot_, request).empty();
}

// flavorassigner.go findFlavorForPodSets: one flavor for all resources of the group that are asked for. False when no
// flavor would do.
bool Assigner::choose(const ResourceGroup& group, std::uint32_t podset, std::uint32_t resource, Assignment& out) {
  const bool prefer_preemption = queue_.fungibility_preference == "PreemptionOverBorrowing";
  const auto count = static_cast<int>(group.flavors.size());
  Rank best;
  std::vector<Assignment::Part> best_parts;
  const Amounts earlier = out.usage();  // of the podsets before this one
  const auto taken = [&](FlavorResource fr) {
    const auto same = std::ranges::find(earlier, fr, &Amount::fr);
    return same == earlier.end() || !snapshot_.holds(Rule::EarlierPodsets) ? 0 : same->amount;
  };
  const bool fungible = snapshot_.on(Gate::FlavorFungibility);
  int attempted = -1;
  for (int i = next_flavor({podset, resource}); i < count; ++i) {
    attempted = i;
    const std::uint32_t flavor = group.flavors[static_cast<std::size_t>(i)].flavor;
    if (skipped_now({podset, resource}, flavor)) continue;
    if (!tolerates(podsets_[podset], snapshot_.compiled().cluster().flavors[flavor])) continue;
    if (!matches(podsets_[podset], flavor)) continue;
    Rank worst{Granular::Fit, 0};
    std::vector<Assignment::Part> parts;
    for (const Request& request : podsets_[podset].requests) {
      if (!contains(group.covered, request.resource)) continue;
      const FlavorResource fr{flavor, request.resource};
      const Rank one = rank(fr, saturating_add(taken(fr), request.amount), out.why);
      if (preferred(worst, one, prefer_preemption)) worst = one;
      parts.push_back({podset, fr, request.amount, external(one.mode), one.height});
      if (worst.mode == Granular::NoFit) break;
    }
    if (!snapshot_.holds(Rule::EachResourceAlone) && worst.mode > Granular::NoCandidates &&
        worst.mode < Granular::Fit && !jointly_possible(parts))
      worst.mode = Granular::NoCandidates;
    const bool stop = fungible ? !try_next(worst, queue_) : worst.mode == Granular::Fit;
    if (stop || better(worst, best)) {
      best = worst;
      best_parts = std::move(parts);
    }
    if (stop) break;
  }
  for (const auto& part : best_parts) {
    out.parts.push_back(part);
    // Without the gate upstream leaves the index at 0, which says that flavors are left to be tried.
    out.progress.tried[{podset, part.fr.resource}] = !fungible ? 0 : attempted == count - 1 ? -1 : attempted;
  }
  if (best.mode != Granular::Fit) all_fit_ = false;
  return !best_parts.empty();
}

// flavorassigner.go assignFlavors, the part about one podset: every resource that it asks for gets a flavor, its
// group's in one go. False when one gets none.
bool Assigner::assign(std::uint32_t index, Assignment& out) {
  all_fit_ = true;
  const std::size_t before = out.parts.size();
  for (const Request& request : podsets_[index].requests) {
    const ResourceGroup* group = group_of(request.resource);
    const bool ignored =
        request.amount == 0 || (snapshot_.on(Gate::QuotaCheckStrategy) &&
                                snapshot_.compiled().cluster().config.quota_check_strategy == "IgnoreUndeclared");
    if (group == nullptr && ignored) continue;
    if (out.progress.tried.contains({index, request.resource})) continue;  // its group has a flavor already
    if (group == nullptr) out.why = "its queue does not offer " + resource_name(request.resource);
    if (group != nullptr && next_flavor({index, request.resource}) >= static_cast<int>(group->flavors.size())) {
      skips_the_rest_ = true;
      return false;
    }
    if (group == nullptr || !choose(*group, index, request.resource, out)) {
      if (out.why.empty()) out.why = "no flavor of its queue matches";
      return false;
    }
  }
  // One that asks for nothing that its queue offers (IgnoreUndeclared, or amounts of 0) gets no flavor and no reason,
  // and upstream looks at none after it, as in run().
  if (!podsets_[index].requests.empty() && out.parts.size() == before && index + 1 < podsets_.size()) {
    skips_the_rest_ = true;
    return false;
  }
  // A flavor ranks as its worst resource. Under PreemptionOverBorrowing one that fits by borrowing is worse than one
  // that must evict within nominal, so a flavor can rank as a fit although a part of it is none. Upstream then evicts
  // nobody (PodSetAssignment.RepresentativeMode trusts the empty status), and the admission fails when it is checked.
  if (!all_fit_)
    for (std::size_t i = before; i < out.parts.size(); ++i) out.mode = std::min(out.mode, out.parts[i].mode);
  return true;
}

Assignment Assigner::run() {
  Assignment out;
  out.mode = FitMode::Fit;
  for (std::uint32_t index = 0; index < podsets_.size(); ++index) {
    if (assign(index, out)) continue;
    // What earlier podsets tried is remembered, and counts where shares are compared; this one begins anew.
    std::erase_if(out.progress.tried, [index](const auto& tried) { return tried.first.podset == index; });
    std::erase_if(out.parts, [index](const auto& part) { return part.podset == index; });
    // Where a flavor was taken off the queue, the search that goes on where it stopped may find none to try. Upstream
    // then gives no reason, takes a podset without a reason for a fit (PodSetAssignment.RepresentativeMode), looks at
    // no further one, and admits the workload with what it has so far, or panics where an earlier podset must evict.
    if (!skips_the_rest_) out.mode = FitMode::NoFit;
    if (skips_the_rest_ && out.mode == FitMode::Preempt) snapshot_.note_arbitrary();
    break;
  }
  for (const auto& part : out.parts) out.borrowing = std::max(out.borrowing, part.height);
  if (out.mode == FitMode::Fit) out.why.clear();
  return out;
}

}  // namespace

bool tolerates(const PodSet& podset, const Flavor& flavor) {
  if (!podset.tolerations) return true;
  return std::ranges::all_of(flavor.taints, [&](const Taint& taint) {
    return !keeps_off(taint) || tolerated_by(*podset.tolerations, taint) || tolerated_by(flavor.tolerations, taint);
  });
}

Amounts Assignment::usage() const {
  Amounts usage;
  for (const Part& part : parts) {
    const auto same = std::ranges::find(usage, part.fr, &Amount::fr);
    if (same == usage.end())
      usage.push_back({part.fr, part.amount});
    else
      same->amount = saturating_add(same->amount, part.amount);
  }
  return usage;
}

Assignment assign_flavors(Ledger& snapshot, const std::vector<Workload>& workloads, WorkloadId id,
                          const Nominated* nominated) {
  return Assigner(snapshot, workloads, id, nominated).run();
}

}  // namespace gpol::kueue
