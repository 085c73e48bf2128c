#include "compiler/cluster/normal_form.h"

#include <algorithm>
#include <functional>

#include "tests/support/catch.h"

namespace gpol {
namespace {

Cluster sample() {
  Cluster cluster;
  cluster.config.frameworks = {"batch/job", "pod"};
  cluster.config.gates = {{"GateA", true}};
  cluster.resources = {"pods", "cpu", "memory"};
  cluster.flavors = {{"shared", {{"pool", "shared"}}, {{"spot", "", "NoSchedule"}}, {{"a", "Exists", "", "", {}}}, ""},
                     {"burst", {}, {}, {}, ""},
                     {"unused", {}, {}, {}, "racks"}};
  cluster.cohorts = {{"west", "", {}, ""}, {"east", "west", {}, "2"}};
  Queue search;
  search.name = "search";
  search.cohort = "west";
  search.groups = {{{0, 1}, {{0, {{10, 5, {}}, {1000, {}, 0}}}, {1, {{20, {}, {}}, {2000, {}, {}}}}}}};
  search.namespaces = {true, {{"kubernetes.io/metadata.name", "search"}}, {{"a", "NotIn", {"y", "x"}}}};
  search.labels = {{"gpol.dev/role", "serving"}};
  search.admission_checks = {"b", "a"};
  Queue batch;
  batch.name = "batch";
  cluster.queues = {search, batch};
  cluster.local_queues = {{"ns", "lq", "search", {{"gpol.dev/x", "y"}}, StopPolicy::None}};
  cluster.priority_classes = {{"high", 5, {}}};
  cluster.namespaces = {{"ns", {{"gpol.dev/tenant", "t"}}}};
  cluster.modes = {{"night", {{{"search", "shared", "pods"}, {10, 8, {}}}}}, {"day", {}}};
  return cluster;
}

std::vector<std::string> lines_with(const std::string& text, const std::string& start) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    if (text.compare(at, start.size(), start) == 0) found.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return found;
}

TEST_CASE("a queue's facts stand one per line, resources by name, flavors in order, absent limits unlimited") {
  CHECK(lines_with(normal_form(sample()), "queue search group") ==
        std::vector<std::string>{
            "queue search group 0 covers cpu",
            "queue search group 0 covers pods",
            "queue search group 0 flavor 0 shared cpu nominal 1000 borrowing unlimited lending 0",
            "queue search group 0 flavor 0 shared pods nominal 10 borrowing 5 lending unlimited",
            "queue search group 0 flavor 1 burst cpu nominal 2000 borrowing unlimited lending unlimited",
            "queue search group 0 flavor 1 burst pods nominal 20 borrowing unlimited lending unlimited",
        });
}

TEST_CASE("defaults are written out, and what nothing uses is there") {
  const auto text = normal_form(Cluster{});
  CHECK(text ==
        "config kueue fairSharing off\n"
        "config kueue manageJobsWithoutQueueName false\n"
        "config kueue managedJobsNamespaceSelector kubernetes.io/metadata.name NotIn kube-system kueue-system\n"
        "config kueue waitForPodsReady timeout 1800000000000ns\n"
        "config kueue waitForPodsReady recoveryTimeout 1800000000000ns\n"
        "config kueue waitForPodsReady blockAdmission false\n"
        "config kueue waitForPodsReady requeuingTimestamp Eviction\n"
        "config kueue framework batch/job\n"
        "config kueue quotaCheckStrategy BlockUndeclared\n");
  CHECK(lines_with(normal_form(sample()), "resource cpu").size() == 1);
  CHECK(lines_with(normal_form(sample()), "resource memory").empty());  // nobody has a quota of it
  CHECK(lines_with(normal_form(sample()), "flavor unused topology racks").size() == 1);
}

TEST_CASE("what becomes of requests is a fact, by input, whatever the order") {
  Cluster cluster;
  cluster.config.excluded_prefixes = {"example.com/b", "example.com/a"};
  cluster.config.transformations = {{"mig", true, "", {{"memory", "5"}, {"credits", "0.5"}}},
                                    {"cpu", false, "memory", {}}};
  CHECK(lines_with(normal_form(cluster), "config kueue excludeResourcePrefix") ==
        std::vector<std::string>{"config kueue excludeResourcePrefix example.com/a",
                                 "config kueue excludeResourcePrefix example.com/b"});
  CHECK(lines_with(normal_form(cluster), "config kueue transformation") ==
        std::vector<std::string>{"config kueue transformation cpu Retain multiplyBy memory",
                                 "config kueue transformation mig Replace credits 0.5 memory 5"});
  std::swap(cluster.config.transformations[0], cluster.config.transformations[1]);
  std::swap(cluster.config.excluded_prefixes[0], cluster.config.excluded_prefixes[1]);
  const auto text = normal_form(cluster);
  cluster.config.transformations[0].outputs["credits"] = "1";
  CHECK(normal_form(cluster) != text);
}

// Index permutations and other spellings of the same meaning.
TEST_CASE("equal meanings have equal forms") {
  using Edit = std::function<void(Cluster&)>;
  const std::pair<const char*, Edit> edits[] = {
      {"order of objects",
       [](Cluster& c) {
         std::reverse(c.queues.begin(), c.queues.end());
         std::reverse(c.cohorts.begin(), c.cohorts.end());
         std::reverse(c.modes.begin(), c.modes.end());
       }},
      {"order of resources of a group",
       [](Cluster& c) {
         auto& group = c.queues[0].groups[0];
         std::swap(group.covered[0], group.covered[1]);
         for (auto& flavor : group.flavors) std::swap(flavor.quotas[0], flavor.quotas[1]);
       }},
      {"indices of flavors",
       [](Cluster& c) {
         std::swap(c.flavors[0], c.flavors[1]);
         for (auto& flavor : c.queues[0].groups[0].flavors) flavor.flavor = 1 - flavor.flavor;
       }},
      {"a label as an expression",
       [](Cluster& c) {
         auto& selector = c.queues[0].namespaces;
         selector.match_labels.clear();
         selector.expressions.push_back({"kubernetes.io/metadata.name", "In", {"search"}});
       }},
      {"order of values", [](Cluster& c) { c.queues[0].namespaces.expressions[0].values = {"x", "y"}; }},
      {"order of checks", [](Cluster& c) { c.queues[0].admission_checks = {"a", "b"}; }},
      {"order of frameworks", [](Cluster& c) { c.config.frameworks = {"pod", "batch/job"}; }},
      {"the version of Kueue, which no manifest states", [](Cluster& c) { c.config.version = "0.19.1"; }},
      {"a default weight", [](Cluster& c) { c.queues[0].fair_weight = "1"; }},
      {"a default preference", [](Cluster& c) { c.queues[0].fungibility_preference = "BorrowingOverPreemption"; }},
      {"a default timeout", [](Cluster& c) { c.config.wait_for_pods_ready = {"0h30m", "1800s", false}; }},
      {"a namespace's own label", [](Cluster& c) { c.namespaces[0].labels["kubernetes.io/metadata.name"] = "ns"; }},
      {"a mode's entry that repeats the base",
       [](Cluster& c) { c.modes[1].changed[{"search", "shared", "pods"}] = {10, 5, {}}; }},
      {"a resource that nobody has a quota of", [](Cluster& c) { c.resources.push_back("x"); }},
      {"a resource named twice", [](Cluster& c) { c.resources.push_back("cpu"); }},
  };
  const auto expected = normal_form(sample());
  for (const auto& [name, edit] : edits) {
    INFO(name);
    auto cluster = sample();
    edit(cluster);
    CHECK(first_difference(expected, normal_form(cluster)) == "");
  }
}

TEST_CASE("every field changes the form") {
  using Edit = std::function<void(Cluster&)>;
  const Edit edits[] = {
      [](Cluster& c) { c.config.fair_sharing = true; },
      [](Cluster& c) { c.config.wait_for_pods_ready = {"5m", "", false}; },
      [](Cluster& c) { c.config.wait_for_pods_ready = {"", "5m", false}; },
      [](Cluster& c) { c.config.wait_for_pods_ready = {"", "", true}; },
      [](Cluster& c) { c.config.wait_for_pods_ready = {"soon", "", false}; },
      [](Cluster& c) { c.config.wait_for_pods_ready = {"", "", false, true}; },
      [](Cluster& c) { c.config.manage_jobs_without_queue_name = true; },
      [](Cluster& c) { c.config.managed_namespaces = {true, {}, {}}; },
      [](Cluster& c) { c.config.frameworks.pop_back(); },
      [](Cluster& c) { c.config.gates["GateA"] = false; },
      [](Cluster& c) { c.config.gates.clear(); },
      [](Cluster& c) { c.config.quota_check_strategy = "IgnoreUndeclared"; },
      [](Cluster& c) { c.flavors[0].name = "x"; },
      [](Cluster& c) { c.flavors[0].node_labels["pool"] = "x"; },
      [](Cluster& c) { c.flavors[0].taints[0].key = "x"; },
      [](Cluster& c) { c.flavors[0].taints[0].value = "x"; },
      [](Cluster& c) { c.flavors[0].taints[0].effect = "x"; },
      [](Cluster& c) { c.flavors[0].tolerations[0].key = "x"; },
      [](Cluster& c) { c.flavors[0].tolerations[0].op = "x"; },
      [](Cluster& c) { c.flavors[0].tolerations[0].value = "x"; },
      [](Cluster& c) { c.flavors[0].tolerations[0].effect = "x"; },
      [](Cluster& c) { c.flavors[0].tolerations[0].seconds = 0; },
      [](Cluster& c) { c.flavors[0].topology = "x"; },
      [](Cluster& c) { c.flavors.pop_back(); },
      [](Cluster& c) { c.cohorts[1].name = "x"; },
      [](Cluster& c) { c.cohorts[1].parent = ""; },
      [](Cluster& c) { c.cohorts[1].fair_weight = "3"; },
      [](Cluster& c) { c.cohorts[0].groups = c.queues[0].groups; },
      [](Cluster& c) { c.queues[0].name = "x"; },
      [](Cluster& c) { c.queues[0].cohort = "x"; },
      [](Cluster& c) { c.queues[0].groups[0].flavors[0].quotas[0].nominal = 11; },
      [](Cluster& c) { c.queues[0].groups[0].flavors[0].quotas[0].borrowing = {}; },
      [](Cluster& c) { c.queues[0].groups[0].flavors[0].quotas[0].lending = 10; },
      [](Cluster& c) { std::swap(c.queues[0].groups[0].flavors[0], c.queues[0].groups[0].flavors[1]); },
      [](Cluster& c) { c.queues[0].groups[0].flavors.pop_back(); },
      [](Cluster& c) { c.queues[0].groups[0].covered[0] = 2; },
      [](Cluster& c) { c.queues[0].groups.clear(); },
      [](Cluster& c) { c.queues[0].strategy = QueueingStrategy::StrictFIFO; },
      [](Cluster& c) { c.queues[0].preemption.within_cluster_queue = Within::LowerPriority; },
      [](Cluster& c) { c.queues[0].preemption.within_cluster_queue = Within::LowerOrNewerEqualPriority; },
      [](Cluster& c) { c.queues[0].preemption.reclaim_within_cohort = Reclaim::Any; },
      [](Cluster& c) { c.queues[0].preemption.reclaim_within_cohort = Reclaim::LowerPriority; },
      [](Cluster& c) { c.queues[0].preemption.borrow_within_cohort = BorrowWithin::LowerPriority; },
      [](Cluster& c) { c.queues[0].preemption.max_priority_threshold = 0; },
      [](Cluster& c) { c.queues[0].when_can_borrow = Search::TryNextFlavor; },
      [](Cluster& c) { c.queues[0].when_can_preempt = Search::MayStopSearch; },
      [](Cluster& c) { c.queues[0].fungibility_preference = "PreemptionOverBorrowing"; },
      [](Cluster& c) { c.queues[0].stop = StopPolicy::Hold; },
      [](Cluster& c) { c.queues[0].stop = StopPolicy::HoldAndDrain; },
      [](Cluster& c) { c.queues[0].namespaces.present = false; },
      [](Cluster& c) { c.queues[0].namespaces = {true, {}, {}}; },
      [](Cluster& c) { c.queues[0].namespaces.expressions[0].op = "In"; },
      [](Cluster& c) { c.queues[0].namespaces.expressions[0].values = {"x y"}; },
      [](Cluster& c) { c.queues[0].admission_checks.pop_back(); },
      [](Cluster& c) { c.queues[0].fair_weight = "0"; },
      [](Cluster& c) { c.queues[0].labels["gpol.dev/role"] = "batch"; },
      [](Cluster& c) { c.queues.pop_back(); },
      [](Cluster& c) { c.local_queues[0].ns = "x"; },
      [](Cluster& c) { c.local_queues[0].name = "x"; },
      [](Cluster& c) { c.local_queues[0].cluster_queue = "batch"; },
      [](Cluster& c) { c.local_queues[0].stop = StopPolicy::Hold; },
      [](Cluster& c) { c.local_queues[0].labels.clear(); },
      [](Cluster& c) { c.priority_classes[0].name = "x"; },
      [](Cluster& c) { c.priority_classes[0].value = 6; },
      [](Cluster& c) { c.priority_classes[0].labels["gpol.dev/role"] = "x"; },
      [](Cluster& c) { c.namespaces[0].name = "x"; },
      [](Cluster& c) { c.namespaces[0].labels.clear(); },
      [](Cluster& c) { c.modes[0].name = "x"; },
      [](Cluster& c) { c.modes[0].changed.clear(); },
      [](Cluster& c) { c.modes[0].changed.begin()->second.borrowing = {}; },
      [](Cluster& c) { c.modes.pop_back(); },
  };
  const auto before = normal_form(sample());
  std::size_t index = 0;
  for (const auto& edit : edits) {
    INFO("edit " << index++);
    auto cluster = sample();
    edit(cluster);
    CHECK(normal_form(cluster) != before);
  }
}

TEST_CASE("words cannot pose as the text around them") {
  Cluster one, two;
  one.namespaces = {{"a", {{"k", "v\nnamespace b"}}}};
  two.namespaces = {{"a", {{"k", "v"}}}, {"b", {}}};
  CHECK(normal_form(one) != normal_form(two));
  CHECK(lines_with(normal_form(one), "namespace").size() == 1);
}

TEST_CASE("a broken cluster still has a form") {
  Cluster cluster;
  Queue queue;
  queue.name = "q";
  queue.groups = {{{7}, {{9, {}}}}};
  cluster.queues = {queue};
  CHECK(lines_with(normal_form(cluster), "queue q group 0 flavor") ==
        std::vector<std::string>{"queue q group 0 flavor 0 \"#9\" 0 quotas"});
}

TEST_CASE("the first difference is shown as two lines") {
  CHECK(first_difference("a\nb\n", "a\nb\n") == "");
  CHECK(first_difference("a\nb\n", "a\nc\n") == "expected `b`; found `c`");
  CHECK(first_difference("a\n", "a\nc\n") == "expected nothing; found `c`");
  CHECK(first_difference("a\nb\n", "a\n") == "expected `b`; found nothing");
  CHECK(first_difference("", "x\n") == "expected nothing; found `x`");
}

}  // namespace
}  // namespace gpol
