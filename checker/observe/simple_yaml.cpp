#include "checker/observe/simple_yaml.h"

#include <algorithm>

#include "checker/observe/scalars.h"

namespace gpol::manifest {
namespace {

// Whatever is not plainly simple; caught in read_simple, never further.
struct NotSimple {};

bool alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
bool word_character(char c) { return alphanumeric(c) || c == '-' || c == '_' || c == '.' || c == '/'; }

bool printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

// A plain word: no space, no indicator, and a colon only inside.
bool plain_word(std::string_view text) {
  if (text.empty()) return false;
  const bool dash = text[0] == '-';
  if (dash ? text.size() < 2 || !alphanumeric(text[1]) : !word_character(text[0])) return false;
  for (std::size_t i = 1; i < text.size(); ++i)
    if (!word_character(text[i]) && !(text[i] == ':' && i + 1 < text.size() && alphanumeric(text[i + 1]))) return false;
  return true;
}

class SimpleReader {
 public:
  SimpleReader(std::string_view text, Reading reading) : text_(text), rest_(text), reading_(reading) { next_line(); }

  Node document() {
    if (done_ || indent_ != 0) throw NotSimple{};
    Node root = block(0, 1);
    if (!done_) throw NotSimple{};
    return root;
  }

 private:
  // Goes to the next line that says something.
  void next_line() {
    while (!rest_.empty()) {
      ++number_;
      const auto end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      if (!printable(line_)) throw NotSimple{};
      indent_ = line_.find_first_not_of(' ');
      if (indent_ == std::string_view::npos || line_[indent_] == '#') continue;
      line_ = line_.substr(indent_, line_.find_last_not_of(' ') + 1 - indent_);
      return;
    }
    done_ = true;
  }

  bool at_item(std::size_t indent) const { return !done_ && indent_ == indent && line_.starts_with("- "); }
  bool at_key(std::size_t indent) const { return !done_ && indent_ == indent && !line_.starts_with("-"); }

  // Which begins where `at` does.
  Node node(Node::Kind kind, std::string_view at) const {
    Node result;
    result.kind = kind;
    result.line = number_;
    result.begin = offset(at.data());
    result.end = offset(at.data() + at.size());
    return result;
  }

  std::uint32_t offset(const char* at) const { return static_cast<std::uint32_t>(at - text_.data()); }

  Node block(std::size_t indent, int depth) {
    if (depth > kDepthLimit) throw NotSimple{};
    return line_.starts_with("- ") ? list(indent, depth) : map(indent, depth);
  }

  Node list(std::size_t indent, int depth) {
    Node result = node(Node::Kind::List, line_);
    while (at_item(indent)) {
      // What stands behind the dash is as if on a line of its own, two further in.
      line_.remove_prefix(2);
      indent_ += 2;
      if (line_.starts_with(" ") || line_.starts_with("-")) throw NotSimple{};
      if (key_length() > 0)
        result.items.push_back(map(indent + 2, depth + 1));
      else
        result.items.push_back(last_on_line(indent));
    }
    if (!done_ && indent_ > indent) throw NotSimple{};
    result.end = result.items.back().end;
    return result;
  }

  Node map(std::size_t indent, int depth) {
    if (depth > kDepthLimit) throw NotSimple{};
    Node result = node(Node::Kind::Map, line_);
    while (at_key(indent)) {
      const auto length = key_length();
      if (length == 0) throw NotSimple{};
      Entry entry;
      entry.key = std::string(line_.substr(0, length));
      entry.begin = offset(line_.data());
      entry.end = offset(line_.data() + length);
      if (plain_kind(entry.key) != Node::Kind::Text) throw NotSimple{};
      line_.remove_prefix(std::min(length + 2, line_.size()));
      entry.value = line_.empty() ? value_below(indent, depth) : last_on_line(indent);
      result.entries.push_back(std::move(entry));
    }
    if (!done_ && indent_ > indent) throw NotSimple{};
    if (result.entries.empty() || duplicate_key(result) != nullptr) throw NotSimple{};
    result.end = result.entries.back().value.end;
    return result;
  }

  // A deeper block, or a list that begins at the key's own indentation.
  Node value_below(std::size_t indent, int depth) {
    next_line();
    if (at_item(indent)) return list(indent, depth + 1);
    if (done_ || indent_ <= indent) throw NotSimple{};  // null
    return block(indent_, depth + 1);
  }

  // The rest of this line as a scalar; the next line must not go on with it.
  Node last_on_line(std::size_t indent) {
    Node result = inline_value(line_);
    next_line();
    if (!done_ && indent_ > indent) throw NotSimple{};
    return result;
  }

  Node inline_value(std::string_view text) const {
    if (text == "{}") return node(Node::Kind::Map, text);
    if (text.starts_with("[") && text.ends_with("]")) return flow_list(text);
    return scalar(text);
  }

  Node scalar(std::string_view text) const {
    const char quote = text.empty() ? ' ' : text[0];
    if (quote == '"' || quote == '\'') {
      if (text.size() < 2 || text.back() != quote) throw NotSimple{};
      Node result = node(Node::Kind::Text, text);
      text = text.substr(1, text.size() - 2);
      if (text.find_first_of("\"'\\") != std::string_view::npos) throw NotSimple{};
      result.text = std::string(text);
      return result;
    }
    if (!plain_word(text)) throw NotSimple{};
    Node result = node(plain_kind(text), text);
    if (result.kind == Node::Kind::Null) return result;
    if (reading_ == Reading::Strict || result.kind == Node::Kind::Text || result.kind == Node::Kind::Bool) {
      result.text = std::string(text);
      return result;
    }
    auto scalar = kubernetes_scalar(text);
    if (!scalar.refused.empty()) throw NotSimple{};
    result.kind = scalar.kind;
    result.text = std::move(scalar.text);
    return result;
  }

  // Plain words with ", " between them.
  Node flow_list(std::string_view text) const {
    Node result = node(Node::Kind::List, text);
    text = text.substr(1, text.size() - 2);
    if (text.empty()) return result;
    for (;;) {
      const auto comma = text.find(", ");
      const auto word = text.substr(0, comma);
      if (!plain_word(word) || word.find(':') != std::string_view::npos) throw NotSimple{};
      result.items.push_back(scalar(word));
      if (comma == std::string_view::npos) return result;
      text.remove_prefix(comma + 2);
    }
  }

  // Length of the key that the line begins with; 0 when it does not begin with one.
  std::size_t key_length() const {
    std::size_t length = 0;
    while (length < line_.size() && word_character(line_[length])) ++length;
    if (length == 0 || length > 128 || !alphanumeric(line_[0]) || length == line_.size() || line_[length] != ':')
      return 0;
    if (length + 1 == line_.size()) return length;
    return line_[length + 1] == ' ' && line_[length + 2] != ' ' ? length : 0;
  }

  std::string_view text_, rest_, line_;
  Reading reading_;
  std::size_t indent_ = 0;
  int number_ = 0;
  bool done_ = false;
};

}  // namespace

std::optional<Node> read_simple(std::string_view text, Reading reading) {
  try {
    return SimpleReader(text, reading).document();
  } catch (const NotSimple&) {
    return std::nullopt;
  }
}

}  // namespace gpol::manifest
