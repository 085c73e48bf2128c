#include "cli/commands/read_in_part.h"

#include <algorithm>
#include <set>
#include <string>

#include "compiler/source/text.h"

namespace gpol {

namespace {

bool has(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }
bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return has(text, word); });
}

// The value of the first `key:` behind `section`; empty: there is none.
std::string value_behind(const std::string& text, std::string_view section, std::string_view key) {
  const auto start = text.find(section);
  const auto at = start == std::string::npos ? start : text.find(key, start + section.size());
  const auto value = at == std::string::npos ? at : text.find_first_not_of(" \"'", at + key.size());
  return value == std::string::npos ? "" : text.substr(value, text.find_first_of(" \"',}\r\n", value) - value);
}

// Keys of the labels of Namespaces by which guards choose whom they look at.
std::set<std::string> keys_of_guards(const Cluster& cluster) {
  std::set<std::string> keys;
  const auto add = [&](const Selector& selector) {
    for (const auto& one : selector.expressions) keys.insert(one.key);
    for (const auto& [key, value] : selector.match_labels) keys.insert(key);
  };
  for (const AdmissionPolicy& policy : cluster.admission_policies) add(policy.match.namespaces);
  for (const AdmissionBinding& binding : cluster.admission_bindings) add(binding.match.namespaces);
  keys.erase("kubernetes.io/metadata.name");
  return keys;
}

// Kueue's own webhook fills in defaults, and the reader knows these.
bool may_change_queues(const std::string& text) {
  return has_any(text, {"MutatingAdmissionPolicy", "MutatingWebhookConfiguration", "kyverno.io/",
                        "mutations.gatekeeper.sh/"}) &&
         has_any(text, {"ClusterQueue", "clusterqueues", "cohorts", "Cohort", "kueue.x-k8s.io"}) &&
         !has(text, "kueue-webhook-service");
}

bool names_queues(std::string_view text) { return has_any(lowered(text), {"clusterqueue", "nominalquota", "cohort:"}); }

bool releases_kueue(const std::string& text) {
  return has(text, "kueue") && has_any(text, {"kind: HelmRelease", "kind: HelmChart", "kind: Application",
                                              "kind: OCIRepository", "helmCharts:", "\ndependencies:"});
}

}  // namespace

void add_read_in_part(const ObservedBundle& observed, std::vector<Unread>& all) {
  const std::set<std::string> keys = keys_of_guards(observed.existing.cluster);
  std::set<std::pair<std::string, std::string>> parameters;  // kind and name; name empty: any
  for (const YamlFile& file : observed.bundle.files)
    if (const std::string kind = value_behind(file.bytes, "paramKind", "kind:"); !kind.empty())
      for (const YamlFile& binding : observed.bundle.files)
        if (has(binding.bytes, "paramRef")) parameters.emplace(kind, value_behind(binding.bytes, "paramRef", " name:"));
  for (const FileId file : observed.existing.guards_in_part)
    if (file < observed.bundle.files.size())
      all.push_back(
          {observed.bundle.files[file].path, "an admission policy that is not understood as a whole", true, true});
  for (const YamlFile& file : observed.bundle.files) {
    const auto add = [&](bool is_so, std::string_view why) {
      if (is_so) all.push_back({file.path, why, true, true});
    };
    const std::string& text = file.bytes;
    add(has_any(text, {"paramKind", "paramRef"}) ||
            std::ranges::any_of(
                parameters,
                [&](const auto& one) { return has(text, "kind: " + one.first) && has(text, "name: " + one.second); }),
        "parameters of a guard, which are not read");
    add(has(text, "kind: Namespace") && std::ranges::any_of(keys, [&](const auto& key) { return has(text, key); }),
        "guards look at Namespaces with a label that it sets");
    add(may_change_queues(text), "it may change queues when they are applied");
    add(has_any(text, {"kind: HelmRelease", "kind: HelmChart", "kind: Application"}) && names_queues(text),
        "values of a chart that is not rendered");
    add(releases_kueue(text) && observed.existing.runs.empty(), "it says of no one version of Kueue that it runs");
    add(has_any(text, {"images:", "replicas:"}) && has(text, "kueue") && has(file.path, "kustomization") &&
            !observed.bundle.not_read.empty(),
        "it changes a release of Kueue that is not read");
  }
}

}  // namespace gpol
