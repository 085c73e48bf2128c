// Policy to cluster, by the scheduler that the policy names.
#include "compiler/plan/volcano/plan.h"
#include "compiler/cluster/plan_parts.h"

namespace gpol {

Planned plan(const Policy& policy, const PlanInputs& inputs) {
  return policy.volcano_version.empty() ? plan_kueue(policy, inputs) : volcano::plan(policy, inputs);
}

}  // namespace gpol
