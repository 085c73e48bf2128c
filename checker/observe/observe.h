// YAML to cluster: what a set of manifests means, from the bytes alone. In: files (path, bytes). Out: the base cluster
// with one mode per kustomize overlay, and a diagnostic for everything that is not understood; it never guesses. It
// shares nothing with emit/. Reads every kind that `build` emits; quantities as resource.Quantity parses them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/cluster/cluster.h"

namespace gpol {

struct YamlFile {
  std::string path;
  std::string bytes;
};

// Something in the files that could not be understood: the set then has no meaning that can be compared.
struct NotUnderstood {
  std::string file, field, what;
  int document = 0;
};

struct Observed {
  Cluster cluster;
  std::vector<NotUnderstood> problems;
};

Observed observe(std::span<const YamlFile> files);

}  // namespace gpol
