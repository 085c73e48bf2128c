// Guards on the devices that pods ask for: so many of one kind, in one container.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "compiler/cluster/guard_parts.h"

namespace gpol {

using namespace guards;

Devices devices_of(const Policy& policy, const Resources& amounts) {
  for (const auto& [resource, amount] : amounts)
    if (policy.resources[static_cast<std::size_t>(resource)].device && amount > 0) return {resource, amount};
  return {Resource::Gpu, 0};
}

std::string in_name(const Policy& policy, const Devices& devices) {
  const ResourceRow& row = policy.resources[static_cast<std::size_t>(devices.first)];
  std::string profile = row.profile;  // `1g.10gb+me`: no name of an object has a plus
  std::ranges::replace(profile, '+', '.');
  if (row.profile == kShares) return fmt::format("{}-shared", devices.second);
  return row.profile.empty() ? std::to_string(devices.second) : fmt::format("{}-mig-{}", devices.second, profile);
}

// Exactly so many devices of one kind in one container of a pod, and none before it starts; where `when` holds. A node
// of whole GPUs has no other kind; one that is cut may have several.
Guard& demand_devices(Guard& guard, const std::string& spec, const Policy& policy, const Devices& devices,
                      const std::string& what) {
  const ResourceRow& row = policy.resources[static_cast<std::size_t>(devices.first)];
  const std::string& name = row.name;
  const std::int64_t gpus = devices.second;
  const std::string has_gpu =
      fmt::format("has(c.resources) && has(c.resources.limits) && '{}' in c.resources.limits", name);
  guard.let("exact", fmt::format("{2}.containers.exists_one(c, {0}) && {2}.containers.all(c, "
                                 "!({0}) || string(c.resources.limits['{3}']) == '{1}')",
                                 has_gpu, gpus, spec, name));
  guard.let("early", fmt::format("has({1}.initContainers) && {1}.initContainers.exists(c, {0})", has_gpu, spec));
  if (row.profile.empty())
    return guard
        .demand("!variables.when || variables.exact",
                fmt::format("{} asks for exactly {} GPUs, in one container", what, gpus))
        .demand("!variables.when || !variables.early", "an init container asks for no GPU");
  guard.let("others",
            fmt::format("{0}.containers.exists(c, has(c.resources) && has(c.resources.limits) && "
                        "c.resources.limits.exists(k, k.startsWith('nvidia.com/') && k != '{1}')) || "
                        "(has({0}.initContainers) && {0}.initContainers.exists(c, has(c.resources) && "
                        "has(c.resources.limits) && c.resources.limits.exists(k, k.startsWith('nvidia.com/') && "
                        "k != '{1}')))",
                        spec, name));
  return guard
      .demand("!variables.when || variables.exact",
              fmt::format("{} asks for exactly {} {}, in one container", what, gpus, name))
      .demand("!variables.when || !variables.early",
              row.profile == kShares ? "an init container asks for no share" : "an init container asks for no slice")
      .demand("!variables.when || !variables.others", fmt::format("{} asks for no device but {}", what, name));
}

namespace {

// Kueue adds the flavor's label to the node selector of what it admits there: what stood there before is not asked.
void plan_shape(const Policy& policy, const Flavor& flavor, const Devices& devices,
                const std::vector<std::string>& namespaces, Span span, Planned& out) {
  const auto there = [&](const char* object) {
    std::string text = fmt::format("has({}.spec.nodeSelector)", object);
    for (const auto& [key, value] : flavor.node_labels)
      text += fmt::format(" && '{0}' in {2}.spec.nodeSelector && {2}.spec.nodeSelector['{0}'] == '{1}'", key, value,
                          object);
    return text;
  };
  Guard guard(fmt::format("gpol-shape-{}-{}", flavor.name, in_name(policy, devices)));
  guard.about(rule("", {"pods"}, {"CREATE", "UPDATE"})).in(namespaces);
  guard.let("when", fmt::format("{} && !(request.operation == 'UPDATE' && {})", there("object"), there("oldObject")));
  add(demand_devices(guard, "object.spec", policy, devices, "a pod on " + flavor.name), span, out);
}

}  // namespace

void plan_shapes(const Policy& policy, Planned& out) {
  struct Users {
    std::vector<std::string> namespaces;
    Span span;
  };
  std::map<std::pair<std::uint32_t, Devices>, Users> shapes;
  for (const Tenant& tenant : policy.tenants)
    for (const PoolAmount& shape : tenant.shapes) {
      Users& users = shapes[{shape.pool, devices_of(policy, shape.amount)}];
      users.namespaces.insert(users.namespaces.end(), tenant.namespaces.begin(), tenant.namespaces.end());
      if (!users.span.known()) users.span = shape.span;
    }
  for (auto& [shape, users] : shapes) {
    std::ranges::sort(users.namespaces);
    plan_shape(policy, out.cluster.flavors[shape.first], shape.second, users.namespaces, users.span, out);
  }
}

}  // namespace gpol
