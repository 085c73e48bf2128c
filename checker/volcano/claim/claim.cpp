#include "checker/volcano/claim/claim.h"

#include <algorithm>
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
  Claim(const Proof& proof, std::span<const NodeFacts> nodes, Report& report)
      : proof_(proof),
        report_(report),
        setup_(*proof.cluster.volcano),
        mode_(mode_of(setup_.scheduler, setup_.version)),
        nodes_known_(!nodes.empty()),
        total_(total(nodes)),
        tree_(claim_tree(limits(), setup_, proof.intent.volcano_roles, proof.intent.of_policy ? nullptr : &total_)),
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
  // Of a policy no node of the cluster is known to be of no other team: what they have in all is without bound.
  Total total(std::span<const NodeFacts> nodes) const {
    Total total;
    for (const NodeFacts& node : nodes)
      for (const auto& [resource, amount] : node.allocatable) {
        Limit& all = total.try_emplace(resource, 0).first->second;
        all = sum(*all, amount);
      }
    if (!nodes.empty()) return total;
    for (const std::string& resource : proof_.cluster.resources) total.emplace(resource, std::nullopt);
    for (const Queue& queue : setup_.queues)
      for (const std::string& resource : resources_of(queue)) total.emplace(resource, std::nullopt);
    return total;
  }

  bool limited() const {
    return mode_.limiter == Limiter::Proportion || (mode_.limiter != Limiter::None && mode_.allocatable);
  }

  // `proportion` lets a queue have no more than the flat plugin does (proportion.go: `deserved` is cut to it).
  Limits limits() const {
    Limits limits = limits_of(setup_, total_, mode_.limiter == Limiter::CapacityHierarchical);
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
    return tree_.limits.broken.empty() ? tree_.limits.not_ready : tree_.limits.broken;
  }

  // Where a pod may wait though its queue and its nodes have room.
  std::string waits() const {
    if (!limited()) return "no plugin of the scheduler's configuration limits queues";
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
    const std::vector<std::int64_t> held = others(tree_, q, resource);
    if (mode_.limiter != Limiter::CapacityHierarchical && limited() && !nodes_known_ && tree_.nodes != SIZE_MAX &&
        held[tree_.nodes] == kNoLimit)
      return undecided(std::move(o), "a queue without a `capability` may use what the nodes have, which are not known",
                       "give the Nodes, too: `--nodes FILE`");
    const std::int64_t claimable = std::max<std::int64_t>(0, reserve - left_to(tree_, q, resource, held));
    if (!meets_side_conditions(tree_, q, resource, reserve, held, claimable))
      throw InternalError(
          fmt::format("claim: the bounds of `{}` ({}) do not meet their lemmas", o.subject.name, resource));
    o.figures.claimable = claimable;
    if (role.kind == QueueRole::Kind::None)
      o.figures.claimable_alone = std::max<std::int64_t>(0, reserve - left_by_one(tree_, q, resource));
    if (claimable > 0) return refuted(std::move(o), q, resource);
    if (nodes_known_ && nodes_have(resource) < reserve)
      throw InternalError(fmt::format("claim: `{}` ({}) has more than the nodes", o.subject.name, resource));
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

  void refuted(Obligation o, std::size_t q, const std::string& resource) {
    const std::int64_t reserve = *o.figures.reserve, claimable = *o.figures.claimable;
    auto story = proof_.stories ? tell_claim(proof_, tree_, q, resource, reserve - claimable) : std::nullopt;
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
    detail.message = nodes_known_ && nodes_have(resource) < reserve
                         ? fmt::format("`{}` reserves {}, and all nodes together have {}", o.subject.name,
                                       amount_in_words(proof_.cluster, id, reserve),
                                       amount_in_words(proof_.cluster, id, nodes_have(resource)))
                         : fmt::format("others can hold {} of the {} that `{}` reserves; nobody may hold any",
                                       amount_in_words(proof_.cluster, id, claimable),
                                       amount_in_words(proof_.cluster, id, reserve), o.subject.name);
    if (!proof_.intent.of_policy) detail.fix = remedy(q, resource, reserve);
    detail.story = *std::move(story);
    o.verdict = Verdict::Refuted;
    report_.add(std::move(o), std::move(detail));
  }

  std::int64_t nodes_have(const std::string& resource) const {
    const auto found = total_.find(resource);
    return found == total_.end() ? 0 : found->second.value_or(kNoLimit);
  }

  // What bounds the queues beside it, where a queue above them, or the nodes, bound them too little.
  Fix remedy(std::size_t q, const std::string& resource, std::int64_t reserve) const {
    const bool tree = mode_.limiter == Limiter::CapacityHierarchical;
    const std::string how = fmt::format("a `capability` for each of them, `{}` included{}", kDefaultQueue,
                                        tree ? ", or for one queue above them" : fmt::format(", and `{}`", kRootQueue));
    const auto held = others(tree_, q, resource);
    for (const std::size_t at : tree_.limits.queues[q].path)
      if (const Limit limit = tree_.limits.queues[at].limit(resource);
          limit && *limit >= reserve && held[at] > *limit - reserve)
        return {
            fmt::format("let all queues but `{}` have {} of `{}` together at most, of the {} {}: {}",
                        tree_.limits.queues[q].name, quantity(resource, *limit - reserve), resource,
                        quantity(resource, *limit),
                        at == tree_.nodes ? "that the nodes have" : "of `" + tree_.limits.queues[at].name + "`", how),
            {}};
    return {fmt::format("bound what all queues but `{}` have of `{}`: {}", tree_.limits.queues[q].name, resource, how),
            {}};
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
    if (!fix.empty()) detail.fix = Fix{std::move(fix), {}};
    o.verdict = Verdict::Undecided;
    report_.add(std::move(o), std::move(detail));
  }

  const Proof& proof_;
  Report& report_;
  const Setup& setup_;
  const Mode mode_;
  const bool nodes_known_;
  const Total total_;
  const ClaimTree tree_;
  LemmaBook book_;
  std::string unknown_;
};

}  // namespace

void prove_claim(const Proof& proof, std::span<const NodeFacts> nodes, Report& report) {
  Claim(proof, nodes, report).run();
}

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
        detail.fix = Fix{"make its class A, which waits for nobody, or write `scheduler kueue`", {}};
      report.add(std::move(o), std::move(detail));
    }
  report.analysed.push_back(Family::Reclaim);
}

}  // namespace gpol::volcano
