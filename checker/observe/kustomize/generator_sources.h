// What a generated ConfigMap or Secret is to hold. In: literals, files and files of variables. Out: keys and values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/observe/kustomize/plan.h"

namespace gpol::manifest::kustomize {

struct Pair {
  std::string key;
  Node value;  // its text may be bytes
};
// Nothing: reported.
std::optional<std::vector<Pair>> read_pairs(Context& context, const Plan& plan, const Node& args);
bool is_utf8(std::string_view text);

// A file that a kustomization names, in its directory or below it; nothing: reported.
std::optional<FileText> load_beside(Context& context, const Plan& plan, const Node& at, const std::string& name);

}  // namespace gpol::manifest::kustomize
