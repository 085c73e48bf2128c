// Fragmentation: on nodes that others use as well, each serving replica still finds one, wherever the other pods stand:
// batch of the smallest shape it may have, and the other replicas of the demand, with the worst k nodes lost. One
// obligation per replica that may find none, and one that is proven when there is none.
//
// Quota level: when the last replica of the demand is admitted, batch uses at most what it ever can, and batch and
// serving together at most the quotas less the replica. Kueue frees quota, not nodes: which pods are left, and where
// they stand, is up to the adversary (what it can reach by evictions it can also reach by never asking for more).
//
// Formulas: every node that is closed to the replica holds one of a list of fillings; so many nodes cannot hold
// fillings at once, the numbers free. Closed form: nodes::most_closed, a search of its own over the same limits. A
// refutation is a placement that both executable models accept (story/node_stories.h). A tenant that declares no
// replica is judged by single pods of one GPU with its share of the reserve.
#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/fragmentation_formula.h"
#include "checker/families/fragmentation_placement.h"
#include "checker/families/pool_use.h"
#include "checker/families/replicas.h"
#include "checker/story/narrate.h"
#include "checker/story/node_stories.h"

namespace gpol {
namespace {

using nodes::Amounts;
using nodes::kNoLimit;
using nodes::PodKind;

// One kind of pods with whose they are: parallel to Question::kinds.
struct Kinds {
  std::vector<PodKind> kinds;
  std::vector<Standing> standing;
};

class FragmentationFamily {
 public:
  FragmentationFamily(const Proof& proof, Report& report)
      : proof_(proof),
        cluster_(proof.cluster),
        report_(report),
        shape_(kueue::shape_of(proof.cluster)),
        uses_(proof, shape_),
        book_(proof) {}

  void run() {
    for (std::uint32_t c = 0; c < proof_.intent.capacities.size(); ++c) judge_pool(c);
    if (!found_) proven();
    report_.analysed.push_back(Family::Fragmentation);
  }

 private:
  void judge_pool(std::uint32_t index) {
    const PoolCapacity& capacity = proof_.intent.capacities[index];
    if (capacity.nodes == kNone) return;
    const auto replicas = replicas_of(cluster_, proof_.intent, capacity.flavor);
    if (replicas.empty()) return;
    any_ = true;
    const NodePool& pool = cluster_.node_pools[capacity.nodes];
    // Pods of a flavor that selects no such node start nowhere: the placement family says so.
    if (!nodes::selects(cluster_.flavors[capacity.flavor].node_labels, pool.labels)) return;
    std::vector<std::uint32_t> landing;  // flavors whose pods can be bound to these nodes
    for (std::uint32_t f = 0; f < cluster_.flavors.size(); ++f)
      if (nodes::selects(cluster_.flavors[f].node_labels, pool.labels)) landing.push_back(f);
    const Kinds kinds = kinds_on(landing);
    // Replicas that ask the same and count alike stand and fall together.
    std::map<std::tuple<Amounts, Amounts, bool>, std::vector<const Replicas*>> alike;
    const PoolUse& use = uses_.of(capacity.flavor);
    if (!use.undecided.empty()) {
      for (const Replicas& of : replicas) undecided(index, of, use.undecided, 1);
      return;
    }
    for (const Replicas& of : replicas) alike[{of.each, of.counted, beside(of, use)}].push_back(&of);
    constexpr std::size_t kMostTold = 16;  // of queues alike each has its own story, up to these
    for (const auto& [key, those] : alike)
      for (std::size_t i = 0; i < std::min(kMostTold, those.size()); ++i) {
        const bool last = i + 1 == kMostTold;
        if (!judge(index, landing, kinds, *those[i], last ? those.size() - i : 1)) break;
      }
  }

  Kinds kinds_on(const std::vector<std::uint32_t>& landing) {
    std::map<std::pair<Amounts, Amounts>, std::pair<PodKind, Standing>> serving;
    std::map<std::optional<std::int64_t>, std::pair<PodKind, Standing>> batch;
    for (const std::uint32_t f : landing) {
      const PoolUse& use = uses_.of(f);
      if (!use.undecided.empty()) continue;  // said of each replica there
      for (const Replicas& of : replicas_of(cluster_, proof_.intent, f)) {
        auto& [kind, standing] = serving[{of.each, of.counted}];
        kind = {true, of.each, std::vector<bool>(of.each.size(), false), of.counted, kind.alone, kind.beside, {}};
        (beside(of, use) ? kind.beside : kind.alone) += of.count;
        standing.serving = true;
        standing.from.push_back({of.queue, f, of.count, of.outside});
      }
      for (const auto& [q, most] : use.holders) {
        const auto& shapes = proof_.intent.roles[q].pod_gpus;
        const auto shape = shapes.find(f);
        auto& [kind, standing] =
            batch[shape == shapes.end() ? std::nullopt : std::optional<std::int64_t>(shape->second)];
        if (kind.at_most.empty()) kind.at_most.assign(cluster_.resources.size(), 0);
        for (std::size_t r = 0; r < most.size(); ++r) kind.at_most[r] = kueue::saturating_add(kind.at_most[r], most[r]);
        standing.from.push_back({q, f, kNoLimit, kNone});
      }
    }
    Kinds all;
    for (auto& [key, entry] : serving) {
      all.kinds.push_back(std::move(entry.first));
      all.standing.push_back(std::move(entry.second));
    }
    // Those of any shape last: a pod of theirs may take nothing but its place among the pods.
    for (auto it = batch.rbegin(); it != batch.rend(); ++it) {
      auto& [kind, standing] = it->second;
      for (const std::string& resource : cluster_.resources) {
        const bool gpus = resource == "nvidia.com/gpu", pods = resource == "pods";
        kind.each.push_back(pods ? 1 : gpus ? it->first.value_or(0) : 0);
        kind.beyond.push_back(!pods && !(gpus && it->first));
      }
      all.kinds.push_back(std::move(kind));
      all.standing.push_back(std::move(standing));
    }
    return all;
  }

  // Whether it stands in a tree whose quota batch can use as well.
  static bool beside(const Replicas& of, const PoolUse& use) { return of.queue != kNone && use.beside[of.queue]; }

  nodes::Question question_about(const PoolCapacity& capacity, const std::vector<std::uint32_t>& landing,
                                 const Kinds& kinds, const Replicas& of) {
    nodes::Question q;
    q.node = capacity.of_one;
    q.replica = of.each;
    q.kinds = kinds.kinds;
    q.batch.assign(cluster_.resources.size(), 0);
    q.together = q.batch;
    for (const std::uint32_t f : landing) {
      const PoolUse& use = uses_.of(f);
      for (std::size_t r = 0; r < q.batch.size(); ++r) {
        q.batch[r] = kueue::saturating_add(q.batch[r], use.batch[r]);
        q.together[r] = kueue::saturating_add(q.together[r], use.quotas[r]);
      }
    }
    const bool shared = beside(of, uses_.of(capacity.flavor));
    for (std::size_t r = 0; shared && r < q.together.size(); ++r)
      if (q.together[r] != kNoLimit) q.together[r] -= of.counted[r];
    for (PodKind& kind : q.kinds) {
      if (kind.serving && kind.each == of.each && kind.counted == of.counted) --(shared ? kind.beside : kind.alone);
      for (std::size_t r = 0; !kind.serving && r < q.batch.size(); ++r)
        kind.at_most[r] = std::min(kind.at_most[r], q.batch[r]);
    }
    return q;
  }

  // Everything that the two formulas are made of.
  static std::string key_of(const nodes::Question& q) {
    std::string key = fmt::format("{} {} {} {}", q.node, q.replica, q.batch, q.together);
    for (const PodKind& kind : q.kinds)
      key += fmt::format(" {} {} {} {} {} {} {}", kind.serving, kind.each, kind.beyond, kind.counted, kind.alone,
                         kind.beside, kind.at_most);
    return key;
  }

  // False: it is proven, and so it is of all that are alike.
  bool judge(std::uint32_t index, const std::vector<std::uint32_t>& landing, const Kinds& kinds, const Replicas& of,
             std::size_t alike) {
    const PoolCapacity& capacity = proof_.intent.capacities[index];
    for (const std::uint32_t f : landing) {
      if (const PoolUse& use = uses_.of(f); !use.undecided.empty()) return undecided(index, of, use.undecided, alike);
      if (!cluster_.flavors[f].topology.empty())
        return undecided(index, of, "topology-aware scheduling places its pods, which is not modelled", alike);
    }
    if (!cluster_.config.transformations.empty() || !cluster_.config.excluded_prefixes.empty())
      return undecided(index, of, "Kueue counts requests otherwise than nodes do (Configuration: resources)", alike);
    const nodes::Question q = question_about(capacity, landing, kinds, of);
    auto fillings = nodes::fillings(q);
    if (fillings)  // what is short of GPUs first: so it is told
      std::stable_partition(fillings->begin(), fillings->end(), [&](const nodes::Filling& filling) {
        return cluster_.resources[filling.resource] == "nvidia.com/gpu";
      });
    if (!fillings) return undecided(index, of, "pods of too many different shapes can stand on its nodes", alike);
    const std::int64_t wanted = std::max<std::int64_t>(0, capacity.nodes_min - capacity.lost);
    const std::string key = key_of(q);
    if (!book_.holds("fragmentation/fillings " + key,
                     [&] { return fillings_formula("fragmentation/fillings", q, *fillings); }))
      return undecided(index, of, book_.why(), alike);
    const nodes::Closed closed = nodes::most_closed(q, *fillings, wanted, [](const auto&) { return true; });
    const Answer& answer = book_.ask(fmt::format("fragmentation/closed {} {}", wanted, key),
                                     [&] { return closed_formula("fragmentation/closed", q, *fillings, wanted); });
    if (answer.kind == Answer::Kind::Unknown)
      return undecided(index, of, fmt::format("the solver gave up on fragmentation/closed: {}", answer.why), alike);
    const bool open = answer.kind == Answer::Kind::Unsat;
    if (open ? closed.at_least >= wanted : closed.at_most < wanted)
      throw InternalError(
          fmt::format("fragmentation: {} to {} of {} nodes of `{}` can be closed to a replica of `{}`, "
                      "but the solver says {}",
                      closed.at_least, closed.at_most, wanted, cluster_.flavors[capacity.flavor].name, name_of(of),
                      open ? "fewer" : "all"));
    if (open) return false;
    const bool batch = std::any_of(q.kinds.begin(), q.kinds.end(), [](const PodKind& kind) { return !kind.serving; });
    if (of.queue == kNone && batch)
      return undecided(index, of,
                       "batch can close every node to it, and whether kube-scheduler would evict pods for it is not "
                       "modelled",
                       alike);
    refuted(index, q, *fillings, kinds, of, alike, model_of(answer, q, *fillings, wanted));
    return true;
  }

  // The solver's own way to close all the nodes, which must be one.
  static std::vector<std::int64_t> model_of(const Answer& answer, const nodes::Question& q,
                                            const std::vector<nodes::Filling>& fillings, std::int64_t wanted) {
    std::vector<std::int64_t> counts;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < fillings.size(); ++i) {
      const auto found = answer.model.find(nodes_symbol(i));
      const std::int64_t count = found == answer.model.end() ? 0 : found->second;
      counts.push_back(std::min(count, wanted - sum));
      sum += counts.back();
    }
    if (sum < wanted || !nodes::within_limits(q, fillings, counts))
      throw InternalError("fragmentation: the solver's placement is not one");
    return counts;
  }

  void refuted(std::uint32_t index, const nodes::Question& q, const std::vector<nodes::Filling>& fillings,
               const Kinds& kinds, const Replicas& of, std::size_t alike, const std::vector<std::int64_t>& model) {
    const PoolCapacity& capacity = proof_.intent.capacities[index];
    if (!stage_) stage_.emplace(cluster_);
    std::optional<Story> story;
    std::vector<Standing> standing = kinds.standing;
    for (Standing& others : standing)
      for (auto& from : others.from)
        if (others.serving && from.queue == of.queue && from.outside == of.outside && from.flavor == capacity.flavor)
          --from.most;
    // With no more nodes lost than it takes.
    const std::int64_t most_lost = std::min(capacity.lost, capacity.nodes_min);
    for (std::int64_t lost = 0; lost <= most_lost && !story; ++lost) {
      const auto tell = [&](const std::vector<std::int64_t>& counts) {
        story = tell_no_node(*stage_, proof_.intent,
                             placed({of.queue, capacity.flavor, of.outside, of.each, index, lost, {}, {}}, q, fillings,
                                    standing, counts));
        return story.has_value();
      };
      nodes::most_closed(q, fillings, capacity.nodes_min - lost, tell);
      if (!story && lost == most_lost) tell(model);
    }
    if (!story) {
      const std::string& uncovered = stage_->uncovered();
      undecided(index, of,
                uncovered.empty() ? "by quotas alone others could close every node to it, but no way was found "
                                    "that Kueue admits"
                                  : "others can close every node to it, but the story cannot be played: " + uncovered,
                alike);
      return;
    }
    Obligation o = about(index, of, Verdict::Refuted);
    Detail detail;
    detail.message =
        fmt::format("a replica of `{}`{} can find no node of `{}` although its quota is free{}", o.subject.name,
                    of.declared ? "" : " (no shape is declared: one pod per GPU)", o.subject.flavor, others(alike));
    detail.story = story->steps;
    detail.fix = repair(index, q, kinds, of);
    o.core = core(index, of, kinds);
    o.detail = std::make_shared<const Detail>(std::move(detail));
    report_.obligations.push_back(std::move(o));
  }

  // Whether it would hold with every pod of batch there of one shape.
  std::optional<Fix> repair(std::uint32_t index, nodes::Question q, const Kinds& kinds, const Replicas& of) const {
    const PoolCapacity& capacity = proof_.intent.capacities[index];
    std::vector<std::string> without;
    for (std::size_t k = 0; k < q.kinds.size(); ++k) {
      PodKind& kind = q.kinds[k];
      if (kind.serving) continue;
      for (std::size_t r = 0; r < kind.each.size(); ++r)
        if (cluster_.resources[r] == "nvidia.com/gpu" && kind.beyond[r]) {
          kind.beyond[r] = false;
          kind.each[r] = capacity.of_one[r];
          for (const auto& from : kinds.standing[k].from)
            without.push_back(fmt::format("`{}`", tenant_of(cluster_, proof_.intent, from.queue)));
        }
    }
    const std::int64_t wanted = capacity.nodes_min - capacity.lost;
    if (!without.empty()) {
      const auto fillings = nodes::fillings(q);
      if (fillings && nodes::most_closed(q, *fillings, wanted, [](const auto&) { return true; }).at_most < wanted)
        for (std::size_t r = 0; r < capacity.of_one.size(); ++r)
          if (cluster_.resources[r] == "nvidia.com/gpu")
            return Fix{
                fmt::format("let batch take whole nodes there: say `shape {} gpus of {}` of {}", capacity.of_one[r],
                            cluster_.flavors[capacity.flavor].name, fmt::join(without, ", ")),
                {}};
    }
    const bool batch = std::any_of(q.kinds.begin(), q.kinds.end(), [](const PodKind& kind) { return !kind.serving; });
    bool fits = true;
    for (std::size_t r = 0; r < of.each.size(); ++r) fits = fits && of.each[r] <= capacity.of_one[r];
    if (!fits) return Fix{"make the replica no larger than what a node has for pods", {}};
    return Fix{
        batch ? fmt::format("reserve it on a pool of its own, or take more nodes for `{}`",
                            cluster_.flavors[capacity.flavor].name)
              : fmt::format("take more nodes for `{}`, or reserve less of it", cluster_.flavors[capacity.flavor].name),
        {}};
  }

  // Other queues with the same replicas, of which the same is true.
  static std::string others(std::size_t alike) {
    if (alike == 1) return {};
    return alike == 2 ? "; the same holds of another queue like it"
                      : fmt::format("; the same holds of {} more queues like it", alike - 1);
  }

  std::shared_ptr<const std::vector<Span>> core(std::uint32_t index, const Replicas& of, const Kinds& kinds) const {
    constexpr std::size_t kMost = 8;  // of batch queues
    std::vector<Span> lines;
    if (of.queue != kNone) {
      lines = lines_of(proof_, shape_, of.queue);
    } else {
      const OutsideReserve& tenant = proof_.intent.outside[of.outside];
      lines = {tenant.name_span, tenant.reserve_span, tenant.class_span, tenant.outside_span};
    }
    lines.push_back(proof_.intent.capacities[index].span);
    for (const Standing& standing : kinds.standing)
      for (std::size_t i = 0; !standing.serving && i < std::min(kMost, standing.from.size()); ++i)
        lines.push_back(proof_.intent.roles[standing.from[i].queue].name_span);
    return as_core(std::move(lines));
  }

  std::string_view name_of(const Replicas& of) const {
    return of.queue == kNone ? proof_.intent.outside[of.outside].tenant : cluster_.queues[of.queue].name;
  }

  Obligation about(std::uint32_t index, const Replicas& of, Verdict verdict) {
    found_ = true;
    Obligation o;
    o.family = Family::Fragmentation;
    o.code = Code::Fragmentation;
    o.verdict = verdict;
    o.required = true;
    o.subject = {of.queue == kNone ? "Tenant" : "ClusterQueue",
                 name_of(of),
                 of.queue == kNone ? name_of(of) : std::string_view(proof_.intent.roles[of.queue].tenant),
                 cluster_.flavors[proof_.intent.capacities[index].flavor].name,
                 {}};
    if (of.queue == kNone) {
      o.span = proof_.intent.outside[of.outside].reserve_span;
    } else {
      const QueueRole& role = proof_.intent.roles[of.queue];
      o.span = role.reserve_span.known() ? role.reserve_span : role.name_span;
    }
    return o;
  }

  bool undecided(std::uint32_t index, const Replicas& of, std::string reason, std::size_t alike) {
    Obligation o = about(index, of, Verdict::Undecided);
    Detail detail;
    detail.message = fmt::format("whether a replica of `{}` finds a node of `{}` is not known: {}{}", o.subject.name,
                                 o.subject.flavor, reason, others(alike));
    detail.reason = std::move(reason);
    o.detail = std::make_shared<const Detail>(std::move(detail));
    report_.obligations.push_back(std::move(o));
    return true;
  }

  void proven() {
    Obligation o;
    o.family = Family::Fragmentation;
    o.code = Code::Fragmentation;
    o.verdict = Verdict::Proven;
    o.required = any_;
    o.subject.kind = "Cluster";
    report_.obligations.push_back(std::move(o));
  }

  const Proof& proof_;
  const Cluster& cluster_;
  Report& report_;
  const kueue::Shape shape_;
  PoolUses uses_;
  LemmaBook book_;
  std::optional<Stage> stage_;  // made when the first story must be told
  bool found_ = false, any_ = false;
};

}  // namespace

void prove_fragmentation(const Proof& proof, Report& report) {
  const auto& capacities = proof.intent.capacities;
  const bool described = std::any_of(capacities.begin(), capacities.end(),
                                     [](const PoolCapacity& capacity) { return capacity.nodes != kNone; });
  if (described) FragmentationFamily(proof, report).run();  // else nobody described nodes: it is not analysed
}

}  // namespace gpol
