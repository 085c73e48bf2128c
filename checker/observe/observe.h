// YAML to cluster: what a set of manifests means, from the bytes alone. In: files (path, bytes). Out: the base cluster
// with one mode per kustomize overlay, and a diagnostic for everything that is not understood; it never guesses. It
// shares nothing with emit/. Reads every kind that `build` emits; quantities as resource.Quantity parses them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/cluster/cluster.h"
#include "compiler/source/span.h"

namespace gpol {

struct YamlFile {
  std::string path;
  std::string bytes;
};

// Something in the files that could not be understood: the set then has no meaning that can be compared.
struct NotUnderstood {
  std::string file, field, what;  // field as "spec.resourceGroups[0].flavors[1].name"; empty: the whole document
  int document = 0;               // 0-based within the file
  int line = 0;                   // 1-based within the file; of an absent field its nearest present parent's; 0: none
  Span span = {};                 // the same place, in the files as they were given: FileId is the index of the file
  // What it means is known to Kubernetes, and gpol has no model of it; else it is wrong, or nobody knows it.
  bool not_modelled = false;
};

struct Observed {
  Cluster cluster;
  std::vector<NotUnderstood> problems;
};

// `files` is either a kustomize layout as `build` writes it (base/, overlays/<mode>/, each with its kustomization.yaml,
// the one above them, and a controller configuration beside them) or any flat set of manifests without a
// kustomization.yaml. Nothing is thrown. What the API server or Kueue's webhooks would reject is a problem too.
// Annotations, status and labels outside gpol.dev/ mean nothing, except that a namespace's labels matter where a
// selector asks for them.
Observed observe(std::span<const YamlFile> files);

}  // namespace gpol
