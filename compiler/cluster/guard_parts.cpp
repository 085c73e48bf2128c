#include "compiler/cluster/guard_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gpol::guards {

Rule rule(std::string group, std::vector<std::string> resources, std::vector<std::string> operations) {
  // Custom resources serve no v1.
  const bool any = group == "kueue.x-k8s.io" || (group.find('.') != std::string::npos && !group.ends_with(".k8s.io"));
  Rule made;
  made.groups = {std::move(group)};
  made.versions = {any ? "*" : "v1"};
  made.operations = std::move(operations);
  made.resources = std::move(resources);
  return made;
}

std::string user_is(std::string_view name) { return fmt::format("request.userInfo.username == '{}'", name); }

namespace {
std::string asks(const std::string& spec, const char* name) {
  const auto some = [&](const char* list) {
    return fmt::format(
        "{}.{}.exists(c, has(c.resources) && has(c.resources.limits) && c.resources.limits.exists(k, {}))", spec, list,
        name);
  };
  return fmt::format("{} || (has({}.initContainers) && {})", some("containers"), spec, some("initContainers"));
}

std::string entry(std::string_view map, std::string_view object, std::string_view key) {
  return fmt::format("(has({0}.metadata.{2}) && '{1}' in {0}.metadata.{2} ? {0}.metadata.{2}['{1}'] : '')", object, key,
                     map);
}

}  // namespace

std::string asks_by_name(const std::string& spec) {
  return asks(spec, "k.startsWith('nvidia.com/gpu') || k.startsWith('nvidia.com/mig-')");
}

std::string asks_gpu(const std::string& spec) {
  return fmt::format("{} || has({}.resourceClaims)", asks(spec, "k.startsWith('nvidia.com/')"), spec);
}

std::string is_one_of(std::string_view what, const std::set<std::string>& values) {
  return values.size() == 1 ? fmt::format("{} == '{}'", what, *values.begin())
                            : fmt::format("{} in ['{}']", what, fmt::join(values, "', '"));
}

std::string tolerates(const Policy& policy, const std::string& spec) {
  std::set<std::string> keys;
  for (const Pool& pool : policy.pools) keys.insert(taint_of(pool).key);
  return fmt::format("has({0}.tolerations) && {0}.tolerations.exists(t, !has(t.key) || t.key == '' || {1})", spec,
                     is_one_of("t.key", keys));
}

std::string uses(const Policy& policy, const std::string& spec) {
  return fmt::format("{} || ({})", asks_gpu(spec), tolerates(policy, spec));
}

std::string selects_some(const Policy& policy, const std::string& spec, const std::set<std::uint32_t>& pools) {
  std::string key;  // of all of them: GP0321
  std::set<std::string> values;
  for (const std::uint32_t pool : pools) {
    const NodeMark label = label_of(policy.pools[pool]);
    key = label.key;
    values.insert(label.value);
  }
  return fmt::format("has({0}.nodeSelector) && '{1}' in {0}.nodeSelector && {0}.nodeSelector['{1}'] in ['{2}']", spec,
                     key, fmt::join(values, "', '"));
}

std::string names_node(const std::string& spec) { return fmt::format("has({0}.nodeName) && {0}.nodeName != ''", spec); }

std::string gated(const std::string& object) {
  return fmt::format("(has({0}.spec.schedulingGates) && {0}.spec.schedulingGates.exists(g, g.name == '{1}'))", object,
                     kQueueGate);
}

std::string suspended(const std::string& object) {
  return fmt::format("(has({0}.spec.suspend) && {0}.spec.suspend)", object);
}

std::string label(std::string_view object, std::string_view key) { return entry("labels", object, key); }
std::string annotation(std::string_view object, std::string_view key) { return entry("annotations", object, key); }

std::string same_label(std::string_view key) {
  return fmt::format("{} == {}", label("object", key), label("oldObject", key));
}

std::string keeps_label(std::string_view key) {
  return fmt::format("(request.operation == 'UPDATE' && {})", same_label(key));
}

std::string ends_it() {
  return fmt::format("(request.operation == 'UPDATE' && request.userInfo.username in ['{}', '{}'])", kKueue,
                     kJobController);
}

std::string one_of(const std::vector<Writer>& writers) {
  std::vector<std::string> any;
  for (const Writer& writer : writers)
    any.push_back(writer.group ? fmt::format("('{}' in request.userInfo.groups)", writer.name) : user_is(writer.name));
  return fmt::format("{}", fmt::join(any, " || "));
}

void add(Guard guard, Span span, Planned& out) {
  AdmissionBinding binding;
  binding.name = binding.policy = guard.policy.name;
  binding.actions = {"Deny"};
  out.cluster.admission_policies.push_back(std::move(guard.policy));
  out.cluster.admission_bindings.push_back(std::move(binding));
  out.origins.guard.push_back(span);
}

}  // namespace gpol::guards
