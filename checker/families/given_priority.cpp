// Priority of observed queues: no WorkloadPriorityClass labelled for batch is at or above one labelled for serving.
// That it is not is arithmetic on two integers; what follows from it is what claim and reclaim say.
#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/families/given.h"
#include "compiler/source/lookup.h"

namespace gpol {
namespace {

bool is(const WorkloadPriorityClass& priority, std::string_view role) {
  return has_value(priority.labels, "gpol.dev/role", role);
}

}  // namespace

void judge_given_priority(const Proof& proof, Report& report) {
  const auto& classes = proof.cluster.priority_classes;
  const WorkloadPriorityClass* lowest = nullptr;
  bool batch = false, serves = false;
  for (const auto& c : classes) {
    batch = batch || is(c, "batch");
    if (is(c, "serving") && (lowest == nullptr || c.value < lowest->value)) lowest = &c;
  }
  for (const QueueRole& role : proof.intent.roles) serves = serves || promised(role);
  if (lowest == nullptr || !batch || !serves) return;  // nobody says which class is whose
  report.analysed.push_back(Family::Priority);
  const auto about = [](Verdict verdict, const std::string& name, Span span = {}) {
    return obligation(Family::Priority, code::PriorityInversion, verdict, {"WorkloadPriorityClass", name}, span);
  };
  bool found = false;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto& c = classes[i];
    const Span at = i < proof.origins.priority_class.size() ? proof.origins.priority_class[i] : Span{};
    if (!is(c, "batch") || c.value < lowest->value) continue;
    found = true;
    report.add(about(Verdict::Refuted, c.name, at),
               {.message = fmt::format("the priority of `{}`, {}, is not below that of `{}`, {}", c.name, c.value,
                                       lowest->name, lowest->value),
                .story = {{"", "batch", fmt::format("names `{}`: its workload has priority {}", c.name, c.value)},
                          {"", "serving",
                           fmt::format("names `{}`: its workload has priority {} and sorts behind", lowest->name,
                                       lowest->value)}},
                .fix = Fix{fmt::format("give `{}` a value below {}", c.name, lowest->value)}});
  }
  if (!found) report.add(about(Verdict::Proven, lowest->name));
}

}  // namespace gpol
