// Partition: a device can be cut as the policy says, and the nodes that are cut so give the slices that are counted on,
// whichever of them are lost. One obligation per cut pool, and one per profile of it.
//
// Formulas: starts of the instances are unknown, and so are the nodes that are lost (checker/partition). Closed forms:
// an exhaustive search over the memory slices of a device, and the sum without the nodes that have most.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "checker/families/codes.h"
#include "checker/families/layout_places.h"
#include "checker/families/pairs.h"
#include "checker/families/partition_parts.h"
#include "checker/partition/legal.h"
#include "checker/solver/terms.h"
#include "compiler/source/text.h"

namespace gpol {
namespace {

// How many slices of a profile a pool has left, whichever of its nodes are lost. The formula is asked with a number:
// fewer can be left, or not; `left_after` is the closed form. `kinds`: how many nodes there are and what each has.
struct NodesAlike {
  std::int64_t nodes = 0, slices = 0;  // of each
};

// Unsatisfiable: with any `lost` of the nodes lost at least `counted` slices are left.
Formula loss_formula(const std::vector<NodesAlike>& kinds, std::int64_t lost, std::int64_t counted) {
  Formula formula{"partition/loss",
                  "whichever of the nodes are lost, as many slices are left as are counted on",
                  {},
                  boolean(true)};
  Term all_lost = integer(0), left = integer(0);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const Term gone = int_symbol(fmt::format("lost {}", k));
    formula.facts.push_back({fmt::format("some {}", k), integer(0) <= gone && gone <= integer(kinds[k].nodes)});
    all_lost = all_lost + gone;
    left = left + integer(kinds[k].nodes * kinds[k].slices) - kinds[k].slices * gone;
  }
  formula.facts.push_back({"tolerated", all_lost <= integer(lost)});
  formula.negated_goal = left < integer(counted);
  return formula;
}

std::int64_t left_after(std::vector<NodesAlike> kinds, std::int64_t lost) {
  std::ranges::sort(kinds, std::greater{}, &NodesAlike::slices);
  std::int64_t left = 0;
  for (const NodesAlike& kind : kinds) {
    const std::int64_t gone = std::min(lost, kind.nodes);
    lost -= gone;
    left += (kind.nodes - gone) * kind.slices;
  }
  return left;
}

using Layout = std::vector<Slices>;

class PartitionFamily {
 public:
  PartitionFamily(const Proof& proof, Report& report) : proof_(proof), report_(report), book_(proof) {}

  void run() {
    for (const CutPool& pool : proof_.intent.cut_pools) {
      judge_layouts(pool);
      if (const PoolCapacity* capacity = proof_.intent.capacity_of(pool.flavor);
          capacity != nullptr && pool.none.empty())
        for (const auto& [resource, share] : pool.shares)
          if (!pool.beyond.contains(proof_.cluster.resources[resource])) judge_count(pool, *capacity, resource);
      for (const auto& [slice, beyond] : pool.beyond) tell_beyond(pool, slice, beyond);
    }
    judge_given_layouts(proof_, book_, report_);
    for (const SharedPool& pool : proof_.intent.shared_pools) judge_shared_pool(proof_, pool, report_);
    judge_plugin_configs(proof_, report_);
    const Intent& intent = proof_.intent;
    if (!intent.cut_pools.empty() || !intent.layouts.empty() || !intent.shared_pools.empty() ||
        !intent.faults.empty() || !proof_.cluster.plugin_config_maps.empty())
      report_.note_analysed(Family::Partition);
  }

 private:
  const std::string& name_of(const CutPool& pool) const { return proof_.cluster.flavors[pool.flavor].name; }

  Obligation about(const CutPool& pool, Code code) const {
    const std::string& name = name_of(pool);
    return obligation(Family::Partition, code, Verdict::Proven, {"ResourceFlavor", name, {}, name}, pool.span);
  }

  bool tell(Obligation o, Verdict verdict, Detail detail) {
    o.verdict = verdict;
    report_.add(std::move(o), std::move(detail));
    return false;
  }

  // Each different layout once, with how many devices are cut so.
  void judge_layouts(const CutPool& pool) {
    if (!pool.none.empty()) return no_layout(pool);
    const auto unknown = [](const NodeKind& kind) { return kind.devices.empty(); };
    if (std::ranges::all_of(pool.kinds, unknown)) return;  // nobody gave their configuration
    if (pool.device.name.empty()) return;  // which model it is nobody said: nothing is known of its layouts
    std::vector<Layout> judged;
    const auto key = [](const Layout& layout) { return slices_in_words(layout); };
    for (const NodeKind& kind : pool.kinds)
      for (const Layout& device : kind.devices) {
        const auto same = [&](const Layout& known) { return key(known) == key(device); };
        if (device.empty() || std::ranges::any_of(judged, same)) continue;
        if (!judge_layout(pool, device)) return;
        judged.push_back(device);
      }
    report_.add(about(pool, code::Layout),
                {.message = fmt::format("GPUs of `{}` can be cut as they are to be: {}", name_of(pool),
                                        fmt::join(cards_of(pool.kinds), ", "))});
  }

  // Counts that no layout gives.
  void no_layout(const CutPool& pool) {
    Detail detail{
        .reason = pool.none,
        .message = pool.unknown
                       ? fmt::format("whether `{}` offers that is not known: {}", name_of(pool), pool.none)
                       : fmt::format("no layout of `{}` gives what it is to offer: {}", name_of(pool), pool.none)};
    if (!pool.unknown) detail.fix = Fix{"ask for fewer slices, or take more nodes"};
    tell(about(pool, code::Layout), pool.unknown ? Verdict::Undecided : Verdict::Refuted, std::move(detail));
  }

  // Of nodes that are there: their configuration asks for what their GPUs do not have. Instances with fewer compute
  // slices ("1c.3g.40gb") are not modelled.
  bool no_profile(const CutPool& pool, const std::string& profile) {
    const bool part = profile.find("c.") < profile.find("g.");
    std::string reason = part ? fmt::format("instances such as `{}` are not modelled", profile)
                              : fmt::format("`{}` has no profile `{}`", pool.device.name, profile);
    return tell(about(pool, code::Layout), part ? Verdict::Undecided : Verdict::Refuted,
                {.reason = reason,
                 .message = fmt::format(
                     "{} `{}` as they are to be: {}",
                     part ? "it is not known whether GPUs can be cut on nodes of" : "GPUs cannot be cut on nodes of",
                     name_of(pool), reason),
                 .fix = part ? std::optional<Fix>() : Fix{"label the nodes with a configuration of their model"}});
  }

  // False: what is wrong with it has been said.
  bool judge_layout(const CutPool& pool, const Layout& layout) {
    for (const Slices& slices : layout)
      if (profile_of(pool.device, slices.profile) == nullptr) return no_profile(pool, slices.profile);
    const Layout rest = beside(layout, pool.held);
    const std::string wanted = slices_in_words(rest);
    const std::string there = pool.held.empty() ? "" : " beside " + held_in_words(pool.held);
    const auto& [answer, why] = places(book_, pool.device, rest, pool.held);
    const Obligation o = about(pool, code::Layout);
    if (answer.kind == Answer::Kind::Unknown) {
      const std::string reason = fmt::format("the solver gave up on partition/layout: {}", answer.why);
      return tell(o, Verdict::Undecided,
                  {.reason = reason,
                   .message = fmt::format("whether `{}` can be cut into {} is not known: {}", pool.device.name,
                                          slices_in_words(layout), reason)});
    }
    if (const auto none = why_no_placement(pool.device, {}, pool.held))
      return tell(
          o, Verdict::Refuted,
          {.reason = *none,
           .message = fmt::format("no `{}` holds {} already: {}", pool.device.name, held_in_words(pool.held), *none),
           .fix = Fix{"look at what one holds (`nvidia-smi mig -lgi`)"}});
    if (why) {
      std::string hint = "take fewer slices, or smaller ones";
      if (pool.device.placements == "template" && why->starts_with("no place"))
        hint += "; these starts are those of the A100, so declare a `hardware` of your own if yours differ";
      if (!pool.held.empty() && !why_no_placement(pool.device, layout))
        hint = "have what is there already made anew: a GPU that holds nothing can be cut so, and instances never move";
      return tell(o, Verdict::Refuted,
                  {.reason = *why,
                   .message = fmt::format("no `{}` can be cut into {}{}: {} finds no place ({})", pool.device.name,
                                          wanted, there, without_place(pool.device, rest, pool.held), *why),
                   .story = {{"", pool.managed ? "MIG Manager" : "whoever cuts them",
                              fmt::format("is told to cut a GPU of `{}` into {}{}", name_of(pool), wanted, there)},
                             {"", "the driver",
                              fmt::format("creates no such instances: {}; {}", *why,
                                          pool.managed        ? "nvidia.com/mig.config.state says `failed`, and the "
                                                                "node has none of its slices"
                                          : pool.held.empty() ? "the node has none of its slices"
                                                              : "the node has no more than what is there already")}},
                   .fix = Fix{std::move(hint)}});
    }
    if (!starts_known(pool.device, layout)) {
      const std::string reason =
          fmt::format("nobody is known to have listed the places of slices on `{}`", pool.device.name);
      return tell(
          o, Verdict::Undecided,
          {.reason = reason,
           .message = fmt::format("whether `{}` can be cut into {} is not known: {}", pool.device.name,
                                  slices_in_words(layout), reason),
           .fix = Fix{fmt::format("look at one (`nvidia-smi mig -lgipp`), and declare `hardware {}` with what it "
                                  "says",
                                  pool.device.name)}});
    }
    std::vector<Instance> all = partition::instances_of(answer, pool.device, rest);
    all.insert(all.end(), pool.held.begin(), pool.held.end());
    if (!partition::stand(pool.device, all))
      throw InternalError(fmt::format("partition: the solver's placement of {} is none", slices_in_words(layout)));
    return true;
  }

  // What quotas and reserves are held against (the capacity family), against what the layouts give.
  void judge_count(const CutPool& pool, const PoolCapacity& capacity, std::uint32_t resource) {
    const std::string& slice = proof_.cluster.resources[resource];
    std::vector<NodesAlike> kinds;
    for (const NodeKind& kind : pool.kinds)
      if (kind.devices.empty()) return;  // nobody gave its configuration
    for (const NodeKind& kind : pool.kinds) kinds.push_back({kind.nodes_min, slices_given(kind, slice)});
    std::int64_t counted = capacity.surely[resource];
    for (const OutsideReserve& tenant : proof_.intent.outside)
      if (tenant.flavor == pool.flavor) counted += tenant.reserve[resource];
    const std::int64_t left = left_after(kinds, capacity.lost);
    Obligation o = about(pool, code::SliceCount);
    o.subject.resource = slice;
    o.figures.unit = unit_of(slice);
    o.required = capacity.has_serving;
    const Answer& answer =
        book_.ask(fmt::format("partition/loss {} {} {} {}", name_of(pool), slice, capacity.lost, counted),
                  [&] { return loss_formula(kinds, capacity.lost, counted); });
    if (answer.kind == Answer::Kind::Unknown) {
      const std::string reason = fmt::format("the solver gave up on partition/loss: {}", answer.why);
      tell(std::move(o), Verdict::Undecided, {.reason = reason, .message = reason});
      return;
    }
    if ((answer.kind == Answer::Kind::Unsat) != (left >= counted))
      throw InternalError(fmt::format("partition: {} slices {} of {} are left, but the solver says otherwise", left,
                                      slice, name_of(pool)));
    if (left >= counted) {
      o.figures.slack = left - counted;
      report_.add(std::move(o), {.message = fmt::format("{} {} are left whichever {} of the nodes are lost", left,
                                                        slice, capacity.lost)});
      return;
    }
    tell(std::move(o), Verdict::Refuted,
         {.message = fmt::format("{} {} of `{}` are counted on, and its layouts give {} once {} of "
                                 "its nodes are lost",
                                 counted, slice, name_of(pool), left, capacity.lost),
          .fix = Fix{"cut more devices so, or count on fewer"}});
  }

  // A node that offers more than the configuration that it is labelled with gives.
  void tell_beyond(const CutPool& pool, const std::string& slice, const CutPool::Beyond& beyond) {
    Obligation o = obligation(Family::Partition, code::SliceCount, Verdict::Refuted,
                              {"ResourceFlavor", name_of(pool), {}, name_of(pool), slice}, beyond.span);
    const PoolCapacity* capacity = proof_.intent.capacity_of(pool.flavor);
    o.required = capacity != nullptr && capacity->has_serving;
    o.figures.unit = unit_of(slice);
    report_.add(
        std::move(o),
        {.message = beyond.absent
                        ? fmt::format("Node `{}` offers {} {}, and there is no configuration `{}`, which it names",
                                      beyond.node, beyond.offered, slice, beyond.config)
                        : fmt::format("Node `{}` offers {} {}, and its configuration `{}` gives {}", beyond.node,
                                      beyond.offered, slice, beyond.config, beyond.given),
         .fix = Fix{"label it with what it is cut into: MIG Manager cuts it by the label when it starts"}});
  }

  const Proof& proof_;
  Report& report_;
  LemmaBook book_;
};

}  // namespace

void prove_partition(const Proof& proof, Report& report) { PartitionFamily(proof, report).run(); }

}  // namespace gpol
