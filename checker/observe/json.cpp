#include "checker/observe/json.h"

#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "checker/observe/scalars.h"
#include "compiler/source/utf8.h"

namespace gpol::manifest {
namespace {

using Kind = Node::Kind;

struct NotJson {};
struct Refused {
  std::string what;
  int line;
  std::size_t at;
};

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  Node document() {
    Node root = value(1);
    if (next() != '\0' || at_ != text_.size()) throw NotJson{};
    return root;
  }

 private:
  // The next character that is no space, which stays; 0 at the end.
  char next() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return c;
    }
    return '\0';
  }

  void take(char c) {
    if (next() != c) throw NotJson{};
    ++at_;
  }

  Node value(int depth) {
    if (depth > kDepthLimit + 1) throw Refused{kTooDeep, line_, at_};
    if (++nodes_ > kNodeLimit) throw Refused{kTooMany, line_, at_};
    const char first = next();
    Node node;
    node.line = line_;
    node.begin = static_cast<std::uint32_t>(at_);
    if (first == '{') {
      object(node, depth);
    } else if (first == '[') {
      list(node, depth);
    } else if (first == '"') {
      node.kind = Kind::Text;
      node.text = string();
    } else {
      word(node);
    }
    node.end = static_cast<std::uint32_t>(at_);
    return node;
  }

  // With commas between.
  template <class Part>
  void parts(char open, char close, const Part& part) {
    take(open);
    if (next() != close)
      for (part(); next() == ','; part()) take(',');
    take(close);
  }

  void object(Node& node, int depth) {
    node.kind = Kind::Map;
    if (depth > kDepthLimit) throw Refused{kTooDeep, line_, at_};
    parts('{', '}', [&] {
      if (next() != '"') throw NotJson{};
      Entry& entry = node.entries.emplace_back();
      entry.begin = static_cast<std::uint32_t>(at_);
      entry.key = string();
      entry.end = static_cast<std::uint32_t>(at_);
      take(':');
      entry.value = value(depth + 1);
    });
    if (const Entry* entry = duplicate_key(node)) throw Refused{twice(*entry), entry->value.line, entry->begin};
  }

  void list(Node& node, int depth) {
    node.kind = Kind::List;
    if (depth > kDepthLimit) throw Refused{kTooDeep, line_, at_};
    parts('[', ']', [&] { node.items.push_back(value(depth + 1)); });
  }

  std::string string() {
    std::string result;
    for (++at_;;) {
      const auto end = text_.find_first_of("\"\\", at_);
      if (end == std::string_view::npos) throw NotJson{};
      const auto part = text_.substr(at_, end - at_);
      if (std::ranges::any_of(part, [](char c) { return static_cast<std::uint8_t>(c) < 0x20; })) throw NotJson{};
      result.append(part);
      at_ = end + 1;
      if (text_[end] == '"') return result;
      escape(result);
    }
  }

  void escape(std::string& out) {
    if (at_ == text_.size()) throw NotJson{};
    constexpr std::string_view letters = "\"\\/bfnrt", values = "\"\\/\b\f\n\r\t";
    const char letter = text_[at_++];
    if (const auto found = letters.find(letter); found != std::string_view::npos) return out.push_back(values[found]);
    if (letter != 'u') throw NotJson{};
    auto point = hex();
    if (point >= 0xD800 && point < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
      const auto before = std::exchange(at_, at_ + 2);
      const auto low = hex();
      if (low >= 0xDC00 && low < 0xE000) return append_utf8(out, 0x10000 + ((point - 0xD800) << 10U) + (low - 0xDC00));
      at_ = before;
    }
    append_utf8(out, point >= 0xD800 && point < 0xE000 ? 0xFFFD : point);  // half a pair, as encoding/json takes it
  }

  std::uint32_t hex() {
    std::uint32_t result = 0;
    const auto digits = text_.substr(at_, 4);
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), result, 16).ptr;
    if (digits.size() < 4 || end != digits.data() + 4) throw NotJson{};
    at_ += 4;
    return result;
  }

  void word(Node& node) {
    const auto end = std::min(text_.find_first_of(" \t\r\n,:]}[{\"", at_), text_.size());
    const auto text = text_.substr(at_, end - at_);
    at_ = end;
    if (text == "null") return;
    if (text == "true" || text == "false") {
      node.kind = Kind::Bool;
      node.text = text;
      return;
    }
    static const re2::RE2 kNumber("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?");
    if (!re2::RE2::FullMatch(text, kNumber)) throw NotJson{};
    auto scalar = kubernetes_scalar(text);
    if (scalar.kind != Kind::Integer && scalar.kind != Kind::Float)
      throw Refused{"holds a number that no computer holds", node.line, node.begin};
    node.kind = scalar.kind;
    node.text = std::move(scalar.text);
  }

  std::string_view text_;
  std::size_t at_ = 0, nodes_ = 0;
  int line_ = 1;
};

// Where the quote is that closes the one at `at`; npos: nowhere.
std::size_t closing_quote(std::string_view text, std::size_t at) {
  for (++at; (at = text.find_first_of("\"\\", at)) != std::string_view::npos; at += 2)
    if (text[at] == '"') return at;
  return std::string_view::npos;
}

}  // namespace

std::optional<Tree> read_json(std::string_view text) {
  try {
    return Tree{JsonReader(text).document(), {}, 0};
  } catch (const NotJson&) {
    return std::nullopt;
  } catch (const Refused& refused) {
    return Tree{std::nullopt, refused.what, refused.line, refused.at, false, true};
  }
}

std::size_t json_object_length(std::string_view text) {
  if (!text.starts_with('{')) return 0;
  std::size_t depth = 0;
  for (std::size_t at = 0; (at = text.find_first_of("{}\"", at)) != std::string_view::npos; ++at) {
    if (text[at] == '{') {
      ++depth;
    } else if (text[at] == '}') {
      if (--depth == 0) return at + 1;
    } else {
      at = closing_quote(text, at);
      if (at == std::string_view::npos) return 0;
    }
  }
  return 0;
}

}  // namespace gpol::manifest
