// Source: apis/kueue/v1beta2 clusterqueue_types.go FlavorUsage, workload_types.go Admission.
#include "checker/observe/dumps.h"
#include "checker/observe/fields.h"
#include "checker/observe/quantity.h"

namespace gpol::manifest {

namespace {

const Node* below(const Node* node, std::string_view key) { return node == nullptr ? nullptr : field(*node, key); }

std::string text_of(const Node* node, std::string_view key) {
  const Node* found = below(node, key);
  return found == nullptr ? std::string() : found->text;
}

bool says(const Node& status, std::string_view condition) {
  const Node* conditions = field(status, "conditions");
  if (conditions == nullptr) return false;
  for (const Node& one : conditions->items)
    if (text_of(&one, "type") == condition) return text_of(&one, "status") == "True";
  return false;
}

void of_queue(const Node& status, const std::string& name, const Place& place, std::vector<HeldFacts>& held) {
  for (const char* list : {"flavorsReservation", "flavorsUsage"}) {
    const Node* flavors = field(status, list);
    if (flavors == nullptr) continue;
    for (const Node& flavor : flavors->items) {
      const Node* resources = field(flavor, "resources");
      if (resources == nullptr) continue;
      for (const Node& one : resources->items) {
        const std::string resource = text_of(&one, "name");
        const Amount amount = amount_of(text_of(&one, "total"), resource);
        if (amount.status != Amount::Status::Ok || amount.value <= 0) continue;
        held.push_back(
            {name, text_of(&flavor, "name"), resource, amount.value, false, "", place.span(*field(one, "total"))});
      }
    }
  }
}

void of_workload(const Node& status, const std::string& ns, const Place& place, std::vector<HeldFacts>& held) {
  const Node* admission = field(status, "admission");
  const Node* sets = below(admission, "podSetAssignments");
  if (sets == nullptr || !says(status, "QuotaReserved") || says(status, "Finished")) return;
  for (const Node& set : sets->items) {
    const Node* usage = field(set, "resourceUsage");
    if (usage == nullptr) continue;
    for (const Entry& one : usage->entries) {
      const Amount amount = amount_of(one.value.text, one.key);
      if (amount.status != Amount::Status::Ok || amount.value <= 0) continue;
      held.push_back({text_of(admission, "clusterQueue"), text_of(field(set, "flavors"), one.key), one.key,
                      amount.value, true, ns, place.span(one.value)});
    }
  }
}

}  // namespace

void find_held(const Node& object, const Place& place, std::vector<HeldFacts>& held) {
  const Node* status = field(object, "status");
  if (status == nullptr || !text_of(&object, "apiVersion").starts_with("kueue.x-k8s.io/")) return;
  const std::string kind = text_of(&object, "kind");
  if (kind == "ClusterQueue") of_queue(*status, text_of(field(object, "metadata"), "name"), place, held);
  const std::string ns = text_of(field(object, "metadata"), "namespace");
  if (kind == "Workload") of_workload(*status, ns.empty() ? "default" : ns, place, held);
}

}  // namespace gpol::manifest
