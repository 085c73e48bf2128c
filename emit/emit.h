// Cluster to manifests. In: a planned cluster with the origin of its objects and the policy's revision. Out: files as
// YAML trees, in a stable and safe order of application (namespaces, flavors, cohorts, queues, local queues, ...).
// It shares nothing with checker/observe. One file per Kubernetes kind in emit/kinds/.
#pragma once

#include <string>
#include <vector>

#include "compiler/cluster/intent.h"
#include "compiler/source/source_set.h"
#include "emit/yaml.h"

namespace gpol {

struct Artefact {
  std::string path;  // relative, "base/20-clusterqueue-chat.yaml"
  std::vector<yaml::Value> documents;
  std::string head = {};  // comments, before them
};

struct EmitInput {
  const Planned& planned;
  const SourceSet& sources;
  std::string revision;  // hash of the policy's texts, see emit/revision.h
};

std::vector<Artefact> emit(const EmitInput& input);

struct RenderedFile {
  std::string path;
  std::string bytes;
};
RenderedFile render(const Artefact& artefact);  // the only place where a tree becomes text

}  // namespace gpol
