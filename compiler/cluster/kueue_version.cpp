#include "compiler/cluster/kueue_version.h"

#include <re2/re2.h>

#include "compiler/source/lookup.h"

namespace gpol {
namespace {

constexpr std::uint32_t kNever = 255;

// pkg/features/kube_features.go at v0.15.0, v0.17.0, v0.18.4 and v0.19.2, which say since when themselves; of v0.20
// those that open a way round quota.
constexpr GateHistory kGateHistories[] = {
    {"ConcurrentAdmission", 18, kNever},
    {"ConfigurablePreemptions", 20, kNever},
    {"DynamicQuotaOrchestration", 20, kNever},
    {"ElasticJobsViaWorkloadSlices", 0, 18},
    {"FairSharingPreemptWithinNominal", 17, 17},
    {"FairSharingPrioritizeNonBorrowing", 17, 17},
    {"FlavorFungibility", 0, 0},
    {"FlavorFungibilityPreserveScanProgress", 19, 19},
    {"MultiKueueOrchestratedPreemption", 17, kNever},
    {"PrioritizePreemptorWorkloads", 19, kNever},
    {"PriorityBoost", 17, kNever},
    {"PrioritySortingWithinCohort", 0, 0},
    {"QuotaCheckStrategy", 18, 19},
    {"RecomputeAssignmentUponPreemptionTargetsOverlap", 19, kNever},
    {"SchedulerTimestampPreemptionBuffer", 17, kNever},
    {"SchedulingEquivalenceHashing", 17, 18},
};

constexpr KueueVersion kJudgedWhole[] = {{0, 19, 2}};

constexpr bool is_known(const KueueVersion& v) { return v.major == 0 && v.minor >= 15 && v.minor <= 19; }

const GateHistory* history_of(std::string_view gate) { return find_by(kGateHistories, gate, &GateHistory::name); }

std::optional<KueueVersion> known(std::string_view version) {
  const auto parsed = parse_kueue_version(version);
  return parsed && is_known(*parsed) ? parsed : std::nullopt;
}

}  // namespace

std::optional<KueueVersion> parse_kueue_version(std::string_view text) {
  static const re2::RE2 kForm("v?([0-9]+)\\.([0-9]+)\\.([0-9]+)");
  KueueVersion v;
  return re2::RE2::FullMatch(text, kForm, &v.major, &v.minor, &v.patch) ? std::optional(v) : std::nullopt;
}

RulesKnown rules_known(std::string_view version) {
  const auto v = known(version);
  if (!v) return RulesKnown::None;
  return contains(kJudgedWhole, *v) ? RulesKnown::All : RulesKnown::Quotas;
}

std::optional<bool> gate_default(std::string_view gate, std::string_view version) {
  const GateHistory* const history = history_of(gate);
  const auto v = known(version);
  if (history == nullptr || !v) return std::nullopt;
  return v->minor >= history->on_since;
}

bool gate_came_later(std::string_view gate, std::string_view version) {
  const GateHistory* const history = history_of(gate);
  const auto v = known(version);
  return history != nullptr && v && v->minor < history->since;
}

bool amounts_saturate(std::string_view version) {
  const auto v = known(version);
  return !v || v->minor >= 18;
}

bool serves_v1beta1(std::string_view version) {
  const auto v = parse_kueue_version(version);
  return !v || *v < KueueVersion{0, 20, 0};
}

bool ships_pod_frameworks(std::string_view version) {
  const auto v = known(version);
  return !v || v->minor >= 16;
}

}  // namespace gpol
