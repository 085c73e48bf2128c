#include <initializer_list>
#include <random>

#include "tests/conformance/reading/cases.h"

namespace reading_cases {
namespace {

class Writer {
 public:
  explicit Writer(std::uint32_t seed) : random_(seed) {}

  std::string file() {
    text_.clear();
    anchors_ = 0;
    closed_.clear();
    maps_.clear();
    const auto documents = 1 + (below(6) == 0 ? below(3) : 0);
    for (std::size_t i = 0; i < documents; ++i) {
      if (i > 0 || below(5) == 0) text_ += "---\n";
      block_map(0, 3);
    }
    if (below(12) == 0) crlf();
    for (auto edits = below(3) == 0 ? 1 + below(3) : 0; edits > 0; --edits) edit();
    return text_;
  }

 private:
  // Not std::uniform_int_distribution, whose numbers are each library's own.
  std::size_t below(std::size_t limit) { return random_() % limit; }
  std::string one_of(std::initializer_list<const char*> list) { return list.begin()[below(list.size())]; }

  std::string indent(std::size_t depth) const { return std::string(depth, ' '); }

  std::string key() {
    return one_of({"a",   "b",   "c", "d", "name", "spec", "x-y", "k8s.io/z", "1", "yes", "\"q\"", "'r'",
                   "a b", "017", "e", "f", "g",    "h",    "i",   "j",        "k", "l",   "m"});
  }

  std::string word() {
    return one_of({"a",          "b c",   "yes",     "no",           "017",       "8",          "-1",
                   "1.5",        "1e3",   "~",       "null",         "0x1F",      "500m",       "1Gi",
                   "a#b",        "a:b",   "\"d e\"", "'f''g'",       "\"h\\ni\"", "!!str 8",    "!!int \"7\"",
                   "2001-01-01", "1_000", "on",      "{}",           "[]",        "http://x/y", "",
                   "\"\"",       "x, y",  "Zürich",  "\"ü\\u00fc\"", "'# no'",    "a # c",      ".5",
                   "0b11",       "1:30",  "=",       "\"a: b\"",     "a  b"});
  }

  // Of what stands above, mostly.
  std::string alias(const std::vector<std::size_t>& anchors) {
    return "*n" + std::to_string(below(40) == 0 ? 1 + below(9) : anchors[below(anchors.size())]);
  }

  std::string scalar() {
    if (!closed_.empty() && below(12) == 0) return alias(closed_);
    if (below(14) != 0) return word();
    closed_.push_back(++anchors_);
    return "&n" + std::to_string(anchors_) + " " + word();
  }

  std::string flow(std::size_t depth) {
    if (depth == 0 || below(3) == 0) return scalar();
    const bool list = below(2) == 0;
    std::string out = list ? "[" : "{";
    for (auto n = below(4); n > 0; --n) {
      out += (list ? "" : key() + ": ") + flow(depth - 1);
      if (n > 1) out += one_of({", ", ", ", ",", ",\n      ", " , "});
    }
    return out + (list ? "]" : "}");
  }

  void folded(std::size_t depth) {
    const auto quote = one_of({"", "\"", "'"});
    text_ += " " + quote + one_of({"some", "it is"});
    for (auto n = 1 + below(3); n > 0; --n)
      text_ +=
          one_of({"\n", "\n\n", " \n"}) + indent(depth + 1 + below(3)) + one_of({"words", "more of it", "9", "end. "});
    text_ += quote + "\n";
  }

  void block_text(std::size_t depth) {
    text_ += " " + one_of({"|", ">", "|-", ">-", "|+", "|+", "|2"}) + one_of({"", "", " # c"}) + "\n";
    for (auto n = below(5); n > 0; --n)
      text_ += one_of({"", "\n", "  "}) + indent(depth + 2) +
               one_of({"line", "- x", "k: v", " deeper", "# no", "", "{a", "\ttab"}) + "\n";
  }

  void value(std::size_t depth, std::size_t levels) {
    const auto kind = below(levels > 0 ? 10 : 7);
    if (kind < 4) {
      text_ += " " + scalar() + one_of({"", "", "", " # c", " "}) + "\n";
    } else if (kind == 4) {
      text_ += " " + flow(2) + "\n";
    } else if (kind == 5) {
      folded(depth);
    } else if (kind == 6) {
      block_text(depth);
    } else {
      const auto anchor = below(4) == 0 ? ++anchors_ : 0;
      if (anchor > 0) text_ += " &n" + std::to_string(anchor);
      text_ += one_of({"\n", "\n", "\n", " # c\n", "\n\n"});
      if (kind == 7)
        block_list(depth + (below(2) == 0 ? 0 : 2), levels - 1);
      else
        block_map(depth + 1 + below(3), levels - 1);
      if (anchor > 0) closed_.push_back(anchor);
      if (anchor > 0 && kind != 7) maps_.push_back(anchor);
    }
  }

  void block_map(std::size_t depth, std::size_t levels) {
    for (auto n = 1 + below(4); n > 0; --n) {
      if (below(12) == 0) text_ += indent(below(6)) + "# words\n";
      text_ += indent(depth);
      if (!maps_.empty() && below(6) == 0) {
        text_ += "<<: " + alias(maps_) + "\n";
      } else {
        text_ += key() + ":";
        value(depth, levels);
      }
    }
  }

  void block_list(std::size_t depth, std::size_t levels) {
    for (auto n = 1 + below(3); n > 0; --n) {
      text_ += indent(depth) + "-";
      if (below(3) == 0) {
        text_ += " " + key() + ": " + scalar() + "\n";
        if (below(2) == 0) {
          text_ += indent(depth + 2) + key() + ":";
          value(depth + 2, levels);
        }
      } else {
        value(depth, levels);
      }
    }
  }

  void crlf() {
    std::string out;
    for (const char c : text_) out += c == '\n' ? std::string("\r\n") : std::string(1, c);
    text_ = std::move(out);
  }

  void edit() {
    const auto at = below(text_.size() + 1);
    if (below(3) == 0)
      text_.erase(at, 1 + below(3));
    else
      text_.insert(at, one_of({" ", "  ", "\n", "- ", "-",  ":",  ": ",  "#",  " #",   "\"",   "'",   "[",
                               "]", "{",  "}",  ",",  ", ", "a",  "yes", "0",  "&n1 ", "*n1",  "!",   "|",
                               ">", "%",  "@",  "`",  "?",  "? ", "~",   "<<", "\t",   "\n- ", "\n  "}));
    // Editing may cut a character in two; no file of this test is invalid UTF-8.
    for (std::size_t i = 0; i < text_.size(); ++i)
      if ((static_cast<unsigned char>(text_[i]) & 0x80U) != 0) whole_character(i);
  }

  // All characters beyond ASCII here have two bytes and begin with C3.
  void whole_character(std::size_t& at) {
    const bool whole =
        text_[at] == '\xC3' && at + 1 < text_.size() && (static_cast<unsigned char>(text_[at + 1]) & 0xC0U) == 0x80U;
    if (whole)
      ++at;
    else
      text_[at] = 'u';
  }

  std::mt19937 random_;
  std::string text_;
  std::size_t anchors_ = 0;
  std::vector<std::size_t> closed_, maps_;  // anchors of anything, and of mappings, that can be referred to
};

}  // namespace

std::vector<std::string> random_files(std::uint32_t seed, int count) {
  Writer writer(seed);
  std::vector<std::string> list;
  for (int i = 0; i < count; ++i) list.push_back(writer.file());
  return list;
}

}  // namespace reading_cases
