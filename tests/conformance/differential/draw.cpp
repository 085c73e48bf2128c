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

void draw_transformations(Dice& dice, Cluster& cluster) {
  KueueConfig& config = cluster.config;
  const std::vector<std::string> listed = cluster.resources;
  const auto outputs = [&](const std::string& not_this) {
    std::map<std::string, std::string> made;
    for (const std::string& resource : listed)
      if (resource != not_this && dice.one_in(2)) made[resource] = pick(dice, {"1", "0.5", "1.25", "2", "-1"});
    return made;
  };
  if (!dice.one_in(4)) {
    config.transformations.push_back({kRaw, !dice.one_in(4), "", outputs("")});
    if (dice.one_in(2)) config.transformations.back().multiply_by = listed[any(dice, listed.size())];
    cluster.resources.emplace_back(kRaw);
  }
  const std::string& input = listed[any(dice, listed.size())];
  if (dice.one_in(2)) config.transformations.push_back({input, dice.one_in(2), "", outputs(input)});
  if (config.quota_check_strategy.empty() && dice.one_in(2)) config.excluded_prefixes.push_back(listed.back());
}

}  // namespace gpol::differential
