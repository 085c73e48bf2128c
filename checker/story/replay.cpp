#include "checker/story/replay.h"

#include <algorithm>

namespace gpol {

namespace {

using kueue::Decision;
using kueue::WorkloadId;

// Runs cycles until nothing moves, releasing victims after each, and gathers those evicted for `id`. A cycle without an
// admission or an eviction may still park a head and so make way for the next one, hence the few more cycles before the
// model's own, longer, settling has the last word.
void settle(kueue::Model& model, WorkloadId id, std::vector<WorkloadId>& victims) {
  constexpr int kQuietCycles = 3, kMostCycles = 256;
  int quiet = 0;
  for (int i = 0; i < kMostCycles && quiet < kQuietCycles; ++i) {
    bool moved = false;
    for (const Decision& decision : model.cycle()) {
      moved = moved || decision.kind == Decision::Kind::Admitted || decision.kind == Decision::Kind::Preempting;
      if (decision.kind == Decision::Kind::Preempting && decision.workload == id)
        victims.insert(victims.end(), decision.victims.begin(), decision.victims.end());
    }
    model.release_victims();
    quiet = moved ? 0 : quiet + 1;
  }
  model.settle();
}

}  // namespace

Stage::Stage(const Cluster& cluster)
    : cluster_(&cluster), compiled_(kueue::compile(cluster)), uncovered_(kueue::supports(cluster)) {}

Played Stage::play(const Script& script) const {
  kueue::Model model(compiled_, 0);
  Played played;
  for (const auto& step : script.steps) {
    Played::Event event;
    if (const auto* change = std::get_if<SwitchMode>(&step)) {
      model.switch_mode(change->mode);
      model.settle();
    } else {
      const auto& submit = std::get<Submit>(step);
      const auto& workload = submit.workload;
      for (const auto& request : workload.requests)
        event.available.push_back(workload.flavor ? model.available(workload.queue, *workload.flavor, request.resource)
                                                  : 0);
      const WorkloadId id = model.submit(workload);
      for (const Decision& decision : model.cycle())
        if (decision.kind == Decision::Kind::Preempting && decision.workload == id) event.victims = decision.victims;
      event.at_once = model.state(id);
      model.release_victims();
      settle(model, id, event.victims);
      event.settled = model.state(id);
      std::sort(event.victims.begin(), event.victims.end());
      event.victims.erase(std::unique(event.victims.begin(), event.victims.end()), event.victims.end());
    }
    played.events.push_back(std::move(event));
  }
  return played;
}

}  // namespace gpol
