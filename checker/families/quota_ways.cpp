#include "checker/families/quota_ways.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "compiler/cluster/kueue_version.h"

namespace gpol {

namespace {

constexpr QuotaWay kWays[] = {
    {.key = "elastic-jobs",
     .text = "a Job with the annotation kueue.x-k8s.io/elastic-job grows: it is charged the difference, while its old "
             "size is not counted in that scheduling cycle",
     .issue = "seen in v0.19.2",
     .gate = "ElasticJobsViaWorkloadSlices",
     .framework = "batch/job",
     .guarded = true},
    {.key = "large-requests",
     .text = "requests near 2^63 run over when they are added up, and are charged as less than nothing",
     .issue = "seen in v0.15.0",
     .closed = "0.18.0"},
    {.key = "negative-requests",
     .text = "a custom resource asks for less than nothing of something",
     .issue = "#12838",
     .closed = "0.18.5 0.19.1"},
    {.key = "foreign-pod-group",
     .text = "a pod names the group of another Workload, and runs with it uncounted",
     .issue = "#13960",
     .closed = "0.18.6 0.19.2",
     .framework = "pod",
     .guarded = true},
    {.key = "foreign-owner",
     .text = "a pod or Job names an owner that Kueue manages, and is not counted itself",
     .issue = "#13802",
     .closed = "0.19.2",
     .guarded = true},
    {.key = "queue-name-removed",
     .text = "the queue's label is taken off a running Ray or Spark object, which runs on uncounted",
     .issue = "#13293",
     .closed = "0.18.6 0.19.2",
     .framework = "ray"},
    {.key = "leader-worker-set-size",
     .text = "the size of a running LeaderWorkerSet is raised",
     .issue = "#13279",
     .closed = "0.18.5 0.19.1",
     .framework = "leaderworkerset"},
    {.key = "parallelism-above-completions",
     .text = "a Job runs more pods beside each other than it has to complete, and is charged for those",
     .issue = "#16111",
     .closed = "0.20.0",
     .framework = "batch/job",
     .guarded = true},
    {.key = "spark-retry",
     .text = "a SparkApplication that failed is run again without being admitted again",
     .issue = "#16364",
     .closed = "0.20.0",
     .framework = "spark"},
    {.key = "ungated-rolling-update",
     .text = "a rolling update of a LeaderWorkerSet or StatefulSet makes pods that are not held back",
     .issue = "#16329",
     .closed = "0.20.0",
     .framework = "leaderworkerset or statefulset"},
    {.key = "prebuilt-workload",
     .text = "a Workload that was made by hand leaves out what pods ask for as a whole",
     .issue = "#14436",
     .closed = "0.20.0",
     .guarded = true},
    {.key = "preemption-config",
     .text = "the annotation kueue.x-k8s.io/preemption-config-name of a ClusterQueue adds victims, also within their "
             "nominal quota and in other cohorts",
     .issue = "KEP 13396",
     .since = 20,
     .gate = "ConfigurablePreemptions",
     .alpha = true},
    {.key = "effective-quotas",
     .text = "status.effectiveQuotas of a ClusterQueue or Cohort stand in the stead of its quotas",
     .issue = "KEP 12382",
     .since = 20,
     .gate = "DynamicQuotaOrchestration",
     .alpha = true},
};

// Of "0.18.6 0.19.2", whose last one counts for all later versions.
bool is_closed(std::string_view closed, const KueueVersion& version) {
  while (!closed.empty()) {
    const std::size_t end = std::min(closed.find(' '), closed.size());
    const auto first = parse_kueue_version(closed.substr(0, end));
    closed.remove_prefix(std::min(end + 1, closed.size()));
    if (first && version >= *first && (version.minor == first->minor || closed.empty())) return true;
  }
  return false;
}

// An absent list stands for the Configuration that Kueue is shipped with, which names all of these but Spark; an empty
// one for Jobs alone.
bool turned_on(std::string_view framework, const KueueConfig& config, bool configured) {
  if (!configured) return framework != "spark";
  if (config.frameworks.empty()) return framework == "batch/job";
  constexpr std::string_view kOr = " or ";
  const std::size_t either = framework.find(kOr);
  if (either != std::string_view::npos)
    return turned_on(framework.substr(0, either), config, configured) ||
           turned_on(framework.substr(either + kOr.size()), config, configured);
  return std::any_of(config.frameworks.begin(), config.frameworks.end(),
                     [&](const std::string& one) { return one.find(framework) != std::string::npos; });
}

}  // namespace

std::span<const QuotaWay> quota_ways() { return kWays; }

std::string quota_way_list() {
  std::string out = "| key | how | open in | shut by | source |\n|---|---|---|---|---|\n";
  for (const QuotaWay& way : kWays) {
    std::string versions = way.since == 0 ? "" : fmt::format("since 0.{}", way.since);
    if (!way.closed.empty()) {
      versions = "before ";
      for (const char c : way.closed) versions += c == ' ' ? std::string(", ") : std::string(1, c);
    }
    std::string shut;
    if (!way.gate.empty()) shut = fmt::format("feature gate `{}: false`", way.gate);
    if (way.guarded) shut += fmt::format("{}guards of the premise `admission-only`", shut.empty() ? "" : "; ");
    if (!way.framework.empty())
      shut +=
          fmt::format("{}a Configuration without `{}` among its frameworks", shut.empty() ? "" : "; ", way.framework);
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", way.key, way.text,
                       versions.empty() ? "all that are known" : versions, shut.empty() ? "-" : shut, way.issue);
  }
  return out;
}

bool is_open(const QuotaWay& way, const KueueConfig& config, bool configured, bool guarded) {
  const auto version = parse_kueue_version(config.version);
  if (!version || version->minor < way.since || is_closed(way.closed, *version)) return false;
  if (guarded && way.guarded) return false;
  if (!way.framework.empty() && !turned_on(way.framework, config, configured)) return false;
  if (way.gate.empty()) return true;
  const auto said = config.gates.find(std::string(way.gate));
  return said != config.gates.end() ? said->second : way.alpha || gate_default(way.gate, config.version).value_or(true);
}

bool is_open_unused(const QuotaWay& way, const KueueConfig& config) {
  return !way.alpha || config.gates.contains(std::string(way.gate));
}

const PodFacts::Ask* uses(const QuotaWay& way, const PodFacts& pods) {
  if (way.key == "elastic-jobs") return pods.elastic.span.known() ? &pods.elastic : nullptr;
  if (way.key == "large-requests") {
    const auto over = [&](const auto& of) {
      std::int64_t all = 0;
      return __builtin_mul_overflow(of.second, std::max<std::int64_t>(1, pods.count), &all) || all == INT64_MAX;
    };
    const auto large = std::find_if(pods.room.begin(), pods.room.end(), over);
    const auto at = large == pods.room.end() ? pods.needs.end() : pods.needs.find(large->first);
    return at == pods.needs.end() ? nullptr : &at->second;
  }
  if (way.key == "parallelism-above-completions") return pods.beyond.span.known() ? &pods.beyond : nullptr;
  return nullptr;
}

}  // namespace gpol
