// Pods where a queue covers them: counted when a workload is admitted, not when victims are looked for.
#include "checker/kueue/model.h"

#include "tests/support/catch.h"

using namespace gpol;
using kueue::WorkloadState;

namespace {

Queue queue(const std::string& name, Quota gpus, Quota pods) {
  Queue q;
  q.name = name;
  q.cohort = "root";
  q.groups = {{{0, 1}, {{0, {gpus, pods}}}}};
  q.namespaces.present = true;
  return q;
}

Cluster two(Queue a, Queue b) {
  Cluster cluster;
  cluster.resources = {"nvidia.com/gpu", "pods"};
  cluster.flavors = {{"f", {{"pool", "f"}}, {}, {}, ""}};
  cluster.modes = {{"base", {}}};
  cluster.queues = {std::move(a), std::move(b)};
  cluster.queues[0].preemption.reclaim_within_cohort = Reclaim::Any;
  return cluster;
}

kueue::WorkloadSpec asks(std::uint32_t queue, std::int64_t gpus) {
  kueue::WorkloadSpec workload;
  workload.queue = queue;
  if (gpus > 0) workload.requests = {{0, gpus}};
  return workload;
}

}  // namespace

TEST_CASE("every workload takes its pods") {
  const Cluster cluster = two(queue("a", {8, 0, 0}, {1, 0, 0}), queue("b", {0, {}, {}}, {0, {}, {}}));
  kueue::Model model(kueue::compile(cluster), 0);
  const auto first = model.submit(asks(0, 1)), second = model.submit(asks(0, 1));
  model.settle();
  CHECK(model.state(first) == WorkloadState::Admitted);
  CHECK(model.state(second) == WorkloadState::Pending);
  CHECK(model.usage(0, 0, 1) == 1);
}

TEST_CASE("borrowed pods do not keep it from evicting, as another borrowed resource would (N3)") {
  const Cluster cluster = two(queue("serving", {2, {}, {}}, {0, {}, {}}), queue("batch", {0, {}, {}}, {4, {}, {}}));
  kueue::Model model(kueue::compile(cluster), 0);
  const auto held = model.submit(asks(1, 2));
  model.settle();
  const auto ask = model.submit(asks(0, 1));
  model.settle();
  CHECK(model.state(held) == WorkloadState::Gone);
  CHECK(model.state(ask) == WorkloadState::Admitted);
}

TEST_CASE("victims whose pods nobody else sees will not do, and then nobody is evicted") {
  Cluster cluster = two(queue("serving", {2, {}, {}}, {2, {}, {}}), queue("batch", {0, {}, {}}, {1, {}, 0}));
  cluster.queues.push_back(queue("others", {0, {}, {}}, {0, {}, {}}));
  kueue::Model model(kueue::compile(cluster), 0);
  const auto devices = model.submit(asks(1, 2));                              // its pod is batch's own
  const auto one = model.submit(asks(2, 0)), two = model.submit(asks(2, 0));  // serving's pods
  model.settle();
  REQUIRE(model.state(devices) == WorkloadState::Admitted);
  REQUIRE(model.state(two) == WorkloadState::Admitted);
  const auto ask = model.submit(asks(0, 1));
  model.settle();
  const bool met = model.state(ask) == WorkloadState::Admitted;
  const bool evicted = model.state(devices) != WorkloadState::Admitted || model.state(one) != WorkloadState::Admitted ||
                       model.state(two) != WorkloadState::Admitted;
  CHECK(met == evicted);  // never an eviction for nothing
}
