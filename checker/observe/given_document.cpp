#include "checker/observe/given_document.h"

#include <optional>

namespace gpol {

using namespace manifest;

std::variant<GivenDocument, UnreadFile> only_document(const YamlFile& file, FileId id, const std::string& forms) {
  const Documents documents = split_documents(file.bytes, Reading::Kubernetes);
  if (!documents.refused.empty()) return UnreadFile{{id, 0, 0}, "the file " + documents.refused, ""};
  std::optional<GivenDocument> only;
  for (const DocumentText& text : documents.list) {
    GivenDocument document{text.bytes, 0, parse_document(text, Reading::Kubernetes)};
    if (!text.bytes.empty()) document.offset = static_cast<std::uint32_t>(text.bytes.data() - file.bytes.data());
    if (!document.tree.root) {
      const auto at = document.offset + static_cast<std::uint32_t>(document.tree.refused_at.value_or(0));
      return UnreadFile{{id, at, at}, "the file " + document.tree.refused, ""};
    }
    if (document.tree.root->kind == Node::Kind::Null) continue;
    const auto at = document.offset;
    if (only) return UnreadFile{{id, at, at}, "the file holds a second document", forms};
    only = std::move(document);
  }
  if (!only) return UnreadFile{{id, 0, 0}, "the file holds nothing", forms};
  return *std::move(only);
}

}  // namespace gpol
