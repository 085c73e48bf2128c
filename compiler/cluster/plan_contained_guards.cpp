// Guards that batch has no more of a node than it was given. Who reaches the node itself has all its devices without
// asking for one, and may run there what nobody can evict: a manifest in the kubelet's own directory is a pod.
#include <fmt/format.h>

#include "compiler/cluster/guard_parts.h"

namespace gpol {

namespace {

using namespace guards;

// Those that Pod Security's profile `baseline` lets pods add (k8s.io/pod-security-admission
// policy/check_capabilities_baseline.go), and one to pin memory, without which there is no RDMA between nodes.
constexpr const char* kCapabilities =
    "['AUDIT_WRITE', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'IPC_LOCK', 'KILL', 'MKNOD', 'NET_BIND_SERVICE', "
    "'SETFCAP', 'SETGID', 'SETPCAP', 'SETUID', 'SYS_CHROOT']";

std::string contained(const char* list) {
  return fmt::format(
      "!has(object.spec.{0}) || object.spec.{0}.all(c, !has(c.securityContext) || "
      "((!has(c.securityContext.privileged) || !c.securityContext.privileged) && "
      "(!has(c.securityContext.capabilities) || !has(c.securityContext.capabilities.add) || "
      "c.securityContext.capabilities.add.all(k, k in {1}))))",
      list, kCapabilities);
}

std::string off(const char* field) { return fmt::format("!has(object.spec.{0}) || !object.spec.{0}", field); }

}  // namespace

void plan_contained(const std::vector<std::string>& batch, Span span, Planned& out) {
  const std::string message = "containers of this namespace are not privileged, and add no capabilities but usual ones";
  Guard guard("gpol-batch-keeps-to-its-containers");
  guard.about(rule("", {"pods"}, {"CREATE"})).about(rule("", {"pods/ephemeralcontainers"}, {"UPDATE"})).in(batch);
  guard.demand("!has(object.spec.volumes) || object.spec.volumes.all(v, !has(v.hostPath))",
               "pods of this namespace mount no path of their node: use a PersistentVolumeClaim");
  for (const char* field : {"hostPID", "hostIPC"})
    guard.demand(off(field), fmt::format("pods of this namespace are not {}", field));
  for (const char* list : {"containers", "initContainers", "ephemeralContainers"})
    guard.demand(contained(list), message);
  add(std::move(guard), span, out);
}

}  // namespace gpol
