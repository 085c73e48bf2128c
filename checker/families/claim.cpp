// Claim: in every reachable usage state of every window, nobody else can hold any of the reserve (class A), or no more
// of it than an allow permits (class B). One obligation per (queue, flavor, resource) of every queue.
//
// Formulas: the lemmas of claim_lemmas.h, asked once. Closed form beside them: kueue::walk_bounds and walk_path; where
// a bound of it does not meet its lemma's side condition the run stops (claim_tree.h).
#include <algorithm>

#include <fmt/format.h>

#include "checker/families/asked.h"
#include "checker/families/claim_alone.h"
#include "checker/families/claim_tree.h"
#include "checker/families/codes.h"
#include "checker/families/pairs.h"
#include "checker/families/turns.h"
#include "checker/kueue/counted.h"
#include "checker/story/hold.h"
#include "checker/story/narrate.h"
#include "checker/story/stories.h"
#include "compiler/source/lookup.h"

namespace gpol {
namespace {

// The smallest edit that takes the claim away, at the line that broke the pattern: serving's own lending limit, else
// the borrowing limit of a queue that holds, else the allow that lets too much flow, else a limit still to be written.
struct Repair {
  Fix fix;
  Span at;
};
Repair repair(const Proof& proof, const ClaimTree& tree, std::uint32_t owner, std::int64_t permitted,
              const std::vector<kueue::Holding>& holdings) {
  const auto remove = [](Span span, std::string text) { return Repair{{std::move(text), {{span, ""}}}, span}; };
  const QueueRole& role = proof.intent.roles[owner];
  const auto amount = [&](std::int64_t value) {
    return is_gpu(proof.cluster.resources[tree.resource]) ? fmt::format("{} gpus", value)
                                                          : amount_in_words(proof.cluster, tree.resource, value);
  };
  // Without the clause the queue lends, or borrows, what `allow`s say.
  if (const auto lending = written(proof, owner, "lendingLimit"))
    return remove(*lending, tree.limits.lending[owner] == kueue::kUnlimited ? "remove `lend without limit`"
                                                                            : "remove this `lend at most`");
  for (const auto& holding : holdings)
    if (const auto borrowing = written(proof, holding.queue, "borrowingLimit"))
      return remove(*borrowing, tree.limits.borrowing[holding.queue] == kueue::kUnlimited
                                    ? "remove `borrow without limit`"
                                    : "remove this `borrow at most`");
  if (!role.allow_spans.empty() && role.never_held_span.known())
    return remove(role.allow_spans.front(), "remove this `allow`, or the `prove` that lets nobody hold any");
  if (!role.allow_spans.empty()) return remove(role.allow_spans.front(), "remove this `allow`, or permit less by it");
  if (role.tenant.empty())
    return {{fmt::format("set `lendingLimit` of {} of `{}` in ClusterQueue `{}` to {}",
                         proof.cluster.resources[tree.resource], proof.cluster.flavors[tree.flavor].name,
                         proof.cluster.queues[owner].name, amount(permitted)),
             {}},
            reserved_at(role)};
  return {{fmt::format("say `queue {{ lend at most {} of {} }}` of tenant `{}`", amount(permitted),
                       proof.cluster.flavors[tree.flavor].name, role.tenant),
           {}},
          reserved_at(role)};
}

class ClaimFamily {
 public:
  ClaimFamily(const Proof& proof, Report& report)
      : proof_(proof),
        report_(report),
        shape_(kueue::shape_of(proof.cluster)),
        prover_(proof, shape_),
        beside_batch_(beside_batch(proof)),
        serving_ends_(serving_ends(proof.cluster, proof.intent)) {}

  void run() {
    const Cluster& cluster = proof_.cluster;
    std::vector<std::size_t> first(cluster.queues.size(), 0);  // of each queue, in report_.obligations
    std::size_t count = report_.obligations.size();
    for (std::size_t q = 0; q < cluster.queues.size(); ++q) {
      first[q] = count;
      count += pairs_of(cluster.queues[q]).size();
    }
    // Reclaim follows, and vacuity, which may speak of each queue.
    report_.obligations.reserve(2 * count + cluster.queues.size() + cluster.flavors.size() * cluster.resources.size() +
                                64);
    report_.obligations.resize(count);
    cores_.resize(cluster.queues.size());
    const auto listings = listings_of(cluster);
    for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f)
      for (std::uint32_t r = 0; r < cluster.resources.size(); ++r) {
        const auto& listed = listings[f * cluster.resources.size() + r];
        if (listed.empty()) continue;
        ClaimTree tree = prover_.tree(f, r, listed);
        for (const Listing& listing : listed)
          report_.obligations[first[listing.queue] + listing.pair] = judge(tree, listing);
        if (proof_.intent.of_policy || any_role()) continue;
        const auto alone = claimable_alone(proof_, shape_, tree, listed);
        for (std::size_t i = 0; i < alone.size(); ++i)
          report_.obligations[first[listed[i].queue] + listed[i].pair].figures.claimable_alone = alone[i];
      }
    report_.analysed.push_back(Family::Claim);
  }

 private:
  bool any_role() const {
    return std::ranges::any_of(proof_.intent.roles,
                               [](const QueueRole& role) { return role.kind != QueueRole::Kind::None; });
  }

  Obligation judge(ClaimTree& tree, const Listing& listing) {
    const QueueRole& role = proof_.intent.roles[listing.queue];
    const std::int64_t reserve = reserve_at(role, listing.pair), permitted = permitted_at(role, listing.pair);
    Obligation o =
        obligation_about(proof_, Family::Claim, code::Claim, listing.queue, {tree.flavor, tree.resource}, reserve);
    o.required = role.kind == QueueRole::Kind::Serving &&
                 (role.isolation == Isolation::A || (role.isolation == Isolation::B && proof_.intent.of_policy));
    if (reserve == 0) {  // nothing is protected, so nothing can be taken
      o.verdict = Verdict::Proven;
      o.figures.claimable = 0;
      return o;
    }
    o.core = core_of(listing.queue);
    const KueueConfig& config = proof_.cluster.config;
    if (kueue::uncharged(config, o.subject.resource))  // quota says nothing of who holds the devices
      return undecided(std::move(o),
                       "no quota is charged for it: " + kueue::counted_otherwise(config, o.subject.resource));
    if (!tree.undecided.empty()) return undecided(std::move(o), tree.undecided);
    const std::int64_t claimable = prover_.claimable(tree, listing.queue, reserve);
    if (!tree.undecided.empty()) return undecided(std::move(o), tree.undecided);  // the solver gave up on a lemma
    o.figures.claimable = claimable;
    const std::int64_t ending = prover_.claimable_ending(tree, listing.queue, reserve, claimable);
    if (ending > claimable) o.figures.claimable_ending = ending;
    // Nobody is promised anything here: the figure is what is asked for, and a large cluster has many.
    constexpr int kMostUnasked = 256;
    if (claimable > permitted && !o.required && ++unasked_ > kMostUnasked)
      return undecided(std::move(o), "nothing is promised to it, and its story was not played");
    if (claimable > permitted) return refuted(std::move(o), tree, listing.queue, permitted);
    // Class A waits for nobody. Pods of others that end may hold devices after their quota is free: of observed objects
    // that they do not is an assumption (given.cpp).
    if (proof_.intent.of_policy && role.isolation == Isolation::A) {
      if (o.figures.claimable_ending) return while_ending(std::move(o), tree, listing.queue);
      if (proof_.intent.capacity_of(tree.flavor) != nullptr && beside_batch_[listing.queue])
        return beside(std::move(o));
      if (const ServingEnds& ends = serving_ends_[listing.queue]; !ends.beside.empty())
        return beside_serving(std::move(o), ends.beside);
    }
    if (std::string how = kueue::undeclared_by_others(proof_.cluster, listing.queue, o.subject.resource);
        !how.empty()) {
      o.figures.claimable = o.figures.claimable_ending =
          std::nullopt;  // of what quotas count, others hold this much: of the devices, any
      return undecided(std::move(o), std::move(how));
    }
    o.verdict = Verdict::Proven;
    if (claimable > 0)
      o.say({.message = fmt::format("others hold at most {} of the {} that `{}` reserves of `{}`; {} are permitted",
                                    words(tree, claimable), words(tree, reserve), o.subject.name, o.subject.flavor,
                                    words(tree, permitted))});
    return o;
  }

  // Quota is held before the admission checks of a workload have passed (pkg/scheduler/scheduler.go admit reserves it).
  void stage() {
    const auto checked = [](const Queue& queue) { return !queue.admission_checks.empty(); };
    if (proof_.intent.of_policy || std::ranges::none_of(proof_.cluster.queues, checked)) {
      stage_.emplace(proof_.cluster);
      return;
    }
    without_checks_ = proof_.cluster;
    for (Queue& queue : without_checks_.queues) queue.admission_checks.clear();
    stage_.emplace(without_checks_);
  }

  Obligation refuted(Obligation o, ClaimTree& tree, std::uint32_t queue, std::int64_t permitted) {
    if (!proof_.stories) return undecided(std::move(o), "its story was not asked for");
    if (!stage_) stage();
    if (!stage_->uncovered().empty())
      return undecided(std::move(o), "others can hold it, but the story cannot be played: " + stage_->uncovered());
    if (const std::string how = kueue::counted_otherwise(proof_.cluster.config, o.subject.resource); !how.empty())
      return undecided(std::move(o),
                       "others can hold it, but the story is not told, because requests go through " + how);
    const auto holdings = prover_.worst_state(tree, queue);
    const auto story = tell_claim(*stage_, proof_.intent, queue, tree.flavor, tree.resource, holdings, permitted);
    const std::int64_t claimable = *o.figures.claimable, reserve = *o.figures.reserve;
    const bool pods = pods_count(queue) || std::ranges::any_of(holdings, [&](const kueue::Holding& holding) {
                        return pods_count(holding.queue);
                      });
    if (!story && pods)
      return undecided(std::move(o), "others can hold it, but whoever would has no quota for the pod that it takes");
    // Nobody can ask for a flavor without labels by a node selector, so that the search may stop at one before it.
    if (!story && proof_.cluster.flavors[tree.flavor].node_labels.empty())
      return undecided(std::move(o), "others can hold it, but its flavor has no node labels to ask for it by");
    if (!story && !proof_.intent.of_policy && several_flavors(queue))
      return undecided(std::move(o),
                       "others can hold it, but its pods may go to another flavor of the queue instead, "
                       "whose node labels do not keep them away");
    if (!story && !proof_.intent.of_policy && others_have_several(tree.flavor))
      return undecided(std::move(o),
                       "others can hold it, but their pods may go to another flavor of their queue instead, whose node "
                       "labels do not keep them away");
    if (!story)
      throw InternalError(
          fmt::format("claim: others can hold {} of the {} of `{}` in ({}, {}), but no story of it could "
                      "be played",
                      claimable, reserve, o.subject.name, o.subject.flavor, o.subject.resource));
    o.verdict = Verdict::Refuted;
    Detail detail;
    // The story's ask is for one unit more than it leaves.
    const auto& ask = std::get<Submit>(story->script.steps.back()).workload.requests.front();
    const std::int64_t told = reserve - (ask.amount - 1);
    detail.message = fmt::format("others can hold {} of the {} that `{}` reserves of `{}`{}; ", words(tree, claimable),
                                 words(tree, reserve), o.subject.name, o.subject.flavor,
                                 told < claimable && shapes_declared(proof_.intent)
                                     ? fmt::format(" ({} in whole pods of the declared shapes)", words(tree, told))
                                     : "");
    for (const auto& holding : holdings) {
      const auto& who = proof_.intent.roles[holding.queue].overreaching;
      if (const auto asks = who.find({tree.flavor, tree.resource}); asks != who.end())
        detail.message += asks->second + "; ";
    }
    const Span never = proof_.intent.roles[queue].never_held_span;
    detail.message += permitted > 0   ? words(tree, permitted) + " are permitted"
                      : never.known() ? "a `prove` lets nobody hold any, whatever an `allow` permits"
                      : !o.required   ? "whether it comes back is another question"
                                      : "nobody may hold any";
    detail.story = story->steps;
    Repair repaired = repair(proof_, tree, queue, permitted, holdings);
    detail.fix = std::move(repaired.fix);
    if (repaired.at.known()) o.span = repaired.at;
    std::vector<Span> core = *core_of(queue);
    core.push_back(o.span);
    core.push_back(never);
    o.core = as_core(std::move(core));
    o.say(std::move(detail));
    return o;
  }

  // Figures speak of one resource alone; a workload takes a pod, too, where its queue covers them.
  bool pods_count(std::uint32_t queue) const {
    return std::ranges::any_of(pairs_of(proof_.cluster.queues[queue]),
                               [&](const Pair& pair) { return proof_.cluster.resources[pair.resource] == "pods"; });
  }

  bool several_flavors(std::uint32_t queue) const {
    const auto& groups = proof_.cluster.queues[queue].groups;
    return std::ranges::any_of(groups, [](const ResourceGroup& g) { return g.flavors.size() > 1; });
  }

  bool others_have_several(std::uint32_t flavor) const {
    return std::ranges::any_of(proof_.cluster.queues, [&](const Queue& queue) {
      return std::ranges::any_of(queue.groups, [&](const ResourceGroup& group) {
        return group.flavors.size() > 1 && contains(group.flavors, flavor, &FlavorQuotas::flavor);
      });
    });
  }

  static Obligation undecided(Obligation o, std::string reason) {
    Detail detail;
    detail.message = fmt::format("what others can hold of `{}` is not known: {}", o.subject.name, reason);
    detail.reason = std::move(reason);
    o.verdict = Verdict::Undecided;
    o.say(std::move(detail));
    return o;
  }

  // `who`: "`chat` serves on" the same nodes.
  static Obligation held_by_pods(Obligation o, std::string_view who, std::string fix) {
    const std::string flavor(o.subject.flavor);
    o = undecided(std::move(o),
                  fmt::format("{} the nodes of `{}`, too, and its pods can hold devices there for as long "
                              "as they take to end, though their quota is free",
                              who, flavor));
    Detail detail = *o.detail;
    detail.fix = Fix{std::move(fix)};
    o.say(std::move(detail));
    return o;
  }

  static Obligation beside(Obligation o) {
    return held_by_pods(std::move(o), "batch may use",
                        "reserve it on a pool that no class C tenant uses, or make its class B: that one's time counts "
                        "the grace of batch");
  }

  // Of class A of a policy nobody holds anything, not for as long as a victim takes to end either.
  Obligation while_ending(Obligation o, const ClaimTree& tree, std::uint32_t queue) {
    const std::string most = words(tree, *o.figures.claimable_ending);
    if (!stage_) stage();
    const auto story =
        proof_.stories ? tell_ending(*stage_, proof_.intent, queue, tree.flavor, tree.resource) : std::nullopt;
    Detail detail;
    detail.message = fmt::format(
        "others can hold up to {} of the {} that `{}` reserves of `{}` while a victim of a preemption in its cohort "
        "ends",
        most, words(tree, *o.figures.reserve), o.subject.name, o.subject.flavor);
    detail.fix = {"reserve it on a pool that nobody else uses, and leave `cohort` out of its `queue`", {}};
    o.verdict = story ? Verdict::Refuted : Verdict::Undecided;
    if (story)
      detail.story = story->steps;
    else
      detail.reason = detail.message;
    if (const auto cohort = written(proof_, queue, "cohortName")) o.span = *cohort;
    o.say(std::move(detail));
    return o;
  }

  static Obligation beside_serving(Obligation o, std::string_view other) {
    return held_by_pods(std::move(o), fmt::format("`{}` serves on", other),
                        "reserve it on a pool that no other tenant uses, or make its class B: that one's time counts "
                        "the grace of the others");
  }

  std::string words(const ClaimTree& tree, std::int64_t amount) const {
    return amount_in_words(proof_.cluster, tree.resource, amount);
  }

  const std::shared_ptr<const std::vector<Span>>& core_of(std::uint32_t queue) {
    if (!cores_[queue]) cores_[queue] = as_core(lines_of(proof_, shape_, queue));
    return cores_[queue];
  }

  const Proof& proof_;
  Report& report_;
  const kueue::Shape shape_;
  ClaimProver prover_;
  const std::vector<bool> beside_batch_;
  const std::vector<ServingEnds> serving_ends_;
  Cluster without_checks_;
  std::optional<Stage> stage_;  // made when the first story must be told
  int unasked_ = 0;             // stories of what is not required
  std::vector<std::shared_ptr<const std::vector<Span>>> cores_;
};

}  // namespace

void prove_claim(const Proof& proof, Report& report) {
  judge_beside_overreach(proof, report, [](const Proof& one, Report& found) { ClaimFamily(one, found).run(); });
}

}  // namespace gpol
