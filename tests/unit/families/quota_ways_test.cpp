// Which ways round quota are open in which version, and what shuts them.
#include "checker/families/quota_ways.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/support/catch.h"

namespace gpol {
namespace {

const QuotaWay& way(std::string_view key) {
  const auto all = quota_ways();
  return *std::find_if(all.begin(), all.end(), [&](const QuotaWay& one) { return one.key == key; });
}

KueueConfig running(const char* version) {
  KueueConfig config;
  config.version = version;
  return config;
}

bool open_in(std::string_view key, const char* version) { return is_open(way(key), running(version), false, false); }

TEST_CASE("a way is open until each release line closed it") {
  CHECK(open_in("foreign-pod-group", "0.17.8"));
  CHECK(open_in("foreign-pod-group", "0.18.5"));
  CHECK(!open_in("foreign-pod-group", "0.18.6"));
  CHECK(open_in("foreign-pod-group", "0.19.1"));
  CHECK(!open_in("foreign-pod-group", "0.19.2"));
  CHECK(!open_in("foreign-pod-group", "0.20.0"));
  CHECK(open_in("large-requests", "0.17.0"));
  CHECK(!open_in("large-requests", "0.18.0"));
  CHECK(open_in("parallelism-above-completions", "0.19.2"));
  CHECK(!open_in("parallelism-above-completions", "0.20.0"));
}

TEST_CASE("a gate shuts a way, with the default of the version") {
  CHECK(!open_in("elastic-jobs", "0.17.3"));
  CHECK(open_in("elastic-jobs", "0.18.4"));
  KueueConfig config = running("0.19.2");
  config.gates["ElasticJobsViaWorkloadSlices"] = false;
  CHECK(!is_open(way("elastic-jobs"), config, false, false));
  config.gates["ReclaimablePods"] = false;
  CHECK(!is_open(way("parallelism-above-completions"), config, false, false));
  config = running("0.17.3");
  config.gates["ElasticJobsViaWorkloadSlices"] = true;
  CHECK(is_open(way("elastic-jobs"), config, false, false));
}

TEST_CASE("guards shut what they deny, and a Configuration the kinds that it leaves out") {
  KueueConfig config = running("0.19.2");
  CHECK(is_open(way("elastic-jobs"), config, false, true));  // by a RayCluster
  CHECK(!is_open(way("parallelism-above-completions"), config, false, true));
  CHECK(is_open(way("ungated-rolling-update"), config, false, true));
  CHECK(!is_open(way("spark-retry"), config, false, false));  // Kueue is shipped without it
  config.frameworks = {"jobset.x-k8s.io/jobset", "sparkoperator.k8s.io/sparkapplication"};
  CHECK(is_open(way("spark-retry"), config, true, false));
  CHECK(!is_open(way("ungated-rolling-update"), config, true, false));
  CHECK(!is_open(way("elastic-jobs"), config, true, false));
  CHECK(!is_open(way("foreign-pod-group"), running("0.18.4"), true, false));
  config.frameworks.emplace_back("statefulset");
  CHECK(is_open(way("ungated-rolling-update"), config, true, false));
  config.frameworks.emplace_back("ray.io/rayjob");
  CHECK(is_open(way("elastic-jobs"), config, true, true));
  config.version = "0.18.4";
  CHECK(is_open(way("foreign-pod-group"), config, true, false));  // a StatefulSet turns pods on
  config.frameworks = {"batch/job", "sparkoperator.k8s.io/sparkapplication"};
  CHECK(is_open(way("queue-name-removed"), config, true, false));
  CHECK(is_open(way("prebuilt-workload"), config, true, true));
  CHECK(!is_open(way("negative-requests"), running("0.18.4"), true, false));
}

TEST_CASE("what v0.20 brings is open where it is used, and not told where it is not") {
  CHECK(!open_in("preemption-config", "0.19.2"));
  CHECK(open_in("preemption-config", "0.20.0"));
  CHECK(!is_open_unused(way("preemption-config"), running("0.20.0")));
  KueueConfig config = running("0.20.0");
  config.gates["ConfigurablePreemptions"] = true;
  CHECK(is_open_unused(way("preemption-config"), config));
  config.gates["ConfigurablePreemptions"] = false;
  CHECK(!is_open(way("preemption-config"), config, true, false));
}

TEST_CASE("a request runs over by its size, or by how many pods ask for it") {
  PodFacts pods;
  pods.room["nvidia.com/gpu"] = INT64_MAX / 4;
  pods.needs["nvidia.com/gpu"] = {"spec.containers[0]", {}};
  CHECK(uses(way("large-requests"), pods, {}, false, false) == nullptr);
  pods.count = 8;
  CHECK(uses(way("large-requests"), pods, {}, false, false) != nullptr);
}

TEST_CASE("docs/quota-ways.md lists the ways as gpol does") {
  std::ostringstream page;
  page << std::ifstream(GPOL_ROOT "/docs/quota-ways.md").rdbuf();
  CHECK(page.str().find("\n\n" + quota_way_list() + "\n") != std::string::npos);
  std::set<std::string_view> keys;
  for (const QuotaWay& one : quota_ways()) CHECK(keys.insert(one.key).second);
}

}  // namespace
}  // namespace gpol
