#include "checker/observe/tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <istream>
#include <streambuf>
#include <unordered_set>

#include "checker/observe/simple_yaml.h"

namespace gpol::manifest {
namespace {

struct Refused {
  int line;
  std::string what;
};

// Events to nodes. yaml-cpp's own node tree takes 40 times the text and drops what must be refused here.
class Builder final : public YAML::EventHandler {
 public:
  Node take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark& mark, const std::string&) override { refuse(mark, "an anchor"); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse(mark, "an alias"); }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { put(scalar(mark, Node::Kind::Null, {})); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& value) override {
    check_tag(mark, tag);
    put(scalar(mark, tag == "!" ? Node::Kind::Text : plain_kind(value), value));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, Node::Kind::List);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(mark, tag, Node::Kind::Map);
  }
  void OnMapEnd() override {
    check_keys(open_.back().node);
    close();
  }

 private:
  struct Open {
    Node node;
    std::string key;
    bool has_key = false;
  };

  [[noreturn]] static void refuse(const YAML::Mark& mark, const char* what) {
    throw Refused{mark.line + 1, std::string("holds ") + what};
  }

  static void check_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag != "?" && tag != "!" && !tag.empty()) refuse(mark, "a tag");
  }

  static Node scalar(const YAML::Mark& mark, Node::Kind kind, const std::string& text) {
    Node node;
    node.kind = kind;
    node.line = mark.line + 1;
    node.text = text;
    return node;
  }

  bool at_key() const { return !open_.empty() && open_.back().node.kind == Node::Kind::Map && !open_.back().has_key; }

  void open(const YAML::Mark& mark, const std::string& tag, Node::Kind kind) {
    check_tag(mark, tag);
    if (at_key()) refuse(mark, "a key that is not text");
    if (open_.size() >= static_cast<std::size_t>(kDepthLimit)) refuse(mark, "more than 64 nested levels");
    open_.push_back({scalar(mark, kind, {}), {}, false});
  }

  void close() {
    Node node = std::move(open_.back().node);
    open_.pop_back();
    put(std::move(node));
  }

  void put(Node node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == Node::Kind::List) {
      parent.node.items.push_back(std::move(node));
    } else if (parent.has_key) {
      parent.node.entries.push_back({std::move(parent.key), std::move(node)});
      parent.has_key = false;
    } else {
      if (node.text == "<<") throw Refused{node.line, "holds a merge key"};
      if (node.kind != Node::Kind::Text) throw Refused{node.line, "holds a key that is not text"};
      parent.key = std::move(node.text);
      parent.has_key = true;
    }
  }

  static void check_keys(const Node& map) {
    if (const Entry* entry = duplicate_key(map))
      throw Refused{entry->value.line, "holds the key `" + entry->key.substr(0, 80) + "` twice in one mapping"};
  }

  Node root_;
  std::vector<Open> open_;
};

// A stream over text that somebody else owns.
class TextBuffer final : public std::streambuf {
 public:
  explicit TextBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());  // std::streambuf has no read-only form; nothing writes here
    setg(begin, begin, begin + text.size());
  }
};

bool any_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

}  // namespace

Node::Kind plain_kind(std::string_view text) {
  if (any_of(text, {"", "~", "null", "Null", "NULL"})) return Node::Kind::Null;
  if (any_of(text, {"true", "false"})) return Node::Kind::Bool;
  if (any_of(text, {"True", "TRUE", "False", "FALSE", "y",  "Y",  "yes", "Yes", "YES", "n",  "N",
                    "no",   "No",   "NO",    "on",    "On", "ON", "off", "Off", "OFF", "<<", "="}))
    return Node::Kind::Ambiguous;
  const char first = text[0];
  if (first != '+' && first != '-' && first != '.' && (first < '0' || first > '9')) return Node::Kind::Text;
  const auto digits = text.substr(first == '-' ? 1 : 0);
  const bool all_digits = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (all_digits) return digits.size() > 1 && digits[0] == '0' ? Node::Kind::Ambiguous : Node::Kind::Integer;
  if (any_of(text.substr(first == '.' ? 0 : 1), {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"}))
    return Node::Kind::Ambiguous;
  // Anything made only of the characters of numbers, in any base or style, of dates and of times.
  const bool radix = digits.size() > 2 && digits[0] == '0' && any_of(digits.substr(1, 1), {"x", "X", "o", "b", "B"});
  if (radix && digits.find_first_not_of("0123456789abcdefABCDEF_", 2) == std::string_view::npos)
    return Node::Kind::Ambiguous;
  const bool has_digit = text.find_first_of("0123456789") != std::string_view::npos;
  const bool numeric = text.find_first_not_of("0123456789+-._:eETZ ") == std::string_view::npos;
  // "1E", "5e" are quantities and nothing else: an exponent needs digits.
  const bool open_exponent = text.ends_with('e') || text.ends_with('E') || text.ends_with('T');
  return has_digit && numeric && !open_exponent ? Node::Kind::Ambiguous : Node::Kind::Text;
}

const Entry* duplicate_key(const Node& map) {
  const auto& entries = map.entries;
  if (entries.size() <= 12) {
    for (std::size_t i = 1; i < entries.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (entries[i].key == entries[j].key) return &entries[i];
    return nullptr;
  }
  std::unordered_set<std::string_view> keys;
  for (const auto& entry : entries)
    if (!keys.insert(entry.key).second) return &entry;
  return nullptr;
}

Tree parse_document(std::string_view text) {
  if (auto root = read_simple(text)) return {std::move(root), {}, 0};
  return parse_with_yaml_cpp(text);
}

Tree parse_with_yaml_cpp(std::string_view text) {
  try {
    TextBuffer buffer(text);
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    Builder builder;
    if (!parser.HandleNextDocument(builder)) return {std::nullopt, "holds no YAML", 1};
    Node root = builder.take();
    Builder rest;
    if (parser.HandleNextDocument(rest)) return {std::nullopt, "holds a second document without `---`", 1};
    return {std::move(root), {}, 0};
  } catch (const Refused& refused) {
    return {std::nullopt, refused.what, refused.line};
  } catch (const YAML::Exception& error) {
    return {std::nullopt, "is not YAML: " + error.msg.substr(0, 120), error.mark.line + 1};
  } catch (const std::exception& error) {
    return {std::nullopt, std::string("cannot be read: ") + error.what(), 1};
  }
}

}  // namespace gpol::manifest
