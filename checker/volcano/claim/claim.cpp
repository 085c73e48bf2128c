#include "checker/volcano/claim/claim.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/families/pairs.h"
#include "checker/story/narrate.h"
#include "checker/volcano/claim/claim_tree.h"
#include "checker/volcano/claim/stories.h"
#include "checker/volcano/rules/amounts.h"
#include "checker/volcano/rules/mode.h"
#include "compiler/cluster/quantity.h"
#include "compiler/source/lookup.h"

namespace gpol::volcano {

namespace {

std::set<std::string> resources_of(const Queue& queue) {
  std::set<std::string> all;
  for (const Amounts* amounts : {&queue.capability, &queue.deserved, &queue.guarantee})
    for (const auto& [resource, amount] : *amounts) all.insert(resource);
  return all;
}

class Claim {
 public:
  Claim(const Proof& proof, const Evidence& evidence, Report& report)
      : proof_(proof),
        report_(report),
        setup_(*proof.cluster.volcano),
        mode_(mode_of(setup_.scheduler, setup_.version)),
        nodes_(evidence.given.nodes),
        taken_(evidence.taken),
        quotas_(claim_tree(limits(false), setup_, proof.intent.volcano_roles)),
        book_(proof) {}

  void run() {
    if (std::string why = unlimited(); !why.empty())
      unknown_ = std::move(why);
    else
      unknown_ = unproven(book_);
    for (std::size_t q = 0; q < setup_.queues.size(); ++q)
      for (const std::string& resource : resources_of(setup_.queues[q])) judge(q, resource);
    report_.analysed.push_back(Family::Claim);
  }

 private:
  // What the nodes have, by which Volcano reckons: also those that take no pod. Of a policy none of the cluster is
  // known to be of no other team: that is without bound. `elastic`: with those that an autoscaler may add.
  Total total(bool elastic) const {
    return sum_of([&](const NodeFacts& node) { return elastic || !node.elastic; }, nodes_.empty());
  }

  // What pods find on them, or on those of a pool.
  Total room(std::uint32_t pool) const {
    Total total = sum_of(
        [&](const NodeFacts& node) {
          return !node.elastic && !node.cordoned && (pool == kNone || is_of(node, proof_.cluster.flavors[pool].name));
        },
        nodes_.empty());
    if (pool == kNone)
      for (auto& [resource, all] : total)
        if (all) all = std::max<std::int64_t>(0, *all - of(taken_, resource));
    return total;
  }

  template <class Counts>
  Total sum_of(Counts counts, bool unknown) const {
    Total total;
    for (const NodeFacts& node : nodes_)
      if (counts(node))
        for (const auto& [resource, amount] : node.allocatable) {
          Limit& all = total.try_emplace(resource, 0).first->second;
          all = sum(*all, amount);
        }
    if (!unknown) return total;
    for (const std::string& resource : proof_.cluster.resources) total.emplace(resource, std::nullopt);
    for (const Queue& queue : setup_.queues)
      for (const std::string& resource : resources_of(queue)) total.emplace(resource, std::nullopt);
    return total;
  }

  bool limited() const {
    return mode_.limiter == Limiter::Proportion || (mode_.limiter != Limiter::None && mode_.allocatable);
  }

  // `proportion` lets a queue have no more than the flat plugin does (proportion.go: `deserved` is cut to it).
  Limits limits(bool elastic) const {
    Limits limits = limits_of(setup_, total(elastic), mode_.limiter == Limiter::CapacityHierarchical);
    if (limited()) return limits;
    for (QueueLimits& queue : limits.queues)
      for (auto& [resource, limit] : queue.real_capability) limit.reset();
    return limits;
  }

  // Why no limit of a queue is known to hold.
  std::string unlimited() const {
    if (setup_.scheduler.actions.empty())
      return "the configuration of Volcano's scheduler is not among the manifests: give the ConfigMap with "
             "volcano-scheduler.conf";
    if (mode_.limiter == Limiter::None && proof_.intent.of_policy)
      return "no plugin of the scheduler's configuration limits queues";
    if (!mode_.beyond_limits.empty()) return mode_.beyond_limits.front();
    return quotas_.limits.broken.empty() ? quotas_.limits.not_ready : quotas_.limits.broken;
  }

  // Where a pod may wait though its queue and its nodes have room.
  std::string waits() const {
    if (!limited()) return "no plugin of the scheduler's configuration limits queues";
    if (!contains(setup_.scheduler.actions, "allocate"))
      return "the scheduler's configuration has no action `allocate`, which gives pods their nodes";
    if (plugin_of(setup_.scheduler, "predicates") == nullptr)
      return "without the plugin `predicates` Volcano looks at no node selector, taint or cordon";
    if (mode_.limiter == Limiter::Proportion || mode_.limiter == Limiter::Both)
      return "the plugin `proportion` divides what there is among the queues that ask, which is not modelled";
    if (mode_.limiter == Limiter::CapacityFlat && proof_.intent.of_policy)
      return "only the plugin capacity with enableHierarchy is modelled";
    if (!mode_.evicts.empty())
      return fmt::format("the scheduler's configuration has {}, which may evict its pods and is not modelled",
                         mode_.evicts.front());
    if (contains(setup_.scheduler.actions, "enqueue"))
      return "before `allocate` a PodGroup waits in `enqueue` for room that others may have taken";
    if (plugin_of(setup_.scheduler, "nodegroup") != nullptr)
      return "the plugin `nodegroup` lets pods of a queue without affinity on no node, or on few";
    return mode_.not_played.empty()
               ? std::string()
               : fmt::format("the scheduler's configuration has {}, which is not modelled", mode_.not_played.front());
  }

  void judge(std::size_t q, const std::string& resource) {
    const QueueRole& role = proof_.intent.volcano_roles[q];
    const std::int64_t reserve = of(role.reserve, resource);  // of queues that own something: serving, or nobody serves
    Obligation o = about(Family::Claim, code::Claim, q, resource, reserve);
    o.required = role.kind == QueueRole::Kind::Serving && role.isolation != Isolation::C;
    if (reserve == 0) {
      o.verdict = Verdict::Proven;
      o.figures.claimable = 0;
      return report_.add(std::move(o));
    }
    o.core = as_core({role.name_span, role.class_span, role.reserve_span, proof_.origins.cluster});
    if (!unknown_.empty()) return undecided(std::move(o), unknown_);
    if (resource.starts_with("deviceclass/"))  // capacity.go checkDRAAllocatable: by other rules, where 0 is no limit
      return undecided(std::move(o), "how Volcano limits devices of a DeviceClass is not modelled");
    const Bound bound = bound_of(q, resource);
    const ClaimTree& tree = *bound.tree;
    const std::vector<std::int64_t>& held = bound.held;
    if (mode_.limiter != Limiter::CapacityHierarchical && limited() && nodes_.empty() && tree.nodes != SIZE_MAX &&
        held[tree.nodes] == kNoLimit)
      return undecided(std::move(o), "a queue without a `capability` may use what the nodes have, which are not known",
                       "give the Nodes, too: `--nodes FILE`");
    const std::int64_t claimable = std::max<std::int64_t>(0, reserve - bound.left);
    if (!meets_side_conditions(tree, q, resource, reserve, held, claimable))
      throw InternalError(
          fmt::format("claim: the bounds of `{}` ({}) do not meet their lemmas", o.subject.name, resource));
    o.figures.claimable = claimable;
    if (role.kind == QueueRole::Kind::None)
      o.figures.claimable_alone = std::max<std::int64_t>(0, reserve - left_by_one(tree, q, resource));
    if (claimable > 0) return refuted(std::move(o), q, resource, bound);
    if (mode_.limiter != Limiter::CapacityHierarchical && contains(nodes_, true, &NodeFacts::elastic)) {
      const Total few = room(kNone);
      const ClaimTree most = claim_tree(limits(true), setup_, proof_.intent.volcano_roles, &few);
      if (left_to(most, q, resource, others(most, q, resource)) < reserve)
        return undecided(std::move(o), "an autoscaler may add nodes, and what queues may use grows with them");
    }
    if (std::string why = waits(); !why.empty()) return undecided(std::move(o), std::move(why));
    if (const std::string beside = beside_it(q); !beside.empty())
      return undecided(std::move(o),
                       fmt::format("{} the nodes of `{}`, too, and its pods can hold devices there for as long as they "
                                   "take to end, though their quota is free",
                                   beside, o.subject.flavor),
                       "reserve it on a pool that no other tenant uses");
    o.verdict = Verdict::Proven;
    report_.add(std::move(o));
  }

  // The tree that leaves the queue the least: that of its quotas, and that of the nodes where its pods stand.
  struct Bound {
    const ClaimTree* tree = nullptr;
    std::vector<std::int64_t> held;
    std::int64_t left = 0;
  };
  Bound bound_of(std::size_t q, const std::string& resource) {
    Bound least;
    const auto look = [&](const ClaimTree& tree) {
      Bound one{&tree, others(tree, q, resource), 0};
      one.left = left_to(tree, q, resource, one.held);
      if (least.tree == nullptr || one.left < least.left) least = std::move(one);
    };
    const std::uint32_t pool = proof_.intent.volcano_roles[q].pool;
    if (proof_.intent.of_policy || pool != kNone) look(quotas_);
    if (!proof_.intent.of_policy) look(on_nodes(pool));
    return least;
  }

  const ClaimTree& on_nodes(std::uint32_t pool) {
    if (const auto found = on_nodes_.find(pool); found != on_nodes_.end()) return found->second;
    const Total nodes = room(pool);
    return on_nodes_.emplace(pool, claim_tree(limits(false), setup_, proof_.intent.volcano_roles, &nodes, pool))
        .first->second;
  }

  std::int64_t beyond(const ClaimTree& tree, const std::string& resource) const {
    if (tree.nodes == SIZE_MAX || tree.pool != kNone || nodes_.empty()) return 0;
    const Total all = total(false);
    const auto found = all.find(resource);
    const std::int64_t room = tree.limits.queues[tree.nodes].limit(resource).value_or(0);
    return found == all.end() || !found->second ? 0 : *found->second - room;
  }

  void refuted(Obligation o, std::size_t q, const std::string& resource, const Bound& bound) {
    const std::int64_t reserve = *o.figures.reserve, claimable = *o.figures.claimable;
    const ClaimTree& tree = *bound.tree;
    auto story = proof_.stories ? tell_claim(proof_, tree, q, resource, reserve - claimable, beyond(tree, resource))
                                : std::nullopt;
    const auto id = static_cast<std::uint32_t>(std::ranges::find(proof_.cluster.resources, resource) -
                                               proof_.cluster.resources.begin());
    Detail detail;
    if (!story) {
      detail.reason = waits();
      if (detail.reason.empty()) detail.reason = "no story of it could be played";
      detail.message = fmt::format("whether others can hold up to {} of the {} that `{}` reserves is not known: {}",
                                   amount_in_words(proof_.cluster, id, claimable),
                                   amount_in_words(proof_.cluster, id, reserve), o.subject.name, detail.reason);
      o.verdict = Verdict::Undecided;
      return report_.add(std::move(o), std::move(detail));
    }
    const std::string reserved = amount_in_words(proof_.cluster, id, reserve);
    const std::size_t at = binding(tree, q, resource, bound.held);
    const Limit limit = tree.limits.queues[at].limit(resource);
    if (limit && *limit < reserve) {
      const std::string whose =
          at != tree.nodes     ? fmt::format("the limit of `{}` is", tree.limits.queues[at].name)
          : tree.pool == kNone ? "all nodes together have"
                               : fmt::format("all nodes of `{}` together have", proof_.cluster.flavors[tree.pool].name);
      detail.message = fmt::format("`{}` reserves {}, and {} {}", o.subject.name, reserved, whose,
                                   amount_in_words(proof_.cluster, id, *limit));
      detail.fix =
          Fix{at == tree.nodes ? "reserve no more than the nodes have, or give all Nodes"
                               : fmt::format("raise the `capability` of `{}`: what it does not name is 0 in `{}`",
                                             tree.limits.queues[at].name, kRootQueue)};
    } else {
      detail.message = fmt::format("others can hold {} of the {} that `{}` reserves; nobody may hold any",
                                   amount_in_words(proof_.cluster, id, claimable), reserved, o.subject.name);
      if (!proof_.intent.of_policy) detail.fix = remedy(q, resource, reserve, bound);
    }
    if (const std::int64_t kueue = of(taken_, resource); at == tree.nodes && tree.pool == kNone && kueue > 0)
      story->insert(story->begin(),
                    {"", "Kueue",
                     fmt::format("lets its queues have {} of the nodes", amount_in_words(proof_.cluster, id, kueue))});
    detail.story = *std::move(story);
    o.verdict = Verdict::Refuted;
    report_.add(std::move(o), std::move(detail));
  }

  // What bounds the queues beside it, where a queue above them, or the nodes, bound them too little.
  Fix remedy(std::size_t q, const std::string& resource, std::int64_t reserve, const Bound& bound) const {
    if (!limited()) return {"put the plugin `capacity` into the scheduler's configuration, with `enableHierarchy`", {}};
    const ClaimTree& tree = *bound.tree;
    const std::string how = fmt::format(
        "a `capability` for each of them, `{}` included{}", kDefaultQueue,
        mode_.limiter == Limiter::CapacityHierarchical
            ? ", or for one queue above them"
            : fmt::format(", and `{}`, which takes one before the scheduler first starts alone", kRootQueue));
    const std::size_t at = binding(tree, q, resource, bound.held);
    const std::string& name = tree.limits.queues[q].name;
    if (const Limit limit = tree.limits.queues[at].limit(resource))
      return {fmt::format("let all queues but `{}` have {} of `{}` together at most, of the {} {}: {}", name,
                          quantity(resource, *limit - reserve), resource, quantity(resource, *limit),
                          at == tree.nodes ? "that the nodes have" : "of `" + tree.limits.queues[at].name + "`", how)};
    return {fmt::format("bound what all queues but `{}` have of `{}`: {}", name, resource, how)};
  }

  Obligation about(Family family, Code code, std::size_t q, const std::string& resource, std::int64_t reserve) const {
    const QueueRole& role = proof_.intent.volcano_roles[q];
    Obligation o = obligation(
        family, code, Verdict::Undecided,
        {"Queue", setup_.queues[q].name, role.tenant,
         role.pool == kNone ? std::string_view() : proof_.cluster.flavors[role.pool].name, report_.keep(resource)},
        role.reserve_span.known() ? role.reserve_span : role.name_span);
    o.required = false;
    o.figures.reserve = reserve;
    o.figures.unit = unit_of(resource);
    return o;
  }

  // Another queue whose pods stand on the same nodes: "`train` uses"; empty: there is none.
  std::string beside_it(std::size_t q) const {
    const auto& roles = proof_.intent.volcano_roles;
    if (!proof_.intent.of_policy) return {};  // judge_given() says what is taken for granted of it
    if (roles[q].pool == kNone) return "whoever comes may use";
    for (std::size_t other = 0; other < roles.size(); ++other)
      if (other != q && roles[other].kind != QueueRole::Kind::Inner &&
          (roles[other].pool == roles[q].pool || roles[other].pool == kNone))
        return fmt::format("`{}` uses", setup_.queues[other].name);
    return {};
  }

  void undecided(Obligation o, std::string reason, std::string fix = {}) {
    Detail detail;
    detail.message = fmt::format("what others can hold of `{}` is not known: {}", o.subject.name, reason);
    detail.reason = std::move(reason);
    if (!fix.empty()) detail.fix = Fix{std::move(fix)};
    o.verdict = Verdict::Undecided;
    report_.add(std::move(o), std::move(detail));
  }

  const Proof& proof_;
  Report& report_;
  const Setup& setup_;
  const Mode mode_;
  const std::span<const NodeFacts> nodes_;
  const Amounts& taken_;
  const ClaimTree quotas_;                       // without nodes
  std::map<std::uint32_t, ClaimTree> on_nodes_;  // by pool; kNone: all nodes, whoever stands there
  LemmaBook book_;
  std::string unknown_;
};

}  // namespace

void prove_claim(const Proof& proof, const Evidence& evidence, Report& report) { Claim(proof, evidence, report).run(); }

void prove_reclaim(const Proof& proof, Report& report) {
  const Setup& setup = *proof.cluster.volcano;
  for (std::size_t q = 0; q < setup.queues.size(); ++q)
    for (const std::string& resource : resources_of(setup.queues[q])) {
      const QueueRole& role = proof.intent.volcano_roles[q];
      Obligation o = obligation(
          Family::Reclaim, code::ReclaimBlocked, Verdict::Undecided,
          {"Queue", setup.queues[q].name, role.tenant,
           role.pool == kNone ? std::string_view() : proof.cluster.flavors[role.pool].name, report.keep(resource)},
          role.class_span);
      o.figures.reserve = of(role.reserve, resource);
      if (role.kind != QueueRole::Kind::Serving) {
        o.verdict = Verdict::NotAnalysed, o.required = false;
        report.add(std::move(o), {.reason = "it has no serving role"});
        continue;
      }
      o.figures.unit = unit_of(resource);
      o.required = role.kind == QueueRole::Kind::Serving && role.isolation == Isolation::B;
      Detail detail;
      detail.reason = "how Volcano takes back what was lent is not modelled yet";
      detail.message = fmt::format("whether `{}` is back in time is not known: {}", o.subject.name, detail.reason);
      if (proof.intent.of_policy)
        detail.fix = Fix{"make its class A, which waits for nobody, or write `scheduler kueue`"};
      report.add(std::move(o), std::move(detail));
    }
  report.analysed.push_back(Family::Reclaim);
}

}  // namespace gpol::volcano
