// Capacity: the quotas of a flavor never add up to more devices than there are: for serving, and for anything that can
// be lent, those that are surely there (the least count less tolerated loss); for class C alone the most there can be.
// One obligation per (flavor, resource) whose nodes are described. What queues can use at once is the scheduler's to
// say (pool_quotas.h).
#include <algorithm>

#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/families/pairs.h"
#include "checker/families/pool_quotas.h"
#include "checker/story/narrate.h"
#include "compiler/cluster/node_facts.h"
#include "compiler/cluster/retired.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {
namespace {

// Where nobody declared the pool: not the nodes, which are what they are, but whoever asks for more of them. That is
// the tenant outside the queue where the quotas alone would fit.
Span too_much_at(const Proof& proof, const PoolCapacity& capacity, std::uint32_t resource, const PoolQuota& all,
                 std::int64_t devices) {
  const OutsideReserve* largest = nullptr;
  for (const OutsideReserve& tenant : proof.intent.outside)
    if (tenant.flavor == capacity.flavor && tenant.reserve[resource] > 0 &&
        (largest == nullptr || tenant.reserve[resource] > largest->reserve[resource]))
      largest = &tenant;
  const bool quotas_fit = largest != nullptr && all.quotas - largest->reserve[resource] <= devices;
  if (largest != nullptr && (devices < 0 || quotas_fit)) return largest->reserve_span;
  return all.lines.empty() ? capacity.span : all.lines.front();
}

// The queues of tenants that left the policy: what they own of it still counts.
std::string kept_in_words(const Proof& proof, std::uint32_t flavor) {
  if (!proof.intent.of_policy) return {};
  const auto kept = kept_queues(proof.cluster);
  std::string queues;
  for (const Queue& queue : proof.cluster.queues)
    if (lists(queue, flavor) && kept.contains(queue.name)) add_to_list(queues, fmt::format("`{}`", queue.name));
  if (queues.empty()) return {};
  return fmt::format("; what {} owns counts until its tenant, which left the policy, is retired", queues);
}

// More nodes give no more of them: how many there are was stated.
bool counted_slices(const Proof& proof, const PoolCapacity& capacity, std::uint32_t resource) {
  const CutPool* cut = proof.intent.cut_of(capacity.flavor);
  return cut != nullptr && cut->counted && cut->shares.contains(resource);
}

bool asked_outside(const Proof& proof, std::uint32_t flavor, std::uint32_t resource) {
  return std::ranges::any_of(proof.intent.outside, [&](const OutsideReserve& tenant) {
    return tenant.flavor == flavor && tenant.reserve[resource] > 0;
  });
}

}  // namespace

void prove_capacity(const Proof& proof, Report& report) {
  const Cluster& cluster = proof.cluster;
  if (proof.intent.capacities.empty()) return;  // nobody described the nodes: the family is not analysed
  const std::unique_ptr<PoolQuotas> quotas = cluster.volcano ? volcano_quotas(proof) : kueue_quotas(proof);
  const std::string unproven = quotas->unproven();
  for (const PoolCapacity& capacity : proof.intent.capacities)
    for (std::uint32_t r = 0; r < cluster.resources.size(); ++r) {
      const PoolQuota all = quotas->of(capacity.flavor, r);
      // Places for pods that nobody has a quota of, nor reserves: nothing is promised.
      if (cluster.resources[r] == "pods" && all.quotas == 0 && capacity.surely[r] >= 0 && !all.serving_covers &&
          !asked_outside(proof, capacity.flavor, r))
        continue;
      const bool surely = capacity.has_serving || all.lent;
      const std::int64_t devices = (surely ? capacity.surely : capacity.at_most).at(r);
      const std::string& flavor = cluster.flavors[capacity.flavor].name;
      Obligation o = obligation(Family::Capacity, code::Capacity, Verdict::Undecided,
                                {cluster.volcano ? "Node" : "ResourceFlavor", flavor, {}, flavor, cluster.resources[r]},
                                capacity.span);
      o.figures.unit = unit_of(cluster.resources[r]);
      o.required = capacity.has_serving;
      Detail detail;
      const auto words = [&](std::int64_t amount) { return amount_in_words(cluster, r, amount); };
      const std::string_view which = surely ? "surely there" : "there at most";
      if (!all.uncharged.empty()) {
        detail.reason = all.uncharged;
        detail.message = fmt::format("the quotas of `{}` were not compared: {}", o.subject.name, detail.reason);
      } else if (!unproven.empty()) {
        detail.reason = unproven;
        detail.message = fmt::format("the quotas of `{}` were not compared: {}", o.subject.name, unproven);
      } else if (all.quotas <= devices && all.serving_covers && !all.undeclared.empty()) {
        detail.reason = all.undeclared;
        detail.message = fmt::format("whether the nodes of `{}` have what quotas promise is not known: {}",
                                     o.subject.name, all.undeclared);
      } else if (all.quotas <= devices) {
        o.verdict = Verdict::Proven;
        o.figures.slack = devices - all.quotas;
        detail.message = fmt::format("quotas of {} within {} {}", words(all.quotas), words(devices), which);
      } else {
        o.verdict = Verdict::Refuted;
        if (!proof.intent.of_policy) o.span = too_much_at(proof, capacity, r, all, devices);
        const bool unlimited = all.quotas == kUncountable;
        if (capacity.spot && capacity.has_serving) detail.follows = Family::Placement;  // that it serves from there
        if (auto story = quotas->tell(capacity, r, devices)) detail.story = story->steps;
        detail.message = devices < 0 ? fmt::format("what is reserved outside the queue on `{}` is {} more than are {}",
                                                   o.subject.name, words(-devices), which)
                                     : fmt::format("quotas of `{}` add up to {}, but {} are {}", o.subject.name,
                                                   unlimited ? "more than can be counted" : words(all.quotas),
                                                   words(devices), which);
        if (const std::string away = cordoned_in_words(capacity); !away.empty()) detail.message += ": " + away;
        const bool unlabelled = !proof.intent.of_policy && capacity.nodes_max == 0 && capacity.cordoned.empty();
        if (unlabelled) detail.message += ": no Node has the labels of the flavor";
        if (const auto taken = capacity.daemons.find(cluster.resources[r]); taken != capacity.daemons.end())
          detail.message += ", without what " + daemons_in_words(taken->second);
        detail.message += kept_in_words(proof, capacity.flavor);
        const std::int64_t outside = std::max<std::int64_t>(0, -devices);  // beyond what is there without any quota
        std::string text = fmt::format(
            "lower the quotas of `{}` by {}, or {}", o.subject.name, words(all.quotas - devices),
            counted_slices(proof, capacity, r) ? "say how each GPU is cut: `as mig { ... }`" : "take more nodes");
        if (unlabelled) text = fmt::format("label the nodes of `{}` as the flavor says, or {}", o.subject.name, text);
        if (unlimited) text = "state quotas that are numbers";
        if (!unlimited && outside > 0)
          text = all.quotas == 0
                     ? fmt::format("reserve {} less of `{}`, or take more nodes", words(outside), o.subject.name)
                     : fmt::format("reserve {} less of `{}` and lower its quotas by {}, or take more nodes",
                                   words(outside), o.subject.name, words(all.quotas));
        detail.fix = Fix{std::move(text)};
      }
      std::vector<Span> lines = all.lines;
      lines.push_back(capacity.span);
      for (const OutsideReserve& outside : proof.intent.outside)
        if (outside.flavor == capacity.flavor) lines.push_back(outside.reserve_span);
      o.core = as_core(std::move(lines));
      report.add(std::move(o), std::move(detail));
    }
  report.analysed.push_back(Family::Capacity);
}

}  // namespace gpol
