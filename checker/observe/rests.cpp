#include "checker/observe/rests.h"

#include <algorithm>
#include <string>

#include "compiler/model/volcano/setup.h"
#include "compiler/source/lookup.h"
#include "compiler/source/split.h"
#include "compiler/source/text.h"

namespace gpol::manifest {
namespace {

// Not inside of a word; in a text within a text the letter of `\n` is part of none.
bool begins_word(std::string_view text, std::size_t at) {
  return at == 0 || !is_alphanumeric(text[at - 1]) || (at > 1 && text[at - 2] == '\\');
}

// The texts behind each `key:`, however it is quoted, from their first character on, until `use` says yes.
template <class Use>
bool any_value(std::string_view text, std::string_view key, const Use& use) {
  for (auto at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    if (!begins_word(text, at)) continue;
    const auto colon = text.find_first_not_of("\"'\\ ", at + key.size());
    if (colon == std::string_view::npos || text[colon] != ':') continue;
    const auto value = text.find_first_not_of("\"'\\ \t\r\n", colon + 1);
    if (use(value == std::string_view::npos ? std::string_view() : text.substr(value))) return true;
  }
  return false;
}

std::string_view word_of(std::string_view value) {
  const auto end = std::ranges::find_if_not(value, [](char c) { return is_alphanumeric(c) || c == '.' || c == '-'; });
  return value.substr(0, static_cast<std::size_t>(end - value.begin()));
}

bool names_kind(std::string_view text, const auto& is_meant) {
  return any_value(text, "kind", [&](std::string_view value) { return is_meant(word_of(value)); });
}

bool names_volcano(std::string_view text) {
  return text.find(volcano::kSchedulerKey) != std::string_view::npos ||
         (names_api(text, "scheduling.volcano.sh/") && names_kind(text, [](auto word) { return word == "Queue"; }));
}

bool names_kueue_figures(std::string_view text) {
  for (const std::string_view group : {"kueue.x-k8s.io/", "config.kueue.x-k8s.io/", "kueue.openshift.io/"})
    if (names_api(text, group)) return true;
  // A queue of a group that is nearly Kueue's is meant for it. Other kinds are others', too, and where neither API nor
  // kind can be told it may be any.
  constexpr std::string_view kOwn[] = {"ClusterQueue", "Cohort", "ResourceFlavor", "LocalQueue",
                                       "WorkloadPriorityClass"},
                             kShared[] = {"AdmissionCheck", "Topology", "Configuration", "Kueue"};
  const bool api = any_value(text, "apiVersion", [](std::string_view value) { return !word_of(value).empty(); });
  const bool told = names_kind(text, [](std::string_view word) { return !word.empty(); });
  return names_kind(text, [&](std::string_view word) {
    return contains(kOwn, word) || (!api && (word.empty() ? !told : contains(kShared, word)));
  });
}

// Objects by which premises stand or fall: how much there is, who may do what, what is refused, and in which
// namespaces.
bool names_kind_of_premise(std::string_view text) {
  static const auto kinds = split(
      "Node ClusterPolicy PriorityClass ResourceQuota LimitRange RuntimeClass DeviceClass Namespace "
      "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy MutatingWebhookConfiguration "
      "Role ClusterRole RoleBinding ClusterRoleBinding HorizontalPodAutoscaler ScaledObject",
      ' ');
  return names_kind(text, [](std::string_view word) { return contains(kinds, word); });
}

}  // namespace

bool names_api(std::string_view text, std::string_view group) {
  return any_value(text, "apiVersion", [&](std::string_view value) { return value.starts_with(group); });
}

namespace {

// A comment on a line of its own says nothing to a cluster.
std::string without_comments(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    const auto first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || line[first] != '#') out += line;
    at = end;
  }
  return out;
}

// The definition of a kind, which names it and is none of it.
bool defines_a_kind(std::string_view text) {
  bool first = true, defines = false;
  names_kind(text, [&](std::string_view word) {
    defines = defines || (first && word == "CustomResourceDefinition");
    return first = false, true;
  });
  return defines && text.find("\n---") == std::string_view::npos;
}

}  // namespace

bool names_premise(std::string_view text) {
  const std::string plain = without_comments(text);
  return !defines_a_kind(plain) && names_kind_of_premise(plain);
}

bool shares_devices(std::string_view text) {
  constexpr std::string_view kKeys[] = {"timeSlicing", "mig-configs", "mps"};
  return std::ranges::any_of(
      kKeys, [&](std::string_view key) { return any_value(text, key, [](std::string_view) { return true; }); });
}

bool configures_devices(std::string_view text) {
  const auto has = [&](std::string_view key) { return any_value(text, key, [](std::string_view) { return true; }); };
  return shares_devices(text) || has("migStrategy") ||
         (has("flags") && any_value(text, "version", [](std::string_view value) { return word_of(value) == "v1"; }));
}

namespace {

// Its label of a workload's queue apart: who only asks a queue changes nothing of what it owns.
bool has_label_of_kueue(std::string_view text) {
  constexpr std::string_view kDomain = "kueue.x-k8s.io/";
  for (auto at = text.find(kDomain); at != std::string_view::npos; at = text.find(kDomain, at + 1))
    if (!text.substr(at + kDomain.size()).starts_with("queue-name")) return true;
  return false;
}

}  // namespace

bool rests_on_volcano(std::string_view written) {
  const std::string text = without_comments(written);
  return names_volcano(text) && !names_kueue_figures(text);
}

Rests rests_on(std::string_view written) {
  const std::string without = without_comments(written);
  const std::string_view text = without;
  if (defines_a_kind(text)) return Rests::Nothing;
  // Of what is not in UTF-8 no word is known.
  if (text.find('\0') != std::string_view::npos || names_kueue_figures(text) || names_volcano(text))
    return Rests::Figures;
  // Resources of devices are named after who makes them ("nvidia.com/gpu", "gpu.intel.com/i915").
  constexpr std::string_view kWords[] = {"nvidia.com/",    "amd.com/",       "gpu.intel.com/",
                                         "habana.ai/",     "google.com/tpu", "gpol.dev/",
                                         "resourceClaims", "devicePlugin",   "migManager"};
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  return std::ranges::any_of(kWords, has) || has_label_of_kueue(text) || shares_devices(text) ||
                 names_kind_of_premise(text)
             ? Rests::Premises
             : Rests::Nothing;
}

}  // namespace gpol::manifest
