// Two programs of ours know when a taint keeps a pod away: Kueue's (flavors, checker/kueue/flavor_assigner.cpp) and
// kube-scheduler's (nodes, checker/nodes). Both follow k8s.io/api's ToleratesTaint, and share no line.
#include "checker/kueue/flavor_assigner.h"
#include "checker/nodes/placement_model.h"
#include "tests/support/catch.h"
#include "tests/support/random_tree.h"

using namespace gpol;

TEST_CASE("taints keep a pod away alike in Kueue and on a node") {
  testing::Dice dice(9);
  const auto of = [&](std::initializer_list<const char*> words) {
    return std::string(*(words.begin() + dice.upto(static_cast<std::int64_t>(words.size()) - 1)));
  };
  int away = 0;
  for (int i = 0; i < 2000; ++i) {
    Flavor flavor;
    for (std::int64_t n = 1 + dice.upto(1); n > 0; --n)
      flavor.taints.push_back(
          {of({"gpu", "spot"}), of({"", "a"}), of({"NoSchedule", "NoExecute", "PreferNoSchedule"})});
    std::vector<Toleration> tolerations;
    for (std::int64_t n = dice.upto(2); n > 0; --n)
      tolerations.push_back({of({"", "gpu", "spot"}), of({"", "Equal", "Exists"}), of({"", "a"}),
                             of({"", "NoSchedule", "NoExecute"}), std::nullopt});
    kueue::PodSet podset;
    podset.tolerations = tolerations;
    const bool kept_away = nodes::untolerated(flavor.taints, tolerations) != nullptr;
    INFO("draw " << i);
    CHECK(kueue::tolerates(podset, flavor) == !kept_away);
    away += kept_away ? 1 : 0;
  }
  CHECK(away > 300);
}
