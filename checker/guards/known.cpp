// What every request has, by Kubernetes' own types (k8s.io/api v0.36, ObjectMeta of apimachinery, AdmissionRequest as
// apiserver's plugin/cel/condition.go makes it). Kinds only, and presence where the API server itself sees to it.
#include <array>
#include <ranges>
#include <string_view>

#include "checker/guards/symbolic.h"

namespace gpol::symbolic {

namespace {

struct Rule {
  unsigned kinds;
  std::string_view patterns;  // with a space between; "*": any one step
};

constexpr unsigned kText = bit(Kind::String), kMap = bit(Kind::Map), kList = bit(Kind::List), kBool = bit(Kind::Bool),
                   kInt = bit(Kind::Int), kNull = bit(Kind::Null);

// A path is steps behind '/', a key quoted by nothing: keys that hold '/' come behind "labels" and its like only, where
// the pattern ends.
constexpr std::array kMetadata = {
    Rule{kText,
         "name generateName namespace uid resourceVersion labels/* annotations/* finalizers/* deletionTimestamp"},
    Rule{kMap, "labels annotations ownerReferences/*"},
    Rule{kList, "finalizers ownerReferences"},
    Rule{kInt, "generation deletionGracePeriodSeconds"},
};

constexpr std::array kPodSpec = {
    Rule{kText, "schedulerName nodeName priorityClassName preemptionPolicy serviceAccountName runtimeClassName"},
    Rule{kText, "restartPolicy nodeSelector/* schedulingGates/*/name resources/limits/* resources/requests/*"},
    Rule{kText, "tolerations/*/key tolerations/*/operator tolerations/*/value tolerations/*/effect"},
    Rule{kInt, "priority terminationGracePeriodSeconds activeDeadlineSeconds"},
    Rule{kBool, "hostNetwork hostPID hostIPC"},
    Rule{kList, "containers initContainers ephemeralContainers tolerations schedulingGates resourceClaims"},
    Rule{kMap, "nodeSelector affinity tolerations/* schedulingGates/* resourceClaims/*"},
    Rule{kMap, "resources resources/limits resources/requests"},
};

constexpr std::array kContainer = {
    Rule{kText, "name image resources/limits/* resources/requests/*"},
    Rule{kMap, "resources resources/limits resources/requests"},
    Rule{kList, "resources/claims"},
};

constexpr std::array kRequest = {
    Rule{kText,
         "kind/* requestKind/* userInfo/username userInfo/uid userInfo/groups/* userInfo/extra/*/* name namespace"},
    Rule{kMap, "kind requestKind resource requestResource userInfo userInfo/extra"},
    Rule{kList, "userInfo/groups userInfo/extra/*"},
    Rule{kBool, "dryRun"},
};

// The rest of a path behind a prefix of steps ("*" is any), or nothing.
std::optional<std::string_view> behind(std::string_view path, std::string_view pattern) {
  while (!pattern.empty()) {
    if (path.empty()) return std::nullopt;
    const auto end = pattern.find('/');
    const std::string_view step = pattern.substr(0, end);
    const auto path_end = path.find('/');
    if (step != "*" && path.substr(0, path_end) != step) return std::nullopt;
    pattern = end == std::string_view::npos ? "" : pattern.substr(end + 1);
    path = path_end == std::string_view::npos ? "" : path.substr(path_end + 1);
  }
  return path;
}

template <class Rules>
unsigned kinds_in(const Rules& rules, std::string_view path) {
  if (path.empty()) return kMap;
  for (const Rule& rule : rules)
    for (const auto pattern : std::views::split(rule.patterns, ' ')) {
      const auto rest = behind(path, std::string_view(pattern.begin(), pattern.end()));
      if (rest && rest->empty()) return rule.kinds;
    }
  return kAnyKind;
}

std::string_view pod_spec_of(const AdmissionTarget& target) {
  const bool whole = target.subresource.empty() || target.subresource == "status";
  if (target.group.empty() && target.version == "v1" && target.resource == "pods")
    return whole || target.subresource == "ephemeralcontainers" || target.subresource == "resize" ? "spec" : "";
  static const std::set<std::string> kApps = {"deployments", "statefulsets", "daemonsets", "replicasets"};
  const bool apps = target.group == "apps" && target.version == "v1" && kApps.count(target.resource) != 0;
  const bool jobs = target.group == "batch" && target.version == "v1" && target.resource == "jobs";
  return whole && (apps || jobs) ? "spec/template/spec" : "";
}

unsigned object_kinds(const AdmissionTarget& target, std::string_view path) {
  if (const auto rest = behind(path, "metadata"); rest) return kinds_in(kMetadata, *rest);
  // autoscaling/v1 Scale
  if (target.subresource == "scale") return path == "spec" ? kMap : path == "spec/replicas" ? kInt : kAnyKind;
  const std::string_view spec = pod_spec_of(target);
  if (spec.empty() || path.empty()) return kAnyKind;
  if (path == "spec" || path == "status" || (path == "spec/template" && spec != "spec")) return kMap;
  if (spec == "spec" && (path == "status/nominatedNodeName" || path == "status/phase")) return kText;
  if (spec != "spec")
    if (const auto rest = behind(path, "spec/template/metadata"); rest) return kinds_in(kMetadata, *rest);
  if (target.resource == "jobs" && (path == "spec/suspend" || path == "spec/manualSelector")) return kBool;
  if (target.resource == "jobs")
    for (const std::string_view count : {"spec/parallelism", "spec/completions", "spec/backoffLimit"})
      if (path == count) return kInt;
  const auto rest = behind(path, spec);
  if (!rest) return kAnyKind;
  for (const std::string_view list : {"containers/*", "initContainers/*", "ephemeralContainers/*"})
    if (const auto inner = behind(*rest, list); inner) return kinds_in(kContainer, *inner);
  return kinds_in(kPodSpec, *rest);
}

Known of_request(const AdmissionTarget& target, std::string_view path) {
  Known known;
  known.kinds = kinds_in(kRequest, path);
  const auto is = [&](std::string_view one, std::string_view two) { return path == one || path == two; };
  const auto fixed = [&](const std::string& text, bool always) {
    known.kinds = kText;
    known.present = always || !text.empty();
    known.text = text;
  };
  if (path == "operation") fixed(target.operation, true);
  if (is("subResource", "requestSubResource")) fixed(target.subresource, false);
  if (path == "requestResource/group") fixed(target.group, true);
  if (path == "requestResource/version") fixed(target.version, true);
  if (path == "requestResource/resource") fixed(target.resource, true);
  if (path == "resource/group") fixed(target.group, true);
  if (path == "resource/version") fixed(target.version, true);
  if (path == "resource/resource") fixed(target.resource, true);
  static const std::set<std::string_view> kAlways = {"",         "kind",  "requestKind", "resource", "requestResource",
                                                     "userInfo", "dryRun"};
  if (kAlways.count(path) != 0 || behind(path, "kind/*") || behind(path, "requestKind/*")) known.present = true;
  if (path == "namespace") known.present = target.namespaced || target.resource == "namespaces";
  known.not_empty = path == "name" || path == "namespace" || path == "userInfo/username" || path == "userInfo/uid";
  return known;
}

// Parts that are structures in Go, which JSON never leaves out, and the list that no valid pod is without.
bool is_always_there(const AdmissionTarget& target, std::string_view path) {
  if (path == "metadata") return true;
  const std::string_view spec = pod_spec_of(target);
  if (spec.empty()) return false;
  if (path == "status") return true;
  const auto containers = behind(path, spec);
  return path == "spec" || (containers && containers->empty()) || (containers && *containers == "containers") ||
         (spec != "spec" && path == "spec/template");
}

}  // namespace

Known known_of(const AdmissionTarget& target, const std::string& path) {
  if (const auto rest = behind(path, "request"); rest) return of_request(target, *rest);
  Known known;
  if (const auto rest = behind(path, "namespace"); rest) {
    if (rest->empty()) known.kinds = kMap;
    if (const auto inner = behind(*rest, "metadata"); inner) known.kinds = kinds_in(kMetadata, *inner);
    if (*rest == "metadata" || *rest == "metadata/name") known.present = true;
    return known;
  }
  const bool old = path.starts_with("oldObject");
  const std::string& op = target.operation;
  if (path == "object" || path == "oldObject") {
    const bool none = old ? op == "CREATE" || op == "CONNECT" : op == "DELETE";
    known.kinds = none ? kNull : op == "UPDATE" || op == "CREATE" ? kMap : kMap | kNull;
    return known;
  }
  const auto rest = behind(path, old ? "oldObject" : "object");
  if (!rest || op == "CONNECT") return known;
  known.kinds = object_kinds(target, *rest);
  if (is_always_there(target, *rest)) known.present = true;
  return known;
}

std::vector<AlwaysThere> always_there(const AdmissionTarget& target) {
  std::vector<AlwaysThere> parts;
  for (const char* object : {"object", "oldObject"}) {
    if (known_of(target, object).kinds == kNull) continue;
    parts.push_back({{object, "metadata"}});
    const std::string_view spec = pod_spec_of(target);
    if (spec == "spec") parts.push_back({{object, "spec", "containers"}, true});
    if (spec == "spec/template/spec") parts.push_back({{object, "spec", "template", "spec", "containers"}, true});
  }
  return parts;
}

}  // namespace gpol::symbolic
