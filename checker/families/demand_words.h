// Conditions on requests (CEL) that demands are made of. Used by demands.cpp alone.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace gpol {

inline constexpr std::string_view kServiceAccount = "system:serviceaccount:";

inline std::string not_user(std::string_view ns, std::string_view name) {
  return fmt::format("request.userInfo.username != '{}{}:{}'", kServiceAccount, ns, name);
}
inline std::string not_kueue() { return not_user("kueue-system", "kueue-controller-manager"); }
inline std::string not_job_controller() { return not_user("kube-system", "job-controller"); }
inline std::string not_garbage_collector() { return not_user("kube-system", "generic-garbage-collector"); }

// The devices: whatever of the cluster's quotas is no cpu, memory or pod count, and all else of the same vendor.
inline std::string asks_gpu(const std::string& container) {
  return fmt::format(
      "has({0}.resources) && has({0}.resources.limits) && "
      "{0}.resources.limits.exists(name, name.startsWith('nvidia.com/'))",
      container);
}

// A way to tolerate, of the pod's spec that `X` stands for.
inline std::string in(std::string way, const std::string& spec) {
  for (std::size_t at = 0; (at = way.find("X.", at)) != std::string::npos; at += spec.size()) way.replace(at, 1, spec);
  return way;
}

}  // namespace gpol
