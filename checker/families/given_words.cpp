#include "checker/families/given_words.h"

#include <algorithm>

#include <fmt/format.h>

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
  const bool positive =
      !selector.match_labels.empty() || std::any_of(selector.expressions.begin(), selector.expressions.end(),
                                                    [](const auto& e) { return e.op == "In" || e.op == "Exists"; });
  if (!positive) return "only says which namespaces it does not let in";
  return "rests on a label that somebody may set, not on kubernetes.io/metadata.name";
}

}  // namespace gpol
