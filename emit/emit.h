// Cluster to manifests. In: a planned cluster with the origin of its objects and the policy's revision. Out: files as
// YAML trees, one for each purpose (namespaces, guards, queues, ...), in a stable and safe order of application, also
// within a file. It shares nothing with checker/observe. The Kubernetes kinds are in emit/kinds/.
#pragma once

#include <string>
#include <vector>

#include "compiler/cluster/intent.h"
#include "compiler/source/source_set.h"
#include "emit/yaml.h"

namespace gpol {

struct Document {
  yaml::Value value;
  std::vector<std::string> comments = {};  // above it; whatever a text holds, it stays one line of comment
};

struct Artefact {
  std::string path;  // relative, "base/queues.yaml"
  std::vector<Document> documents;
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
