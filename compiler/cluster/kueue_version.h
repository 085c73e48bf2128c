// A version of Kueue, what gpol knows of it, and how it differs from the newest one that is known. In: "0.17.3". Out:
// how far its rules were compared with its code, and the defaults in which it differs. Quotas add up alike in all
// versions that are known (compared at v0.15.0, v0.18.4 and v0.19.2: tests/conformance/differential/older.sh).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gpol {

struct KueueVersion {
  std::uint32_t major = 0, minor = 0, patch = 0;
  friend auto operator<=>(const KueueVersion&, const KueueVersion&) = default;
};

// Of "0.17.3" or "v0.17.3"; nothing of anything else.
std::optional<KueueVersion> parse_kueue_version(std::string_view text);

enum class RulesKnown : std::uint8_t {
  None,
  Quotas,  // who can be admitted to what
  All,     // how quota is taken back, too: whole histories were compared with the code of just this version
};
RulesKnown rules_known(std::string_view version);

// "v0.15 to v0.19": those of which at least the quotas are known.
inline constexpr std::string_view kKnownVersions = "v0.15 to v0.19";

// Since when there is a feature gate that decides something, and since when it is on where nobody sets it. Before it
// was there Kueue decided as it does with the gate off.
struct GateHistory {
  std::string_view name;
  std::uint32_t since = 0, on_since = 0;  // minor versions of 0.x; 0: before 0.15
};

// Nothing: it is in no such table, or the version is not known.
std::optional<bool> gate_default(std::string_view gate, std::string_view version);
// In that version there is no such gate, as far as the table goes.
bool gate_came_later(std::string_view gate, std::string_view version);

// Whether sums of quotas stop at the largest amount (pkg/resources/amount.go, which v0.17.0 lacks): before, they run
// over.
bool amounts_saturate(std::string_view version);

// Whether objects of kueue.x-k8s.io/v1beta1 are still served (#14558).
bool serves_v1beta1(std::string_view version);

// Whether Kueue as it is shipped queues Pods, Deployments, StatefulSets and LeaderWorkerSets
// (config/components/manager/controller_manager_config.yaml: commented out in v0.15, #8096).
bool ships_pod_frameworks(std::string_view version);

}  // namespace gpol
