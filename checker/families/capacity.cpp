// Capacity: the quotas of a flavor never add up to more devices than there are: for serving, and for anything that can
// be lent, those that are surely there (the least count less tolerated loss); for class C alone the most there can be.
// One obligation per (flavor, resource) whose nodes are described.
//
// Formula: usages are unknown. What runs in a subtree is at most what its top node accounts for and the local quotas
// below it (each node keeps min(U, LQ) and pushes the rest): proven step by step, sums folded over the children by the
// claim family's lemma. Closed form: the sum of all nominal quotas, compared with the devices; both must be the same.
#include <algorithm>

#include <fmt/format.h>

#include "checker/families/claim_lemmas.h"
#include "checker/families/codes.h"
#include "checker/families/lemma_book.h"
#include "checker/families/pairs.h"
#include "checker/kueue/counted.h"
#include "checker/kueue/forest.h"
#include "checker/story/narrate.h"
#include "checker/story/stories.h"
#include "compiler/cluster/node_facts.h"
#include "compiler/cluster/retired.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {
namespace {

using kueue::kRoot;
using kueue::kUnlimited;
using kueue::Node;

// T: what runs in a node's subtree; K: the local quotas below it.
Formula kept() {
  const Term t = int_symbol("T"), u = int_symbol("U"), k = int_symbol("K"), lq = int_symbol("LQ");
  return {"capacity/kept",
          "what runs below a node is at most what it pushes into its parent and the local quotas up to its own",
          {{"below", t <= u + k}, {"side-condition", int_symbol("kept") >= k + lq}},
          t > max(integer(0), u - lq) + int_symbol("kept")};
}

Formula within_devices() {
  const Term t = int_symbol("T"), u = int_symbol("U"), k = int_symbol("K"), sq = int_symbol("SQ");
  return {"capacity/within-devices",
          "what runs below a root within its quota is at most the devices",
          {{"below", t <= u + k}, {"admitted", u <= sq}, {"side-condition", sq + k <= int_symbol("devices")}},
          t > int_symbol("devices")};
}

// The lemmas' own sum: SQ of the roots and every LQ below them.
std::int64_t accounted(const kueue::Shape& shape, const kueue::Limits& limits) {
  std::int64_t sum = 0;
  for (Node v = 0; v < shape.parent.size(); ++v)
    sum = kueue::saturating_add(sum, shape.parent[v] == kRoot ? limits.subtree[v] : limits.local[v]);
  return sum;
}

struct Quotas {
  std::int64_t quotas = 0;  // the most of all windows
  bool lent = false;        // some queue can be given what another one owns
  std::vector<Span> lines;  // of the queues and cohorts with quota
};

// Whether, in some tree, quota that one node shows to others can be used by a queue of another node.
bool can_be_lent(const kueue::Shape& shape, const kueue::Limits& limits) {
  for (Node v = 0; v < shape.queues; ++v) {
    if (shape.parent[v] == kRoot || shape.in_cycle[v] || !limits.listed[v] || limits.borrowing[v] == 0) continue;
    // What v could use of its tree beyond its own.
    if (limits.potential[v] > limits.subtree[v]) return true;
  }
  return false;
}

Quotas quotas_of(const Proof& proof, const kueue::Shape& shape, std::uint32_t flavor, std::uint32_t resource) {
  Quotas all;
  const auto add = [&](const kueue::Limits& limits) {
    const std::int64_t sum = all_quotas(limits);
    const bool cycle = contains(shape.in_cycle, true);
    if (!cycle && sum != kUnlimited && sum != accounted(shape, limits))
      throw InternalError(fmt::format("capacity: quotas of {} are accounted for as {}", sum, accounted(shape, limits)));
    all.quotas = std::max(all.quotas, sum);
    all.lent = all.lent || can_be_lent(shape, limits);
  };
  bool exact = false;
  const kueue::Limits widest = kueue::widest_limits(proof.cluster, shape, flavor, resource, exact);
  add(widest);
  if (!exact)
    for (const Mode& mode : proof.cluster.modes) add(kueue::limits_of(proof.cluster, shape, flavor, resource, &mode));
  for (Node v = 0; v < shape.parent.size(); ++v) {
    if (widest.nominal[v] == 0) continue;
    if (v < shape.queues)
      all.lines.push_back(reserved_at(proof.intent.roles[v]));
    else if (v - shape.queues < proof.origins.cohort.size())
      all.lines.push_back(proof.origins.cohort[v - shape.queues]);
  }
  return all;
}

// Where nobody declared the pool: not the nodes, which are what they are, but whoever asks for more of them. That is
// the tenant outside the queue where the quotas alone would fit.
Span too_much_at(const Proof& proof, const PoolCapacity& capacity, std::uint32_t resource, const Quotas& all,
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

bool serving_covers(const Proof& proof, std::uint32_t resource) {
  for (std::size_t q = 0; q < proof.intent.roles.size(); ++q) {
    if (proof.intent.roles[q].kind != QueueRole::Kind::Serving) continue;
    for (const ResourceGroup& group : proof.cluster.queues[q].groups)
      if (contains(group.covered, resource)) return true;
  }
  return false;
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
  const kueue::Shape shape = kueue::shape_of(cluster);
  LemmaBook book(proof);
  const bool lemmas = book.holds(claim_lemma_name(ClaimLemma::Sum), [] { return claim_lemma(ClaimLemma::Sum); }) &&
                      book.holds("capacity/kept", kept) && book.holds("capacity/within-devices", within_devices);
  std::optional<Stage> stage;  // made when the first story must be told
  for (const PoolCapacity& capacity : proof.intent.capacities)
    for (std::uint32_t r = 0; r < cluster.resources.size(); ++r) {
      const Quotas all = quotas_of(proof, shape, capacity.flavor, r);
      // Places for pods that nobody has a quota of, nor reserves: nothing is promised.
      if (cluster.resources[r] == "pods" && all.quotas == 0 && capacity.surely[r] >= 0 && !serving_covers(proof, r) &&
          !asked_outside(proof, capacity.flavor, r))
        continue;
      const bool surely = capacity.has_serving || all.lent;
      const std::int64_t devices = (surely ? capacity.surely : capacity.at_most).at(r);
      const std::string& flavor = cluster.flavors[capacity.flavor].name;
      Obligation o = obligation(Family::Capacity, code::Capacity, Verdict::Undecided,
                                {"ResourceFlavor", flavor, {}, flavor, cluster.resources[r]}, capacity.span);
      o.figures.unit = unit_of(cluster.resources[r]);
      o.required = capacity.has_serving;
      Detail detail;
      const auto words = [&](std::int64_t amount) { return amount_in_words(cluster, r, amount); };
      const std::string_view which = surely ? "surely there" : "there at most";
      const std::string undeclared =
          kueue::undeclared_by_others(cluster, static_cast<std::uint32_t>(cluster.queues.size()), cluster.resources[r]);
      if (kueue::uncharged(cluster.config, cluster.resources[r])) {
        detail.reason = "no quota is charged for it: " + kueue::counted_otherwise(cluster.config, cluster.resources[r]);
        detail.message = fmt::format("the quotas of `{}` were not compared: {}", o.subject.name, detail.reason);
      } else if (!lemmas) {
        detail.reason = book.why();
        detail.message = fmt::format("the quotas of `{}` were not compared: {}", o.subject.name, book.why());
      } else if (all.quotas <= devices && serving_covers(proof, r) && !undeclared.empty()) {
        detail.reason = undeclared;
        detail.message = fmt::format("whether the nodes of `{}` have what quotas promise is not known: {}",
                                     o.subject.name, undeclared);
      } else if (all.quotas <= devices) {
        o.verdict = Verdict::Proven;
        o.figures.slack = devices - all.quotas;
        detail.message = fmt::format("quotas of {} within {} {}", words(all.quotas), words(devices), which);
      } else {
        o.verdict = Verdict::Refuted;
        if (!proof.intent.of_policy) o.span = too_much_at(proof, capacity, r, all, devices);
        const bool unlimited = all.quotas == kUnlimited;
        if (capacity.spot && capacity.has_serving) detail.follows = Family::Placement;  // that it serves from there
        if (!stage) stage.emplace(cluster);
        if (auto story = tell_capacity(*stage, proof.intent, capacity, r, devices)) detail.story = story->steps;
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
