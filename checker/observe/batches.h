// The documents of many files, parsed and held against what a cluster would accept on several threads. In: files. Out:
// one call per document, in the order of the files, on the caller's thread; trees live no longer than their batch, so
// that memory is a few megabytes of text and their trees however much there is.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <vector>

#include "checker/observe/documents.h"
#include "checker/observe/observe.h"
#include "checker/observe/schema/schema.h"

namespace gpol::manifest {

struct ParsedDocument {
  FileId file = kNoFile;
  DocumentText text;
  Tree tree;
  // Of the document's object, or of each item of a List: why a cluster would refuse it.
  std::vector<std::vector<Violation>> refused;
};

// Of a List its items, null for anything else. Those of a ClusterQueueList and the like say afterwards what they are.
Node* items_of(Node& root);

// Files of `left_out` are not read. `refused`: a file that cannot be cut into documents.
void each_parsed(std::span<const YamlFile> files, const std::set<FileId>& left_out,
                 const std::function<void(FileId, const Documents&)>& refused,
                 const std::function<void(ParsedDocument&)>& take);

}  // namespace gpol::manifest
