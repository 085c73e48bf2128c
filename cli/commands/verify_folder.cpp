// The bundles of what was given, each verified by itself.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

#include "checker/observe/existing.h"
#include "cli/commands/commands.h"
#include "cli/commands/verify.h"
#include "cli/commands/verify_notes.h"
#include "cli/render/text.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

// Parts of one folder may be applied to one cluster: what they share is then shared by more queues than each shows.
void name_shared_cohorts(Verified& verified) {
  if (verified.sessions.size() < 2) return;
  std::map<std::string, std::vector<std::size_t>> parts;  // by cohort
  for (std::size_t i = 0; i < verified.sessions.size(); ++i) {
    const Cluster& cluster = verified.sessions[i]->planned->cluster;
    std::set<std::string> names;
    for (const CohortNode& cohort : cluster.cohorts) names.insert(cohort.name);
    for (const Queue& queue : cluster.queues)
      if (!queue.cohort.empty()) names.insert(queue.cohort);
    for (const std::string& name : names) parts[name].push_back(i);
  }
  for (const auto& [cohort, sharing] : parts)
    for (const std::size_t i : sharing) {
      std::string others;
      for (const std::size_t other : sharing)
        if (other != i) add_to_list(others, fmt::format("`{}`", verified.run.policies[other].bundle));
      if (others.empty()) continue;
      Assumption shared;
      shared.text =
          fmt::format("cohort `{}` of this part is another one than that of {}: they are applied to different clusters",
                      cohort, others);
      shared.status = Assumption::Status::Trusted;
      verified.sessions[i]->report.assumptions.push_back(std::move(shared));
    }
}

struct ObservedBundle {
  Bundle bundle;
  Existing existing;
};

// Files that say different things of one object are of different clusters, where their directories part.
// `nodes`: files of Nodes, which all of them get.
std::vector<ObservedBundle> observe_bundles(std::vector<Bundle> bundles, const std::vector<YamlFile>& nodes) {
  std::vector<ObservedBundle> observed;
  std::reverse(bundles.begin(), bundles.end());  // taken from behind
  while (!bundles.empty()) {
    Bundle bundle = std::move(bundles.back());
    bundles.pop_back();
    const std::size_t own = bundle.files.size();
    bundle.files.insert(bundle.files.end(), nodes.begin(), nodes.end());
    Existing existing =
        bundle.built ? observe_built(bundle.files, std::move(bundle.objects), own) : observe_existing(bundle.files);
    if (!bundle.built && !existing.conflicts.empty()) {
      bundle.files.resize(own);
      auto parts = parted(std::move(bundle), existing.conflicts);
      if (parts.size() > 1) {
        std::move(parts.rbegin(), parts.rend(), std::back_inserter(bundles));
        continue;
      }
      bundle = std::move(parts.front());
      bundle.files.insert(bundle.files.end(), nodes.begin(), nodes.end());
    }
    observed.push_back({std::move(bundle), std::move(existing)});
  }
  return observed;
}

// No queue, nothing that serves, and nothing wrong: beside other bundles no verdict is asked of it.
bool says_nothing(const ObservedBundle& one) {
  const Existing& existing = one.existing;
  return existing.cluster.queues.empty() && existing.outside.empty() && existing.rejections.empty() &&
         existing.unmodelled.empty() && one.bundle.errors.empty() && one.bundle.not_built.empty();
}

}  // namespace

Verified verify_paths(const VerifyOptions& options, std::istream& standard_input) {
  Verified verified;
  RunReport& run = verified.run;
  run.version = GPOL_VERSION;
  run.allowed_gaps = options.allowed_gaps;
  auto texts = read_manifests(options.paths, standard_input);
  run.diagnostics = std::move(texts.diagnostics);
  std::string classes;
  if (!options.classes.empty())
    if (auto text = read_policy_file(options.classes, run.diagnostics)) classes = text->empty() ? "\n" : *text;
  std::vector<YamlFile> files, nodes;
  for (const std::string& path : options.nodes)
    if (auto text = read_manifest_file(path, run.diagnostics)) nodes.push_back({path, std::move(*text)});
  // Kustomizations name files without `./`.
  for (PolicyText& text : texts.value)
    files.push_back({std::filesystem::path(text.path).lexically_normal().string(), std::move(text.text)});
  const ReadMore more = [&](const std::string& path) { return read_beside(options.paths, path); };
  auto observed = observe_bundles(bundles_of(std::move(files), more), nodes);
  std::set<std::string> queues;  // of all bundles: a flag may name one of any
  for (const ObservedBundle& one : observed)
    for (const Queue& queue : one.existing.cluster.queues) queues.insert(queue.name);
  bool timed = false;
  for (ObservedBundle& one : observed) {
    if (observed.size() > 1 && says_nothing(one)) {
      if (one.existing.objects > 0)
        run.notes.push_back(fmt::format("left out: {} in `{}`, without a queue", plural(one.existing.objects, "object"),
                                        one.bundle.path));
      for (std::string& text : left_out_texts(one.existing, options.list_skipped)) run.notes.push_back(std::move(text));
      continue;
    }
    const bool whole = one.bundle.path == "." && options.paths.size() == 1;
    const std::string path = whole ? options.paths.front() : one.bundle.path;
    std::vector<std::string> notes;
    auto session = verify_observed(std::move(one.existing), std::move(one.bundle), {classes, &queues}, options, notes);
    const auto& roles = session->planned->intent.roles;
    timed = timed || std::any_of(roles.begin(), roles.end(), [](const QueueRole& r) { return r.deadline.has_value(); });
    run.policies.push_back(report_of(*session));
    run.policies.back().verified = true;
    run.policies.back().bundle = path;
    run.policies.back().notes = std::move(notes);
    verified.sessions.push_back(std::move(session));
  }
  name_shared_cohorts(verified);
  run.assumed = fmt::format("Kueue v{}{}", options.kueue, timed ? "" : ", untimed");
  return verified;
}

}  // namespace gpol
