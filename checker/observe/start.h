// What `verify` says of a Configuration with which Kueue does not start, and Configurations inside ConfigMaps. In: the
// trees of documents, nulls and all. Out: findings, in the place of what the reader of the kind says about a field.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checker/observe/existing.h"
#include "checker/observe/problems.h"
#include "checker/observe/tree.h"

namespace gpol::manifest {

// `path`: of the Configuration in its document. `file`: what Kueue would be given, as far as that is known; it takes
// what begins with a brace for JSON. Nulls that are something to Go (a gate: false, a label: empty) become it.
std::vector<Unmodelled> look_at_start(Node& configuration, const std::string& path, std::string_view file,
                                      const Place& place);

// Puts them among what was found in that Configuration, which is what `found` holds from `from` on.
void add_start(std::vector<Unmodelled> refused, std::size_t from, const std::string& kind, const std::string& name,
               std::vector<Unmodelled>& found);

// A file of a ConfigMap that must be Kueue's: by its key, or by what it says.
struct MountedFile {
  const Node* value = nullptr;  // the text
  std::string path;             // "data[controller_manager_config.yaml]"
  Tree tree;                    // moved to where it stands in the ConfigMap's own document, unless `inside`
  bool inside = false;          // where it stands cannot be said
  std::string refused;          // why it is no Configuration; empty: it is one
  Span refused_at = {};
  std::vector<Unmodelled> at_start;
};
// `bytes`: of the file in which the ConfigMap is.
std::vector<MountedFile> mounted_files(const Node& config_map, std::string_view bytes, const Place& place);

}  // namespace gpol::manifest
