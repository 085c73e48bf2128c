#include "checker/story/preempted.h"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

using nodes::Cycle;
using nodes::PreemptionModel;

struct Set {
  PreemptionModel model;
  std::uint32_t asks = 0;
  bool sound = true;

  explicit Set(const Scene& scene) : model(scene.cluster) {
    const PoolCapacity& capacity = scene.intent.capacities[scene.what.capacity];
    model.add_nodes(capacity.nodes, capacity.nodes_min, capacity.of_one);
    for (std::uint32_t node = 0; node < scene.what.lost; ++node) model.lose(node);
    for (const PoolCapacity& other : scene.intent.capacities)
      if (other.nodes != kNone && other.nodes != capacity.nodes)
        model.add_nodes(other.nodes, other.nodes_min, other.of_one);
    for (const Stood& stood : scene.stood) sound = model.bind(model.create(stood.pod), stood.node) && sound;
    asks = model.create(scene.asks);
  }
};

std::string pods(std::size_t count) { return count == 1 ? "1 pod" : fmt::format("{} pods", count); }

std::string of_whom(const Scene& scene, const std::vector<std::uint32_t>& victims) {
  std::map<std::string, std::size_t> by_owner;
  for (const std::uint32_t victim : victims) ++by_owner[scene.stood[victim].owner];
  std::vector<std::string> parts;
  for (const auto& [owner, count] : by_owner) parts.push_back(fmt::format("{} of {}", pods(count), owner));
  return fmt::format("{}", fmt::join(parts, " and "));
}

}  // namespace

bool in_vain(const Scene& scene) {
  Set set(scene);
  return set.sound && set.model.cycle(set.asks).kind == Cycle::Kind::Hopeless;
}

std::optional<std::vector<StoryStep>> evicted_late(const Scene& scene) {
  Set set(scene);
  const Cycle first = set.model.cycle(set.asks);
  if (!set.sound || first.kind != Cycle::Kind::Nominated || first.evicted.empty()) return std::nullopt;
  if (set.model.cycle(set.asks).kind != Cycle::Kind::Waits) return std::nullopt;  // until they are gone
  for (const std::uint32_t victim : first.evicted) set.model.end(victim);
  if (set.model.cycle(set.asks).kind != Cycle::Kind::Bound) return std::nullopt;
  Millis places = 0, ready = 0;
  std::vector<std::string> terms;
  for (const TimeTerm& term : scene.what.terms) {
    if (!term.after_places) places += term.time;
    ready += term.time;
    terms.push_back(fmt::format("{} {}", term.what, human_duration(term.time)));
  }
  if (ready <= scene.what.deadline) return std::nullopt;
  return std::vector<StoryStep>{
      {"", "kube-scheduler",
       fmt::format("evicts {} on one node for it, whose priority is lower, and keeps their place for it",
                   of_whom(scene, first.evicted))},
      {"", "kube-scheduler",
       fmt::format("binds the pod once they are gone, {} after it asked", human_duration(places))},
      {"", scene.tenant,
       fmt::format("is warm after {} ({}); its deadline is {}", human_duration(ready), fmt::join(terms, ", "),
                   human_duration(scene.what.deadline))}};
}

std::optional<std::vector<StoryStep>> sent_round(const Scene& scene) {
  Set set(scene);
  PreemptionModel& model = set.model;
  std::map<std::uint32_t, std::vector<std::uint32_t>> batch;  // by node
  for (std::uint32_t p = 0; p < scene.stood.size(); ++p)
    if (scene.stood[p].pod.priority < scene.asks.priority) batch[scene.stood[p].node].push_back(p);
  for (const auto& [node, those] : batch)
    for (const std::uint32_t pod : those) model.remove(pod);
  const Cycle first = model.cycle(set.asks);
  if (!set.sound || first.kind != Cycle::Kind::Nominated || !first.evicted.empty()) return std::nullopt;
  const std::uint32_t home = first.node;
  // Twice, from node to node and back: then all is as it was.
  const auto moves_to = [&](std::uint32_t to) {
    std::vector<std::uint32_t> again;
    for (const std::uint32_t pod : batch[to]) model.end(pod);
    for (const std::uint32_t pod : batch[to]) {
      again.push_back(model.create(model.spec(pod)));
      // It is created while the pod that asks is in back-off, and goes where there is room.
      const Cycle placed = model.cycle(
          again.back(), [&](const std::vector<std::uint32_t>& open) { return contains(open, to) ? to : open.front(); });
      if (placed.kind != Cycle::Kind::Bound || placed.node != to) return false;
      model.remove(again.back());
    }
    batch[to] = std::move(again);
    const Cycle moved = model.cycle(set.asks);
    return moved.kind == Cycle::Kind::Nominated && moved.node == to && moved.evicted.empty();
  };
  for (const auto& [other, those] : std::map(batch)) {
    if (other == home || those.size() != batch[home].size()) continue;
    if (!moves_to(other) || !moves_to(home) || !moves_to(other)) return std::nullopt;
    const std::string owner = scene.stood[those.front()].owner;
    return std::vector<StoryStep>{
        {"", owner, "deletes its Jobs: their pods end within their grace, and hold their devices until then"},
        {"", "kube-scheduler",
         fmt::format("keeps a node for the pod of {} and waits for those that end there; it evicted none of them",
                     scene.tenant)},
        {"", owner,
         fmt::format(
             "lets {} on another node end at once, while the pod of {} is in back-off; the next Job's pods start "
             "there, and are deleted, too",
             those.size() == 1 ? "its pod" : "its pods", scene.tenant)},
        {"", "kube-scheduler",
         "looks again, since it evicted nobody on the node that it keeps, and keeps the other node from now on: the "
         "pods "
         "there started later"},
        {"", owner, "does the same on the first node, and so on: the pod is sent from one to the other for ever"}};
  }
  return std::nullopt;
}

}  // namespace gpol
