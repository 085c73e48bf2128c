#include "checker/observe/fields.h"

#include "checker/observe/problems.h"
#include "compiler/source/lookup.h"
#include "compiler/source/number.h"

namespace gpol::manifest {
namespace {

bool holds(std::uint32_t begin, std::uint32_t end, std::uint32_t at) { return begin <= at && at < end; }

// Down to the smallest node that the place is in, or that begins there and ends there.
void descend(const Node& node, std::uint32_t begin, std::uint32_t end, std::string& path) {
  if (node.begin == begin && node.end == end && !path.empty()) return;
  for (std::size_t i = 0; i < node.items.size(); ++i)
    if (holds(node.items[i].begin, node.items[i].end, begin)) {
      path += "[" + std::to_string(i) + "]";
      return descend(node.items[i], begin, end, path);
    }
  for (const Entry& entry : node.entries) {
    const bool at_key = holds(entry.begin, entry.end, begin);
    if (!at_key && !holds(entry.value.begin, entry.value.end, begin)) continue;
    append_key(path, entry.key);
    return at_key ? void() : descend(entry.value, begin, end, path);
  }
}

}  // namespace

const Node* field(const Node& map, std::string_view key) {
  for (const Entry& entry : map.entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

const Node* at(const Node* map, std::string_view key) { return map == nullptr ? nullptr : field(*map, key); }

std::string text_at(const Node* map, std::string_view key) {
  const Node* found = at(map, key);
  return found == nullptr ? std::string() : found->text;
}

std::string text_at(const Node& map, std::string_view key) { return text_at(&map, key); }

bool is_true(const Node* status, std::string_view condition) {
  const Node* conditions = at(status, "conditions");
  const Node* found = conditions == nullptr ? nullptr : find_where(conditions->items, [&](const Node& one) {
    return text_at(one, "type") == condition;
  });
  return text_at(found, "status") == "True";
}

std::string group_of(const std::string& api_version) {
  return api_version.substr(0, api_version.find('/') == std::string::npos ? 0 : api_version.find('/'));
}

std::optional<std::int64_t> whole_at(const Node* map, std::string_view key) {
  const Node* found = at(map, key);
  const auto value = found == nullptr ? std::nullopt : whole_number(found->text);
  return value && *value >= 0 ? value : std::nullopt;
}

const OpenDocument* Fields::document(Span span) {
  if (!span.known() || span.file >= sources_.size()) return nullptr;
  documents_.resize(sources_.size());
  const std::string& text = sources_.text(span.file);
  auto& documents = documents_[span.file];
  if (!documents) documents = split_documents(text, Reading::Kubernetes);
  for (const DocumentText& document : documents->list) {
    const auto offset = static_cast<std::uint32_t>(document.bytes.data() - text.data());
    if (span.begin < offset || span.begin > offset + document.bytes.size()) continue;
    if (open_.file != span.file || open_.index != document.index)
      open_ = {span.file, document.index, offset, document.bytes, parse_document(document, Reading::Kubernetes)};
    return open_.tree.root ? &open_ : nullptr;
  }
  return nullptr;
}

std::vector<Span> Fields::copies_of(Span span) {
  const Node* found = copies_.empty() ? nullptr : object(span);
  if (found == nullptr) return {};
  const Span whole = open_.span(*found);
  const auto first = copies_.lower_bound({whole.file, whole.begin});
  return first == copies_.end() || first->first >= std::pair(whole.file, whole.end) ? std::vector<Span>()
                                                                                    : first->second;
}

const Node* Fields::object(Span span) {
  const OpenDocument* found = document(span);
  if (found == nullptr) return nullptr;
  const Node& root = *found->tree.root;
  const Node* items = field(root, "items");
  if (items == nullptr || items->kind != Node::Kind::List) return &root;
  return find_where(items->items,
                    [&](const Node& item) { return holds(item.begin, item.end, span.begin - found->offset); });
}

std::string Fields::path_of(const Node& object) const {
  const Node* items = open_.tree.root ? field(*open_.tree.root, "items") : nullptr;
  if (items == nullptr) return {};
  for (std::size_t i = 0; i < items->items.size(); ++i)
    if (&items->items[i] == &object) return "items[" + std::to_string(i) + "]";
  return {};
}

std::optional<DocumentPlace> Fields::at(Span span) {
  const OpenDocument* found = document(span);
  if (found == nullptr) return std::nullopt;
  DocumentPlace place{found->index, {}};
  if (span.begin >= found->offset && span.end >= span.begin)
    descend(*found->tree.root, span.begin - found->offset, span.end - found->offset, place.field);
  return place;
}

}  // namespace gpol::manifest
