#include "checker/families/given_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/families/given.h"

namespace gpol {

std::string text_of(const Premise& premise, const KueueConfig& config) {
  if (premise.text_of_manifests.empty()) return std::string(premise.text);
  return fmt::format(fmt::runtime(premise.text_of_manifests), fmt::arg("version", config.version));
}

std::string remedy_of(const Premise& premise) {
  return fmt::format(fmt::runtime(premise.remedy_of_manifests), fmt::arg("by", premise.enforceable_by),
                     fmt::arg("page", fmt::format("`gpol explain {}`", premise.key)));
}

std::string selector_in_words(const Selector& selector) {
  if (selector.match_labels.empty() && selector.expressions.empty()) return "lets every namespace in";
  const bool positive = !selector.match_labels.empty() || std::ranges::any_of(selector.expressions, [](const auto& e) {
    return e.op == "In" || e.op == "Exists";
  });
  if (!positive) return "only says which namespaces it does not let in";
  return "rests on a label that somebody may set, not on kubernetes.io/metadata.name";
}

std::string batch_by_selector(const Proof& proof, const std::string& ns) {
  for (std::size_t q = 0; q < proof.intent.roles.size(); ++q)
    if (const Queue& queue = proof.cluster.queues[q];
        proof.intent.roles[q].kind == QueueRole::Kind::Batch && lets_in(proof.cluster, queue.namespaces, ns) == true)
      return fmt::format("`{}`", queue.name);
  return "one of the two";
}

}  // namespace gpol
