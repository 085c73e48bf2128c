#include "cli/render/run_report.h"

#include <algorithm>
#include <filesystem>

#include "cli/codes.h"
#include "compiler/policy/codes.h"
#include "compiler/source/lookup.h"
#include "emit/codes.h"

namespace gpol {

namespace {

bool allowed(Family family, const std::vector<Family>& gaps) { return std::ranges::binary_search(gaps, family); }

int code_of(const Diagnostic& diagnostic) {
  if (diagnostic.severity != Severity::Error) return 0;
  return contains({code::CannotRead, code::NoPolicy, code::CannotWrite, code::ForeignOutput}, diagnostic.code) ? 2 : 1;
}

int code_of(Overall overall, FailOn fail_on) {
  if (overall == Overall::Undecided) return fail_on == FailOn::Undecided ? 3 : 0;
  if (overall == Overall::Refuted) return fail_on == FailOn::Never ? 0 : 1;
  return overall == Overall::Error ? 1 : 0;
}

// The larger, the worse.
auto rank(int code) {
  constexpr int kCodes[] = {0, 3, 1, 2, 4};
  return std::ranges::find(kCodes, code) - std::begin(kCodes);
}

auto rank(Overall overall) {
  constexpr Overall kVerdicts[] = {Overall::Proven, Overall::Undecided, Overall::Refuted, Overall::Error};
  return std::ranges::find(kVerdicts, overall) - std::begin(kVerdicts);
}

// As judged, of all that no waiver covers.
Overall without_waived(const PolicyReport& policy, const RunReport& run) {
  const Overall all = judged(policy, run.allowed_gaps);
  if (run.waivers.list.empty() || (all != Overall::Refuted && all != Overall::Undecided)) return all;
  bool waived = false;
  Overall rest = Overall::Proven;
  for (const Obligation& o : policy.report->obligations) {
    if (!stands_in_the_way(o, run.allowed_gaps)) continue;
    if (run.waivers.of(o) != nullptr)
      waived = true;
    else if (o.verdict == Verdict::Refuted)
      return Overall::Refuted;
    else
      rest = Overall::Undecided;
  }
  return waived ? rest : all;
}

}  // namespace

bool stands_in_the_way(const Obligation& obligation, const std::vector<Family>& allowed_gaps) {
  if (!obligation.required || obligation.verdict == Verdict::Proven) return false;
  return obligation.verdict == Verdict::Refuted || !allowed(obligation.family, allowed_gaps);
}

RunReport of_bundle(const RunReport& run, const PolicyReport& policy) {
  RunReport alone;
  alone.policies.push_back(policy);
  alone.allowed_gaps = run.allowed_gaps;
  alone.unwritten = run.unwritten;
  alone.version = run.version;
  alone.waivers = run.waivers;
  alone.assumed = policy.assumed;
  return alone;
}

Overall judged(const PolicyReport& policy, const std::vector<Family>& allowed_gaps) {
  if (const Overall plain = overall(*policy.report); plain != Overall::Undecided) return plain;
  if (policy.module) return Overall::Proven;
  // Undecided, and every cause of it is allowed by name. Nothing required at all stays undecided.
  const auto& all = policy.report->obligations;
  const bool any = std::ranges::any_of(all, [](const Obligation& o) { return o.required; });
  const bool blocked =
      std::ranges::any_of(all, [&](const Obligation& o) { return stands_in_the_way(o, allowed_gaps); });
  return any && !blocked ? Overall::Proven : Overall::Undecided;
}

bool has_errors(const RunReport& run) { return contains(run.diagnostics, Severity::Error, &Diagnostic::severity); }

Overall judged(const RunReport& run) {
  Overall worst = Overall::Proven;
  if (has_errors(run)) worst = Overall::Error;
  for (const PolicyReport& policy : run.policies)
    if (const Overall one = judged(policy, run.allowed_gaps); rank(one) > rank(worst)) worst = one;
  return worst;
}

std::vector<std::string> waiver_texts(const RunReport& run) {
  std::vector<std::string> texts;
  for (const Waiver& waiver : run.waivers.list) {
    const bool used = std::ranges::any_of(run.policies, [&](const PolicyReport& policy) {
      return std::ranges::any_of(policy.report->obligations, [&](const Obligation& o) { return waiver.covers(o); });
    });
    texts.push_back((!used                             ? "waiver that matches no finding of this run: "
                     : waiver.ended(run.waivers.as_of) ? "waiver that has ended, so it is a finding again: "
                                                       : "waived: ") +
                    waiver.text());
  }
  return texts;
}

std::string_view overall_name(Overall overall) {
  constexpr std::string_view kNames[] = {"proven", "refuted", "undecided", "error"};
  return kNames[static_cast<std::size_t>(overall)];
}

int exit_code(const RunReport& run) {
  int worst = 0;
  const auto meet = [&](int code) {
    if (rank(code) > rank(worst)) worst = code;
  };
  for (const Diagnostic& diagnostic : run.diagnostics) meet(code_of(diagnostic));
  for (const PolicyReport& policy : run.policies) {
    meet(code_of(without_waived(policy, run), run.fail_on));
    // A read-back that differs is gpol's own mistake, not the author's.
    for (const Obligation& o : policy.report->obligations)
      if (o.family == Family::Artefact && o.verdict == Verdict::Refuted) meet(4);
  }
  return worst;
}

Mistake mistake_of(const PolicyReport& policy, const Diagnostic& diagnostic) {
  const Span at = diagnostic.span;
  // One file may be reached by several paths: ./teams/a.gpol and teams/a.gpol.
  const std::filesystem::path file = at.known() ? policy.sources->path(at.file) : std::string();
  return {diagnostic.code, file.lexically_normal().string(), at.begin, diagnostic.message};
}

std::size_t count_queues(const PolicyReport& policy) {
  if (policy.planned == nullptr) return 0;
  const Cluster& cluster = policy.planned->cluster;
  return cluster.queues.size() + (cluster.volcano ? cluster.volcano->queues.size() : 0);
}

std::vector<ServingQueue> serving_queues(const PolicyReport& policy) {
  std::vector<ServingQueue> queues;
  if (policy.planned == nullptr) return queues;
  const auto& [cluster, intent, origins] = *policy.planned;
  for (std::size_t q = 0; q < intent.roles.size(); ++q)
    if (const QueueRole& role = intent.roles[q]; role.kind == QueueRole::Kind::Serving)
      queues.push_back({"ClusterQueue", cluster.queues[q].name, role.tenant, role.isolation});
  for (std::size_t q = 0; q < intent.volcano_roles.size(); ++q)
    if (const volcano::QueueRole& role = intent.volcano_roles[q]; role.kind == volcano::QueueRole::Kind::Serving)
      queues.push_back({"Queue", cluster.volcano->queues[q].name, role.tenant, role.isolation});
  return queues;
}

}  // namespace gpol
