#include "checker/story/replay.h"

#include <algorithm>
#include <set>

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
    : cluster_(&cluster),
      compiled_(kueue::compile(cluster)),
      uncovered_(kueue::supports(cluster)),
      shape_(kueue::shape_of(cluster)) {
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q)
    if (cluster.queues[q].stop == StopPolicy::Hold) on_hold_.push_back(q);
}

const kueue::Limits& Stage::widest(std::uint32_t flavor, std::uint32_t resource) const {
  if (widest_.flavor != flavor || widest_.resource != resource) {
    bool exact = true;
    widest_ = {flavor, resource, kueue::widest_limits(*cluster_, shape_, flavor, resource, exact)};
  }
  return widest_.limits;
}

namespace {

// Many leading workloads of different queues, all admitted in one cycle: a story of a large cluster begins with
// hundreds of holders, and one cycle looks at one head of every queue. Returns how many steps were played; 0 when they
// are not of that kind (then `model` is as it was made).
std::size_t play_holders(kueue::Model& model, const Script& script, Played& played) {
  constexpr std::size_t kWorthIt = 16;
  std::set<std::uint32_t> queues;
  std::size_t run = 0;
  for (; run < script.steps.size(); ++run) {
    const auto* submit = std::get_if<Submit>(&script.steps[run]);
    if (submit == nullptr || submit->ask || !queues.insert(submit->workload.queue).second) break;
  }
  if (run < kWorthIt) return 0;
  for (std::size_t i = 0; i < run; ++i) model.submit(std::get<Submit>(script.steps[i]).workload);
  model.cycle();
  for (std::size_t i = 0; i < run; ++i)
    if (model.state(static_cast<WorkloadId>(i)) != kueue::WorkloadState::Admitted) return 0;
  Played::Event admitted;
  admitted.at_once = admitted.settled = kueue::WorkloadState::Admitted;
  played.events.assign(run, admitted);
  return run;
}

}  // namespace

Played Stage::play(const Script& script) const {
  const bool held_later = std::any_of(script.steps.begin(), script.steps.end(),
                                      [](const Step& step) { return std::holds_alternative<PutOnHold>(step); });
  const auto fresh = [&] {
    kueue::Model model(compiled_, 0);
    if (held_later)
      for (const std::uint32_t queue : on_hold_) model.stop(queue, StopPolicy::None);
    return model;
  };
  kueue::Model model = fresh();
  Played played;
  const std::size_t already = play_holders(model, script, played);
  if (already == 0) model = fresh();
  for (std::size_t i = already; i < script.steps.size(); ++i) {
    const Step& step = script.steps[i];
    Played::Event event;
    if (const auto* change = std::get_if<SwitchMode>(&step)) {
      model.switch_mode(change->mode);
      model.settle();
    } else if (std::holds_alternative<PutOnHold>(step)) {
      for (const std::uint32_t queue : on_hold_) model.stop(queue, StopPolicy::Hold);
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
      // A workload that is in at once changes nothing for the others: there is nothing to settle.
      if (event.at_once != kueue::WorkloadState::Admitted && !(submit.ask && script.at_once_only)) {
        model.release_victims();
        settle(model, id, event.victims);
      }
      event.settled = model.state(id);
      std::sort(event.victims.begin(), event.victims.end());
      event.victims.erase(std::unique(event.victims.begin(), event.victims.end()), event.victims.end());
    }
    played.events.push_back(std::move(event));
  }
  return played;
}

}  // namespace gpol
