#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

void read_cohort(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "Cohort", Scope::Cluster);
  CohortNode cohort;
  if (const auto spec = object.map("spec")) {
    cohort.parent = spec->text("parentName").value_or("");
    cohort.groups = read_resource_groups(*spec, draft);
    cohort.fair_weight = read_fair_weight(*spec);
    spec->finish();
  }
  if (keep(object, metadata, cohort, draft.cluster.cohorts)) draft.places.cohorts.push_back(metadata->name_span);
}

}  // namespace gpol::manifest
