// The text of a normal form: one fact per line, each line beginning with the object that it is about. In: names and
// values. Out: sorted blocks of lines. A word that could be taken for the text around it is quoted, so equal lines mean
// equal words.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpol {

void put(std::string& out, std::string_view word);
void put(std::string& out, std::int64_t number);
std::string word(std::string_view text);

// The lines of one object.
class Block {
 public:
  Block(std::string_view kind, std::string_view name) {
    head_.append(kind).push_back(' ');
    put(head_, name);
  }
  std::string& line(std::string_view field) {
    if (!text_.empty()) text_.push_back('\n');
    text_.append(head_).push_back(' ');
    return text_.append(field);
  }
  void fact(std::string_view field, std::string_view value) { line(field).append(" ").append(value); }
  void facts(std::string_view field, const std::map<std::string, std::string>& map) {
    for (const auto& [key, value] : map) fact(field, word(key) + " = " + word(value));
  }
  std::string take() {
    if (text_.empty()) text_ = std::move(head_);
    text_.push_back('\n');
    return std::move(text_);
  }

 private:
  std::string head_, text_;
};

// Sorted by name; objects of one name (which no cluster has) by their text.
class Section {
 public:
  void add(std::string name, Block& block) { blocks_.emplace_back(std::move(name), block.take()); }
  void append_to(std::string& out);

 private:
  std::vector<std::pair<std::string, std::string>> blocks_;
};

}  // namespace gpol
