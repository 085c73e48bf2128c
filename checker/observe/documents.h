// The documents of a YAML file, cut out before anything parses them, so that memory is one document's. In: the bytes of
// a file. Out: slices with the line they start at, and why a file, or one document of it, cannot be read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checker/observe/tree.h"

namespace gpol::manifest {

inline constexpr std::size_t kFileLimit = 64U << 20U;
inline constexpr std::size_t kDocumentLimit = 16U << 20U;  // of the strict reading

struct DocumentText {
  std::string_view bytes = {};
  int index = 0;                  // 0-based within the file; blank documents count but are not listed
  int line = 1;                   // of its first line
  std::string refused = {};       // Kubernetes' reading: why it cannot be read whatever it says; empty: it can be tried
  int refused_line = 0;           // 1-based within the document; 0: the separator above it
  bool kubectl_reads_on = false;  // refused by gpol alone
  bool json = false;              // Kubernetes' reading: read as JSON if it is JSON, else as YAML
  bool behind_kept = false;       // the "---" above it is a part of what kubectl takes for this document
  // Where kubectl stops reading the file and does not apply this document, whether it can be read or not: the line of
  // the file; 0: nowhere before it. split_documents knows only of separators, each_parsed (batches.h) of documents.
  int stopped_at = 0;
};

struct Documents {
  std::vector<DocumentText> list;
  std::string refused;  // why the file cannot be read; empty: it can
  int refused_line = 0;
};

// Strict: a file is refused whose documents two readers could cut differently, and so for one bad document: not UTF-8,
// a control character, a tab in indentation, directives, "...", text on a "---" line, or a size beyond the limits.
// Kubernetes: as kubectl cuts (apimachinery's util/yaml): at each line that begins with "---", or JSON objects one
// behind another; a byte order mark is passed over; what is wrong with one document does not hide the others.
Documents split_documents(std::string_view bytes, Reading reading = Reading::Strict);

// parse_document, unless the document is refused already.
Tree parse_document(const DocumentText& document, Reading reading);

}  // namespace gpol::manifest
