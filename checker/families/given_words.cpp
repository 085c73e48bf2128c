#include "checker/families/given_words.h"

#include <algorithm>

#include <fmt/format.h>

namespace gpol {

std::string text_of(const Premise& premise, const KueueConfig& config) {
  if (premise.key == "objects-unchanged")
    return "nobody but the pipeline writes these objects, and no other queue joins them";
  if (premise.key == "controller-as-emitted")
    return fmt::format(
        "Kueue runs in version {} with the stated Configuration, defaults where none is stated, and "
        "nobody weakens the guards",
        config.version);
  if (premise.key == "own-namespaces") return "only the namespaces that are meant can use a serving queue";
  if (premise.key == "batch-leaves") return "what is evicted leaves: its pods end and free their quota";
  return std::string(premise.text);
}

std::string remedy_of(const Premise& premise) {
  const std::string page = fmt::format("`gpol explain {}`", premise.key);
  const std::string_view by = premise.enforceable_by;
  if (by.starts_with("nothing")) return fmt::format("{} can enforce it ({}): leave out --strict to trust it", by, page);
  if (by == "the pipeline")
    return fmt::format("no object can: it is for whoever applies the manifests ({}); leave out --strict to trust it",
                       page);
  return fmt::format("{} would enforce it ({}){}; or leave out --strict", by, page,
                     premise.enforce.empty() ? "" : ", as `gpol build` writes it for a policy");
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
