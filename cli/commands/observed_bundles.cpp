#include "cli/commands/observed_bundles.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "checker/families/given_edge.h"
#include "checker/observe/kustomize/paths.h"
#include "checker/observe/rests.h"
#include "compiler/cluster/listed.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

// Kueue's release that a kustomization names says which version runs.
void take_release(const Bundle& bundle, Existing& existing) {
  for (const auto& one : bundle.not_read) {
    if (one.what != manifest::Built::NotRead::What::KueueInstall) continue;
    const std::string version = manifest::kustomize::version_in_address(one.name);
    if (existing.runs.empty())
      existing.runs = version;
    else if (!version.empty() && version != existing.runs)
      existing.unmodelled.push_back({one.span, "",
                                     fmt::format("installs Kueue v{}, and v{} runs", version, existing.runs),
                                     "kustomization", bundle.path});
  }
}

bool has_queues(const ObservedBundle& one) {
  return !one.existing.cluster.queues.empty() || !one.existing.outside.empty() ||
         !one.existing.volcano.setup.queues.empty();
}

// It has no queue and says how Kueue, Volcano or the GPU Operator run.
bool configures(const ObservedBundle& one) {
  const auto& cuts = one.existing.cuts;
  return !has_queues(one) &&
         (one.existing.volcano.any() || !cuts.plugins.empty() || !cuts.maps.empty() || !cuts.operators.empty() ||
          std::ranges::any_of(one.bundle.files, [](const YamlFile& file) {
            return manifest::names_api(file.bytes, "config.kueue.x-k8s.io/") ||
                   manifest::names_api(file.bytes, "kueue.openshift.io/") || manifest::configures_devices(file.bytes);
          }));
}

}  // namespace

// Files that say different things of one object are of different clusters, where their directories part.
// `nodes`: files of Nodes, which all of them get. `as_one`: all is one cluster.
std::vector<ObservedBundle> observe_bundles(std::vector<Bundle> bundles, const std::vector<YamlFile>& nodes,
                                            bool as_one) {
  std::vector<ObservedBundle> observed;
  if (as_one) {
    Bundle all = joined(std::move(bundles));
    bundles.clear();
    bundles.push_back(std::move(all));
  }
  std::ranges::reverse(bundles);  // taken from behind
  while (!bundles.empty()) {
    Bundle bundle = std::move(bundles.back());
    bundles.pop_back();
    const std::size_t given = bundle.files.size(), own = given - bundle.beside;
    bundle.files.insert(bundle.files.end(), nodes.begin(), nodes.end());
    Existing existing =
        bundle.built ? observe_built(bundle.files, std::move(bundle.objects), own) : observe_existing(bundle.files);
    if (!bundle.built && !as_one && !existing.conflicts.empty()) {
      bundle.files.resize(given);
      auto parts = parted(std::move(bundle), existing.conflicts);
      if (parts.size() > 1) {
        std::move(parts.rbegin(), parts.rend(), std::back_inserter(bundles));
        continue;
      }
      bundle = std::move(parts.front());
      bundle.files.insert(bundle.files.end(), nodes.begin(), nodes.end());
    }
    take_release(bundle, existing);
    observed.push_back({std::move(bundle), std::move(existing)});
  }
  return observed;
}

namespace {

// `directory`: from a root that may lie above PATH's or below it. A kustomization may name files of others.
bool nothing_rests_on(std::string directory, const std::vector<ObservedBundle>& observed) {
  if (directory.starts_with("./")) directory.erase(0, 2);
  while (directory.ends_with('/')) directory.pop_back();
  if (directory.empty() || directory == ".") return false;
  const auto is_in = [&](const YamlFile& file) {
    return ("/" + file.path).find("/" + directory + "/") != std::string::npos;
  };
  bool any = false;
  for (const ObservedBundle& one : observed) {
    const auto& files = one.bundle.files;
    if (std::ranges::none_of(files, is_in)) continue;
    if (!one.bundle.not_read.empty() || !one.bundle.not_built.empty() || !one.bundle.errors.empty()) return false;
    if (std::ranges::any_of(files, [&](const YamlFile& file) {
          return (one.bundle.built || is_in(file)) && manifest::rests_on(file.bytes) != manifest::Rests::Nothing;
        }))
      return false;
    any = true;
  }
  return any;
}

}  // namespace

void drop_changes_elsewhere(std::vector<ObservedBundle>& observed) {
  for (ObservedBundle& one : observed)
    std::erase_if(one.existing.unmodelled, [&](const Unmodelled& change) {
      return change.changes && nothing_rests_on(change.directory, observed);
    });
}

void part_schedulers(std::vector<ObservedBundle>& observed) {
  std::vector<ObservedBundle> parts;
  for (ObservedBundle& one : observed) {
    Existing& existing = one.existing;
    VolcanoFacts& facts = existing.volcano;
    const bool of_kueue = !existing.cluster.queues.empty() || !existing.outside.empty() || finds_at_gateways(one);
    if (!facts.any()) {
      facts = {};
    } else if (of_kueue) {
      facts.beside = true;
      for (const Queue& queue : existing.cluster.queues)
        for (const ListedQuota& row : listed_quotas(queue.groups))
          facts.kueue[existing.cluster.resources[row.resource]] += row.quota.nominal;
      ObservedBundle& part = parts.emplace_back(ObservedBundle{one.bundle, {}});
      part.existing.volcano = std::exchange(facts, {});
      part.existing.nodes = existing.nodes;
      part.existing.pods = existing.pods;
      part.existing.role_labels = existing.role_labels;
      part.existing.cluster.roles = existing.cluster.roles;
      part.existing.cluster.role_bindings = existing.cluster.role_bindings;
      part.existing.places.role_bindings = existing.places.role_bindings;
      for (const Unmodelled& change : existing.unmodelled)
        if (change.changes) part.existing.unmodelled.push_back(change);
    }
  }
  std::ranges::move(parts, std::back_inserter(observed));
}

bool says_nothing(const ObservedBundle& one) {
  const Existing& existing = one.existing;
  const VolcanoFacts& volcano = existing.volcano;
  if (volcano.any()) return volcano.setup.queues.empty() && volcano.rejections.empty() && volcano.silent.empty();
  if (!existing.cluster.queues.empty() || !existing.outside.empty()) return false;
  return one.bundle.built ? !one.bundle.of_kueue : existing.rejections.empty() && existing.unmodelled.empty();
}

bool whole_edge(const Existing& existing, const Bundle& bundle) {
  return existing.edge.whole && bundle.not_built.empty() && bundle.not_read.empty() &&
         std::ranges::none_of(existing.unmodelled, [](const Unmodelled& u) { return u.dropped || u.changes; });
}

bool finds_at_gateways(const ObservedBundle& one) {
  edge::Facts facts = one.existing.edge;
  facts.whole = whole_edge(one.existing, one.bundle);
  Report report;
  judge_edge(facts, report);
  return !report.obligations.empty();
}

void share_running(std::vector<ObservedBundle>& observed) {
  std::set<std::string> runs;
  for (const ObservedBundle& one : observed)
    if (!one.existing.runs.empty()) runs.insert(one.existing.runs);
  if (runs.size() == 1)
    for (ObservedBundle& one : observed) one.existing.runs = *runs.begin();
}

void join_configurations(std::vector<ObservedBundle>& observed, const std::vector<YamlFile>& files,
                         const ReadMore& more, const std::vector<YamlFile>& nodes) {
  std::set<std::string> paths;
  const ObservedBundle* queues = nullptr;
  std::size_t with_queues = 0, configure = 0;
  for (const ObservedBundle& one : observed) {
    if (has_queues(one)) ++with_queues, queues = &one;
    configure += configures(one) ? 1 : 0;
    if (has_queues(one) || configures(one)) paths.insert(one.bundle.path);
  }
  if (with_queues == 0 || configure == 0) return;
  if (with_queues == 1) {
    std::vector<Bundle> together, others;
    for (Bundle& bundle : bundles_of(files, more))
      (paths.contains(bundle.path) ? together : others).push_back(std::move(bundle));
    // What was parted, since it says different things of one object, is not one cluster.
    const bool whole = together.size() == paths.size();
    std::vector<Bundle> one;
    one.push_back(joined(std::move(together)));
    one.front().path = queues->bundle.path;
    auto joint = observe_bundles(std::move(one), nodes, false);
    if (whole && joint.size() == 1 && joint.front().existing.rejections.size() == queues->existing.rejections.size()) {
      std::erase_if(observed, [&](const ObservedBundle& each) { return paths.contains(each.bundle.path); });
      observed.insert(observed.begin(), std::move(joint.front()));
      return;
    }
  }
  std::string others;
  for (const ObservedBundle& one : observed)
    if (configures(one)) add_to_list(others, "`" + one.bundle.path + "`");
  for (ObservedBundle& one : observed)
    if (has_queues(one))
      one.existing.trusted.push_back(fmt::format(
          "how Kueue, Volcano and the GPU Operator run is not what {} says, which is of another cluster (`--as-one`: "
          "of this one)",
          others));
}

}  // namespace gpol
