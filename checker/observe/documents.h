// The documents of a YAML file, cut out before anything parses them, so that memory is one document's and that a file
// is refused whose documents two readers could cut differently. In: the bytes of a file. Out: slices with the line they
// start at, or the reason why the file is refused: not UTF-8, a NUL or other control character, a tab in indentation,
// directives, "...", text on a "---" line, or a size beyond the limits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpol::manifest {

inline constexpr std::size_t kFileLimit = 64U << 20U;
inline constexpr std::size_t kDocumentLimit = 16U << 20U;
// A scanner must hold a whole flow collection before it knows what it is; in larger documents [ and { are refused. The
// API server takes no object above 3 MiB, so this concerns only long kustomizations, which are written in block style.
inline constexpr std::size_t kFlowLimit = 1U << 20U;

struct DocumentText {
  std::string_view bytes;
  int index = 0;  // 0-based within the file; blank documents count but are not listed
  int line = 1;   // of its first line
};

struct Documents {
  std::vector<DocumentText> list;
  std::string refused;  // why the file cannot be read; empty: it can
  int refused_line = 0;
};

Documents split_documents(std::string_view bytes);

}  // namespace gpol::manifest
