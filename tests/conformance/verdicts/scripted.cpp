// Histories that are written and not drawn: the most that others hold, and a story.
#include <algorithm>

#include "checker/kueue/counted.h"
#include "checker/story/hold.h"
#include "tests/conformance/differential/outcome.h"
#include "tests/conformance/verdicts/attack.h"

namespace gpol::verdicts {

using kueue::WorkloadState;

namespace {

// A script, step by step, with so many cycles after each; the asks of the queue are returned.
std::vector<std::size_t> write(const Cluster& cluster, const Script& script, std::uint32_t queue, History& history) {
  constexpr int kBetween = 8;
  history.cluster = cluster;
  const auto put = [&](Op::Kind kind) {
    Op op;
    op.kind = kind;
    history.ops.push_back(std::move(op));
  };
  const auto stop = [&](StopPolicy policy) {
    for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
      if (cluster.queues[q].stop != StopPolicy::Hold) continue;
      Op op;
      op.kind = Op::Kind::Stop;
      op.queue = q;
      op.policy = policy;
      history.ops.push_back(std::move(op));
    }
  };
  if (std::any_of(script.steps.begin(), script.steps.end(),
                  [](const Step& step) { return std::holds_alternative<PutOnHold>(step); }))
    stop(StopPolicy::None);
  std::vector<std::size_t> asks;
  std::size_t submitted = 0;
  for (const Step& step : script.steps) {
    if (std::holds_alternative<PutOnHold>(step)) stop(StopPolicy::Hold);
    if (const auto* submit = std::get_if<Submit>(&step)) {
      Op op;
      op.kind = Op::Kind::Submit;
      op.id = submitted++;
      op.workload = kueue::counted(cluster, submit->workload);
      if (submit->ask && submit->workload.queue == queue) asks.push_back(op.id);
      history.ops.push_back(std::move(op));
      if (submit->at_the_same_time) continue;
    }
    for (int i = 0; i < kBetween; ++i) {
      put(Op::Kind::Cycle);
      put(Op::Kind::Release);
    }
  }
  return asks;
}

// The model at the end of what the operations say.
differential::Stage at_the_end(const History& history) {
  differential::Stage stage(history.cluster);
  for (const Op& op : history.ops) {
    if (op.kind == Op::Kind::Cycle)
      differential::cycle(stage.model, history.cluster, stage.ids.size());
    else if (op.kind != Op::Kind::Available)
      stage.apply(op);
  }
  return stage;
}

// Whether all that was admitted is so at the end.
bool lasts(const History& history) {
  const differential::Stage stage = at_the_end(history);
  return std::all_of(stage.ids.begin(), stage.ids.end(),
                     [&](const auto& id) { return stage.model.state(id.second) == WorkloadState::Admitted; });
}

std::optional<History> history_of_holding(const Stage& stage, const Script& script, std::uint32_t owner,
                                          std::uint32_t flavor, std::uint32_t resource, std::int64_t left,
                                          bool or_more) {
  const Played played = stage.play(script);
  for (std::size_t i = 0; i < script.steps.size(); ++i)
    if (std::holds_alternative<Submit>(script.steps[i]) && played.events[i].settled != WorkloadState::Admitted)
      return std::nullopt;
  History history;
  write(stage.cluster(), script, owner, history);
  if (stage.cluster().queues[owner].stop != StopPolicy::None) {  // figured as if it were active
    Op start;
    start.kind = Op::Kind::Stop;
    start.queue = owner;
    start.policy = StopPolicy::None;
    history.ops.push_back(std::move(start));
  }
  Op available;
  available.kind = Op::Kind::Available;
  available.queue = owner;
  available.flavor = flavor;
  available.resource = resource;
  available.amount = left;
  available.or_more = or_more;
  history.ops.push_back({});  // a cycle, so that there is an outcome to compare
  history.ops.push_back(std::move(available));
  // Where pods count, too, whoever comes later may evict others for its pods.
  differential::play(history);
  return lasts(history) ? std::optional(std::move(history)) : std::nullopt;
}

}  // namespace

std::optional<History> holding_history(const Stage& stage, const Intent& intent, std::uint32_t owner,
                                       std::uint32_t flavor, std::uint32_t resource, std::int64_t left, bool or_more) {
  Script script{worst_hold(stage, intent, owner, flavor, resource, 0)};
  auto history = history_of_holding(stage, script, owner, flavor, resource, left, or_more);
  if (or_more || !history || at_the_end(*history).model.available(owner, flavor, resource) == left) return history;
  // They went to another flavor, which has room and whose node labels do not keep them away.
  const auto all = kueue::witness(stage.shape(), stage.widest(flavor, resource),
                                  behaviour_of(stage.cluster(), intent, flavor, resource), owner);
  const auto beside = fill_beside(stage, intent, flavor, resource, least_of(stage, owner, flavor, resource, all));
  script.steps.insert(script.steps.begin(), beside.begin(), beside.end());
  return history_of_holding(stage, script, owner, flavor, resource, left, or_more);
}

History history_of(const Cluster& cluster, const Script& script, std::uint32_t queue) {
  constexpr int kAtTheEnd = 60;
  History history;
  Op expect;
  expect.kind = Op::Kind::Expect;
  expect.workloads = write(cluster, script, queue, history);
  for (int i = 0; i < kAtTheEnd; ++i)
    for (const auto kind : {Op::Kind::Cycle, Op::Kind::Release}) {
      Op op;
      op.kind = kind;
      history.ops.push_back(std::move(op));
    }
  history.ops.push_back(std::move(expect));
  differential::play(history);
  return history;
}

}  // namespace gpol::verdicts
