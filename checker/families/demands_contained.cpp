// What premises demand of batch's pods so that they have no more of a node than they asked for. Whoever reaches the
// node itself has each of its devices, and may put a pod into the kubelet's directory of manifests, which nobody queues
// and nobody evicts (pkg/kubelet/config/file.go). What a container runtime gives to containers that ask for nothing, by
// NVIDIA_VISIBLE_DEVICES of their image, no admission sees: the trusted premise nodes-as-declared names it.
#include <fmt/format.h>

#include "checker/families/demand_words.h"

namespace gpol {

void DemandList::keeps_to_its_containers(const std::string& who, const std::string& here) {
  const std::string_view key = "admission-only";
  const std::string takes = "it has all devices of its node, and may run there what Kueue never admitted";
  add(key, who, "creates a pod that mounts a path of its node", takes, "", "pods", "CREATE",
      here + "has(object.spec.volumes) && object.spec.volumes.exists(v, has(v.hostPath))");
  for (const char* field : {"hostPID", "hostIPC"})
    add(key, who, fmt::format("creates a pod with {}", field), takes, "", "pods", "CREATE",
        here + fmt::format("has(object.spec.{0}) && object.spec.{0} == true", field));
  struct List {
    const char *name, *resource, *operation, *does;
  };
  for (const List& list : {List{"containers", "pods", "CREATE", "creates a pod with a container"},
                           List{"initContainers", "pods", "CREATE", "creates a pod with an init container"},
                           List{"ephemeralContainers", "pods/ephemeralcontainers", "UPDATE", "adds a container"}}) {
    const auto some = [&](const std::string& condition) {
      return here + fmt::format("has(object.spec.{0}) && object.spec.{0}.exists(c, has(c.securityContext) && {1})",
                                list.name, condition);
    };
    add(key, who, fmt::format("{} that is privileged", list.does), takes, "", list.resource, list.operation,
        some("has(c.securityContext.privileged) && c.securityContext.privileged == true"));
    add(key, who, fmt::format("{} that has rights over its node", list.does), takes, "", list.resource, list.operation,
        some("has(c.securityContext.capabilities) && has(c.securityContext.capabilities.add) && "
             "c.securityContext.capabilities.add.exists(right, !(right in ['IPC_LOCK', 'NET_BIND_SERVICE', 'CHOWN', "
             "'FOWNER', 'FSETID', 'KILL', 'SETGID', 'SETUID', 'SETPCAP', 'SETFCAP', 'DAC_OVERRIDE', 'SYS_CHROOT', "
             "'AUDIT_WRITE', 'MKNOD']))"));
  }
}

}  // namespace gpol
