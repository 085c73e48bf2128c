#include "checker/observe/kinds/kinds.h"
#include "compiler/source/lookup.h"

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
    const auto threshold = result.max_priority_threshold.value_or(0);
    if (threshold < INT32_MIN || threshold > INT32_MAX)
      borrow->problem("maxPriorityThreshold", "does not fit in 32 bits");
    borrow->finish();
  }
  preemption->finish();
  if (result.reclaim_within_cohort == Reclaim::Never && result.borrow_within_cohort != BorrowWithin::Never)
    preemption->problem("borrowWithinCohort needs a reclaimWithinCohort other than Never");
  return result;
}

void read_fungibility(const View& spec, Queue& queue) {
  const auto fungibility = spec.map("flavorFungibility");
  if (!fungibility) return;
  queue.when_can_borrow = fungibility->choice<Search>("whenCanBorrow", kSearch, Search::MayStopSearch);
  queue.when_can_preempt = fungibility->choice<Search>("whenCanPreempt", kSearch, Search::TryNextFlavor);
  queue.fungibility_preference = fungibility->text("preference").value_or("");
  fungibility->finish();
  const auto& preference = queue.fungibility_preference;
  if (preference.empty() && !fungibility->has("preference")) return;
  if (preference != "BorrowingOverPreemption" && preference != "PreemptionOverBorrowing")
    fungibility->problem("preference",
                         shown(preference) + " is none of BorrowingOverPreemption, PreemptionOverBorrowing");
  else if (queue.when_can_borrow != Search::TryNextFlavor || queue.when_can_preempt != Search::TryNextFlavor)
    fungibility->problem("preference", "needs TryNextFlavor in whenCanBorrow and whenCanPreempt");
}

void read_admission_checks(const View& spec, Draft& draft, Queue& queue) {
  const auto strategy = spec.map("admissionChecksStrategy");
  if (!strategy) return;
  const auto checks = strategy->required_list("admissionChecks");
  strategy->finish();
  if (!checks || !checks->at_most(64)) return;
  checks->each_map([&](const View& check) {
    auto name = check.required_text("name");
    // A check of some flavors is taken for one of all: then no proof rests on what passes it.
    const bool some = !check.texts("onFlavors").empty();
    if (some) draft.checks_of_flavors.insert(name);
    if (some && draft.scale == Scale::Whole)
      check.problem("onFlavors", "checks on some flavors only are not understood");
    check.finish();
    if (contains(queue.admission_checks, name))
      check.problem("name", "names the check " + shown(name) + " a second time");
    queue.admission_checks.push_back(std::move(name));
  });
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
  queue.groups = read_resource_groups(*spec, draft, {!queue.cohort.empty(), true}, &quotas);
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
