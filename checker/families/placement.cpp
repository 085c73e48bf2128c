// Placement: no batch pod that can be admitted fits on a node where serving's reserve of another flavor stands, and
// serving's pods fit only on nodes of their own flavor that are not spot, and on some. One obligation per finding, and
// one that is proven when there is none.
//
// A pod that is admitted with a flavor has the flavor's node labels as node selector and its tolerations (pkg/podset/
// podset.go); taints are only matched, never added, and any user can write a toleration, so a taint keeps no pod of
// batch away. A pod that asks for no resource that its queue covers is given no flavor at all: only a group that covers
// `pods` gives one to every pod.
//
// Formula: flavor, node pool and role are free constants, labels and selectors numbers; a pod that stands where it may
// not, other than those that are found, is impossible. Closed form: every pair of flavor and pool, looked at. Both must
// agree; what is found is played in both executable models (story/node_stories.h) before it is called refuted.
#include <algorithm>

#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/families/lemma_book.h"
#include "checker/families/pairs.h"
#include "checker/families/placement_formula.h"
#include "checker/story/node_stories.h"
#include "compiler/cluster/listed.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"

namespace gpol {
namespace {

class PlacementFamily {
 public:
  PlacementFamily(const Proof& proof, Report& report)
      : proof_(proof), cluster_(proof.cluster), report_(report), shape_(kueue::shape_of(proof.cluster)), book_(proof) {}

  void run() {
    facts_ = placement_facts(cluster_, proof_.intent);
    who_can_be_admitted();
    const std::vector<Landing> astray = astray_landings(facts_);
    const std::vector<Admittable> nowhere = without_nodes(facts_);
    const bool agreed = agrees("placement/astray", astray_formula(facts_, astray), "a pod stands where it may not") &&
                        agrees("placement/nowhere", nowhere_formula(facts_, nowhere), "a flavor has no nodes");
    if (!agreed) {
      finding(code::PlacementBatch, Verdict::Undecided, {}, {}, why_);
    } else {
      for (const Landing& landing : astray) {
        if (on_own_spot(landing))
          tell_spot(landing);
        else
          tell(landing);
      }
      for (std::uint32_t t = 0; t < proof_.intent.outside.size(); ++t) tell_spot_outside(t);
      for (const Admittable& who : nowhere) tell_of(who);
    }
    if (!found_) proven();
    report_.analysed.push_back(Family::Placement);
  }

 private:
  // The formula leaves out what was found: it must find nothing more.
  bool agrees(const char* key, const Formula& formula, const char* what) {
    const Answer& answer = book_.ask(key, [&] { return formula; });
    if (answer.kind == Answer::Kind::Sat) {
      std::string model;
      for (const auto& [name, value] : answer.model) model += fmt::format(" {}={}", name, value);
      throw InternalError(fmt::format("placement: the solver finds that {}, and nobody else does:{}", what, model));
    }
    if (answer.kind == Answer::Kind::Unknown) why_ = fmt::format("the solver gave up on {}: {}", key, answer.why);
    return answer.kind == Answer::Kind::Unsat;
  }

  // Per role and flavor the first queue whose pods can have it, and how many queues there are.
  void who_can_be_admitted() {
    const auto pods =
        static_cast<std::uint32_t>(std::ranges::find(cluster_.resources, "pods") - cluster_.resources.begin());
    std::map<std::uint32_t, kueue::Limits> by_flavor;  // of pods
    for (std::uint32_t q = 0; q < cluster_.queues.size(); ++q) {
      const QueueRole& role = proof_.intent.roles[q];
      const Queue& queue = cluster_.queues[q];
      if (queue.stop == StopPolicy::HoldAndDrain || shape_.in_cycle[q]) continue;
      const bool serving = promised(role);
      bool counts = false;
      for (const ResourceGroup& group : queue.groups) {
        const bool with_pods = contains(group.covered, pods);
        counts = counts || with_pods;
        if (!with_pods && !serving) continue;
        for (const FlavorQuotas& row : group.flavors) {
          if (with_pods) {
            bool exact = true;
            if (!by_flavor.contains(row.flavor))
              by_flavor.emplace(row.flavor, kueue::widest_limits(cluster_, shape_, row.flavor, pods, exact));
            if (by_flavor.at(row.flavor).potential[q] < 1) continue;
          }
          admit({serving, static_cast<std::int64_t>(row.flavor)}, q);
        }
      }
      if (!counts && !serving) admit({false, kNoFlavor}, q);
    }
    for (const auto& [who, queues] : admitted_) facts_.admitted.push_back(who);
  }
  void admit(const Admittable& who, std::uint32_t queue) { admitted_[who].push_back(queue); }

  // Whether somebody who serves owns anything there, or only lists a flavor of it.
  bool owns_some_of(std::size_t pool) const {
    const auto& labels = cluster_.node_pools[pool].labels;
    for (std::uint32_t q = 0; q < cluster_.queues.size(); ++q) {
      if (!promised(proof_.intent.roles[q])) continue;
      for (const ListedQuota& one : listed_quotas(cluster_.queues[q].groups))
        if (one.quota.nominal > 0 && nodes::selects(cluster_.flavors[one.flavor].node_labels, labels)) return true;
    }
    return std::ranges::any_of(proof_.intent.outside, [&](const OutsideReserve& tenant) {
      return promised(tenant) && nodes::selects(cluster_.flavors[tenant.flavor].node_labels, labels);
    });
  }

  void tell(const Landing& landing) {
    const auto& queues = admitted_.at(landing.who);
    const std::optional<std::uint32_t> flavor =
        landing.who.flavor == kNoFlavor ? std::nullopt : std::optional(static_cast<std::uint32_t>(landing.who.flavor));
    const bool serving = landing.who.serving;
    const std::string with = flavor ? fmt::format("admitted with `{}`", cluster_.flavors[*flavor].name)
                                    : std::string("that ask for nothing, and so are given no flavor,");
    const std::string& pool = cluster_.node_pools[landing.pool].name;
    const std::string what =
        serving ? fmt::format("pods of `{}` {} fit on nodes of `{}`, which {}", cluster_.queues[queues.front()].name,
                              with, pool, facts_.pools[landing.pool].spot ? "are spot" : "are not theirs")
                : fmt::format("batch pods {} fit on nodes of `{}`, {}", with, pool,
                              owns_some_of(landing.pool) ? "where serving's reserve stands" : "which serving may use");
    if (!stage_) stage_.emplace(cluster_);
    std::optional<Story> story;
    constexpr std::size_t kMostTried = 16;
    for (std::size_t i = 0; i < std::min(kMostTried, queues.size()) && !story; ++i)
      story = tell_astray(*stage_, proof_.intent, {queues[i], flavor, landing.pool});
    const Code code = serving ? code::PlacementServing : code::PlacementBatch;
    Detail detail;
    detail.message = what;
    if (story) detail.story = story->steps;
    detail.fix =
        Fix{flavor ? fmt::format("give `{}` node labels that only its own nodes have", cluster_.flavors[*flavor].name)
            : proof_.intent.of_policy
                ? "give the queue a quota of some pool: a group that covers `pods` gives every pod a flavor"
                : "let one of its resource groups cover `pods`: every pod then gets a flavor"};
    std::string reason = story ? "" : "no pod was found that Kueue admits so";
    finding(code, story ? Verdict::Refuted : Verdict::Undecided, queues.front(), flavor, std::move(reason),
            std::move(detail));
  }

  bool on_own_spot(const Landing& landing) const {
    const auto& pool = facts_.pools[landing.pool];
    return landing.who.serving && pool.spot && pool.own.contains(landing.who.flavor);
  }

  // Each tenant that serves there has a story of its own.
  void tell_spot(const Landing& landing) {
    const auto flavor = static_cast<std::uint32_t>(landing.who.flavor);
    if (!stage_) stage_.emplace(cluster_);
    for (const std::uint32_t queue : admitted_.at(landing.who)) {
      auto story = tell_taken(*stage_, proof_.intent, {queue, kNone, flavor, landing.pool});
      const Verdict verdict = story ? Verdict::Refuted : Verdict::Undecided;
      Detail detail = of_spot(cluster_.queues[queue].name, flavor, std::move(story));
      std::string reason = detail.reason;
      finding(code::PlacementServing, verdict, queue, flavor, std::move(reason), std::move(detail));
    }
  }

  // Kueue never sees its pods, and so nobody admits them with its flavor.
  void tell_spot_outside(std::uint32_t index) {
    const OutsideReserve& tenant = proof_.intent.outside[index];
    const PoolCapacity* capacity = proof_.intent.capacity_of(tenant.flavor);
    if (!promised(tenant) || capacity == nullptr || capacity->nodes == kNone || !capacity->spot) return;
    found_ = true;
    if (!stage_) stage_.emplace(cluster_);
    auto story = tell_taken(*stage_, proof_.intent, {kNone, index, tenant.flavor, capacity->nodes});
    Obligation o =
        obligation(Family::Placement, code::PlacementServing, story ? Verdict::Refuted : Verdict::Undecided,
                   {"Tenant", tenant.tenant, tenant.tenant, cluster_.flavors[tenant.flavor].name}, tenant.reserve_span);
    o.core = as_core({tenant.name_span, tenant.reserve_span, tenant.outside_span, capacity->span});
    report_.add(std::move(o), of_spot(tenant.tenant, tenant.flavor, std::move(story)));
  }

  Detail of_spot(std::string_view who, std::uint32_t flavor, std::optional<Story> story) const {
    const PoolCapacity& capacity = *proof_.intent.capacity_of(flavor);
    Detail detail;
    detail.message = fmt::format("`{}` serves from `{}`, whose nodes can all be taken away, {} after a notice", who,
                                 cluster_.flavors[flavor].name, human_duration(capacity.notice));
    if (story)
      detail.story = std::move(story->steps);
    else
      detail.reason = "no pod was found that stands there";
    detail.fix = Fix{"reserve on a pool whose nodes are not spot"};
    return detail;
  }

  void tell_of(const Admittable& who) {
    const auto flavor = static_cast<std::uint32_t>(who.flavor);
    const std::uint32_t queue = admitted_.at(who).front();
    if (!stage_) stage_.emplace(cluster_);
    const auto story = tell_nowhere(*stage_, proof_.intent, queue, flavor);
    Detail detail;
    detail.message = fmt::format(
        "pods of `{}` admitted with `{}` fit on no node: its labels select none, or a taint "
        "keeps them away",
        cluster_.queues[queue].name, cluster_.flavors[flavor].name);
    if (story) detail.story = story->steps;
    detail.fix = Fix{fmt::format("label the nodes of `{}` as the flavor says, and let it tolerate their taints",
                                 cluster_.flavors[flavor].name)};
    std::string reason = story ? "" : "no pod was found that Kueue admits so";
    finding(code::PlacementNowhere, story ? Verdict::Refuted : Verdict::Undecided, queue, flavor, std::move(reason),
            std::move(detail), who.serving);
  }

  void finding(Code code, Verdict verdict, std::optional<std::uint32_t> queue, std::optional<std::uint32_t> flavor,
               std::string reason, Detail detail = {}, bool required = true) {
    found_ = found_ || required;
    Obligation o = obligation(Family::Placement, code, verdict, {"Cluster"});
    o.required = required;
    if (queue) {
      const QueueRole& role = proof_.intent.roles[*queue];
      o.subject = {"ClusterQueue", cluster_.queues[*queue].name, role.tenant};
      if (flavor) o.subject.flavor = cluster_.flavors[*flavor].name;
      o.span = reserved_at(role);
      o.core = as_core(lines_of(proof_, shape_, *queue));
    }
    if (detail.message.empty()) detail.message = fmt::format("where pods can stand is not known: {}", reason);
    detail.reason = std::move(reason);
    report_.add(std::move(o), std::move(detail));
  }

  void proven() {
    const auto& roles = proof_.intent.roles;
    const auto& outside = proof_.intent.outside;
    const auto counts = [](const auto& one) { return promised(one); };
    const bool required = std::ranges::any_of(roles, counts) || std::ranges::any_of(outside, counts);
    report_.add(proven_of_cluster(Family::Placement, code::PlacementBatch, required));
  }

  const Proof& proof_;
  const Cluster& cluster_;
  Report& report_;
  const kueue::Shape shape_;
  LemmaBook book_;
  PlacementFacts facts_;
  std::map<Admittable, std::vector<std::uint32_t>> admitted_;
  std::optional<Stage> stage_;  // made when the first story must be told
  std::string why_;
  bool found_ = false;
};

}  // namespace

void prove_placement(const Proof& proof, Report& report) {
  const auto& capacities = proof.intent.capacities;
  const bool described =
      std::ranges::any_of(capacities, [](const PoolCapacity& capacity) { return capacity.nodes != kNone; });
  if (described) PlacementFamily(proof, report).run();  // else nobody described nodes: it is not analysed
}

}  // namespace gpol
