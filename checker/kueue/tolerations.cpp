#include "checker/kueue/tolerations.h"

#include <algorithm>

namespace gpol::kueue {

namespace {

// k8s.io/api/core/v1/toleration.go ToleratesTaint. Comparisons (Lt, Gt) are not understood: they tolerate nothing here.
bool tolerated_by(const Taint& taint, const std::vector<Toleration>& tolerations) {
  return std::ranges::any_of(tolerations, [&](const Toleration& toleration) {
    if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
    if (!toleration.key.empty() && toleration.key != taint.key) return false;
    if (toleration.op == "Exists") return true;
    return (toleration.op.empty() || toleration.op == "Equal") && toleration.value == taint.value;
  });
}

}  // namespace

bool tolerates(const PodSet& podset, const Flavor& flavor) {
  if (!podset.tolerations) return true;
  return std::ranges::all_of(flavor.taints, [&](const Taint& taint) {
    return (taint.effect != "NoSchedule" && taint.effect != "NoExecute") || tolerated_by(taint, *podset.tolerations) ||
           tolerated_by(taint, flavor.tolerations);
  });
}

}  // namespace gpol::kueue
