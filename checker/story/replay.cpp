#include "checker/story/replay.h"

#include <algorithm>
#include <span>

#include "compiler/source/text.h"

namespace gpol {

namespace {

using kueue::Decision;
using kueue::WorkloadId;

// A workload of a script and what happens to it.
struct Watched {
  WorkloadId id;
  Played::Event* event;
};

void note(const Decision& decision, std::span<const Watched> watched) {
  if (decision.kind != Decision::Kind::Preempting) return;
  for (const Watched& w : watched)
    if (decision.workload == w.id)
      w.event->victims.insert(w.event->victims.end(), decision.victims.begin(), decision.victims.end());
}

void note_met(const kueue::Model& model, std::span<const Watched> watched, std::set<std::uint32_t>& met) {
  std::set<std::uint32_t> asking, waiting;
  for (const Watched& w : watched) {
    const std::uint32_t queue = model.spec(w.id).queue;
    asking.insert(queue);
    if (model.state(w.id) != kueue::WorkloadState::Admitted) waiting.insert(queue);
  }
  for (const std::uint32_t queue : asking)
    if (!waiting.contains(queue)) met.insert(queue);
}

// One cycle; returns whether anybody was admitted or evicted. A turn begins with every eviction that a workload which
// is not admitted sees.
bool cycle(kueue::Model& model, std::span<const Watched> watched) {
  bool moved = false, evicted = false;
  for (const Decision& decision : model.cycle()) {
    evicted = evicted || decision.kind == Decision::Kind::Preempting;
    moved = moved || decision.kind == Decision::Kind::Admitted || decision.kind == Decision::Kind::Preempting;
    note(decision, watched);
  }
  for (const Watched& w : watched) {
    if (model.state(w.id) == kueue::WorkloadState::Admitted) continue;
    ++w.event->waited;
    if (evicted) ++w.event->turns;
  }
  return moved;
}

// Runs cycles until nothing moves, releasing victims after each. A cycle without an admission or an eviction may still
// park a head and so make way for the next one, hence the few more cycles before the model's own, longer, settling has
// the last word.
void settle(kueue::Model& model, std::span<const Watched> watched, std::set<std::uint32_t>& met) {
  constexpr int kQuietCycles = 3, kMostCycles = 256;
  int quiet = 0;
  for (int i = 0; i < kMostCycles && quiet < kQuietCycles; ++i) {
    const bool moved = cycle(model, watched);
    note_met(model, watched, met);
    model.release_victims();
    quiet = moved ? 0 : quiet + 1;
  }
  model.settle();
  note_met(model, watched, met);
}

// Many leading workloads of different queues, all admitted in one cycle: a story of a large cluster begins with
// hundreds of holders, and one cycle looks at one head of every queue. Asks that are admitted at once are like them,
// but for the last step, which says what came of it all. Returns how many steps were played; 0 when they
// are not of that kind (then `model` is as it was made).
std::size_t play_holders(kueue::Model& model, const Script& script, Played& played) {
  constexpr std::size_t kWorthIt = 16;
  std::set<std::uint32_t> queues;
  std::size_t run = 0;
  for (; run < script.steps.size(); ++run) {
    const auto* submit = std::get_if<Submit>(&script.steps[run]);
    const bool asks = submit != nullptr && submit->ask && !(script.at_once_only && run + 1 < script.steps.size());
    if (submit == nullptr || asks || !queues.insert(submit->workload.queue).second) break;
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

Stage::Stage(const Cluster& cluster)
    : cluster_(&cluster),
      compiled_(kueue::compile(cluster)),
      uncovered_(kueue::supports(cluster)),
      shape_(kueue::shape_of(cluster)) {
  // Each flavor is tried for each resource, and a share is the largest of all of them.
  constexpr std::size_t kFew = 6;
  const std::size_t pairs = cluster.flavors.size() * cluster.resources.size();
  cost_ = static_cast<std::int64_t>(cluster.queues.size());
  if (pairs > kFew)
    cost_ = cost_ * static_cast<std::int64_t>(pairs) / static_cast<std::int64_t>(kFew) *
            (cluster.config.fair_sharing ? 3 : 1);
  // A story sees what each cycle has done at its end: none may stop in its middle.
  if (cluster.config.wait_for_pods_ready && cluster.config.wait_for_pods_ready->block_admission)
    add_to_list(uncovered_, "waitForPodsReady.blockAdmission", "; ");
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q)
    if (cluster.queues[q].stop == StopPolicy::Hold) on_hold_.push_back(q);
}

const kueue::Limits& Stage::widest(std::uint32_t flavor, std::uint32_t resource) const {
  constexpr std::size_t kMostKept = 16;
  const std::pair pair{flavor, resource};
  if (const auto known = widest_.find(pair); known != widest_.end()) return known->second;
  if (widest_.size() == kMostKept) widest_.clear();
  bool exact = true;
  return widest_.emplace(pair, kueue::widest_limits(*cluster_, shape_, flavor, resource, exact)).first->second;
}

Played Stage::play(const Script& script) const {
  worked_ += static_cast<std::int64_t>(script.steps.size()) * cost_;
  const bool held_later =
      std::ranges::any_of(script.steps, [](const Step& step) { return std::holds_alternative<PutOnHold>(step); });
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
  played.events.resize(script.steps.size());
  std::vector<Watched> watched;  // those that ask at the same time
  for (std::size_t i = already; i < script.steps.size(); ++i) {
    const Step& step = script.steps[i];
    if (const auto* change = std::get_if<SwitchMode>(&step)) {
      model.switch_mode(change->mode);
      model.settle();
      continue;
    }
    if (std::holds_alternative<PutOnHold>(step)) {
      for (const std::uint32_t queue : on_hold_) model.stop(queue, StopPolicy::Hold);
      model.settle();
      continue;
    }
    const auto& submit = std::get<Submit>(step);
    const auto& workload = submit.workload;
    for (const auto& request : workload.requests)
      played.events[i].available.push_back(
          workload.flavor ? model.available(workload.queue, *workload.flavor, request.resource) : 0);
    watched.push_back({model.submit(workload), &played.events[i]});
    if (submit.at_the_same_time && i + 1 < script.steps.size() && std::holds_alternative<Submit>(script.steps[i + 1]))
      continue;
    cycle(model, watched);
    std::set<std::uint32_t> met;
    note_met(model, watched, met);
    bool all = true;
    for (const Watched& w : watched) {
      w.event->at_once = model.state(w.id);
      all = all && w.event->at_once == kueue::WorkloadState::Admitted;
    }
    // What is in at once changes nothing for the others: there is nothing to settle.
    if (!all && !script.victims_stay && !(submit.ask && script.at_once_only)) {
      model.release_victims();
      settle(model, watched, met);
    }
    if (submit.ask) played.met.insert(met.begin(), met.end());
    for (const Watched& w : watched) {
      w.event->settled = model.state(w.id);
      std::ranges::sort(w.event->victims);
      w.event->victims.erase(std::unique(w.event->victims.begin(), w.event->victims.end()), w.event->victims.end());
    }
    watched.clear();
  }
  return played;
}

}  // namespace gpol
