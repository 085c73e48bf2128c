// What taints of nodes do to pods: k8s.io/api/core/v1/toleration.go ToleratesTaint.
#pragma once

#include <algorithm>
#include <vector>

#include "compiler/cluster/cluster.h"

namespace gpol {

// Others are a wish.
inline bool keeps_off(const Taint& taint) { return taint.effect == "NoSchedule" || taint.effect == "NoExecute"; }

// Comparisons (Lt, Gt) are not understood: they tolerate nothing here.
inline bool tolerated_by(const std::vector<Toleration>& tolerations, const Taint& taint) {
  return std::ranges::any_of(tolerations, [&](const Toleration& toleration) {
    if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
    if (!toleration.key.empty() && toleration.key != taint.key) return false;
    if (toleration.op == "Exists") return true;
    return (toleration.op.empty() || toleration.op == "Equal") && toleration.value == taint.value;
  });
}

}  // namespace gpol
