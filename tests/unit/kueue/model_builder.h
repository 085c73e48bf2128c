// Workloads for tests of the model, by the names of a Builder's cluster.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "checker/kueue/model.h"
#include "tests/unit/kueue/cluster_builder.h"

namespace gpol::testing {

using kueue::Decision;
using kueue::Model;
using kueue::WorkloadId;
using kueue::WorkloadState;

struct Ask {
  std::int64_t priority = 0;
  bool asks_again = false;
  std::string flavor = "";
};

// A model over a builder's cluster, with names. The cluster lives as long as the world does.
struct World {
  Builder b;
  Model model;
  explicit World(Builder builder) : b(std::move(builder)), model(kueue::compile(b.cluster), 0) {}
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  std::uint32_t queue(const std::string& name) const {
    for (std::uint32_t q = 0; q < b.cluster.queues.size(); ++q)
      if (b.cluster.queues[q].name == name) return q;
    throw std::out_of_range(name);
  }

  WorkloadId submit(const std::string& at, std::int64_t gpus) { return submit(at, {{"gpu", gpus}}, {}); }
  WorkloadId submit(const std::string& at, std::int64_t gpus, Ask ask) { return submit(at, {{"gpu", gpus}}, ask); }
  WorkloadId submit(const std::string& at, const std::vector<std::pair<std::string, std::int64_t>>& requests,
                    Ask ask = {}) {
    kueue::WorkloadSpec spec;
    spec.queue = queue(at);
    spec.priority = ask.priority;
    spec.asks_again = ask.asks_again;
    if (!ask.flavor.empty()) spec.flavor = b.flavor(ask.flavor);
    for (const auto& [resource, amount] : requests) spec.requests.push_back({b.resource(resource), amount});
    return model.submit(std::move(spec));
  }

  bool admitted(WorkloadId id) const { return model.state(id) == WorkloadState::Admitted; }
  bool pending(WorkloadId id) const { return model.state(id) == WorkloadState::Pending; }
  bool gone(WorkloadId id) const { return model.state(id) == WorkloadState::Gone; }
  std::int64_t used(const std::string& at, const std::string& resource = "gpu", const std::string& flavor = "h100") {
    return model.usage(queue(at), b.flavor(flavor), b.resource(resource));
  }
  std::int64_t left(const std::string& at) { return model.available(queue(at), 0, 0); }

  // Submitted and settled: it must get its place.
  WorkloadId run(const std::string& at, std::int64_t gpus) { return run(at, {{"gpu", gpus}}); }
  WorkloadId run(const std::string& at, std::int64_t gpus, Ask ask) { return run(at, {{"gpu", gpus}}, ask); }
  WorkloadId run(const std::string& at, const std::vector<std::pair<std::string, std::int64_t>>& requests,
                 Ask ask = {}) {
    const WorkloadId id = submit(at, requests, ask);
    model.settle();
    INFO("admission to " << at);
    REQUIRE(admitted(id));
    return id;
  }
};

}  // namespace gpol::testing
