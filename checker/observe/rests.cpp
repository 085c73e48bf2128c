#include "checker/observe/rests.h"

#include <algorithm>

namespace gpol::manifest {
namespace {

// The texts behind each `key:`, however it is quoted, from their first character on, until `use` says yes.
template <class Use>
bool any_value(std::string_view text, std::string_view key, const Use& use) {
  for (auto at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    const auto colon = text.find_first_not_of("\"'\\ ", at + key.size());
    if (colon == std::string_view::npos || text[colon] != ':') continue;
    const auto value = text.find_first_not_of("\"'\\ \t\r\n", colon + 1);
    if (use(value == std::string_view::npos ? std::string_view() : text.substr(value))) return true;
  }
  return false;
}

// Kinds that say how much there is, who may have it, or how Kueue and the GPU Operator run. Nodes and guards are among
// them; what has pods is not.
constexpr std::string_view kRules[] = {"ClusterQueue",
                                       "Cohort",
                                       "ResourceFlavor",
                                       "LocalQueue",
                                       "WorkloadPriorityClass",
                                       "AdmissionCheck",
                                       "Topology",
                                       "Configuration",
                                       "Kueue",
                                       "Node",
                                       "ClusterPolicy",
                                       "PriorityClass",
                                       "ResourceQuota",
                                       "RuntimeClass",
                                       "DeviceClass",
                                       "ValidatingAdmissionPolicy",
                                       "ValidatingAdmissionPolicyBinding",
                                       "MutatingAdmissionPolicy"};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
}

std::string_view word_of(std::string_view value) {
  const auto length = std::find_if_not(value.begin(), value.end(), is_word) - value.begin();
  return value.substr(0, static_cast<std::size_t>(length));
}

bool names_rules(std::string_view text) {
  for (const std::string_view group : {"kueue.x-k8s.io/", "config.kueue.x-k8s.io/", "kueue.openshift.io/"})
    if (names_api(text, group)) return true;
  // A kind that cannot be told may be any, unless its API can.
  const bool api = any_value(text, "apiVersion", [](std::string_view value) { return !word_of(value).empty(); });
  return any_value(text, "kind", [&](std::string_view value) {
    const std::string_view word = word_of(value);
    return word.empty() ? !api : std::find(std::begin(kRules), std::end(kRules), word) != std::end(kRules);
  });
}

}  // namespace

bool names_api(std::string_view text, std::string_view group) {
  return any_value(text, "apiVersion", [&](std::string_view value) { return value.starts_with(group); });
}

Rests rests_on(std::string_view text) {
  // Of what is not in UTF-8 no word is known.
  if (text.find('\0') != std::string_view::npos || names_rules(text)) return Rests::Rules;
  // Resources of devices are named after who makes them ("nvidia.com/gpu", "gpu.intel.com/i915").
  constexpr std::string_view kPods[] = {"kueue.x-k8s.io/", "nvidia.com/",    "amd.com/",  "gpu.intel.com/",
                                        "habana.ai/",      "google.com/tpu", "gpol.dev/", "resourceClaims"};
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  return std::any_of(std::begin(kPods), std::end(kPods), has) ? Rests::Pods : Rests::Nothing;
}

}  // namespace gpol::manifest
