#include "checker/observe/checks.h"

#include <algorithm>

#include "checker/observe/dumps.h"
#include "checker/observe/fields.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest {

void note_check(const Node& object, Existing& existing) {
  if (!says_active(object)) existing.inactive_checks.insert(name_of(object));
  if (const Node* spec = field(object, "spec"))
    existing.check_controllers[name_of(object)] = text_at(*spec, "controllerName");
}

void note_activity(const Node& queue, const std::string& path, const Place& place, Existing& existing) {
  for (const auto& [at, where, what] : against_activity(queue)) {
    existing.inactive_queues.insert(name_of(queue));
    existing.unmodelled.push_back(
        {place.span(*at), (path.empty() ? "" : path + ".") + where, what, "ClusterQueue", name_of(queue)});
  }
}

void doubt_checks(Existing& existing) {
  constexpr std::string_view provisioning = "kueue.x-k8s.io/provisioning-request";
  for (std::size_t q = 0; q < existing.cluster.queues.size(); ++q) {
    const Queue& queue = existing.cluster.queues[q];
    const auto of = [&](std::string_view controller) {
      return std::ranges::count_if(queue.admission_checks, [&](const std::string& check) {
        return has_value(existing.check_controllers, check, controller);
      });
    };
    const bool per_flavor = std::ranges::any_of(queue.admission_checks, [&](const std::string& check) {
      return has_value(existing.check_controllers, check, kMultiKueue) && existing.checks_of_flavors.contains(check);
    });
    std::string what;
    if (of(kMultiKueue) > 1) what = "names two checks of MultiKueue";
    if (of(kMultiKueue) > 0 && of(provisioning) > 0) what = "names a check of MultiKueue beside one of provisioning";
    if (per_flavor) what = "names a check of MultiKueue for some flavors only";
    if (what.empty()) continue;
    existing.inactive_queues.insert(queue.name);
    existing.unmodelled.push_back({existing.places.queues[q], "",
                                   what + ": Kueue makes it inactive, and nobody can evict from it", "ClusterQueue",
                                   queue.name});
  }
}

}  // namespace gpol::manifest
