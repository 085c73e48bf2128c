// The documents of a file, or of a text inside a kustomization, as trees that know where they come from, and as
// resources. In: bytes. Out: trees as kustomize reads them (yes and on are text to it), lists taken apart.
#pragma once

#include <optional>
#include <vector>

#include "checker/observe/kustomize/context.h"
#include "checker/observe/kustomize/resource.h"

namespace gpol::manifest::kustomize {

struct Source {
  FileText file;               // where places are
  const Node* text = nullptr;  // a scalar of that file, whose text is read instead of the file
  bool as_kubectl = false;     // as it reads kustomizations and JSON patches: yes and on are truth values
};

// Nothing where some document cannot be read; that is an error already.
std::optional<std::vector<Node>> read_documents(Context& context, const Source& source);

// kustomize writes what was nothing in braces or brackets, {a: , b: c}, as an empty text.
void fill_nothing(const Context& context, Node& node, bool in_flow = false);

// Why a tree is no object to kustomize; empty: it is one.
std::string no_object(const Node& node);
// Lists are taken apart as kustomize does: what is in one of several documents comes behind all of them.
std::optional<std::vector<Node>> read_objects(Context& context, std::vector<Node> documents);

}  // namespace gpol::manifest::kustomize
