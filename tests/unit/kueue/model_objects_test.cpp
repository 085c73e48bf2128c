// Objects around a queue: its LocalQueues, the flavors that it names, what flavors say of nodes, its namespaces.
#include "tests/support/catch.h"
#include "tests/unit/kueue/model_builder.h"

using namespace gpol;
using namespace gpol::testing;

namespace {

kueue::WorkloadSpec one_gpu(const World& w, const std::string& at, std::uint32_t local = 0) {
  kueue::WorkloadSpec spec;
  spec.queue = w.queue(at);
  spec.local = local;
  spec.requests = {{0, 1}};
  return spec;
}

Builder two_queues(Reclaim policy) {
  Builder b;
  b.queue("serving", "c", {.nominal = 2}).preemption.reclaim_within_cohort = policy;
  b.queue("batch", "c", {});
  return b;
}

}  // namespace

TEST_CASE("a LocalQueue on Hold: pending work waits, admitted work runs on and can be evicted") {
  World w(two_queues(Reclaim::Any));
  const auto runs = w.model.submit(one_gpu(w, "batch")), other = w.model.submit(one_gpu(w, "batch", 1));
  w.model.settle();
  w.model.stop_local(w.queue("batch"), 0, StopPolicy::Hold);
  const auto late = w.model.submit(one_gpu(w, "batch"));
  CHECK(w.model.out_of_scheduling(late));
  CHECK(w.admitted(runs));
  const auto ask = w.submit("serving", 2);
  w.model.settle();
  CHECK(w.admitted(ask));
  CHECK(w.gone(runs));
  CHECK(w.gone(other));
  w.model.finish(ask);
  w.model.settle();
  CHECK(w.pending(late));
  w.model.stop_local(w.queue("batch"), 0, StopPolicy::None);
  w.model.settle();
  CHECK(w.admitted(late));
}

TEST_CASE("HoldAndDrain evicts what came through that LocalQueue alone, and nobody who is parked hears of it") {
  World w(two_queues(Reclaim::Never));
  const auto runs = w.model.submit(one_gpu(w, "batch")), other = w.model.submit(one_gpu(w, "batch", 1));
  w.model.settle();
  const auto ask = w.submit("serving", 1);
  w.model.settle();
  CHECK(w.model.parked(ask));
  w.model.stop_local(w.queue("batch"), 0, StopPolicy::HoldAndDrain);
  w.model.settle();
  CHECK(w.gone(runs));
  CHECK(w.admitted(other));
  CHECK(w.model.parked(ask));
  w.model.finish(other);  // of a LocalQueue that runs
  w.model.settle();
  CHECK(w.admitted(ask));
}

TEST_CASE("a flavor without an object: the queue is inactive, its usage counts, and nobody evicts from it") {
  World w(two_queues(Reclaim::Any));
  const auto held = w.run("batch", 2);
  w.model.set_flavor(0, false);
  CHECK_FALSE(w.model.active(w.queue("batch")));
  const auto ask = w.submit("serving", 1);
  w.model.settle();
  CHECK(w.pending(ask));
  w.model.set_flavor(0, true);
  w.model.settle();
  CHECK(w.admitted(ask));
  CHECK(w.gone(held));
}

TEST_CASE("pods go where they tolerate the taints, or the flavor does for them") {
  Builder b;
  b.queue("q", "", {.nominal = 4});
  b.cluster.flavors[0].taints = {{"dedicated", "team", "NoSchedule"}, {"slow", "", "PreferNoSchedule"}};
  World w(std::move(b));
  const auto goes = [&](std::vector<Toleration> tolerations) {
    kueue::WorkloadSpec spec = one_gpu(w, "q");
    spec.tolerations = std::move(tolerations);
    const auto id = w.model.submit(spec);
    w.model.settle();
    const bool in = w.admitted(id);
    w.model.finish(id);
    return in;
  };
  CHECK_FALSE(goes({}));
  CHECK(goes({{"dedicated", "Equal", "team", "", {}}}));
  CHECK(goes({{"dedicated", "", "team", "NoSchedule", {}}}));
  CHECK(goes({{"", "Exists", "", "", {}}}));
  CHECK_FALSE(goes({{"dedicated", "Equal", "other", "", {}}}));
  CHECK_FALSE(goes({{"dedicated", "Exists", "", "NoExecute", {}}}));
  CHECK_FALSE(goes({{"dedicated", "Gt", "team", "", {}}}));
  CHECK_FALSE(goes({{"other", "Exists", "", "", {}}}));
}

TEST_CASE("a workload of a namespace that is not selected waits for ever and blocks nobody") {
  Builder b;
  b.queue("q", "", {.nominal = 1}).strategy = QueueingStrategy::StrictFIFO;
  World w(std::move(b));
  kueue::WorkloadSpec stranger = one_gpu(w, "q");
  stranger.namespace_matches = false;
  stranger.priority = 9;
  const auto head = w.model.submit(stranger);
  const auto next = w.run("q", 1);
  CHECK(w.model.parked(head));
  w.model.finish(next);  // what is parked is tried again, but for this one
  w.model.settle();
  CHECK(w.model.parked(head));
}
