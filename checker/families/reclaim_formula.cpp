#include "checker/families/reclaim_formula.h"

#include <fmt/format.h>

#include "checker/planted.h"

namespace gpol {
namespace {

// One workload w of the queue, asking for all its resources, and the state it finds.
struct Asking {
  std::vector<Term> used, asked, reserve, nominal, limit, above, offered;  // per resource

  explicit Asking(std::size_t resources) {
    for (std::size_t r = 0; r < resources; ++r) {
      const auto of = [r](const char* name) { return int_symbol(fmt::format("{}[{}]", name, r)); };
      used.push_back(of("used"));
      asked.push_back(of("asked"));
      reserve.push_back(of("reserve"));
      nominal.push_back(of("nominal"));
      limit.push_back(of("borrowing_limit"));
      above.push_back(of("above_nominal"));
      offered.push_back(of("available"));
    }
  }
  template <class F>
  std::vector<Term> each(F&& f) const {
    std::vector<Term> terms;
    for (std::size_t r = 0; r < used.size(); ++r) terms.push_back(f(r));
    return terms;
  }
};

Term flag(const char* name) { return bool_symbol(name); }
Term number(const char* name) { return int_symbol(name); }
Term zero() { return integer(0); }

// A flag of the world that a fact fixes, true or false.
Formula::Fact fixed(const char* name, const char* symbol, bool value) {
  return {name, value ? flag(symbol) : !flag(symbol)};
}

// Flavor choice (flavorassigner.go). With one flavor there is nothing to choose. With several, w does not get its place
// when the search leaves the first flavor, which would preempt, for a later one (N10), or stops at a first flavor that
// can reclaim one resource within nominal but would borrow another, where no victims are found (N10b), or fits the
// first one, loses that room to another head of the round, and goes on with the later ones (reclaim_units.cpp).
Term wanders_off(const Asking& w) {
  const auto first = [](const char* name, std::size_t r) { return int_symbol(fmt::format("first_{}[{}]", name, r)); };
  const auto within = [&](std::size_t r) { return first("used", r) + w.asked[r] <= first("nominal", r); };
  const Term n10 = flag("first_must_preempt") && flag("try_next_when_preempting") && flag("later_fits");
  const Term n10b = any_of(w.each([&](std::size_t r) { return within(r); })) &&
                    any_of(w.each([&](std::size_t r) { return !within(r); }));
  if (planted(Bug::EncodingFlavorsAreOne)) return boolean(false);
  return flag("several_flavors") && (n10 || n10b || flag("first_lost_to_a_head"));
}

// Heads (cluster_queue.go): whatever keeps w from being its queue's head, or a head from being looked at.
Term head_is_blocked() {
  return (flag("own_strict_fifo") && flag("infeasible_before_it")) || !flag("own_active") ||
         !flag("namespace_matches") || (flag("has_checks") && !flag("checks_ready")) ||
         (flag("block_admission") && !flag("all_pods_ready")) || (flag("topology") && !flag("domain_fits"));
}

// Order of entries in a cycle, classical (scheduler.go): borrowing height, priority, time. w is within nominal: height
// 0.
Term sibling_goes_first() {
  const Term level = equal(number("sibling_height"), zero());
  const Term earlier = number("sibling_time") < number("own_time");
  if (planted(Bug::EncodingOrderByTimeAlone)) return level && earlier;
  return level && (number("sibling_priority") > number("own_priority") ||
                   (equal(number("sibling_priority"), number("own_priority")) && earlier));
}

// reserveCapacityForUnreclaimablePreempt (scheduler.go): a head in preemption mode without victims takes free quota
// away from what is processed after it in this cycle. Parked by BestEffortFIFO it does so once, or once with every
// eviction that brings it back (reclaim_units.cpp); the former only delays, but a deadline knows no bound on how many
// heads delay.
Term skipped() {
  const Term preempts = number("sibling_asked") <= number("sibling_nominal") || flag("sibling_ancestor_has_quota") ||
                        flag("sibling_borrows_within_cohort");
  const Term again = planted(Bug::EncodingParkedReserves)
                         ? boolean(true)
                         : flag("sibling_strict_fifo") || flag("sibling_returns") || flag("timed");
  return flag("sibling_head") && !flag("sibling_reclaims_any") && preempts && flag("sibling_without_victims") &&
         sibling_goes_first() && again;
}

Term sibling_kinds(const Siblings& siblings) {
  const Term none_from_anyone = !flag("sibling_reclaims_any");
  std::vector<Term> kinds{!flag("sibling_head")};
  if (siblings.reclaim_any) kinds.push_back(flag("sibling_reclaims_any"));
  if (siblings.owns_nothing)
    kinds.push_back(none_from_anyone && equal(number("sibling_nominal"), zero()) &&
                    !flag("sibling_ancestor_has_quota") && !flag("sibling_borrows_within_cohort"));
  const Term parks = none_from_anyone && !flag("sibling_strict_fifo");
  if (siblings.best_effort) kinds.push_back(parks && !flag("sibling_returns"));
  if (siblings.returns) kinds.push_back(parks && flag("sibling_returns"));
  if (siblings.goes_after) kinds.push_back(none_from_anyone && number("sibling_priority") < number("own_priority"));
  if (siblings.strict_fifo) kinds.push_back(none_from_anyone && flag("sibling_strict_fifo"));
  return any_of(std::move(kinds));
}

void add_rules(const Asking& w, const Term& short_of, std::vector<Formula::Fact>& facts) {
  // What serving may ask: never more, with what it has, than its reserve in any resource.
  facts.push_back({"demand", all_of(w.each([&](std::size_t r) {
                               return w.used[r] >= zero() && w.asked[r] >= zero() &&
                                      w.used[r] + w.asked[r] <= w.reserve[r];
                             })) &&
                                 any_of(w.each([&](std::size_t r) { return w.asked[r] > zero(); }))});
  facts.push_back({"rule-borrowing",
                   all_of(w.each([&](std::size_t r) { return w.above[r] >= zero() && w.above[r] <= w.limit[r]; }))});
  const Term within = all_of(w.each([&](std::size_t r) { return w.used[r] + w.asked[r] <= w.nominal[r]; }));
  facts.push_back({"lemma-tree", implies(within && short_of, flag("victim_above_nominal"))});
  facts.push_back({"rule-sibling", number("sibling_asked") > zero() && number("sibling_height") >= zero() &&
                                       number("sibling_nominal") >= zero()});
  facts.push_back({"rule-devices", number("held_devices") <= number("all_quotas")});
}

}  // namespace

std::string key_of(const ReclaimFacts& f) {
  const auto& s = f.siblings;
  std::string key = fmt::format("gives-back {} {} ", static_cast<int>(f.policy), f.resources);
  for (const bool of_queue :
       {f.nominal_covers, f.borrows_nothing, f.victims_active, f.victims_leave, f.one_flavor,
        f.try_next_when_preempting, f.no_topology, f.best_effort_head, f.active, f.namespace_matches, f.no_checks,
        f.nothing_blocks, f.physical, f.timed, f.nothing_claimable, f.victims_below, f.goes_first, f.pods_kept})
    key += of_queue ? '1' : '0';
  for (const bool of_siblings : {s.reclaim_any, s.owns_nothing, s.best_effort, s.strict_fifo, s.returns, s.goes_after})
    key += of_siblings ? '1' : '0';
  return key;
}

Formula reclaim_formula(const ReclaimFacts& f) {
  const Asking w(f.resources);
  Formula formula;
  formula.name = "reclaim/gives-back";
  formula.sentence =
      "whatever others hold, a workload within the reserve finds legal victims for all it lacks, is not skipped for "
      "ever, and gets a device";
  const Term short_of = any_of(w.each([&](std::size_t r) { return w.asked[r] > w.offered[r]; }));
  auto& facts = formula.facts;
  add_rules(w, short_of, facts);

  const Term covers = all_of(w.each([&](std::size_t r) { return w.reserve[r] <= w.nominal[r]; }));
  const Term no_borrowing = all_of(w.each([&](std::size_t r) { return equal(w.limit[r], zero()); }));
  const Term own = number("own_priority"), victim = number("victim_priority");
  const Term below = planted(Bug::EncodingEqualPriorityLegal) ? victim <= own : victim < own;
  const Term policy = f.policy == Reclaim::Any             ? flag("may_evict")
                      : f.policy == Reclaim::LowerPriority ? equal(flag("may_evict"), below)
                                                           : !flag("may_evict");
  facts.push_back({"reclaim-policy", policy});
  if (f.victims_below) facts.push_back({"victims-below", victim < own});
  facts.push_back({"nominal-covers-reserve", f.nominal_covers ? covers : !covers});
  facts.push_back({"borrows-nothing", f.borrows_nothing ? no_borrowing : !no_borrowing});
  facts.push_back(fixed("victims-active", "victim_active", f.victims_active));
  facts.push_back(fixed("victims-leave", "eviction_ends", f.victims_leave));
  facts.push_back(fixed("one-flavor", "several_flavors", !f.one_flavor));
  facts.push_back(fixed("when-can-preempt", "try_next_when_preempting", f.try_next_when_preempting));
  facts.push_back(fixed("no-topology", "topology", !f.no_topology));
  facts.push_back(fixed("best-effort-head", "own_strict_fifo", !f.best_effort_head));
  facts.push_back(fixed("active", "own_active", f.active));
  facts.push_back(fixed("namespace", "namespace_matches", f.namespace_matches));
  facts.push_back(fixed("no-checks", "has_checks", !f.no_checks));
  facts.push_back(fixed("nothing-blocks", "block_admission", !f.nothing_blocks));
  const Term fits_devices = number("all_quotas") <= number("devices");
  facts.push_back({"physical", f.physical ? fits_devices : !fits_devices});
  facts.push_back({"siblings", sibling_kinds(f.siblings)});
  facts.push_back(fixed("timed", "timed", f.timed));
  facts.push_back(fixed("pods-kept", "pods_borrowed", !f.pods_kept));
  facts.push_back(fixed("goes-first", "shares_come_first", !f.goes_first));
  if (f.nothing_claimable)  // what is offered is the reserve less what the queue has itself
    facts.push_back(
        {"nothing-claimable", all_of(w.each([&](std::size_t r) { return w.offered[r] >= w.reserve[r] - w.used[r]; }))});

  // w stays pending for ever, or does not get its place, for one of these reasons.
  const auto borrows = w.each([&](std::size_t r) { return w.used[r] + w.asked[r] > w.nominal[r]; });
  const Term would_borrow = planted(Bug::EncodingNominalNotNeeded) ? boolean(false)
                            : planted(Bug::EncodingBorrowsOnAll)   ? all_of(borrows)
                                                                   : any_of(borrows);
  const Term active = planted(Bug::EncodingHeldVictims) ? boolean(true) : flag("victim_active");
  const Term ends = planted(Bug::EncodingEvictionsEnd) ? boolean(true) : flag("eviction_ends");
  const Term behind =
      planted(Bug::EncodingSharesNoMatter) ? boolean(false) : flag("shares_come_first") && flag("cohort_borrows");
  const Term legal = flag("victim_above_nominal") && active && flag("may_evict");
  formula.negated_goal = any_of({
      short_of && would_borrow,                                 // N3, N4: no reclaim above nominal
      short_of && !legal,                                       // N1, N2, N6: a needed victim may not be evicted
      short_of && !ends,                                        // N14
      short_of && flag("pods_borrowed") && flag("pods_short"),  // victims need hold none: nobody is evicted
      wanders_off(w),                                           // N10, N10b
      head_is_blocked(),                                        // N11, N13 and point 7
      skipped(),                                                // N15
      behind,                                                   // its victims are back before it
      any_of(w.each([&](std::size_t r) { return w.above[r] > zero(); })),  // what runs above nominal can be evicted
      number("held_devices") > number("devices"),                          // admitted, but no device is there
  });
  return formula;
}

Formula tree_lemma(TreeLemma lemma) {
  const Term u = int_symbol("U"), lq = int_symbol("LQ"), sq = int_symbol("SQ"), bl = int_symbol("BL");
  const Term d = int_symbol("request"), n = int_symbol("N"), parent = int_symbol("A_parent");
  const auto positive = [](const Term& t) { return max(zero(), t); };
  const Term rest = planted(Bug::EncodingBubbleWhole) ? d : positive(d - positive(lq - u));
  switch (lemma) {
    case TreeLemma::WithinPush:
      return {"reclaim/within-push",
              "a node within its subtree quota pushes no more into its parent than the parent counts of it",
              {{"within", u <= sq}, {"side-condition", lq <= sq}},
              positive(u - lq) > sq - lq};
    case TreeLemma::CohortWithin:
      return {"reclaim/cohort-within",
              "a cohort whose children push no more than it counts of them is within its subtree quota",
              {{"pushes", u <= int_symbol("counted")},
               {"side-condition-nominal", n >= zero()},
               {"side-condition-subtree", sq >= n + int_symbol("counted")}},
              u > sq};
    case TreeLemma::Bubble:
      return {"reclaim/bubble",
              "a request adds to the parent what the free local quota does not take",
              {{"request", d >= zero()}},
              !equal(positive(u + d - lq), positive(u - lq) + rest)};
    case TreeLemma::FitsRoot:
      return {
          "reclaim/fits-root", "at a root, a request within quota is available", {{"within", u + d <= sq}}, sq - u < d};
    case TreeLemma::FitsLimited:
    case TreeLemma::FitsUnlimited:
      break;
  }
  const bool limited = lemma == TreeLemma::FitsLimited;
  Formula formula{limited ? "reclaim/fits-limited" : "reclaim/fits-unlimited",
                  "a request within subtree quota, whose rest the parent offers, is available",
                  {{"parent-offers", parent >= rest}},
                  positive(lq - u) + (limited ? min(parent, sq - lq - positive(u - lq) + bl) : parent) < d};
  if (limited) {
    formula.facts.push_back({"within", u + d <= sq});
    formula.facts.push_back({"side-condition-limit", bl >= zero()});
    formula.facts.push_back({"side-condition-local", lq <= sq});
    formula.facts.push_back({"request", d >= zero()});
  }
  return formula;
}

std::string unmet_side_condition(const kueue::Shape& shape, const kueue::Limits& limits) {
  for (kueue::Node v = 0; v < shape.parent.size(); ++v) {
    std::int64_t counted = 0;
    for (const kueue::Node child : shape.children[v])
      counted = kueue::saturating_add(counted, limits.subtree[child] - limits.local[child]);
    const bool signs = limits.nominal[v] >= 0 && limits.borrowing[v] >= 0 && limits.local[v] >= 0;
    if (!signs || limits.local[v] > limits.subtree[v] || limits.subtree[v] == kueue::kUnlimited ||
        limits.subtree[v] < kueue::saturating_add(limits.nominal[v], counted))
      return shape.names[v];
  }
  return {};
}

}  // namespace gpol
