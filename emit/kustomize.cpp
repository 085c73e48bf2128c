#include "emit/kustomize.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "compiler/cluster/quantity.h"
#include "emit/layout.h"

namespace gpol {

namespace {

yaml::Map kustomization(yaml::List resources) {
  // Without an order kustomize sorts by kind, and queues would be applied before the flavors they name.
  return {{"apiVersion", "kustomize.config.k8s.io/v1beta1"},
          {"kind", "Kustomization"},
          {"sortOptions", yaml::Map{{"order", "fifo"}}},
          {"resources", std::move(resources)}};
}

// Where a quota stands: resource group, flavor within it, resource within that.
using Position = std::tuple<std::size_t, std::size_t, std::size_t>;

Position position(const Cluster& cluster, const Queue& queue, const Mode::Key& key) {
  for (std::size_t g = 0; g < queue.groups.size(); ++g) {
    const ResourceGroup& group = queue.groups[g];
    for (std::size_t f = 0; f < group.flavors.size(); ++f) {
      if (cluster.flavors.at(group.flavors[f].flavor).name != key.flavor) continue;
      for (std::size_t r = 0; r < group.covered.size(); ++r)
        if (cluster.resources.at(group.covered[r]) == key.resource) return {g, f, r};
    }
  }
  throw std::logic_error(fmt::format("internal error: queue {} has no quota of {} in flavor {} for a mode to change",
                                     key.queue, key.resource, key.flavor));
}

void add_step(yaml::List& patch, const char* op, std::string path, std::optional<std::string> value) {
  yaml::Map step{{"op", op}, {"path", std::move(path)}};
  if (value) step.emplace_back("value", *std::move(value));
  patch.emplace_back(std::move(step));
}

void add_limit(yaml::List& patch, const std::string& path, const std::string& resource,
               std::optional<std::int64_t> before, std::optional<std::int64_t> after) {
  if (before == after) return;
  if (!after) return add_step(patch, "remove", path, std::nullopt);
  add_step(patch, before ? "replace" : "add", path, quantity(resource, *after));
}

yaml::List queue_patch(const Cluster& cluster, const Queue& queue, const std::map<Position, Quota>& changed) {
  yaml::List patch;
  for (const auto& [at, after] : changed) {
    const auto [g, f, r] = at;
    const ResourceGroup& group = queue.groups[g];
    const Quota& before = group.flavors[f].quotas.at(r);
    const std::string& resource = cluster.resources.at(group.covered[r]);
    const std::string path = fmt::format("/spec/resourceGroups/{}/flavors/{}/resources/{}/", g, f, r);
    add_limit(patch, path + "nominalQuota", resource, before.nominal, after.nominal);
    if (queue.cohort.empty()) continue;
    add_limit(patch, path + "borrowingLimit", resource, before.borrowing, after.borrowing);
    add_limit(patch, path + "lendingLimit", resource, before.lending, after.lending);
  }
  return patch;
}

// A target's name is a regular expression to kustomize, anchored at both ends: a bare dot would match other queues too.
std::string exactly(const std::string& name) {
  std::string pattern;
  for (const char c : name) {
    if (c == '.') pattern += '\\';
    pattern += c;
  }
  return pattern;
}

yaml::Map patch_entry(const std::string& queue, yaml::List patch) {
  yaml::Map target{
      {"group", "kueue.x-k8s.io"}, {"version", "v1beta2"}, {"kind", "ClusterQueue"}, {"name", exactly(queue)}};
  return {{"target", std::move(target)}, {"patch", yaml::print(std::move(patch))}};  // a text to kustomize
}

}  // namespace

Artefact root_kustomization(const std::string& revision) {
  yaml::Map map = kustomization({std::string(folder_name(Folder::Base))});
  // On no object: an edit that changes nothing in the cluster is to change nothing there. kustomize passes it over.
  map.insert(map.begin() + 2, {"metadata", yaml::Map{{"annotations", yaml::Map{{"gpol.dev/revision", revision}}}}});
  return {"kustomization.yaml", {{std::move(map)}}};
}

Artefact base_kustomization(const std::vector<std::string>& file_names) {
  Artefact artefact{path_in(Folder::Base, "kustomization.yaml"), {}};
  artefact.documents.push_back({kustomization(yaml::List(file_names.begin(), file_names.end()))});
  return artefact;
}

Artefact overlay(const Cluster& cluster, const QueueIndex& queues, const Mode& mode,
                 std::vector<std::string> comments) {
  yaml::List patches;
  for (auto entry = mode.changed.begin(); entry != mode.changed.end();) {
    const auto found = queues.find(entry->first.queue);
    if (found == queues.end())
      throw std::logic_error(
          fmt::format("internal error: mode {} changes an unknown queue {}", mode.name, entry->first.queue));
    const Queue& queue = cluster.queues.at(found->second);
    std::map<Position, Quota> changed;
    for (; entry != mode.changed.end() && entry->first.queue == queue.name; ++entry)
      changed.emplace(position(cluster, queue, entry->first), entry->second);
    yaml::List patch = queue_patch(cluster, queue, changed);
    if (!patch.empty()) patches.emplace_back(patch_entry(queue.name, std::move(patch)));
  }
  yaml::Map map = kustomization({fmt::format("../../{}", folder_name(Folder::Base))});
  if (!patches.empty()) map.emplace_back("patches", std::move(patches));
  return {path_in(Folder::Overlays, path_component(mode.name)) + "/kustomization.yaml",
          {{std::move(map), std::move(comments)}}};
}

}  // namespace gpol
