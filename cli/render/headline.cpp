// The one line that people quote. It claims no more than was analysed: "quota level only" as long as no family that
// looks at nodes has run.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "checker/families/codes.h"
#include "cli/render/run_report.h"
#include "cli/render/text.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

constexpr std::string_view kWithinReserve = "as long as serving queues ask for no more than they own";

// What the policies of a run amount to, counted once for all wordings.
struct Tally {
  std::size_t policies = 0, errors = 0, serving = 0, outside = 0, required = 0;
  std::set<std::string> trusted;  // the texts: one premise accepted twice is one assumption
  std::string until;              // the first day on which a trust ends; empty: none does
  std::set<std::pair<std::size_t, std::string_view>> broken_queues;  // policy and name
  std::map<Family, std::size_t> broken;                              // other families
  std::size_t open_premises = 0;
  bool roll_out = false;  // some policy's guards do not deny yet
  std::size_t undecided = 0;
  std::set<std::tuple<std::size_t, Family, std::string_view, std::string_view>> causes;  // of what is undecided
  std::string first_reason;
  std::string nobody_serves;  // the first policy or bundle in which nothing is required
  std::set<Family> gaps_used;
  // Who serves without being proven, where that is an allowed gap: policy and queue, or tenant outside the queue; and
  // tenants with a reserve that has no row, for nothing of it is modelled.
  std::set<std::pair<std::size_t, std::string_view>> unproven, without_row;
  std::size_t unproven_queues = 0, unproven_outside = 0;
  bool nodes_analysed = true;
  bool verified = false;
  std::int64_t objects = 0;
  std::size_t queues = 0;  // of verified manifests
  bool within = false;     // of which some verdict rests on serving queues that keep to what they own
  std::string assumed;
};

bool of_a_queue(Family family) { return family == Family::Claim || family == Family::Reclaim; }

void count_obligation(Tally& tally, const Obligation& o, std::size_t policy, const RunReport& run) {
  if (!o.required) return;
  ++tally.required;
  if (o.verdict == Verdict::Refuted) {
    if (of_a_queue(o.family))
      tally.broken_queues.emplace(policy, o.subject.name);
    else if (o.code == code::OpenPremise)
      ++tally.open_premises;
    else
      ++tally.broken[o.family];
  } else if (o.verdict != Verdict::Proven) {
    if (!stands_in_the_way(o, run.allowed_gaps)) {
      tally.gaps_used.insert(o.family);
      if (of_a_queue(o.family) && tally.unproven.emplace(policy, o.subject.name).second)
        ++(o.subject.kind == "Tenant" ? tally.unproven_outside : tally.unproven_queues);
    } else {
      // What holds of all resources of a queue is one cause.
      const std::string_view reason = o.detail ? std::string_view(o.detail->reason) : std::string_view();
      if (!tally.causes.emplace(policy, o.family, o.subject.name, reason).second) return;
      if (tally.undecided++ == 0) tally.first_reason = reason;
    }
  }
}

Tally count(const RunReport& run) {
  Tally tally;
  tally.assumed = run.assumed;
  for (const Diagnostic& d : run.diagnostics) tally.errors += d.severity == Severity::Error ? 1 : 0;
  std::set<Mistake> mistakes;
  for (std::size_t i = 0; i < run.policies.size(); ++i) {
    const PolicyReport& policy = run.policies[i];
    for (const Diagnostic& d : policy.report->diagnostics)
      if (d.severity == Severity::Error && mistakes.insert(mistake_of(policy, d)).second) ++tally.errors;
    tally.verified |= policy.verified;
    if (const auto read = policy.report->stats.find("objects"); read != policy.report->stats.end())
      tally.objects += read->second;
    tally.queues += count_queues(policy);
    if (policy.module) continue;
    ++tally.policies;
    tally.serving += serving_queues(policy).size();
    std::set<std::string_view> outside;
    if (policy.planned != nullptr)
      for (const OutsideReserve& tenant : policy.planned->intent.outside) outside.insert(tenant.tenant);
    tally.outside += outside.size();
    if (policy.planned != nullptr)
      for (const PlannedUse& use : policy.planned->intent.planned)
        if (use.construct == "unitSlices" && use.text.starts_with("reserve")) tally.without_row.emplace(i, use.name);
    std::size_t open = 0;
    for (const Assumption& a : policy.report->assumptions) {
      open += a.status == Assumption::Status::Open ? 1 : 0;
      if (a.status == Assumption::Status::Trusted) {
        tally.trusted.insert(a.text);
        tally.roll_out |= a.key == "guards-not-yet-denying";
        tally.within |= policy.verified && a.key == "serving-within-reserve";
        if (!a.until.empty() && (tally.until.empty() || a.until < tally.until)) tally.until = a.until;
      }
    }
    const std::size_t before = tally.open_premises;
    const std::size_t required = tally.required;
    for (const Obligation& o : policy.report->obligations) count_obligation(tally, o, i, run);
    if (tally.required == required && tally.nobody_serves.empty()) tally.nobody_serves = policy.bundle;
    // Several findings may break one premise.
    if (open > 0) tally.open_premises = std::min(tally.open_premises, before + open);
    const auto& analysed = policy.report->analysed;
    // Of manifests, quotas against the Nodes that were given; of a policy its places, too.
    const auto wanted =
        policy.verified ? std::vector{Family::Capacity} : std::vector{Family::Placement, Family::Fragmentation};
    for (Family family : wanted) tally.nodes_analysed &= contains(analysed, family);
  }
  return tally;
}

// "`chat`, `search` and 3 more"
std::string names_of(const std::set<std::pair<std::size_t, std::string_view>>& found) {
  return listed_up_to(3, found, [](const auto& one) { return fmt::format("`{}`", printable(one.second)); });
}

std::string subject_of(const Tally& tally) {
  const std::string outside = fmt::format("{} outside the queue", plural(tally.outside, "tenant"));
  std::string text = tally.serving == 0 && tally.outside > 0 ? outside : plural(tally.serving, "serving queue");
  if (tally.serving > 0 && tally.outside > 0) text += " and " + outside;
  if (tally.policies > 1)
    text = fmt::format("{} {}, {}", tally.policies, tally.verified ? "bundles" : "policies", text);
  text += tally.nodes_analysed ? "" : ", quota level only";
  return text + (tally.assumed.empty() ? "" : "; " + tally.assumed);
}

std::string proven_line(Tally tally) {
  if (tally.policies == 0) return "proven: nothing to prove, no cluster is declared";
  std::string text = tally.roll_out ? "proven once the guards deny" : "proven";
  if (!tally.until.empty()) text += fmt::format(" until {}", tally.until);
  if (!tally.trusted.empty()) text += fmt::format(" under {}", plural(tally.trusted.size(), "trusted assumption"));
  std::vector<std::string_view> gaps;
  for (Family family : tally.gaps_used) gaps.push_back(family_name(family));
  if (!gaps.empty()) text += fmt::format(" with allowed gaps in {}", fmt::join(gaps, ", "));
  tally.serving -= tally.unproven_queues;
  tally.outside -= tally.unproven_outside;
  text = fmt::format("{}: {}", text, subject_of(tally));
  if (!tally.unproven.empty()) text += "; not proven: " + names_of(tally.unproven);
  if (tally.within) text += "; " + std::string(kWithinReserve);
  if (!tally.without_row.empty()) text += "; nothing is proven of the slices of " + names_of(tally.without_row);
  return text;
}

std::string refuted_line(const Tally& tally) {
  std::vector<std::string> parts;
  if (tally.broken_queues.size() == 1)
    parts.push_back(fmt::format("`{}` is not protected", printable(tally.broken_queues.begin()->second)));
  else if (!tally.broken_queues.empty())
    parts.push_back(fmt::format("{} are not protected",
                                plural(tally.broken_queues.size(), tally.outside > 0 ? "workload" : "serving queue")));
  if (tally.open_premises > 0)
    parts.push_back(
        fmt::format("{} {} open", plural(tally.open_premises, "premise"), tally.open_premises == 1 ? "is" : "are"));
  for (const auto& [family, count] : tally.broken)
    parts.push_back(fmt::format("{} of {} {} not hold", plural(count, "statement"), family_name(family),
                                count == 1 ? "does" : "do"));
  return fmt::format("refuted: {}; {}", fmt::join(parts, ", "), subject_of(tally));
}

std::string undecided_line(const Tally& tally) {
  if (tally.required == 0 && tally.verified && tally.objects == 0)
    return fmt::format("undecided: nothing was read, no object is among the manifests; {}", tally.assumed);
  if (tally.required == 0 && tally.verified && tally.queues == 0)
    return fmt::format("undecided: no ClusterQueue was read, but {} of other kinds; {}",
                       plural(static_cast<std::size_t>(tally.objects), "object"), tally.assumed);
  if (tally.required == 0 && tally.verified)
    return fmt::format(
        "undecided: no serving queue named (name one: `--serving QUEUE`, or label it "
        "`gpol.dev/role: serving`); {}",
        tally.assumed);
  if (tally.required == 0)
    return "undecided: no serving queue named (nothing is promised until a tenant is of class A or B)";
  std::string reason = tally.first_reason;
  if (reason.empty()) reason = fmt::format("no serving queue named in `{}`", tally.nobody_serves);
  std::string text = fmt::format("undecided: {}", printable(reason));
  if (tally.undecided > 1) text += fmt::format(" (and {} more)", tally.undecided - 1);
  return fmt::format("{}; {}", text, subject_of(tally));
}

// "; 2 findings waived, the first until 2027-01-31"; empty: none is.
std::string waived_text(const RunReport& run) {
  std::set<const Waiver*> used;
  for (const PolicyReport& policy : run.policies)
    for (const Obligation& o : policy.report->obligations)
      if (const Waiver* waiver = run.waivers.list.empty() ? nullptr : run.waivers.of(o)) used.insert(waiver);
  if (used.empty()) return {};
  const auto first =
      *std::ranges::min_element(used, [](const Waiver* a, const Waiver* b) { return a->until < b->until; });
  return fmt::format("; {} waived, {}until {}", plural(used.size(), "finding"), used.size() > 1 ? "the first " : "",
                     first->until);
}

bool any_figure(const RunReport& run) {
  return std::ranges::any_of(run.policies,
                             [](const PolicyReport& p) { return p.verified && !p.report->obligations.empty(); });
}

// With mistakes, or those that are judged; modules and what is a part of others apart.
std::size_t count_policies(const RunReport& run, bool broken) {
  return static_cast<std::size_t>(std::ranges::count_if(run.policies, [&](const PolicyReport& one) {
    return (judged(one, run.allowed_gaps) == Overall::Error) == broken && (broken || one.planned != nullptr);
  }));
}

}  // namespace

std::string headline(const RunReport& run) {
  const Tally tally = count(run);
  switch (judged(run)) {
    case Overall::Proven:
      return proven_line(tally);
    case Overall::Refuted:
      return refuted_line(tally) + waived_text(run);
    case Overall::Undecided:
      return undecided_line(tally) + waived_text(run);
    case Overall::Error:
      if (run.unwritten) return "error: nothing is written, though all is proven";
      if (const auto broken = count_policies(run, true), others = count_policies(run, false);
          !has_errors(run) && others > 0)
        return fmt::format("error: {} in {} of {} {}, of which nothing is proven", plural(tally.errors, "mistake"),
                           broken, broken + others, tally.verified ? "bundles" : "policies");
      return fmt::format("error: {}, nothing is proven{}", plural(tally.errors, "mistake"),
                         any_figure(run) ? "; figures are of what could be read" : "");
  }
  return {};
}

}  // namespace gpol
