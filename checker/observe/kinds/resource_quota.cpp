#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

// Fields: k8s.io/api core/v1 ResourceQuotaSpec. Only counts of objects are understood: what else it could bound
// (requests of pods, or some of them by a scope) would keep pods out that Kueue admitted.
void read_resource_quota(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "ResourceQuota", Scope::Namespaced);
  ResourceQuota quota;
  if (const auto spec = object.required_map("spec")) {
    if (const auto hard = spec->required_map("hard"))
      for (const auto& entry : hard->node().entries) {
        const std::string what = entry.key;
        if (!what.starts_with("count/")) hard->not_modelled(what, "bounds something else than a number of objects");
        if (const auto most = read_amount(*hard, what, "pods")) quota.hard.emplace(what, *most);
      }
    spec->finish();
  }
  keep(object, metadata, quota, draft.cluster.resource_quotas);
}

}  // namespace gpol::manifest
