#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "tests/conformance/differential/outcome.h"

namespace gpol::differential {

namespace {

using kueue::Model;
using kueue::WorkloadId;
using kueue::WorkloadState;

// "w0 pending", "w1 parked", "w2 admitted 0/res0:flavor1 ..." (by podset), "w3 evicting ...", "w4 gone"; "w2 evicts
// w3"; what each queue uses. The Go program writes the same from the real state.
class Outcome {
 public:
  Outcome(const Cluster& cluster, const Model& model) : cluster_(cluster), model_(model) {}

  std::string text(std::size_t workloads, const std::map<WorkloadId, std::set<WorkloadId>>& victims) const {
    if (model_.arbitrary()) return "arbitrary";
    std::string out;
    for (std::size_t i = 0; i < workloads; ++i) out += workload(static_cast<WorkloadId>(i));
    for (const auto& [preemptor, evicted] : victims)
      for (const WorkloadId victim : evicted) out += fmt::format("w{} evicts w{}\n", preemptor, victim);
    for (std::uint32_t q = 0; q < cluster_.queues.size(); ++q) out += usage(q);
    for (std::uint32_t q = 0; q < cluster_.queues.size(); ++q) out += available(q);
    return out;
  }

 private:
  std::string workload(WorkloadId id) const {
    switch (model_.state(id)) {
      case WorkloadState::Pending:
        return fmt::format("w{} {}\n", id,
                           model_.parked(id)              ? "parked"
                           : model_.out_of_scheduling(id) ? "out of scheduling"
                                                          : "pending");
      case WorkloadState::Gone:
        return fmt::format("w{} gone\n", id);
      case WorkloadState::Admitted:
      case WorkloadState::Evicting:
        break;
    }
    std::string out = fmt::format("w{} {}", id, model_.state(id) == WorkloadState::Admitted ? "admitted" : "evicting");
    std::set<std::string> flavors;
    for (const auto& use : model_.held(id))
      flavors.insert(
          fmt::format(" {}/{}:{}", use.podset, cluster_.resources[use.resource], cluster_.flavors[use.flavor].name));
    for (const auto& flavor : flavors) out += flavor;
    return out + "\n";
  }

  std::string usage(std::uint32_t q) const {
    std::map<std::string, std::int64_t> used;
    for (const auto& group : cluster_.queues[q].groups)
      for (const auto& row : group.flavors)
        for (const auto resource : group.covered)
          if (const auto amount = model_.usage(q, row.flavor, resource); amount != 0)
            used[cluster_.flavors[row.flavor].name + "/" + cluster_.resources[resource]] = amount;
    std::string out;
    for (const auto& [fr, amount] : used) out += fmt::format("{} uses {} {}\n", cluster_.queues[q].name, fr, amount);
    return out;
  }

  // What could be admitted at once: the arithmetic of the whole tree in every state.
  std::string available(std::uint32_t q) const {
    if (!model_.active(q)) return {};
    std::map<std::string, std::int64_t> left;
    for (const auto& group : cluster_.queues[q].groups)
      for (const auto& row : group.flavors)
        for (const auto resource : group.covered)
          left[cluster_.flavors[row.flavor].name + "/" + cluster_.resources[resource]] =
              model_.available(q, row.flavor, resource);
    std::string out;
    for (const auto& [fr, amount] : left)
      out += fmt::format("{} could have {} {}\n", cluster_.queues[q].name, fr, amount);
    return out;
  }

  const Cluster& cluster_;
  const Model& model_;
};

}  // namespace

std::string cycle(Model& model, const Cluster& cluster, std::size_t workloads) {
  std::set<WorkloadId> running;  // a victim that is being evicted already is not evicted again
  for (WorkloadId id = 0; id < workloads; ++id)
    if (model.state(id) == WorkloadState::Admitted) running.insert(id);
  std::map<WorkloadId, std::set<WorkloadId>> victims;
  for (const auto& decision : model.cycle())
    for (const WorkloadId victim : decision.victims)
      if (running.contains(victim)) victims[decision.workload].insert(victim);
  return Outcome(cluster, model).text(workloads, victims);
}

Stage::Stage(const Cluster& cluster) : clusters{cluster}, model(kueue::compile(clusters.back()), 0) {}

bool apply_to(Model& model, const std::map<std::size_t, WorkloadId>& ids, const Op& op) {
  const auto known = ids.find(op.id);  // a shrunk history may lack the submission
  switch (op.kind) {
    case Op::Kind::Finish:
      model.elapse(1);
      if (known != ids.end() && model.state(known->second) != WorkloadState::Gone) model.finish(known->second);
      return true;
    case Op::Kind::Ready:
      model.elapse(1);
      if (known != ids.end()) model.set_ready(known->second, op.ready);
      return true;
    case Op::Kind::Evict:
      if (known == ids.end())
        model.elapse(1);
      else
        model.time_out(known->second);
      return true;
    case Op::Kind::Ended:
      model.elapse(1);
      if (known != ids.end()) model.end_podset(known->second, op.podset);
      return true;
    case Op::Kind::Wait:
      model.elapse(static_cast<std::uint64_t>(1 + op.seconds));
      return true;
    case Op::Kind::Release:
      model.elapse(1);
      model.release_victims();
      return true;
    case Op::Kind::Mode:
      model.elapse(1);
      model.switch_mode(op.mode);
      return true;
    case Op::Kind::Stop:
      model.elapse(1);
      model.stop(op.queue, op.policy);
      return true;
    case Op::Kind::StopLocal:
      model.elapse(1);
      model.stop_local(op.queue, op.local, op.policy);
      return true;
    case Op::Kind::Flavor:
      model.elapse(1);
      model.set_flavor(op.flavor, !op.deleted);
      return true;
    case Op::Kind::Expect:
    case Op::Kind::Available:
      return true;
    case Op::Kind::Submit:
    case Op::Kind::Delist:
    case Op::Kind::Move:
    case Op::Kind::Cohort:
    case Op::Kind::Cycle:
      break;
  }
  return false;
}

void Stage::apply(const Op& op) {
  // Without the gate Kueue looks at no pods that have ended (pkg/workload ReclaimablePods).
  const auto& gates = clusters.back().config.gates;
  const auto gate = gates.find("ReclaimablePods");
  if (op.kind == Op::Kind::Ended && gate != gates.end() && !gate->second) return model.elapse(1);
  if (apply_to(model, ids, op)) return;
  switch (op.kind) {
    case Op::Kind::Submit:
      ids[op.id] = model.submit(op.workload);
      return;
    case Op::Kind::Cycle:
      return;
    default:
      break;
  }
  model.elapse(1);
  switch (op.kind) {
    case Op::Kind::Delist: {
      Cluster edited = clusters.back();
      for (auto& group : edited.queues[op.queue].groups)
        std::erase_if(group.flavors, [&](const FlavorQuotas& row) { return row.flavor == op.flavor; });
      for (Mode& mode : edited.modes)
        std::erase_if(mode.changed, [&](const auto& entry) {
          return entry.first.queue == edited.queues[op.queue].name &&
                 entry.first.flavor == edited.flavors[op.flavor].name;
        });
      clusters.push_back(std::move(edited));
      model.edit(kueue::compile(clusters.back()), op.queue);
      break;
    }
    case Op::Kind::Move: {
      if (clusters.back().queues[op.queue].cohort == op.cohort.name) break;  // no change of the object
      Cluster edited = clusters.back();
      edited.queues[op.queue].cohort = op.cohort.name;
      clusters.push_back(std::move(edited));
      model.edit(kueue::compile(clusters.back()), op.queue);
      break;
    }
    case Op::Kind::Cohort: {
      Cluster edited = clusters.back();
      std::erase_if(edited.cohorts, [&](const CohortNode& cohort) { return cohort.name == op.cohort.name; });
      if (!op.deleted) edited.cohorts.push_back(op.cohort);
      clusters.push_back(std::move(edited));
      model.edit_cohort(kueue::compile(clusters.back()), op.cohort.name);
      break;
    }
    default:
      break;
  }
}

void play(History& history) {
  Stage stage(history.cluster);
  for (Op& op : history.ops)
    if (op.kind == Op::Kind::Cycle)
      op.outcome = cycle(stage.model, stage.clusters.back(), stage.ids.size());
    else
      stage.apply(op);
}

}  // namespace gpol::differential
