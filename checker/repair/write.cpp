#include "checker/repair/write.h"

#include <algorithm>

namespace gpol {

using manifest::Entry;
using manifest::Node;

namespace {

// How a key and a value are spelled beside others of the same mapping.
struct Style {
  bool flow = false, quoted = false;
  std::string key(const std::string& word) const { return quoted ? "\"" + word + "\"" : word; }
  std::string value(const std::string& word) const {
    const bool number = word.find_first_not_of("0123456789") == std::string::npos;
    return quoted && !number ? "\"" + word + "\"" : word;
  }
};

class Writer {
 public:
  Writer(const SourceSet& sources, const manifest::OpenDocument& document)
      : text_(sources.text(document.file)), document_(document) {}

  // What is left of the path, in the mapping that is there.
  Edit put(const Node& parent, const std::vector<std::string>& keys, const std::string& value) const {
    const std::size_t begin = document_.offset + parent.begin, end = document_.offset + parent.end;
    Style style{begin < text_.size() && text_[begin] == '{', false};
    if (!parent.entries.empty()) {
      const std::size_t key = document_.offset + parent.entries.front().begin;
      style.quoted = style.flow && key < text_.size() && text_[key] == '"';
    }
    if (style.flow) {
      const std::size_t at = parent.entries.empty() ? begin + 1 : document_.offset + parent.entries.back().value.end;
      return insert(at, (parent.entries.empty() ? "" : ", ") + flow(keys, 0, value, style));
    }
    std::size_t at = std::min(text_.find('\n', end), text_.size());
    const bool carriage = at > 0 && at < text_.size() && text_[at - 1] == '\r';
    if (carriage) --at;
    const std::string line_break = carriage ? "\r\n" : "\n";
    const std::size_t line = begin == 0 ? 0 : text_.rfind('\n', begin - 1) + 1;
    std::string out;
    for (std::size_t k = 0; k < keys.size(); ++k)
      out += line_break + std::string(begin - line + 2 * k, ' ') + style.key(keys[k]) + ":" +
             (k + 1 == keys.size() ? " " + style.value(value) : "");
    return insert(at, out);
  }

  Edit replace(const Node& node, const std::string& value) const {
    const Span span = document_.span(node);
    const bool quoted = span.begin < text_.size() && text_[span.begin] == '"';
    const bool empty = span.begin == span.end;  // `key:` and nothing behind it
    return {span, quoted ? "\"" + value + "\"" : empty ? " " + value : value};
  }

 private:
  Edit insert(std::size_t at, std::string with) const {
    const auto offset = static_cast<std::uint32_t>(at);
    return {{document_.file, offset, offset}, std::move(with)};
  }

  static std::string flow(const std::vector<std::string>& keys, std::size_t k, const std::string& value,
                          const Style& style) {
    const std::string head = style.key(keys[k]) + ": ";
    return k + 1 == keys.size() ? head + style.value(value) : head + "{" + flow(keys, k + 1, value, style) + "}";
  }

  const std::string& text_;
  const manifest::OpenDocument& document_;
};

}  // namespace

namespace {

enum class What : std::uint8_t { Scalar, Whole };

std::optional<WrittenChange> written(const SourceSet& sources, manifest::Fields& fields, Span object,
                                     const std::vector<FieldStep>& path, const std::string& value, What what) {
  const Node* node = fields.object(object);
  const manifest::OpenDocument* document = fields.document(object);
  if (node == nullptr || document == nullptr) return std::nullopt;
  std::string field = fields.path_of(*node);
  const auto change = [&](Edit edit, Span at) {
    edit.field = field;
    return WrittenChange{std::move(edit), at, field};
  };
  const Writer writer(sources, *document);
  for (std::size_t step = 0; step < path.size(); ++step) {
    if (const auto* index = std::get_if<std::size_t>(&path[step])) {
      if (node->kind != Node::Kind::List || *index >= node->items.size()) return std::nullopt;
      node = &node->items[*index];
      field += "[" + std::to_string(*index) + "]";
      continue;
    }
    if (node->kind != Node::Kind::Map) return std::nullopt;
    const Node* next = manifest::field(*node, std::get<std::string>(path[step]));
    if (next == nullptr || next->kind == Node::Kind::Null) {
      const Node& parent = *node;
      std::vector<std::string> keys;
      for (std::size_t rest = step; rest < path.size(); ++rest) {
        const auto* key = std::get_if<std::string>(&path[rest]);
        if (key == nullptr) return std::nullopt;
        keys.push_back(*key);
        field += (field.empty() ? "" : ".") + *key;
      }
      if (next != nullptr && step + 1 == path.size())
        return change(writer.replace(*next, value), document->span(*next));
      if (next != nullptr) return std::nullopt;  // `preemption:` with nothing in it: to be mended by hand
      return change(writer.put(parent, keys, value), document->span(parent));
    }
    field += (field.empty() ? "" : ".") + std::get<std::string>(path[step]);
    node = next;
  }
  const bool scalar = node->kind != Node::Kind::Map && node->kind != Node::Kind::List;
  if (!scalar && what == What::Scalar) return std::nullopt;
  const Span span = document->span(*node);
  return change(scalar ? writer.replace(*node, value) : Edit{span, value}, span);
}

}  // namespace

std::optional<WrittenChange> write_change(const SourceSet& sources, manifest::Fields& fields, Span object,
                                          const std::vector<FieldStep>& path, const std::string& value) {
  return written(sources, fields, object, path, value, What::Scalar);
}

std::optional<WrittenChange> write_whole(const SourceSet& sources, manifest::Fields& fields, Span object,
                                         const std::vector<FieldStep>& path, const std::string& value) {
  return written(sources, fields, object, path, value, What::Whole);
}

}  // namespace gpol
