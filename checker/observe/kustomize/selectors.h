// Which objects a patch is for. In: the `target` of a patch. Out: whether an object is one of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/observe/kustomize/context.h"
#include "checker/observe/kustomize/patterns.h"
#include "checker/observe/kustomize/resource.h"

namespace gpol::manifest::kustomize {

// Of labels or annotations: `a=b, c!=d, e in (f, g), h notin (i), j, !k`, all of them.
struct Requirement {
  std::string key;
  bool negated = false, exists = false;
  std::vector<std::string> values;
};
// Nothing: the text is no selector, or compares numbers.
std::optional<std::vector<Requirement>> read_requirements(std::string_view text);

class Selector {
 public:
  // Nothing: reported.
  static std::optional<Selector> read(Context& context, const Node& target);
  bool selects(const Resource& resource) const;
  std::size_t cost() const;

 private:
  std::optional<Pattern> group_, version_, kind_, name_, ns_;
  std::vector<Requirement> labels_, annotations_;
};

}  // namespace gpol::manifest::kustomize
