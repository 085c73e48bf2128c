#include "emit/reasons.h"

#include <fmt/format.h>

namespace gpol {

namespace {

struct Reason {
  std::string_view key, why;
};
constexpr Reason kReasons[] = {
    {"waitForPodsReady", "a replica may take longer to start than Kueue's 30 min, and would be evicted."},
    {"ElasticJobsViaWorkloadSlices",
     "an elastic Job is charged by its number of pods, whatever each asks for by then."},
    {"ReclaimablePods", "the quota of a Job's pods that are no longer to come is free while others of it still run."},
};

}  // namespace

std::string_view reason_of(std::string_view key) {
  for (const Reason& reason : kReasons)
    if (reason.key == key) return reason.why;
  return {};
}

std::vector<std::string> merging_words(const KueueConfig& config) {
  std::vector<std::string> lines{
      "Merge these lines into the Configuration that Kueue's controller reads, and leave its other lines as they are.",
      "It must have neither `fairSharing` nor `waitForPodsReady.blockAdmission: true` nor `resources`: they change how",
      "quotas are counted and who is evicted, and the proof is about Kueue without them. `integrations.frameworks` has",
      "batch/job, pod, deployment and statefulset, as Kueue is shipped; others may be there too."};
  for (const Reason& reason : kReasons)
    if (reason.key == "waitForPodsReady" ? config.wait_for_pods_ready.has_value()
                                         : config.gates.contains(std::string(reason.key)))
      lines.push_back(fmt::format("{}: {}", reason.key, reason.why));
  return lines;
}

}  // namespace gpol
