// A file that is given by an option and is to hold one document, such as Kueue's Configuration as somebody keeps it.
// In: the file. Out: the only document of it that says something, or why there is none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "checker/observe/documents.h"
#include "checker/observe/observe.h"

namespace gpol {

struct UnreadFile {
  Span span;
  std::string what, hint;
};

struct GivenDocument {
  std::string_view bytes;
  std::uint32_t offset = 0;  // in the file
  manifest::Tree tree;       // with a root
};

// `id`: of the file, in the spans; `forms`: the hint, which says what may be given.
std::variant<GivenDocument, UnreadFile> only_document(const YamlFile& file, FileId id, const std::string& forms);

}  // namespace gpol
