#include "tests/conformance/differential/draw.h"

namespace gpol::differential {

void draw_taints(Dice& dice, Cluster& cluster) {
  const std::size_t first = any(dice, cluster.flavors.size());
  for (std::size_t f = 0; f < cluster.flavors.size(); ++f) {
    Flavor& flavor = cluster.flavors[f];
    if (f != first && !dice.one_in(3)) continue;
    flavor.taints.push_back({"dedicated", pick(dice, {"a", "b"}), pick(dice, {"NoSchedule", "NoExecute"})});
    if (dice.one_in(3)) flavor.taints.push_back({"spot", "", pick(dice, {"NoSchedule", "PreferNoSchedule"})});
    if (dice.one_in(3)) flavor.tolerations.push_back({"dedicated", "Exists", "", "", std::nullopt});
  }
}

std::vector<Toleration> draw_tolerations(Dice& dice) {
  std::vector<Toleration> tolerations;
  if (dice.one_in(2))
    tolerations.push_back({"dedicated", "Equal", pick(dice, {"a", "b"}), pick(dice, {"", "NoSchedule"}), std::nullopt});
  if (dice.one_in(2)) tolerations.push_back({"spot", "Exists", "", "", std::nullopt});
  return tolerations;
}

}  // namespace gpol::differential
