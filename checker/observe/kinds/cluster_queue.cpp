#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {
namespace {

constexpr std::pair<std::string_view, QueueingStrategy> kStrategies[] = {
    {"BestEffortFIFO", QueueingStrategy::BestEffortFIFO}, {"StrictFIFO", QueueingStrategy::StrictFIFO}};
constexpr std::pair<std::string_view, Within> kWithin[] = {
    {"Never", Within::Never},
    {"LowerPriority", Within::LowerPriority},
    {"LowerOrNewerEqualPriority", Within::LowerOrNewerEqualPriority}};
constexpr std::pair<std::string_view, Reclaim> kReclaim[] = {
    {"Never", Reclaim::Never}, {"LowerPriority", Reclaim::LowerPriority}, {"Any", Reclaim::Any}};
constexpr std::pair<std::string_view, BorrowWithin> kBorrowWithin[] = {{"Never", BorrowWithin::Never},
                                                                       {"LowerPriority", BorrowWithin::LowerPriority}};
constexpr std::pair<std::string_view, Search> kSearch[] = {{"MayStopSearch", Search::MayStopSearch},
                                                           {"TryNextFlavor", Search::TryNextFlavor}};

Preemption read_preemption(const View& spec) {
  Preemption result;
  const auto preemption = spec.map("preemption");
  if (!preemption) return result;
  result.within_cluster_queue = preemption->choice<Within>("withinClusterQueue", kWithin, Within::Never);
  result.reclaim_within_cohort = preemption->choice<Reclaim>("reclaimWithinCohort", kReclaim, Reclaim::Never);
  if (const auto borrow = preemption->map("borrowWithinCohort")) {
    result.borrow_within_cohort = borrow->choice<BorrowWithin>("policy", kBorrowWithin, BorrowWithin::Never);
    result.max_priority_threshold = borrow->integer("maxPriorityThreshold");
    borrow->finish();
  }
  preemption->finish();
  return result;
}

void read_fungibility(const View& spec, Queue& queue) {
  const auto fungibility = spec.map("flavorFungibility");
  if (!fungibility) return;
  queue.when_can_borrow = fungibility->choice<Search>("whenCanBorrow", kSearch, Search::MayStopSearch);
  queue.when_can_preempt = fungibility->choice<Search>("whenCanPreempt", kSearch, Search::TryNextFlavor);
  queue.fungibility_preference = fungibility->text("preference").value_or("");
  fungibility->finish();
}

void read_admission_checks(const View& spec, Draft& draft, Queue& queue) {
  const auto strategy = spec.map("admissionChecksStrategy");
  if (!strategy) return;
  strategy->each_map("admissionChecks", [&](const View& check) {
    auto name = check.required_text("name");
    // A check of some flavors is taken for one of all: then no proof rests on what passes it.
    const bool some = !check.texts("onFlavors").empty();
    if (some) draft.checks_of_flavors.insert(name);
    if (some && draft.scale == Scale::Whole)
      check.problem("onFlavors", "checks on some flavors only are not understood");
    check.finish();
    queue.admission_checks.push_back(std::move(name));
  });
  strategy->finish();
}

}  // namespace

void read_cluster_queue(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "ClusterQueue", Scope::Cluster);
  const auto spec = object.required_map("spec");
  object.finish();
  if (!spec) return;
  Queue queue;
  queue.cohort = spec->text("cohortName").value_or("");
  std::vector<Span> quotas;
  queue.groups = read_resource_groups(*spec, draft, &quotas);
  queue.strategy = spec->choice<QueueingStrategy>("queueingStrategy", kStrategies, QueueingStrategy::BestEffortFIFO);
  queue.preemption = read_preemption(*spec);
  read_fungibility(*spec, queue);
  queue.stop = read_stop_policy(*spec);
  queue.namespaces = read_selector(*spec, "namespaceSelector");
  draft.note_selector(queue.namespaces);
  read_admission_checks(*spec, draft, queue);
  queue.fair_weight = read_fair_weight(*spec);
  for (const auto* key : {"admissionScope", "concurrentAdmissionPolicy"})
    if (spec->has(key)) spec->not_modelled(key, "is not modelled yet");
  spec->finish();
  if (!metadata) return;
  queue.name = metadata->name;
  queue.labels = metadata->labels;
  draft.cluster.queues.push_back(std::move(queue));
  draft.define_queue(metadata->name);
  draft.places.queues.push_back(metadata->name_span);
  draft.places.quotas.push_back(std::move(quotas));
}

}  // namespace gpol::manifest
