#include "checker/families/quota_ways.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/strangers.h"
#include "compiler/cluster/kueue_version.h"
#include "compiler/source/lookup.h"
#include "compiler/source/split.h"

namespace gpol {

namespace {

constexpr QuotaWay kWays[] = {
    {.key = "elastic-jobs",
     .text = "a Job or Ray object with the annotation kueue.x-k8s.io/elastic-job grows: it is charged the difference, "
             "while its old size is not counted in that scheduling cycle",
     .issue = "seen in v0.19.2",
     .gate = "ElasticJobsViaWorkloadSlices",
     .frameworks = "batch/job ray.io/raycluster ray.io/rayjob ray.io/rayservice",
     .guarded = true},
    {.key = "large-requests",
     .text = "requests near 2^63 run over when they are added up, and are charged as less than nothing",
     .issue = "seen in v0.15.0",
     .closed = "0.18.0"},
    {.key = "negative-requests",
     .text = "a custom resource asks for less than nothing of something",
     .issue = "#12838",
     .closed = "0.18.5 0.19.1",
     .frameworks = "others"},
    {.key = "foreign-pod-group",
     .text = "a pod names the group of another Workload, and runs with it uncounted",
     .issue = "#13960",
     .closed = "0.18.6 0.19.2",
     .frameworks = "pod",
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
     .frameworks = "ray.io/raycluster ray.io/rayjob ray.io/rayservice "
                   "sparkoperator.k8s.io/sparkapplication"},
    {.key = "leader-worker-set-size",
     .text = "the size of a running LeaderWorkerSet is raised",
     .issue = "#13279",
     .closed = "0.18.5 0.19.1",
     .frameworks = "leaderworkerset.x-k8s.io/leaderworkerset"},
    {.key = "parallelism-above-completions",
     .text = "a Job has more parallelism than completions: what ended is taken off its parallelism, and not off the "
             "fewer pods that it is charged for, so that from its first success on it is charged too little",
     .issue = "#16111",
     .closed = "0.20.0",
     .gate = "ReclaimablePods",
     .frameworks = "batch/job",
     .guarded = true},
    {.key = "spark-retry",
     .text = "a SparkApplication that failed is run again without being admitted again",
     .issue = "#16364",
     .closed = "0.20.0",
     .frameworks = "sparkoperator.k8s.io/sparkapplication"},
    {.key = "ungated-rolling-update",
     .text = "a rolling update of a LeaderWorkerSet or StatefulSet makes pods that are not held back",
     .issue = "#16329",
     .closed = "0.20.0",
     .frameworks = "leaderworkerset.x-k8s.io/leaderworkerset statefulset"},
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
  const auto versions = split(closed, ' ');
  return std::ranges::any_of(versions, [&](const std::string_view& one) {
    const auto first = parse_kueue_version(one);
    return first && version >= *first && (version.minor == first->minor || &one == &versions.back());
  });
}

std::vector<std::string_view> words_of(std::string_view text) {
  return text.empty() ? std::vector<std::string_view>() : split(text, ' ');
}

bool is_other(std::string_view framework) {
  return framework != "batch/job" && framework != "pod" && framework != "deployment" && framework != "statefulset";
}

// Whether it takes that kind, of which guards of Jobs and pods say nothing.
bool takes(const QuotaWay& way, std::string_view framework, bool guarded) {
  if (guarded && !is_other(framework)) return false;
  const auto names = words_of(way.frameworks);
  return names.empty() || std::ranges::any_of(names, [&](std::string_view name) {
           return name == framework || (name == "others" && is_other(framework));
         });
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
    if (way.frameworks == "others")
      shut += "a Configuration without frameworks but `batch/job`, `deployment`, `pod`, `statefulset`";
    else if (!way.frameworks.empty())
      shut += fmt::format("{}a Configuration without `{}` among its frameworks", shut.empty() ? "" : "; ",
                          fmt::join(words_of(way.frameworks), "`, `"));
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", way.key, way.text,
                       versions.empty() ? "all that are known" : versions, shut.empty() ? "-" : shut, way.issue);
  }
  return out;
}

bool is_open(const QuotaWay& way, const KueueConfig& config, bool configured, bool guarded) {
  const auto version = parse_kueue_version(config.version);
  if (!version || version->minor < way.since || is_closed(way.closed, *version)) return false;
  const auto on = frameworks_on(config, configured);
  if (std::ranges::none_of(on, [&](const std::string& one) { return takes(way, one, guarded); })) return false;
  if (way.gate.empty()) return true;
  const auto said = config.gates.find(std::string(way.gate));
  return said != config.gates.end() ? said->second : way.alpha || gate_default(way.gate, config.version).value_or(true);
}

bool is_open_unused(const QuotaWay& way, const KueueConfig& config) {
  return !way.alpha || config.gates.contains(std::string(way.gate));
}

const PodFacts::Ask* uses(const QuotaWay& way, const PodFacts& pods, const KueueConfig& config, bool configured,
                          bool guarded) {
  const std::string_view own = pods.queue_of_pods && !pods.queue_of_object ? "" : framework_of(pods);
  const std::string_view framework = own.empty() ? "pod" : own;
  const auto on = frameworks_on(config, true);
  if (!takes(way, framework, guarded) || (configured && !contains(on, framework))) return nullptr;
  if (way.key == "elastic-jobs") return pods.elastic.span.known() ? &pods.elastic : nullptr;
  if (way.key == "negative-requests") return pods.negative.span.known() ? &pods.negative : nullptr;
  if (way.key == "large-requests") {
    const auto over = [&](const auto& of) {
      std::int64_t all = 0;
      return __builtin_mul_overflow(of.second, std::max<std::int64_t>(1, pods.count), &all) || all == INT64_MAX;
    };
    const auto large = std::ranges::find_if(pods.room, over);
    const auto at = large == pods.room.end() ? pods.needs.end() : pods.needs.find(large->first);
    return at == pods.needs.end() ? nullptr : &at->second;
  }
  return way.key == "parallelism-above-completions" && pods.beyond.span.known() ? &pods.beyond : nullptr;
}

}  // namespace gpol
