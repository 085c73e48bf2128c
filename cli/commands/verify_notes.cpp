#include "cli/commands/verify_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "checker/families/codes.h"
#include "checker/families/mixed_roles.h"
#include "cli/codes.h"
#include "compiler/cluster/roles.h"
#include "compiler/source/lookup.h"
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
    if (std::ranges::any_of(existing.unmodelled, [&](const Unmodelled& u) {
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
          if (name == "pods" || std::ranges::binary_search(left_out, r)) continue;
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

namespace {

constexpr std::size_t kMostCohorts = 5;

// A part of a cluster shows some members of a cohort: that there are no others is taken for granted, by its name.
void tell_cohorts(const Planned& planned, Report& report) {
  std::set<std::string> names;
  for (std::size_t q = 0; q < planned.cluster.queues.size(); ++q)
    if (const std::string& cohort = planned.cluster.queues[q].cohort;
        promised(planned.intent.roles[q]) && !cohort.empty())
      names.insert(cohort);
  if (names.empty()) return;
  const bool one = names.size() == 1;
  report.trust(fmt::format("{} {} {} no members but those that were read", one ? "cohort" : "cohorts",
                           listed_up_to(kMostCohorts, names, [](const std::string& name) { return "`" + name + "`"; }),
                           one ? "has" : "have"));
}

// Kueue's own release, which kustomizations name by its address, says what an absent Configuration says.
void tell_installs(const Bundle& bundle, const std::string& version, Report& report) {
  for (const auto& one : bundle.not_read)
    if (one.what == manifest::Built::NotRead::What::KueueInstall)
      report.trust(fmt::format(
          "what `{}` installs, which is not read, is Kueue v{} with the Configuration that it is shipped with",
          one.name, version));
}

}  // namespace

void tell_trusted(const Existing& existing, Report& report) {
  for (const std::string& text : existing.trusted) report.trust(text);
}

void tell_assumed(const Planned& planned, const Existing& existing, const Bundle& bundle, Report& report) {
  tell_cohorts(planned, report);
  tell_trusted(existing, report);
  tell_installs(bundle, planned.cluster.config.version, report);
}

void tell_misspelt_devices(const Existing& existing, Report& report) {
  constexpr std::string_view kVendor = "nvidia.com/";
  for (const std::string& resource : existing.cluster.resources) {
    if (!resource.starts_with(kVendor)) continue;
    const std::string name = resource.substr(kVendor.size());
    std::string meant;  // other names that begin so are other plugins'
    if (name.starts_with("mig") && !name.starts_with("mig-") && name.size() > 3)
      meant = fmt::format("{}mig-{}", kVendor, name.substr(is_alphanumeric(name[3]) ? 3 : 4));
    else if (name == "gpus" || name == "GPU" || name == "gpu-shared")
      meant = name == "gpu-shared" ? "nvidia.com/gpu.shared" : "nvidia.com/gpu";
    if (meant.empty()) continue;
    Diagnostic d{code::PluginClash, Severity::Warning, {}, "", {}, ""};
    for (std::size_t q = 0; q < existing.cluster.queues.size() && !d.span.known(); ++q)
      for (const ResourceGroup& group : existing.cluster.queues[q].groups)
        for (const std::uint32_t r : group.covered)
          if (existing.cluster.resources[r] == resource) d.span = existing.places.queues[q];
    d.message = fmt::format("`{}` is no name that NVIDIA's device plugin gives: no Node offers it", resource);
    d.hint = fmt::format("did you mean `{}`?", meant);
    report.diagnostics.push_back(std::move(d));
  }
}

std::vector<std::string> left_out_texts(const Existing& existing, bool each) {
  constexpr std::pair<const char*, const char*> kWords[] = {
      {"file that is no Kubernetes object", "files that are no Kubernetes objects"},
      {"template that was not rendered", "templates that were not rendered"},
      {"file of a Helm chart", "files of Helm charts"},
      {"file that no kustomization names", "files that no kustomization names"},
      {"file or directory that gpol.yaml excludes", "files or directories that gpol.yaml excludes"},
      {"hidden directory", "hidden directories"},
      {"folder of other people's files", "folders of other people's files"},
      {"mistake that decides nothing", "mistakes that decide nothing"},
      {"submodule, or file or directory that git ignores", "submodules, or files and directories that git ignores"}};
  std::vector<std::string> texts;
  for (const LeftOut& one : existing.left_out)
    if (each)
      texts.push_back(fmt::format("left out: {}, a {}{}", one.path, kWords[static_cast<std::size_t>(one.why)].first,
                                  one.what.empty() ? "" : ": " + one.what));
  if (each || existing.left_out.empty()) return texts;
  std::map<LeftOut::Why, std::size_t> counts;
  for (const LeftOut& one : existing.left_out) ++counts[one.why];
  std::string text;
  for (const auto& [why, count] : counts) {
    const auto& [one, several] = kWords[static_cast<std::size_t>(why)];
    add_to_list(text, fmt::format("{} {}", count, count == 1 ? one : several));
    if (why != LeftOut::Why::Wrong) continue;
    std::set<std::string> files;
    for (const LeftOut& left : existing.left_out)
      if (left.why == why) files.insert(left.path);
    constexpr std::size_t kMostFiles = 3;
    text += fmt::format(" (in {})",
                        listed_up_to(kMostFiles, files, [](const std::string& file) { return "`" + file + "`"; }));
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

namespace {

enum class Says : std::uint8_t { Nothing, Serves, Ends };

// By whole words of a name: "reserved" says nothing of serving.
Says says(std::string_view name) {
  constexpr std::string_view kServes[] = {
      "serve",      "server", "servers",    "serving", "inference", "inferences", "inferencing", "infer",   "predict",
      "prediction", "prod",   "production", "online",  "realtime",  "chat",       "chatbot",     "llm",     "llms",
      "vllm",       "sglang", "tgi",        "triton",  "kserve",    "api",        "apis",        "endpoint"};
  constexpr std::string_view kEnds[] = {"train",      "trainer", "training", "pretrain", "pretraining", "finetune",
                                        "finetuning", "tuning",  "batch",    "eval",     "evals",       "evaluation",
                                        "test",       "job",     "jobs",     "spot"};
  Says said = Says::Nothing;
  while (!name.empty()) {
    const auto length = static_cast<std::size_t>(std::ranges::find_if_not(name, is_alphanumeric) - name.begin());
    const std::string_view word = name.substr(0, length);
    if (contains(kEnds, word)) return Says::Ends;
    if (contains(kServes, word)) said = Says::Serves;
    name.remove_prefix(std::min(name.size(), length + 1));
  }
  return said;
}

// These kinds serve whatever they are called; others may train, as their name says, or else their namespace's.
bool serves(std::string_view kind, std::string_view name) {
  constexpr std::string_view kAlways[] = {"InferenceService", "LLMInferenceService", "RayService"},
                             kMay[] = {"Deployment", "StatefulSet", "LeaderWorkerSet"};
  if (contains(kAlways, kind)) return true;
  if (!contains(kMay, kind)) return false;
  const auto slash = std::min(name.rfind('/'), name.size());  // "ns/name"
  const Says own = says(slash < name.size() ? name.substr(slash + 1) : name);
  return (own == Says::Nothing ? says(name.substr(0, slash)) : own) != Says::Ends;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> likely_servers(const Existing& existing) {
  std::map<std::string, std::string> users, ends;  // a server that uses the queue; and what ends and uses it, too
  for (const auto* pods : {&existing.rooms, &existing.pods})
    for (const PodFacts& one : *pods) {
      const bool server = serves(one.kind, one.name);
      if (!server && (!ends_by_itself(one) || one.asks.empty())) continue;
      const std::string& asked = one.of_object.queue.empty() ? one.of_pods.queue : one.of_object.queue;
      for (const LocalQueue& local : existing.cluster.local_queues)
        if (!asked.empty() && local.name == asked && local.ns == one.ns)
          (server ? users : ends).emplace(local.cluster_queue, fmt::format("{} `{}`", one.kind, one.name));
    }
  std::vector<std::string> queues;
  for (const Queue& queue : existing.cluster.queues) queues.push_back(queue.name);
  const volcano::Setup& setup = existing.volcano.setup;
  for (const VolcanoFacts::Asks& one : existing.volcano.asks)
    if (one.placed && (one.ends || serves(one.kind, one.name)))
      (one.ends ? ends : users).emplace(one.queue, fmt::format("{} `{}`", one.kind, one.name));
  for (const volcano::Queue& queue : setup.queues)
    if (queue.name != volcano::kDefaultQueue && !contains(setup.queues, queue.name, &volcano::Queue::parent))
      queues.push_back(queue.name);
  std::vector<std::pair<std::string, std::string>> likely;
  for (const std::string& queue : queues) {
    const auto user = users.find(queue);
    if (user == users.end() && says(queue) != Says::Serves) continue;
    std::string why = user != users.end() ? user->second + " uses it" : "by its name";
    if (const auto batch = ends.find(queue); batch != ends.end())
      why += fmt::format(", and {} uses it, which ends by itself and is batch there", batch->second);
    likely.emplace_back(queue, std::move(why));
  }
  return likely;
}

std::string likely_serving(const Existing& existing) {
  std::string reasons, flag;
  for (const auto& [queue, reason] : likely_servers(existing)) {
    add_to_list(reasons, fmt::format("`{}` ({})", queue, reason));
    add_to_list(flag, queue, ",");
  }
  return reasons.empty()
             ? reasons
             : fmt::format("probably serves: {}: try `--serving {}`; with `--write-config` gpol.yaml keeps it", reasons,
                           flag);
}

void tell_rejections(const std::vector<Rejection>& rejections, Report& report) {
  for (const Rejection& rejection : rejections) {
    Diagnostic d;
    d.code = rejection.rule.empty() ? code::NoManifest : code::Rejected;
    d.span = rejection.span;
    d.field = rejection.field;
    d.message = rejection.rule.empty() && rejection.field.empty()
                    ? rejection.what
                    : fmt::format("{}{}{}", rejection.field, rejection.field.empty() ? "" : ": ", rejection.what);
    if (!rejection.rule.empty()) d.message += fmt::format(" ({})", rejection.rule);
    d.hint = rejection.hint;
    d.edits = rejection.edits;
    d.sure = !d.edits.empty();
    report.diagnostics.push_back(std::move(d));
  }
}

std::string words_of(const Unmodelled& found) {
  const std::string object = found.name.empty()      ? found.kind
                             : found.kind == "Kueue" ? fmt::format("{} {}", found.kind, found.name)
                                                     : fmt::format("{} `{}`", found.kind, found.name);
  const std::string_view between = found.what.starts_with('`') ? ": " : " ";
  return fmt::format("{}{}{}{}", found.field.empty() ? "" : fmt::format("`{}` of ", found.field), object, between,
                     found.what);
}

void tell_unmodelled(const std::vector<Unmodelled>& unmodelled, Report& report) {
  for (const Unmodelled& found : unmodelled) {
    report.add(obligation(Family::Bypass, code::NotModelled, Verdict::NotAnalysed,
                          {report.keep(found.kind), report.keep(found.name)}, found.span),
               {.reason = words_of(found), .message = words_of(found), .place = {.field = found.field}});
  }
}

void tell_not_built(const Bundle& bundle, std::vector<Rejection>& rejections, std::vector<Unmodelled>& unmodelled) {
  for (const auto& one : bundle.errors) rejections.push_back({one.span, "", "", one.what, one.hint});
  const auto directory = [&](const auto& one) { return one.directory.empty() ? bundle.path : one.directory; };
  for (const auto& one : bundle.not_built)
    unmodelled.push_back({one.span, "", one.what + "; " + one.hint, "kustomization", directory(one), true, true});
  using What = manifest::Built::NotRead::What;
  for (const auto& one : bundle.not_read)
    if (one.what != What::KueueInstall)
      unmodelled.push_back({one.span, "", fmt::format("names {}, which is not read; {}", one.name, one.hint),
                            "kustomization", directory(one), one.what >= What::Component, one.what == What::Component});
}

}  // namespace gpol
