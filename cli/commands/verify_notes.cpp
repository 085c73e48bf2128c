#include "cli/commands/verify_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "checker/families/mixed_roles.h"
#include "compiler/cluster/roles.h"
#include "compiler/source/text.h"

namespace gpol {

std::vector<std::string> tell_demands(const Planned& planned, const Existing& existing, Report& report) {
  const Cluster& cluster = planned.cluster;
  std::map<std::string_view, std::int64_t> pods;
  std::vector<std::string> told;
  constexpr std::size_t kMost = 5;
  for (std::size_t q = 0; q < cluster.queues.size(); ++q) {
    const QueueRole& role = planned.intent.roles[q];
    if (role.kind != QueueRole::Kind::Serving || role.isolation == Isolation::C || !role.unit_demand) continue;
    if (std::any_of(existing.unmodelled.begin(), existing.unmodelled.end(), [&](const Unmodelled& u) {
          return u.name == cluster.queues[q].name && u.field.ends_with("nominalQuota");
        }))
      continue;  // how much it owns is not known
    pods.emplace(cluster.queues[q].name, *role.unit_demand);
    if (pods.size() > kMost) continue;
    std::string all;
    for (const auto& [count, left_out] : role.demands) {
      std::string each;
      for (const ResourceGroup& group : cluster.queues[q].groups)
        for (const std::uint32_t r : group.covered) {
          const std::string& name = cluster.resources[r];
          if (name == "pods" || std::binary_search(left_out.begin(), left_out.end(), r)) continue;
          const bool bytes = one_unit(name) == one_unit("memory");
          add_to_list(each, fmt::format("1 {}{}", bytes ? "GiB of " : "", name));
        }
      add_to_list(all,
                  fmt::format("{} {}{}", count, count == 1 ? "pod" : "pods", each.empty() ? "" : ", each of " + each),
                  "; or ");
    }
    told.push_back(fmt::format("demand of `{}`: {}", cluster.queues[q].name, all));
  }
  if (pods.size() > kMost) told.push_back(fmt::format("and the demands of {} more queues", pods.size() - kMost));
  for (Obligation& o : report.obligations)
    if (o.subject.kind == "ClusterQueue" && (o.family == Family::Claim || o.family == Family::Reclaim))
      if (const auto found = pods.find(o.subject.name); found != pods.end()) o.figures.demand_pods = found->second;
  return told;
}

std::vector<std::string> left_out_texts(const Existing& existing, bool each) {
  constexpr std::pair<const char*, const char*> kWords[] = {
      {"file that is no Kubernetes object", "files that are no Kubernetes objects"},
      {"template that was not rendered", "templates that were not rendered"},
      {"file of a Helm chart", "files of Helm charts"},
      {"file that no kustomization names", "files that no kustomization names"},
      {"file or directory that gpol.yaml excludes", "files or directories that gpol.yaml excludes"},
      {"hidden directory", "hidden directories"}};
  std::vector<std::string> texts;
  for (const LeftOut& one : existing.left_out)
    if (each)
      texts.push_back(fmt::format("left out: {}, a {}", one.path, kWords[static_cast<std::size_t>(one.why)].first));
  if (each || existing.left_out.empty()) return texts;
  std::map<LeftOut::Why, std::size_t> counts;
  for (const LeftOut& one : existing.left_out) ++counts[one.why];
  std::string text;
  for (const auto& [why, count] : counts) {
    const auto& [one, several] = kWords[static_cast<std::size_t>(why)];
    add_to_list(text, fmt::format("{} {}", count, count == 1 ? one : several));
  }
  texts.push_back(fmt::format("left out: {} (`--list-skipped` names them)", text));
  return texts;
}

std::vector<std::string> notes_of(const Existing& existing, std::span<const PodLimits> limits,
                                  std::span<const PodFacts* const> daemons) {
  std::vector<std::string> notes;
  std::string others;
  auto counts = existing.others;
  std::set<std::string> taken;
  for (const PodFacts* one : daemons) {
    taken.insert(fmt::format("{} `{}`", one->kind, one->name));
    const auto counted = counts.lower_bound(fmt::format("{} ({}", one->kind, one->group));
    if (counted != counts.end() && counted->first.starts_with(one->kind + " (") && --counted->second == 0)
      counts.erase(counted);
  }
  if (!taken.empty()) notes.push_back(fmt::format("taken off the Nodes: what {} of each", daemons_in_words(taken)));
  for (const PodLimits& one : limits) ++counts[one.kind + " (v1)"];
  for (const auto& [kind, count] : counts) add_to_list(others, fmt::format("{} {}", count, kind));
  if (!others.empty()) notes.push_back("not analysed: " + others);
  for (const std::string& passed : existing.passed_over)
    notes.push_back("not understood, and taken as absent: " + passed);
  notes.insert(notes.end(), existing.twice.begin(), existing.twice.end());
  return notes;
}

std::vector<std::pair<std::string, std::string>> likely_servers(const Existing& existing) {
  constexpr std::string_view kNames[] = {"serv", "infer", "prod", "online", "realtime", "chat", "llm", "vllm", "api"};
  constexpr std::string_view kKinds[] = {"Deployment",          "StatefulSet", "InferenceService",
                                         "LLMInferenceService", "RayService",  "LeaderWorkerSet"};
  std::map<std::string, std::string> users, ends;  // a server that uses the queue; and what ends and uses it, too
  for (const auto* pods : {&existing.rooms, &existing.pods})
    for (const PodFacts& one : *pods) {
      const bool serves = std::find(std::begin(kKinds), std::end(kKinds), one.kind) != std::end(kKinds);
      if (!serves && (!ends_by_itself(one) || one.asks.empty())) continue;
      const std::string& asked = one.of_object.queue.empty() ? one.of_pods.queue : one.of_object.queue;
      for (const LocalQueue& local : existing.cluster.local_queues)
        if (!asked.empty() && local.name == asked && local.ns == one.ns)
          (serves ? users : ends).emplace(local.cluster_queue, fmt::format("{} `{}`", one.kind, one.name));
    }
  std::vector<std::pair<std::string, std::string>> likely;
  for (const Queue& queue : existing.cluster.queues) {
    const auto user = users.find(queue.name);
    const auto named = std::find_if(std::begin(kNames), std::end(kNames),
                                    [&](std::string_view word) { return queue.name.find(word) != std::string::npos; });
    if (user == users.end() && named == std::end(kNames)) continue;
    std::string why = user != users.end() ? user->second + " uses it" : "by its name";
    if (const auto batch = ends.find(queue.name); batch != ends.end())
      why += fmt::format(", and {} uses it, which ends by itself and is batch there", batch->second);
    likely.emplace_back(queue.name, std::move(why));
  }
  return likely;
}

std::string likely_serving(const Existing& existing) {
  std::string reasons, flag;
  for (const auto& [queue, reason] : likely_servers(existing)) {
    add_to_list(reasons, fmt::format("`{}` ({})", queue, reason));
    add_to_list(flag, queue, ",");
  }
  return reasons.empty() ? reasons : fmt::format("probably serves: {}: try `--serving {}`; with `--write-config` gpol.yaml keeps it", reasons, flag);
}

}  // namespace gpol
