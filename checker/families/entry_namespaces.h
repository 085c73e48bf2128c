// Namespaces that get into a queue that serves and are not meant to, among the manifests: batch beside serving, and
// selectors that let strangers in. In: what the manifests say. Out: each of them, and what keeps others out.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checker/families/families.h"

namespace gpol {

struct OpenEntry {
  std::size_t queue = 0;  // into Cluster::queues
  std::string_view kind;  // of the object that lets it in
  std::string name, field, message, remedy;
  Span at;
  std::string actor, does;  // of a story: who gets in, and how
};

struct EntryNamespaces {
  std::vector<OpenEntry> open;
  std::set<std::string> label_guards;  // by which selectors by other labels than the name are kept
};
// `batch`: the namespaces of batch.
EntryNamespaces entry_namespaces(const Proof& proof, const std::set<std::string>& batch);

// It lets nobody in, or those alone that it names.
bool names_only(const Selector& selector);

}  // namespace gpol
