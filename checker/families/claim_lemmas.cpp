// The scheduler's rules in these formulas are those of kueue.md section 2 (pkg/cache/scheduler/resource_node.go):
//   usage    U_v = sum over children of max(0, U_w - LQ_w)
//   offer    A_v = max(0, LQ - U) + min(A_parent, SQ - LQ - max(0, U - LQ) + BL),  A_root = SQ - U
//   admitted U_root <= SQ_root, U_v <= SQ_v + BL_v below it: what admission keeps true of every state it reaches, since
//   a
//            request fits just when the usage after it is of that kind (no debt: with fixed quotas there is none).
#include "checker/families/claim_lemmas.h"

#include "checker/planted.h"

namespace gpol {
namespace {

Term spilled(const Term& usage, const Term& local) {
  return planted(Bug::EncodingLendingIgnored) ? max(integer(0), usage) : max(integer(0), usage - local);
}

struct Symbols {
  Term u = int_symbol("U"), lq = int_symbol("LQ"), sq = int_symbol("SQ"), bl = int_symbol("BL"), p = int_symbol("P");
  Term bound = int_symbol("bound"), left = int_symbol("left");
  Term u_parent = int_symbol("U_parent"), p_parent = int_symbol("P_parent");
  Term offer_parent = int_symbol("A_parent"), left_parent = int_symbol("left_parent");
};

// max(0, LQ - U) + min(A_parent, own part): A_v of a node that is not a root.
Term offered(const Symbols& s, const Term& usage, const Term& from_parent, bool limited) {
  const Term local = max(integer(0), s.lq - usage);
  limited = limited && !planted(Bug::EncodingOfferUnlimited);
  const Term from_above = limited ? min(from_parent, s.sq - s.lq - spilled(usage, s.lq) + s.bl) : from_parent;
  return local + (planted(Bug::EncodingDebtClipped) ? max(integer(0), from_above) : from_above);
}

Formula above(bool limited) {
  const Symbols s;
  const Term through = s.lq + s.p_parent;
  Formula f{limited ? "claim/above-limited" : "claim/above-unlimited",
            "a node uses no more than its own limit and its parent's bound let through",
            {{"usage-of-parent", equal(s.u_parent, spilled(s.u, s.lq) + int_symbol("others"))},
             {"others-push-nothing-back", int_symbol("others") >= integer(0)},
             {"parent-bounded", s.u_parent <= s.p_parent},
             {"side-condition", s.p >= (limited ? min(s.sq + s.bl, through) : through)}},
            s.u > s.p};
  if (limited) f.facts.push_back({"admitted", s.u <= (planted(Bug::EncodingBorrowingUnbounded) ? s.bl : s.sq + s.bl)});
  return f;
}

Formula spill(bool wants_all) {
  const Symbols s;
  const Term wants = int_symbol("wants"), push = int_symbol("spill");
  Formula f{wants_all ? "claim/spill-free" : "claim/spill",
            "a node that wants and may use so much pushes no more than that less its local quota into its parent",
            {{"bounded-above", s.u <= s.p},
             {"side-condition-usage", s.bound >= (wants_all ? s.p : min(wants, s.p))},
             {"side-condition-spill", push >= spilled(s.bound, s.lq)}},
            s.u > s.bound || spilled(s.u, s.lq) > push};
  if (!wants_all) f.facts.push_back({"bounded-below", s.u <= wants});
  return f;
}

Formula sum() {
  const Term x = int_symbol("x"), y = int_symbol("y"), a = int_symbol("a"), b = int_symbol("b"), c = int_symbol("c");
  return {"claim/sum",
          "two bounded pushes together are bounded by the sum of their bounds",
          {{"first", x <= a}, {"second", y <= b}, {"side-condition", c >= a + b}},
          x + y > c};
}

Formula root_left() {
  const Symbols s;
  return {"claim/root-left",
          "a root has at least its quota less the bound on its usage left",
          {{"bounded", s.u <= s.bound}, {"side-condition", s.left <= s.sq - s.bound}},
          s.sq - s.u < s.left};
}

Formula step(bool limited) {
  const Symbols s;
  return {limited ? "claim/step-limited" : "claim/step-unlimited",
          "a node whose usage is bounded, under a parent that offers so much, offers at least so much itself",
          {{"bounded", s.u <= s.bound},
           {"parent-offers", s.offer_parent >= s.left_parent},
           {"side-condition", s.left <= offered(s, s.bound, s.left_parent, limited)}},
          offered(s, s.u, s.offer_parent, limited) < s.left};
}

Formula owner() {
  const Symbols s;
  const Term reserve = int_symbol("reserve"), claimable = int_symbol("claimable"), offer = int_symbol("A");
  Formula f{"claim/owner",
            "an owner that is offered so much is denied no more of its reserve than the rest",
            {{"offered", offer >= s.left}, {"side-condition", claimable >= reserve - max(integer(0), s.left)}},
            reserve - max(integer(0), offer) > claimable};
  if (planted(Bug::EncodingReturnedUnclaimed)) f.facts.push_back({"returned", offer >= reserve});
  return f;
}

Formula root_above() {
  const Symbols s;
  return {"claim/root-above",
          "a root uses no more than its subtree quota",
          {{"admitted", planted(Bug::EncodingRootOwnsMore) ? s.u <= s.sq + s.bl : s.u <= s.sq},
           {"side-condition", s.p >= s.sq}},
          s.u > s.p};
}

struct Row {
  const char* name;
  Formula (*made)();
};
constexpr Row kRows[] = {{"claim/root-above", root_above},
                         {"claim/above-limited", [] { return above(true); }},
                         {"claim/above-unlimited", [] { return above(false); }},
                         {"claim/spill", [] { return spill(false); }},
                         {"claim/spill-free", [] { return spill(true); }},
                         {"claim/sum", sum},
                         {"claim/root-left", root_left},
                         {"claim/step-limited", [] { return step(true); }},
                         {"claim/step-unlimited", [] { return step(false); }},
                         {"claim/owner", owner}};
static_assert(std::size(kRows) == kClaimLemmas);

}  // namespace

const char* claim_lemma_name(ClaimLemma lemma) { return kRows[static_cast<std::size_t>(lemma)].name; }

Formula claim_lemma(ClaimLemma lemma) { return kRows[static_cast<std::size_t>(lemma)].made(); }

}  // namespace gpol
