// Fragmentation: on nodes that others use as well, each serving replica still finds one, wherever the other pods stand:
// batch of the smallest shape it may have, and the other replicas of the demand, with the worst k nodes lost. One
// obligation per replica that may find none, and one that is proven when there is none.
//
// Quota level: when the last replica of the demand is admitted, batch uses at most what it ever can, and batch and
// serving together at most the quotas less the replica. Kueue frees quota, not nodes: which pods are left, and where
// they stand, is up to the adversary (what it can reach by evictions it can also reach by never asking for more).
//
// Formulas: every node that is closed to the replica holds one of a list of fillings; so many nodes cannot hold
// fillings at once, the numbers free; where few enough lack each resource by itself, that is asked of one at a time.
// Closed form: nodes::most_closed, a search of its own over the same limits, and most_closed_by. A way that it
// finds and that makes the formula true refutes it without the solver. A refutation is a placement that both executable
// models accept (story/node_stories.h). A tenant that declares no replica is judged by single pods of one GPU with its
// share of the reserve.
#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/codes.h"
#include "checker/families/fragmentation_formula.h"
#include "checker/families/fragmentation_placement.h"
#include "checker/families/fragmentation_question.h"
#include "checker/families/fragmentation_repair.h"
#include "checker/families/layout_places.h"
#include "checker/families/pairs.h"
#include "checker/story/node_stories.h"

namespace gpol {
namespace {

using nodes::Amounts;
using nodes::PodKind;

class FragmentationFamily {
 public:
  FragmentationFamily(const Proof& proof, const std::set<std::uint32_t>& asked, Report& report)
      : proof_(proof),
        asked_(asked),
        cluster_(proof.cluster),
        report_(report),
        shape_(kueue::shape_of(proof.cluster)),
        uses_(proof, shape_),
        asker_(proof, uses_),
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
    if (capacity.spot) return;  // no node of it is surely there: the placement family says so of who serves from it
    const auto replicas = replicas_of(cluster_, proof_.intent, capacity.flavor);
    if (replicas.empty()) return;
    any_ = true;
    for (const Replicas& of : replicas)
      if (!of.declared)
        of_one_gpu_.insert(of.outside == kNone ? proof_.intent.roles[of.queue].tenant
                                               : proof_.intent.outside[of.outside].tenant);
    const NodePool& pool = cluster_.node_pools[capacity.nodes];
    // Pods of a flavor that selects no such node start nowhere: the placement family says so.
    if (!nodes::selects(cluster_.flavors[capacity.flavor].node_labels, pool.labels)) return;
    std::vector<std::uint32_t> landing;  // flavors whose pods can be bound to these nodes
    for (std::uint32_t f = 0; f < cluster_.flavors.size(); ++f)
      if (nodes::selects(cluster_.flavors[f].node_labels, pool.labels)) landing.push_back(f);
    const Kinds kinds = asker_.kinds_on(landing);
    // Replicas that ask the same and count alike stand and fall together.
    std::map<std::tuple<Amounts, Amounts, bool>, std::vector<const Replicas*>> alike;
    const PoolUse& use = uses_.of(capacity.flavor);
    const CutPool* cut = proof_.intent.cut_of(capacity.flavor);
    const bool none = cut != nullptr && no_layout(*cut);
    for (const Replicas& of : replicas) {
      if (!asked_.empty() && !asked_.contains(of.queue)) continue;
      if (none)
        undecided(index, of, "no layout of its nodes is known (GP1801)", Family::Partition);
      else if (!use.undecided.empty())
        undecided(index, of, use.undecided);
      else
        alike[{of.each, of.counted, Asker::beside(of, use)}].push_back(&of);
    }
    constexpr std::size_t kMostTold = 4;  // of replicas alike these have stories of their own
    for (const auto& [key, those] : alike) {
      std::size_t told = 0;
      while (told < std::min(kMostTold, those.size()) && judge(index, landing, kinds, *those[told])) ++told;
      if (told == kMostTold) as_the_last(index, std::span(those).subspan(told));
    }
  }

  // What was just found of one replica is true of these, which are like it.
  void as_the_last(std::uint32_t index, std::span<const Replicas* const> those) {
    const Obligation last = report_.obligations.back();
    Detail detail = *last.detail;
    detail.message = fmt::format("replicas like that of `{}` {}", last.subject.name,
                                 last.verdict == Verdict::Refuted ? "can find no node although their quota is free"
                                                                  : "may find no node: " + detail.reason);
    const auto shared = std::make_shared<const Detail>(std::move(detail));
    for (const Replicas* of : those) {
      Obligation o = about(index, *of, last.verdict);
      o.core = last.core;
      o.detail = shared;
      report_.add(std::move(o));
    }
  }

  // False: it is proven, and so it is of all that are alike.
  bool judge(std::uint32_t index, const std::vector<std::uint32_t>& landing, const Kinds& kinds, const Replicas& of) {
    const PoolCapacity& capacity = proof_.intent.capacities[index];
    for (const std::uint32_t f : landing) {
      if (const PoolUse& use = uses_.of(f); !use.undecided.empty()) return undecided(index, of, use.undecided);
      if (!cluster_.flavors[f].topology.empty())
        return undecided(index, of, "topology-aware scheduling places its pods, which is not modelled");
    }
    if (!cluster_.config.transformations.empty() || !cluster_.config.excluded_prefixes.empty())
      return undecided(index, of, "Kueue counts requests otherwise than nodes do (Configuration: resources)");
    if (const CutPool* cut = proof_.intent.cut_of(capacity.flavor); cut != nullptr && cut->nodes.size() > 1)
      return judge_cut_differently(index, landing, of, *cut);
    nodes::Question q = asker_.question_about(capacity, landing, kinds, of);
    // Those that kube-scheduler evicts for it close no node to it: in time is what its reclaim is about.
    const bool preempts = of.queue == kNone && proof_.intent.outside[of.outside].preempts_at;
    if (preempts) std::erase_if(q.kinds, [](const PodKind& kind) { return !kind.serving; });
    auto fillings = nodes::fillings(q);
    if (fillings) gpus_first(cluster_, *fillings);
    if (!fillings) return undecided(index, of, "pods of too many different shapes can stand on its nodes");
    const std::int64_t wanted = std::max<std::int64_t>(0, capacity.nodes_min - capacity.lost);
    const nodes::Question units = in_largest_units(q, *fillings);
    const std::string key = Asker::key_of(units);
    if (!book_.holds("fragmentation/fillings " + key,
                     [&] { return fillings_formula("fragmentation/fillings", units, *fillings); }))
      return undecided(index, of, book_.why());
    if (few_by_each(units, *fillings, wanted, key)) return false;
    nodes::Closed closed = nodes::most_closed(q, *fillings, wanted, [](const auto&) { return true; });
    const auto formula = [&] { return closed_formula("fragmentation/closed", units, *fillings, wanted); };
    if (closed.at_least < wanted || !closes(formula(), units, *fillings, closed.nodes)) {
      const Answer& answer = book_.ask(fmt::format("fragmentation/closed {} {}", wanted, key), formula);
      if (answer.kind == Answer::Kind::Unknown)
        return undecided(index, of, fmt::format("the solver gave up on fragmentation/closed: {}", answer.why));
      const bool open = answer.kind == Answer::Kind::Unsat;
      closed.nodes.clear();
      for (std::size_t i = 0; !open && i < fillings->size(); ++i)
        closed.nodes.push_back(answer.model.at(nodes_symbol(i)));
      if (open ? closed.at_least >= wanted
               : closed.at_most < wanted || !nodes::within_limits(q, *fillings, closed.nodes))
        throw InternalError(fmt::format(
            "fragmentation: {} to {} of {} nodes of `{}` can be closed to a replica of `{}`, but the solver says {}",
            closed.at_least, closed.at_most, wanted, cluster_.flavors[capacity.flavor].name, name_of(of),
            open ? "fewer" : "all"));
      if (open) return false;
    }
    Kinds against = kinds;
    if (preempts) std::erase_if(against.standing, [](const Standing& standing) { return !standing.serving; });
    refuted(index, q, *fillings, against, of, closed.nodes);
    return true;
  }

  // Nodes that are cut differently. A replica of one slice finds it wherever it is: quotas are within the slices that
  // are left (capacity), its own is free, so that some slice is held by nobody, and with a slice comes what else it
  // asks for.
  bool judge_cut_differently(std::uint32_t index, const std::vector<std::uint32_t>& landing, const Replicas& of,
                             const CutPool& cut) {
    if (cut.shares.empty())
      return undecided(index, of, "its nodes are cut differently, and what of a node goes with a slice is not known");
    std::int64_t slices = 0;
    for (const auto& [resource, share] : cut.shares) slices += of.each[resource];
    if (slices != 1)
      return undecided(index, of, fmt::format("its nodes are cut differently, and it asks for {} slices", slices));
    if (landing.size() > 1) return undecided(index, of, "its nodes are cut differently, and are of other flavors, too");
    if (!slices_bring_all(cluster_, proof_.intent, cut.flavor))
      return undecided(
          index, of,
          "its nodes are cut differently, and all that may be asked for beside the slices of a node is more "
          "than the node has");
    const Term held = int_symbol("held"), quotas = int_symbol("quotas"), left = int_symbol("left");
    if (!book_.holds("fragmentation/one-slice", [&] {
          return Formula{"fragmentation/one-slice",
                         "where a unit of quota is free and quotas are within what is left, a slice is held by nobody",
                         {{"free", held + integer(1) <= quotas}, {"capacity", quotas <= left}},
                         left <= held};
        }))
      return undecided(index, of, book_.why());
    return false;
  }

  // So few nodes can be without enough of each resource that together they are not all: that is arithmetic, and easily
  // answered by the solver for one resource at a time, when all of them at once take it long.
  bool few_by_each(const nodes::Question& q, const std::vector<nodes::Filling>& fillings, std::int64_t wanted,
                   const std::string& key) {
    const std::vector<std::int64_t> most = nodes::most_closed_by(q, fillings, wanted);
    std::int64_t left = wanted;
    for (const std::int64_t closed : most) left -= std::min(left, closed);
    if (left == 0) return false;
    for (std::uint32_t r = 0; r < most.size(); ++r)
      if (!book_.holds(fmt::format("fragmentation/closed-by {} {} {}", r, most[r] + 1, key),
                       [&] { return closed_by_formula("fragmentation/closed-by", q, fillings, r, most[r] + 1); }))
        return false;
    return true;
  }

  void refuted(std::uint32_t index, const nodes::Question& q, const std::vector<nodes::Filling>& fillings,
               const Kinds& kinds, const Replicas& of, const std::vector<std::int64_t>& model) {
    const PoolCapacity& capacity = proof_.intent.capacities[index];
    if (!stage_) stage_.emplace(cluster_);
    std::optional<Story> story;
    std::vector<Standing> standing = kinds.standing;
    for (std::size_t k = 0; k < standing.size(); ++k)
      for (auto& from : standing[k].from)
        if (standing[k].serving && from.queue == of.queue && from.outside == of.outside &&
            from.flavor == capacity.flavor && q.kinds[k].each == of.each)
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
                                  : "others can close every node to it, but the story cannot be played: " + uncovered);
      return;
    }
    Obligation o = about(index, of, Verdict::Refuted);
    Detail detail;
    detail.message =
        fmt::format("a replica of `{}`{} can find no node of `{}` although its quota is free", o.subject.name,
                    of.declared                                        ? ""
                    : proof_.intent.cut_of(capacity.flavor) != nullptr ? " (no shape is declared: one pod per slice)"
                                                                       : " (no shape is declared: one pod per GPU)",
                    o.subject.flavor);
    detail.story = story->steps;
    repair_fragmentation(proof_, proof_.intent.capacities[index], q, kinds, of, detail);
    o.core = core(index, of, kinds);
    report_.add(std::move(o), std::move(detail));
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
    const std::string_view flavor = cluster_.flavors[proof_.intent.capacities[index].flavor].name;
    if (of.queue == kNone)
      return obligation(Family::Fragmentation, code::Fragmentation, verdict,
                        {"Tenant", name_of(of), name_of(of), flavor}, proof_.intent.outside[of.outside].reserve_span);
    const QueueRole& role = proof_.intent.roles[of.queue];
    return obligation(Family::Fragmentation, code::Fragmentation, verdict,
                      {"ClusterQueue", name_of(of), role.tenant, flavor}, reserved_at(role));
  }

  bool undecided(std::uint32_t index, const Replicas& of, std::string reason, std::optional<Family> follows = {}) {
    Obligation o = about(index, of, Verdict::Undecided);
    std::string message = fmt::format("whether a replica of `{}` finds a node of `{}` is not known: {}", o.subject.name,
                                      o.subject.flavor, reason);
    report_.add(std::move(o), {.reason = std::move(reason), .message = std::move(message), .follows = follows});
    return true;
  }

  // What is said holds of replicas as they are declared, and of the default where they are not.
  void proven() {
    Obligation o = proven_of_cluster(Family::Fragmentation, code::Fragmentation, any_);
    if (!of_one_gpu_.empty())
      o.say(
          {.message = fmt::format("every serving replica finds a node, wherever the other pods stand and whichever "
                                  "tolerated nodes are lost; of `{}`, without a declared `replica`, pods of one GPU do",
                                  fmt::join(of_one_gpu_, "`, `"))});
    report_.add(std::move(o));
  }

  const Proof& proof_;
  const std::set<std::uint32_t>& asked_;  // of these queues alone; empty: of all that serve
  const Cluster& cluster_;
  Report& report_;
  const kueue::Shape shape_;
  PoolUses uses_;
  Asker asker_;
  LemmaBook book_;
  std::set<std::string> of_one_gpu_;  // tenants that declare no replica
  std::optional<Stage> stage_;        // made when the first story must be told
  bool found_ = false, any_ = false;
};

}  // namespace

void prove_fragmentation(const Proof& proof, Report& report) { prove_fragmentation_of({}, proof, report); }

void prove_fragmentation_of(const std::set<std::uint32_t>& queues, const Proof& proof, Report& report) {
  const auto& capacities = proof.intent.capacities;
  const bool described =
      std::ranges::any_of(capacities, [](const PoolCapacity& capacity) { return capacity.nodes != kNone; });
  if (described) FragmentationFamily(proof, queues, report).run();  // else nobody described nodes: it is not analysed
}

}  // namespace gpol
