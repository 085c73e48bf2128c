// Every feature gate of Kueue's own (pkg/features/kube_features.go at v0.19.2), with its default and what follows from
// the other value, so that none is passed over. Those that change a decision of the scheduler stand in
// checker/kueue/gates.h, too.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpol {

struct FeatureGate {
  enum class If : std::uint8_t {
    Harmless,  // of no consequence to who is admitted, preempted or managed (of topologies: what has one is not proven)
    Modelled,  // checker/kueue knows both values, or says that it does not
    Matters,   // changes what is modelled, and nobody knows how
    Locked,    // Kueue does not start
  };
  std::string_view name;
  bool by_default = true;
  If changed = If::Harmless;
};
std::span<const FeatureGate> feature_gates();

// False for what is no gate of Kueue's.
bool is_on_by_default(std::string_view name);

// Why nothing can be said with that gate at that value, for a user; empty: it is understood. AllAlpha and AllBeta are
// names of k8s.io/component-base for many at once.
std::string gate_not_understood(std::string_view name, bool on);

// A gate that has no effect without another one, both of Kueue's (pkg/config/validation.go): Kueue does not start where
// the first is on and the second off.
struct GateNeed {
  std::string_view gate, needed;
};
std::vector<GateNeed> gates_without_need(const std::function<bool(std::string_view)>& is_on);

}  // namespace gpol
