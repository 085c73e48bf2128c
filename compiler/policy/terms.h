// The terms of a policy that are also those of a plan: amounts, times, windows, trusts, writers. Amounts are in the
// base units of resources.h, times in milliseconds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/policy/resources.h"
#include "compiler/policy/vocabulary.h"
#include "compiler/source/span.h"

namespace gpol {

using Millis = std::int64_t;
inline constexpr std::uint32_t kNone = UINT32_MAX;  // "no such index"

// A time constant with where it came from; `source` is what the author wrote in parentheses, "declared" otherwise.
struct TimeConstant {
  Millis value = 0;
  std::string source;
  Span span;
};

struct Window {
  std::string name;
  int from = 0, to = 0;  // minutes since midnight, local time; to < from: past midnight
  std::string zone;      // "Europe/Zurich"
  enum class Days { Daily, Weekdays, Weekends } days = Days::Daily;
  std::uint32_t except = kNone;  // into Policy::calendars: on its dates the window does not begin
  Span span;
};

enum class Isolation { A, B, C };

struct StartTerms {
  // Each absent until declared; a class B deadline needs them all (design: never a default).
  std::optional<TimeConstant> schedule, image, weights, load, warm;
};

struct Trust {
  std::string premise;  // a key of checker/premises.h
  std::string reason, by;
  Span span;
  std::string until = {};  // "2027-01-31", the last day on which it counts; empty: no end
};

// A principal of the API server.
struct Writer {
  bool group = false;  // else a user
  std::string name;
  Span span;
};

// The key of the label and the taint that gpol gives the nodes of a pool; their value is the pool's name.
inline constexpr const char* kPoolKey = "gpol.dev/gpu-pool";

// A label or a taint by which the nodes of a pool are known.
struct NodeMark {
  std::string key, value;
  std::string effect = {};  // of a taint: NoSchedule or NoExecute
  friend bool operator==(const NodeMark&, const NodeMark&) = default;
};

// Namespaces of whoever runs the cluster: Kubernetes', the GPU Operator's, Kueue's and those of the usual controllers.
// No guard looks at what is made there, unless a tenant has the namespace.
inline constexpr std::array<std::string_view, 14> kExemptNamespaces = {
    "kube-system",  "kube-node-lease", "kube-public",  "gpu-operator",  "nvidia-gpu-operator",
    "kueue-system", "cert-manager",    "istio-system", "calico-system", "tigera-operator",
    "cilium",       "argocd",          "flux-system",  "monitoring"};

// Of `guard all MODE`, which is about every guard that has no line of its own.
inline constexpr std::string_view kAllGuards = "all";

// How far a guard is rolled out, where it is not the default: its binding denies.
struct GuardMode {
  std::string guard;  // the name that it is emitted under, or kAllGuards
  std::string mode;   // warn | audit: its binding's action; unbound: it has none
  Span span;          // of the name
};

}  // namespace gpol
