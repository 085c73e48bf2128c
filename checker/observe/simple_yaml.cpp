#include "checker/observe/simple_yaml.h"

#include <algorithm>

#include "checker/observe/scalars.h"
#include "checker/observe/simple_text.h"
#include "compiler/source/text.h"

namespace gpol::manifest {
namespace {

using Kind = Node::Kind;

// Whatever is not plainly simple; caught in read_simple, never further.
struct NotSimple {};

bool word_character(char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.' || c == '/'; }
bool within_picker(char c) { return word_character(c) || std::string_view("{}\",").find(c) != std::string_view::npos; }
bool beyond_ascii(char c) { return static_cast<std::uint8_t>(c) >= 0x80; }

bool printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= 0x20 && c < 0x7F) || beyond_ascii(c); });
}

std::string_view without_spaces_behind(std::string_view text) { return text.substr(0, text.find_last_not_of(' ') + 1); }

// May begin a plain text whatever stands around it.
bool begins_plain(std::string_view text) {
  if (text.empty()) return false;
  const char first = text[0];
  if (first == '-') return text.size() > 1 && is_alphanumeric(text[1]);
  return word_character(first) || beyond_ascii(first) ||
         std::string_view("($+\\;^").find(first) != std::string_view::npos;
}

// A plain word: no space, no indicator, and a colon only inside.
bool plain_word(std::string_view text) {
  if (text.empty()) return false;
  const bool dash = text[0] == '-';
  if (dash ? text.size() < 2 || !is_alphanumeric(text[1]) : !word_character(text[0])) return false;
  for (std::size_t i = 1; i < text.size(); ++i)
    if (!word_character(text[i]) && !(text[i] == ':' && i + 1 < text.size() && is_alphanumeric(text[i + 1])))
      return false;
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
  // The next line as it is, without what ends it.
  void take_line() {
    ++number_;
    const auto end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (!printable(line_)) throw NotSimple{};
    indent_ = line_.find_first_not_of(' ');
  }

  // Goes to the next line that says something.
  void next_line() {
    while (!rest_.empty()) {
      take_line();
      if (indent_ == std::string_view::npos || line_[indent_] == '#') continue;
      line_ = without_spaces_behind(line_.substr(indent_));
      return;
    }
    done_ = true;
  }

  bool at_item(std::size_t indent) const { return !done_ && indent_ == indent && line_.starts_with("- "); }
  bool at_key(std::size_t indent) const { return !done_ && indent_ == indent && !line_.starts_with("-"); }

  std::uint32_t offset(const char* at) const { return static_cast<std::uint32_t>(at - text_.data()); }

  // Which begins where `at` does.
  Node node(Kind kind, std::string_view at) const {
    Node result;
    result.kind = kind;
    result.line = number_;
    result.begin = offset(at.data());
    result.end = offset(at.data() + at.size());
    return result;
  }

  Node block(std::size_t indent, int depth) {
    if (depth > kDepthLimit) throw NotSimple{};
    return line_.starts_with("- ") ? list(indent, depth) : map(indent, depth);
  }

  Node list(std::size_t indent, int depth) {
    if (depth > kDepthLimit) throw NotSimple{};
    Node result = node(Kind::List, line_);
    while (at_item(indent)) {
      // What stands behind the dash is as if on a line of its own, two further in.
      line_.remove_prefix(2);
      indent_ += 2;
      if (line_.starts_with(" ") || line_.starts_with("- ") || line_ == "-") throw NotSimple{};
      if (key_length() > 0)
        result.items.push_back(map(indent + 2, depth + 1));
      else
        result.items.push_back(value_on_line(indent));
    }
    if (!done_ && indent_ > indent) throw NotSimple{};
    result.end = result.items.back().end;
    return result;
  }

  Node map(std::size_t indent, int depth) {
    if (depth > kDepthLimit) throw NotSimple{};
    Node result = node(Kind::Map, line_);
    while (at_key(indent)) {
      const auto length = key_length();
      if (length == 0) throw NotSimple{};
      Entry& entry = result.entries.emplace_back();
      const auto key = line_.substr(0, length);
      entry.begin = offset(key.data());
      entry.end = offset(key.data() + length);
      const bool quoted = key[0] == '"' || key[0] == '\'';
      entry.key = quoted ? key.substr(1, length - 2) : key;
      if (!quoted && scalar(key).kind != Kind::Text) throw NotSimple{};
      line_.remove_prefix(length + 1);
      line_.remove_prefix(std::min(line_.find_first_not_of(' '), line_.size()));
      if (line_.empty() || line_[0] == '#')
        entry.value = value_below(indent, depth, entry.end + 1);
      else
        entry.value = value_on_line(indent);
    }
    if (!done_ && indent_ > indent) throw NotSimple{};
    if (result.entries.empty() || duplicate_key(result) != nullptr) throw NotSimple{};
    result.end = result.entries.back().value.end;
    return result;
  }

  // A deeper block, a list that begins at the key's own indentation, or nothing.
  Node value_below(std::size_t indent, int depth, std::uint32_t behind_colon) {
    Node nothing = node(Kind::Null, text_.substr(behind_colon, 0));
    next_line();
    if (at_item(indent)) return list(indent, depth + 1);
    if (done_ || indent_ <= indent) return nothing;
    if (!line_.starts_with("- ") && key_length() == 0) throw NotSimple{};  // a text on a line of its own
    return block(indent_, depth + 1);
  }

  // What begins in this line, and may go on in lines that are further in than `indent`.
  Node value_on_line(std::size_t indent) {
    if (line_.empty()) throw NotSimple{};
    const char first = line_[0];
    if (first == '|' || first == '>') return block_scalar(indent);
    if (first == '"' || first == '\'') return quoted(indent);
    if (first == '{' || first == '[') return flow(indent);
    return plain(indent);
  }

  // Nothing but a comment may stand in the rest of the line, and no deeper line may follow.
  void end_value(std::string_view rest, std::size_t indent) {
    const auto at = rest.find_first_not_of(' ');
    if (at != std::string_view::npos && (at == 0 || rest[at] != '#')) throw NotSimple{};
    next_line();
    if (!done_ && indent_ > indent) throw NotSimple{};
  }

  Node flow(std::size_t indent) {
    const auto length = std::min(line_.find(" #"), line_.size());
    const auto text = without_spaces_behind(line_.substr(0, length));
    Node result = node(text[0] == '{' ? Kind::Map : Kind::List, text);
    if (text.back() != (text[0] == '{' ? '}' : ']')) throw NotSimple{};
    for (auto rest = text.substr(1, text.size() - 2); !rest.empty();) {
      const auto comma = rest.find(", ");
      if (result.kind == Kind::List)
        result.items.push_back(flow_word(rest.substr(0, comma)));
      else
        result.entries.push_back(flow_entry(rest.substr(0, comma)));
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 2);
      if (rest.empty()) throw NotSimple{};
    }
    if (duplicate_key(result) != nullptr) throw NotSimple{};
    end_value(line_.substr(text.size()), indent);
    return result;
  }

  // Between brackets a text is one word, or stands in quotes.
  Node flow_word(std::string_view word) const {
    const bool in_quotes = word.size() > 1 && (word[0] == '"' || word[0] == '\'') && word.back() == word[0];
    if (in_quotes && word.substr(1, word.size() - 2).find_first_of("\"'\\,") == std::string_view::npos) {
      Node result = node(Kind::Text, word);
      result.text = word.substr(1, word.size() - 2);
      return result;
    }
    if (!plain_word(word) || word.find(':') != std::string_view::npos) throw NotSimple{};
    return scalar(word);
  }

  Entry flow_entry(std::string_view text) const {
    const auto key = text.substr(0, text.find(": "));
    if (key.size() == text.size() || !is_alphanumeric(key.empty() ? ' ' : key[0])) throw NotSimple{};
    const Node name = flow_word(key);
    if (name.kind != Kind::Text) throw NotSimple{};
    return {name.text, flow_word(text.substr(key.size() + 2)), name.begin, name.end, false};
  }

  Node plain(std::size_t indent) {
    if (!begins_plain(line_)) throw NotSimple{};
    auto part = plain_part();
    Node result = scalar(part);
    if (part.size() < line_.size()) {
      end_value(line_.substr(part.size()), indent);
      return result;
    }
    for (std::size_t breaks = 1; !rest_.empty(); ++breaks) {
      take_line();
      if (indent_ == std::string_view::npos) continue;
      line_ = without_spaces_behind(line_.substr(indent_));
      const bool comment = line_[0] == '#';
      if (comment) next_line();
      if (done_ || indent_ <= indent) return result;
      part = plain_part();
      if (comment || part.size() < line_.size() || result.kind != Kind::Text) throw NotSimple{};
      result.text.append(breaks == 1 ? 1 : breaks - 1, breaks == 1 ? ' ' : '\n').append(part);
      result.end = offset(part.data() + part.size());
      breaks = 0;
    }
    done_ = true;
    return result;
  }

  // What of the line is plain text: up to a comment.
  std::string_view plain_part() const {
    const auto text = without_spaces_behind(line_.substr(0, line_.find(" #")));
    if (text.ends_with(':') || text.find(": ") != std::string_view::npos) throw NotSimple{};
    return text;
  }

  Node scalar(std::string_view text) const {
    Node result = node(plain_kind(text), text);
    if (result.kind == Kind::Null) return result;
    const bool number = reading_ == Reading::Kubernetes && (is_alphanumeric(text[0]) ? text[0] <= '9' : text[0] != '/');
    if (!number && (result.kind != Kind::Ambiguous || reading_ == Reading::Strict)) {
      result.text = text;
      return result;
    }
    auto value = kubernetes_scalar(text);
    if (!value.refused.empty()) throw NotSimple{};
    result.kind = value.kind;
    result.text = std::move(value.text);
    return result;
  }

  Node quoted(std::size_t indent) {
    const auto begin = offset(line_.data());
    const auto close = closing_quote(text_, begin);
    if (close == std::string_view::npos) throw NotSimple{};
    const auto whole = text_.substr(begin, close + 1 - begin);
    Node result = node(Kind::Text, whole);
    auto value = unquoted(whole);
    if (!value) throw NotSimple{};
    result.text = *std::move(value);
    // Lines that it goes on in.
    while (offset(line_.data() + line_.size()) <= close) {
      take_line();
      if (indent_ != std::string_view::npos && indent_ <= indent) throw NotSimple{};
    }
    const auto line_end = offset(line_.data() + line_.size());
    end_value(text_.substr(close + 1, line_end - close - 1), indent);
    return result;
  }

  Node block_scalar(std::size_t indent) {
    const auto header = without_spaces_behind(line_.substr(0, line_.find(" #")));
    Node result = node(Kind::Text, header);
    auto value = block_text(header, rest_, indent);
    if (!value) throw NotSimple{};
    const auto lines = rest_.substr(0, value->size);
    // A line break is the one character in it that is not printable.
    for (const char c : lines)
      if ((c < 0x20 && c != '\n' && !beyond_ascii(c)) || c == 0x7F) throw NotSimple{};
    result.text = std::move(value->value);
    result.end = offset(rest_.data() + value->end);
    number_ += static_cast<int>(std::count(lines.begin(), lines.end(), '\n'));
    rest_.remove_prefix(lines.size());
    next_line();
    if (!done_ && indent_ > indent) throw NotSimple{};
    return result;
  }

  // One that ends no key: f:spec.
  bool inner_colon(std::size_t at) const { return line_[at] == ':' && at + 1 < line_.size() && line_[at + 1] != ' '; }

  // Length of the key that the line begins with; 0 when it does not begin with one.
  std::size_t key_length() const {
    std::size_t length = 0;
    if (line_.empty()) return 0;
    if (line_[0] == '"' || line_[0] == '\'') {
      length = line_.find(line_[0], 1);
      if (length == std::string_view::npos) return 0;
      const char* special = line_[0] == '"' ? "'\"\\" : "'\\";  // 'k:{"type":"Ready"}' of managedFields, by some tools
      if (line_.substr(1, length - 1).find_first_of(special) != std::string_view::npos) return 0;
      ++length;
    } else {
      if (!is_alphanumeric(line_[0]) && !line_.starts_with(".:")) return 0;
      while (length < line_.size() && (word_character(line_[length]) || inner_colon(length))) ++length;
      // A key of managedFields that picks an item: k:{"type":"Ready"}, v:"x/y".
      if (length == 2 && (line_[0] == 'k' || line_[0] == 'v'))
        while (length < line_.size() && (within_picker(line_[length]) || inner_colon(length))) ++length;
    }
    if (length > 128 || length == line_.size() || line_[length] != ':') return 0;
    return length + 1 == line_.size() || line_[length + 1] == ' ' ? length : 0;
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
