// Source: apis/kueue/v1beta2 clusterqueue_types.go FlavorUsage, workload_types.go Admission.
#include "checker/observe/dumps.h"
#include "checker/observe/fields.h"
#include "checker/observe/quantity.h"

namespace gpol::manifest {

namespace {

void of_queue(const Node& status, const std::string& name, const Place& place, std::vector<HeldFacts>& held) {
  for (const char* list : {"flavorsReservation", "flavorsUsage"}) {
    const Node* flavors = field(status, list);
    if (flavors == nullptr) continue;
    for (const Node& flavor : flavors->items) {
      const Node* resources = field(flavor, "resources");
      if (resources == nullptr) continue;
      for (const Node& one : resources->items) {
        const std::string resource = text_at(&one, "name");
        const Amount amount = amount_of(text_at(&one, "total"), resource);
        if (amount.status != Amount::Status::Ok || amount.value <= 0) continue;
        held.push_back(
            {name, text_at(&flavor, "name"), resource, amount.value, false, "", place.span(*field(one, "total"))});
      }
    }
  }
}

void of_workload(const Node& status, const std::string& ns, const Place& place, std::vector<HeldFacts>& held) {
  const Node* admission = field(status, "admission");
  const Node* sets = at(admission, "podSetAssignments");
  if (sets == nullptr || !is_true(&status, "QuotaReserved") || is_true(&status, "Finished")) return;
  for (const Node& set : sets->items) {
    const Node* usage = field(set, "resourceUsage");
    if (usage == nullptr) continue;
    for (const Entry& one : usage->entries) {
      const Amount amount = amount_of(one.value.text, one.key);
      if (amount.status != Amount::Status::Ok || amount.value <= 0) continue;
      held.push_back({text_at(admission, "clusterQueue"), text_at(field(set, "flavors"), one.key), one.key,
                      amount.value, true, ns, place.span(one.value)});
    }
  }
}

}  // namespace

void find_held(const Node& object, const Place& place, std::vector<HeldFacts>& held) {
  const Node* status = field(object, "status");
  if (status == nullptr || !text_at(&object, "apiVersion").starts_with("kueue.x-k8s.io/")) return;
  const std::string kind = text_at(&object, "kind");
  if (kind == "ClusterQueue") of_queue(*status, text_at(field(object, "metadata"), "name"), place, held);
  const std::string ns = text_at(field(object, "metadata"), "namespace");
  if (kind == "Workload") of_workload(*status, ns.empty() ? "default" : ns, place, held);
}

}  // namespace gpol::manifest
