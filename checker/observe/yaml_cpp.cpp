#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <istream>
#include <streambuf>

#include "checker/observe/expand.h"
#include "checker/observe/goyaml.h"
#include "checker/observe/scalars.h"
#include "checker/observe/spans.h"
#include "checker/observe/tree.h"

namespace gpol::manifest {
namespace {

using Kind = Node::Kind;

struct Refused {
  int line;
  std::string what;
  std::optional<std::size_t> at;
};

// yaml-cpp gives "\N" and "\_" as Latin-1. Nothing else makes it give a byte that continues nothing.
std::string mended(std::string_view value) {
  std::string result;
  int expected = 0;
  for (const char c : value) {
    const auto byte = static_cast<std::uint8_t>(c);
    const bool continues = (byte & 0xC0U) == 0x80U;
    if (expected == 0 && (byte == 0x85 || byte == 0xA0)) result += '\xC2';
    expected = continues ? std::max(expected - 1, 0) : byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC0 ? 1 : 0;
    result += c;
  }
  return result;
}

// Events to nodes. yaml-cpp's own node tree takes 40 times the text and drops what must be refused here. An event says
// where its properties begin; cursor_ is where the last thing ended.
class Builder final : public YAML::EventHandler {
 public:
  Builder(std::string_view text, Reading reading) : text_(text), kubernetes_(reading == Reading::Kubernetes) {}
  Node take() { return std::move(root_); }
  bool aliases() const { return aliases_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    if (!kubernetes_) refuse(mark, "holds an anchor");
    if (const char* why = refuse_anchor(name)) refuse(mark, std::string("holds ") + why);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (!kubernetes_) refuse(mark, "holds an alias");
    aliases_ = true;
    std::string refused;
    auto node = anchors_.copy(anchor, static_cast<int>(open_.size()), refused);
    if (!node) refuse(mark, std::move(refused));
    check_place(mark, {offset(mark), offset(mark)}, false);
    cursor_ = end_of_alias(text_, offset(mark));
    if (at_key()) {
      node->begin = static_cast<std::uint32_t>(offset(mark));
      node->end = static_cast<std::uint32_t>(cursor_);
      node->line = mark.line + 1;
    }
    const bool can_be_key = node->kind != Kind::List && node->kind != Kind::Map && node->kind != Kind::Null;
    auto key = can_be_key ? node->text : std::string();
    put({std::move(*node), std::move(key), can_be_key, false, true}, YAML::NullAnchor);
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    put({null(mark), {}, false, false, false}, anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& given) override {
    check_tag(mark, tag);
    const auto properties = skip_properties(text_, offset(mark));
    const bool latin =
        text_.substr(properties.value).starts_with('"') && given.find_first_of("\x85\xA0") != std::string::npos;
    const std::string value = latin ? mended(given) : given;
    // A tag alone stands for an empty text.
    const bool empty = value.empty() && properties.end > offset(mark) && !quoted(properties.value);
    Node node = begun(empty ? properties.end : properties.value);
    if (!empty) node.end = static_cast<std::uint32_t>(end_of_scalar(text_, node.begin, value));
    cursor_ = node.end;
    if (kubernetes_) {
      check_properties(mark, properties);
      check_place(mark, empty ? Properties{properties.end, properties.end} : properties, false);
      if (value == "<<" && tag == "!" && properties.end > offset(mark)) refuse(mark, "holds a merge key with a tag");
      if (const char* why = refuse_scalar(text_, node.begin, node.end, flow_ > 0, at_key()))
        refuse(mark, std::string("holds ") + why);
    }
    put(kubernetes_ ? resolved(std::move(node), tag, value) : strict(std::move(node), tag, value), anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Kind::List);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Kind::Map);
  }
  void OnMapEnd() override {
    check_keys(open_.back().node);
    if (!open_.back().merges.empty()) apply_merges(open_.back().node, std::move(open_.back().merges));
    close();
  }

 private:
  // A node on its way into the tree, and what it would be as a key.
  struct Part {
    Node node;
    std::string key;
    bool can_be_key = false, is_merge = false, is_alias = false;
  };
  struct Open {
    Node node;
    YAML::anchor_t anchor = YAML::NullAnchor;
    Entry entry;  // its key, when there is one
    bool has_key = false, merging = false, flow = false;
    std::vector<Merge> merges;
  };

  [[noreturn]] void refuse(const YAML::Mark& mark, std::string what) const {
    throw Refused{mark.line + 1, std::move(what), offset(mark)};
  }

  void check_properties(const YAML::Mark& mark, const Properties& properties) const {
    if (const char* why = refuse_properties(text_, offset(mark), properties.end))
      refuse(mark, std::string("holds ") + why);
  }

  void check_place(const YAML::Mark& mark, const Properties& properties, bool is_list) const {
    if (flow_ > 0) return;
    const auto outside = [&](std::size_t at) {
      return not_indented(text_, open_.back().node.begin, open_.back().entry.end, at);
    };
    const bool is_value = !open_.empty() && open_.back().has_key;
    if (is_value && (is_list ? properties.end > offset(mark) && outside(offset(mark))
                             : outside(offset(mark)) || outside(properties.value)))
      refuse(mark, "holds a value that is not indented");
    for (const auto at : {offset(mark), properties.value})
      if (const char* why = refuse_tab_before(text_, at)) refuse(mark, std::string("holds ") + why);
  }

  void check_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!kubernetes_ && tag != "?" && tag != "!" && !tag.empty()) refuse(mark, "holds a tag");
  }

  std::size_t offset(const YAML::Mark& mark) const {
    return std::min(static_cast<std::size_t>(std::max(mark.pos, 0)), text_.size());
  }

  bool quoted(std::size_t at) const {
    return at < text_.size() && std::string_view("\"'|>").find(text_[at]) != std::string_view::npos;
  }

  Node begun(std::size_t at) {
    if (at > counted_) {
      const auto passed = text_.substr(counted_, at - counted_);
      line_ += static_cast<int>(std::count(passed.begin(), passed.end(), '\n'));
      counted_ = at;
    }
    Node node;
    node.line = line_;
    node.begin = node.end = static_cast<std::uint32_t>(at);
    return node;
  }

  // What stands there ends a word that ended at `end`: in `nullable: 1` behind an empty value, `null` is no word.
  bool ends_word(std::size_t at, std::size_t end) const {
    const char c = text_[at];
    return c == '\n' || c == '\r' || c == ':' || (c == '#' && at > end) ||
           (flow_ > 0 && (c == ',' || c == ']' || c == '}'));
  }

  // Either written out, or nothing between here and what comes next, where the event then is.
  Node null(const YAML::Mark& mark) {
    const auto at = offset(mark);
    const auto properties = skip_properties(text_, at);
    for (const std::string_view word : {"~", "null", "Null", "NULL"}) {
      if (at < cursor_ || text_.substr(properties.value, word.size()) != word) continue;
      const auto end = properties.value + word.size();
      const auto next = std::min(text_.find_first_not_of(" \t", end), text_.size());
      if (next < text_.size() && !ends_word(next, end)) break;
      const bool is_key = next < text_.size() && text_[next] == ':';
      if (is_key && !at_key()) break;
      if (kubernetes_) check_place(mark, properties, false);
      Node node = begun(properties.value);
      node.end = static_cast<std::uint32_t>(end);
      cursor_ = end;
      return node;
    }
    const bool has_properties = properties.end > at && at >= cursor_;
    if (kubernetes_) check_empty(mark, has_properties, properties.end);
    const auto sign = skip_space(text_, cursor_);
    const bool behind_sign = sign < text_.size() && (text_[sign] == ':' || text_[sign] == '-') && !at_key();
    cursor_ = has_properties ? properties.end : behind_sign ? sign + 1 : cursor_;
    return begun(cursor_);
  }

  void check_empty(const YAML::Mark& mark, bool has_properties, std::size_t properties_end) const {
    const auto at = offset(mark);
    if (has_properties && text_.substr(at, properties_end - at).find('!') != std::string_view::npos)
      refuse(mark, "holds a tag with nothing behind it");
    if (open_.empty()) return;
    const Open& parent = open_.back();
    if (has_properties && parent.has_key && flow_ == 0 && not_indented(text_, parent.node.begin, parent.entry.end, at))
      refuse(mark, "holds a value that is not indented");
    if (parent.node.kind == Kind::List && flow_ > 0) refuse(mark, "holds an empty element");
    if (parent.has_key && flow_ == 0 && lacks_colon(text_, parent.entry.begin, parent.entry.end))
      throw Refused{line_at(text_, parent.entry.begin),
                    "holds the key `" + parent.entry.key.substr(0, 80) + "` without a colon", parent.entry.begin};
  }

  static Part strict(Node node, const std::string& tag, const std::string& value) {
    node.kind = tag == "!" ? Kind::Text : plain_kind(value);
    node.text = value;
    const bool can_be_key = node.kind == Kind::Text;
    return {std::move(node), value, can_be_key, false, false};
  }

  Part resolved(Node node, const std::string& tag, const std::string& value) const {
    const bool plain = tag == "?";
    const bool is_merge = value == "<<" && (plain || tag == "tag:yaml.org,2002:merge");
    if (tag == "!") {
      node.kind = Kind::Text;
      node.text = value;
      return {std::move(node), value, true, false, false};
    }
    auto scalar = kubernetes_scalar(value, plain ? "" : tag);
    if (!scalar.refused.empty() && !(at_key() && !scalar.key.empty()))
      throw Refused{node.line, "holds " + scalar.refused, node.begin};
    node.kind = scalar.kind;
    node.text = std::move(scalar.text);
    const bool can_be_key = scalar.kind == Kind::Text || !scalar.key.empty();
    return {std::move(node), std::move(scalar.key), can_be_key, is_merge, false};
  }

  bool at_key() const { return !open_.empty() && open_.back().node.kind == Kind::Map && !open_.back().has_key; }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Kind kind) {
    check_tag(mark, tag);
    if (at_key()) refuse(mark, "holds a key that is not text");
    if (open_.size() >= static_cast<std::size_t>(kDepthLimit)) refuse(mark, "holds more than 64 nested levels");
    if (anchor != YAML::NullAnchor) anchors_.open(anchor);
    Open next;
    const auto properties = skip_properties(text_, offset(mark));
    const bool dash = kind == Kind::List && text_.substr(properties.value).starts_with('-');
    if (kubernetes_) {
      check_properties(mark, properties);
      check_place(mark, properties, dash);
    }
    next.node = begun(properties.value);
    next.node.kind = kind;
    next.anchor = anchor;
    next.flow = text_.substr(next.node.begin).starts_with(kind == Kind::List ? '[' : '{');
    cursor_ = next.node.begin + (next.flow ? 1 : 0);
    flow_ += next.flow ? 1 : 0;
    open_.push_back(std::move(next));
  }

  void close() {
    Open last = std::move(open_.back());
    open_.pop_back();
    flow_ -= last.flow ? 1 : 0;
    if (last.flow) cursor_ = end_of_flow(text_, cursor_);
    last.node.end = static_cast<std::uint32_t>(cursor_);
    put({std::move(last.node), {}, false, false, false}, last.anchor);
  }

  void put(Part part, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor && !anchors_.close(anchor, part.node))
      throw Refused{part.node.line, "holds more than 16 MiB in anchors", part.node.begin};
    if (open_.empty()) {
      root_ = std::move(part.node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == Kind::List) {
      parent.node.items.push_back(std::move(part.node));
    } else if (!parent.has_key) {
      put_key(parent, std::move(part));
    } else if (parent.merging) {
      if (!can_be_merged(part.node, part.is_alias))
        throw Refused{part.node.line, "holds a merge key of something that is no mapping and no list of mappings",
                      part.node.begin};
      parent.merges.push_back({parent.node.entries.size(), std::move(part.node)});
      parent.has_key = parent.merging = false;
    } else {
      parent.entry.value = std::move(part.node);
      parent.node.entries.push_back(std::move(parent.entry));
      parent.has_key = false;
    }
  }

  void put_key(Open& parent, Part part) const {
    if (!kubernetes_ && part.node.text == "<<") throw Refused{part.node.line, "holds a merge key", part.node.begin};
    if (!part.can_be_key) throw Refused{part.node.line, "holds a key that is not text", part.node.begin};
    if (part.node.begin < parent.node.begin) {  // an empty key behind a tag
      parent.node.begin = part.node.begin;
      parent.node.line = part.node.line;
    }
    parent.entry = Entry{std::move(part.key), {}, part.node.begin, part.node.end, false};
    parent.has_key = true;
    parent.merging = part.is_merge;
  }

  static void check_keys(const Node& map) {
    if (const Entry* entry = duplicate_key(map)) throw Refused{entry->value.line, twice(*entry), entry->begin};
  }

  std::string_view text_;
  bool kubernetes_, aliases_ = false;
  Node root_;
  std::vector<Open> open_;
  Anchors anchors_;
  std::size_t cursor_ = 0, counted_ = 0;
  int line_ = 1, flow_ = 0;
};

// A stream over text that somebody else owns.
class TextBuffer final : public std::streambuf {
 public:
  explicit TextBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());  // std::streambuf has no read-only form; nothing writes here
    setg(begin, begin, begin + text.size());
  }
};

}  // namespace

Tree parse_with_yaml_cpp(std::string_view text, Reading reading) {
  try {
    TextBuffer buffer(text);
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    Builder builder(text, reading);
    if (!parser.HandleNextDocument(builder)) return {std::nullopt, "holds no YAML", 1};
    Node root = builder.take();
    Builder rest(text, reading);
    if (parser.HandleNextDocument(rest)) return {std::nullopt, "holds a second document without `---`", 1};
    return {std::move(root), {}, 0, {}, builder.aliases()};
  } catch (const Refused& refused) {
    return {std::nullopt, refused.what, refused.line, refused.at};
  } catch (const YAML::Exception& error) {
    return {std::nullopt, "is not YAML: " + error.msg.substr(0, 120), error.mark.line + 1,
            error.mark.pos < 0 ? std::nullopt : std::optional<std::size_t>(error.mark.pos)};
  } catch (const std::exception& error) {
    return {std::nullopt, std::string("cannot be read: ") + error.what(), 1};
  }
}

}  // namespace gpol::manifest
