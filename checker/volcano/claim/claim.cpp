#include "checker/volcano/claim/claim.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/families/pairs.h"
#include "checker/story/narrate.h"
#include "checker/volcano/claim/claim_tree.h"
#include "checker/volcano/claim/stories.h"
#include "checker/volcano/rules/mode.h"
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
  Claim(const Proof& proof, Report& report)
      : proof_(proof),
        report_(report),
        setup_(*proof.cluster.volcano),
        mode_(mode_of(setup_.scheduler, setup_.version)),
        limits_(limits_of(setup_, total(), mode_.limiter == Limiter::CapacityHierarchical)),
        tree_(claim_tree(limits_, setup_, proof.intent.volcano_roles)),
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
  // No node of the cluster is known to be of no other team: what they have in all is without bound.
  Total total() const {
    Total total;
    for (const std::string& resource : proof_.cluster.resources) total.emplace(resource, std::nullopt);
    for (const Queue& queue : setup_.queues)
      for (const std::string& resource : resources_of(queue)) total.emplace(resource, std::nullopt);
    return total;
  }

  // Why no limit of a queue is known to hold.
  std::string unlimited() const {
    if (mode_.limiter == Limiter::None || (mode_.limiter != Limiter::Proportion && !mode_.allocatable))
      return "no plugin of the scheduler's configuration limits queues";
    if (mode_.limiter != Limiter::CapacityHierarchical)
      return "only the plugin capacity with enableHierarchy is modelled";
    if (!mode_.beyond_limits.empty()) return mode_.beyond_limits.front();
    return limits_.broken.empty() ? limits_.not_ready : limits_.broken;
  }

  // Where a pod may wait though its queue and its nodes have room.
  std::string waits() const {
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
    const auto found = role.reserve.find(resource);
    const std::int64_t reserve =
        role.kind == QueueRole::Kind::Serving && found != role.reserve.end() ? found->second : 0;
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
    const std::int64_t claimable = std::max<std::int64_t>(0, reserve - left_to(tree_, q, resource, held));
    if (!meets_side_conditions(tree_, q, resource, reserve, held, claimable))
      throw InternalError(
          fmt::format("claim: the bounds of `{}` ({}) do not meet their lemmas", o.subject.name, resource));
    o.figures.claimable = claimable;
    if (claimable > 0) return refuted(std::move(o), q, resource);
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
    auto story = proof_.stories ? tell_claim(proof_, q, resource, reserve - claimable) : std::nullopt;
    if (!story) return undecided(std::move(o), "others can hold it, and no story of it could be played");
    const auto id = static_cast<std::uint32_t>(std::ranges::find(proof_.cluster.resources, resource) -
                                               proof_.cluster.resources.begin());
    Detail detail;
    detail.message = fmt::format("others can hold {} of the {} that `{}` reserves; nobody may hold any",
                                 amount_in_words(proof_.cluster, id, claimable),
                                 amount_in_words(proof_.cluster, id, reserve), o.subject.name);
    detail.story = *std::move(story);
    o.verdict = Verdict::Refuted;
    report_.add(std::move(o), std::move(detail));
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
  const Limits limits_;
  const ClaimTree tree_;
  LemmaBook book_;
  std::string unknown_;
};

}  // namespace

void prove_claim(const Proof& proof, Report& report) { Claim(proof, report).run(); }

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
      const auto reserve = role.reserve.find(resource);
      o.figures.reserve = reserve == role.reserve.end() ? 0 : reserve->second;
      o.figures.unit = unit_of(resource);
      o.required = role.kind == QueueRole::Kind::Serving && role.isolation == Isolation::B;
      Detail detail;
      detail.reason = "how Volcano takes back what was lent is not modelled yet";
      detail.message = fmt::format("whether `{}` is back in time is not known: {}", o.subject.name, detail.reason);
      detail.fix = Fix{"make its class A, which waits for nobody, or write `scheduler kueue`", {}};
      report.add(std::move(o), std::move(detail));
    }
  report.analysed.push_back(Family::Reclaim);
}

}  // namespace gpol::volcano
