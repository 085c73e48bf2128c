#include "checker/repair/write.h"

#include <algorithm>

#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

using manifest::Entry;
using manifest::Node;

namespace {

// How a key and a value are spelled beside others of the same mapping.
struct Style {
  bool flow = false, quoted = false;
  std::string key(const std::string& word) const { return quoted ? "\"" + word + "\"" : word; }
  std::string value(const std::string& word) const {
    return quoted && !only_digits(word) && !word.starts_with('{') ? "\"" + word + "\"" : word;
  }
};

class Writer {
 public:
  Writer(const SourceSet& sources, const manifest::OpenDocument& document)
      : text_(sources.text(document.file)), document_(document) {}

  // What is left of the path, in the mapping that is there.
  std::optional<Edit> put(const Node& parent, const std::vector<std::string>& keys, const std::string& value) const {
    const std::size_t begin = document_.offset + parent.begin, end = document_.offset + parent.end;
    Style style{begin < text_.size() && text_[begin] == '{', false};
    const std::size_t key = document_.offset + (parent.entries.empty() ? 0 : parent.entries.front().begin);
    style.quoted = style.flow && (parent.entries.empty() ? is_json() : key < text_.size() && text_[key] == '"');
    if (style.flow) {
      const auto at = parent.entries.empty() && end == begin + 2 ? begin + 1 : end_of_last(parent, begin, end);
      if (!at) return std::nullopt;
      return insert(*at, (*at == begin + 1 ? "" : ", ") + flow(keys, 0, value, style));
    }
    const std::size_t line = begin == 0 ? 0 : text_.rfind('\n', begin - 1) + 1;
    const std::string indent(begin - line, ' ');
    const auto last = end_of_own(parent, end);
    const std::size_t at = last.value_or(begin);
    const std::size_t next = text_.find('\n', at);
    const std::string line_break = next != std::string::npos && next > 0 && text_[next - 1] == '\r' ? "\r\n" : "\n";
    std::string out;
    for (std::size_t k = 0; k < keys.size(); ++k)
      out += (k > 0 || last ? line_break + indent + std::string(2 * k, ' ') : "") + style.key(keys[k]) + ":" +
             (k + 1 == keys.size() ? " " + style.value(value) : "");
    return insert(at, out + (last ? "" : line_break + indent));
  }

  Edit replace(const Span& span, const std::string& value) const {
    const bool quoted = span.begin < text_.size() && text_[span.begin] == '"';
    const bool empty = span.begin == span.end;  // `key:` and nothing behind it
    return {span, quoted ? "\"" + value + "\"" : empty ? " " + value : value};
  }

  // A mapping in the place of an empty value, whose key it is told by how its own is to be spelled.
  std::string mapping(const Entry& entry, const std::vector<std::string>& keys, const std::string& value) const {
    return "{" + flow(keys, 1, value, {true, text_[document_.offset + entry.begin] == '"'}) + "}";
  }

  // A mapping in flow style of plain words, as the document has it.
  std::string whole(const std::string& value) const {
    if (!is_json()) return value;
    std::string out;
    for (std::size_t at = 0; at < value.size();) {
      const std::size_t end = std::min(value.find_first_of("{}[],: ", at), value.size());
      out += end > at ? "\"" + value.substr(at, end - at) + "\"" : value.substr(at, 1);
      at = std::max(end, at + 1);
    }
    return out;
  }

  bool is_json() const {
    const std::size_t first = text_.find_first_not_of(" \t\r\n", document_.offset);
    return first != std::string::npos && text_[first] == '{';
  }

  // The alias that stands for the entry's value, where it is written out simply.
  std::optional<Span> alias_of(const Entry& entry) const {
    std::size_t at = text_.find_first_not_of(" \t", document_.offset + entry.end);
    if (at == std::string::npos || text_[at] != ':') return std::nullopt;
    at = text_.find_first_not_of(" \t", at + 1);
    if (at == std::string::npos || text_[at] != '*') return std::nullopt;
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,[]{}", at), text_.size());
    return Span{document_.file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)};
  }

 private:
  // Blank lines and comments.
  bool says_nothing(std::size_t at, std::size_t end) const {
    while ((at = text_.find_first_not_of(" \t\r\n", at)) < end) {
      if (text_[at] != '#') return false;
      at = std::min(text_.find('\n', at), text_.size());
    }
    return true;
  }

  // The end of the last line that is a whole entry of the mapping: behind one whose value goes on below, an entry of
  // that value may be put as well, and the two would have to be made in one order.
  std::optional<std::size_t> end_of_own(const Node& parent, std::size_t end) const {
    std::size_t next = end;
    for (auto entry = parent.entries.rbegin(); entry != parent.entries.rend(); ++entry) {
      const std::size_t key = document_.offset + entry->begin;
      const std::size_t line = std::min(text_.find('\n', key), text_.size());
      if (says_nothing(line, next)) return line > 0 && text_[line - 1] == '\r' ? line - 1 : line;
      next = key;
    }
    return std::nullopt;
  }

  // Behind the last value of a mapping in flow style; an alias there has its end elsewhere.
  std::optional<std::size_t> end_of_last(const Node& parent, std::size_t begin, std::size_t end) const {
    const std::size_t last = parent.entries.empty() ? 0 : document_.offset + parent.entries.back().value.end;
    if (last > begin && last < end && text_.find_first_not_of(" \t\r\n,", last) == end - 1) return last;
    if (std::string_view(text_).substr(begin, end - begin).find('#') != std::string_view::npos) return std::nullopt;
    const std::size_t before = text_.find_last_not_of(" \t\r\n", end - 2);
    if (before <= begin) return begin + 1;
    return text_[before] == ',' ? std::nullopt : std::optional(before + 1);
  }

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

enum class What : std::uint8_t { Scalar, Whole };

bool is_collection(const Node& node) { return node.kind == Node::Kind::Map || node.kind == Node::Kind::List; }

using Path = std::vector<FieldStep>;

const Entry* entry_of(const Node& map, const std::string& key) { return find_by(map.entries, key, &Entry::key); }

// Whether an edit did what it was to do, and nothing else: anchors and aliases make one text of several fields.
class Comparison {
 public:
  Comparison(const Node& object, const Path& path, const std::string& value, What what)
      : object_(object), path_(path), value_(value), what_(what) {}

  bool same(const Node& before, const Node& after) const {
    if (&before == &object_) return along(before, after, 0);
    return before.kind == after.kind && before.text == after.text &&
           same_items(before, after, before.items.size(), 0) && same_entries(before, after, nullptr, 0);
  }

 private:
  bool same_items(const Node& before, const Node& after, std::size_t changed, std::size_t step) const {
    if (before.items.size() != after.items.size()) return false;
    for (std::size_t i = 0; i < before.items.size(); ++i)
      if (!(i == changed ? along(before.items[i], after.items[i], step) : same(before.items[i], after.items[i])))
        return false;
    return true;
  }

  // The entries but the one with the key that is changed.
  bool same_entries(const Node& before, const Node& after, const std::string* changed, std::size_t step) const {
    const bool fresh = changed != nullptr && entry_of(before, *changed) == nullptr;
    if (before.entries.size() + (fresh ? 1 : 0) != after.entries.size()) return false;
    for (const Entry& entry : before.entries) {
      const Entry* other = entry_of(after, entry.key);
      const bool here = changed != nullptr && entry.key == *changed;
      if (other == nullptr || !(here ? along(entry.value, other->value, step) : same(entry.value, other->value)))
        return false;
    }
    return !fresh || (entry_of(after, *changed) != nullptr && along({}, entry_of(after, *changed)->value, step));
  }

  bool along(const Node& before, const Node& after, std::size_t step) const {
    if (step == path_.size()) return what_ == What::Whole || (after.text == value_ && after.entries.empty());
    const bool empty = before.kind == Node::Kind::Null && after.kind == Node::Kind::Map;
    if (!empty && before.kind != after.kind) return false;
    if (const auto* index = std::get_if<std::size_t>(&path_[step]))
      return same_items(before, after, *index, step + 1) && same_entries(before, after, nullptr, 0);
    return after.items.empty() && same_entries(before, after, &std::get<std::string>(path_[step]), step + 1);
  }

  const Node& object_;
  const Path& path_;
  const std::string& value_;
  What what_;
};

bool changes_only(const Comparison& comparison, const manifest::OpenDocument& document, const Edit& edit) {
  constexpr std::size_t kLarge = 1U << 20U;  // read again for each finding
  if (!document.tree.aliases && document.bytes.size() > kLarge) return true;
  if (edit.replace.begin < document.offset || edit.replace.end > document.offset + document.bytes.size()) return false;
  std::string text(document.bytes);
  text.replace(edit.replace.begin - document.offset, edit.replace.end - edit.replace.begin, edit.with);
  const manifest::Tree after = manifest::parse_document(text, manifest::Reading::Kubernetes);
  return after.root && comparison.same(*document.tree.root, *after.root);
}

std::optional<WrittenChange> written_once(const SourceSet& sources, manifest::Fields& fields, Span object,
                                          const Path& path, const std::string& plain, What what) {
  const Node* node = fields.object(object);
  const manifest::OpenDocument* document = fields.document(object);
  if (node == nullptr || document == nullptr) return std::nullopt;
  std::string field = fields.path_of(*node);
  const Writer writer(sources, *document);
  const std::string value = what == What::Whole ? writer.whole(plain) : plain;
  const Comparison comparison(*node, path, value, what);
  std::optional<Span> alias;  // the first one on the way
  const auto change = [&](std::optional<Edit> edit, Span at) {
    if (edit && !changes_only(comparison, *document, *edit)) edit.reset();
    if (edit) edit->field = field;
    WrittenChange result{{}, alias.value_or(at), field};
    if (edit) result.edits.push_back(*std::move(edit));
    return result;
  };
  for (std::size_t step = 0; step < path.size(); ++step) {
    if (const auto* index = std::get_if<std::size_t>(&path[step])) {
      if (node->kind != Node::Kind::List || *index >= node->items.size()) return std::nullopt;
      node = &node->items[*index];
      field += "[" + std::to_string(*index) + "]";
      continue;
    }
    if (node->kind != Node::Kind::Map) return std::nullopt;
    const Entry* next = entry_of(*node, std::get<std::string>(path[step]));
    const auto own = next != nullptr ? writer.alias_of(*next) : std::nullopt;
    if (!alias) alias = own;
    const bool last = step + 1 == path.size();
    if (next == nullptr || next->value.kind == Node::Kind::Null) {
      std::vector<std::string> keys;
      for (std::size_t rest = step; rest < path.size(); ++rest) {
        const auto* key = std::get_if<std::string>(&path[rest]);
        if (key == nullptr) return std::nullopt;
        keys.push_back(*key);
        add_to_list(field, *key, ".");
      }
      if (next == nullptr) return change(writer.put(*node, keys, value), document->span(*node));
      const Span span = own.value_or(document->span(next->value));
      return change(writer.replace(span, last ? value : writer.mapping(*next, keys, value)), span);
    }
    add_to_list(field, std::get<std::string>(path[step]), ".");
    node = &next->value;
    if (last && own && *own == *alias && what == What::Scalar && !is_collection(*node))
      return change(writer.replace(*own, value), *own);
    if (last && own && what == What::Whole) return change(Edit{*own, value, {}}, *own);
  }
  if (is_collection(*node) && what == What::Scalar) return std::nullopt;
  const Span span = document->span(*node);
  return change(is_collection(*node) ? Edit{span, value, {}} : writer.replace(span, value), span);
}

// Copies of one object that differ are refused: they are changed together.
std::optional<WrittenChange> written(const SourceSet& sources, manifest::Fields& fields, Span object, const Path& path,
                                     const std::string& value, What what) {
  auto all = written_once(sources, fields, object, path, value, what);
  if (!all || all->edits.empty()) return all;
  for (const Span copy : fields.copies_of(object)) {
    const auto one = written_once(sources, fields, copy, path, value, what);
    if (!one || one->edits.empty()) {
      all->edits.clear();
      break;
    }
    all->edits.push_back(one->edits.front());
  }
  return all;
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
