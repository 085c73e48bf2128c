// The tree that every manifest is built as, and the only printer (through yaml-cpp's emitter). Keys keep the order in
// which they are put; a string that YAML 1.1 or 1.2 would read as something else is quoted; no anchors, no tags.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gpol::yaml {

struct Value;
using Map = std::vector<std::pair<std::string, Value>>;
using List = std::vector<Value>;
struct Value {
  std::variant<std::string, std::int64_t, bool, Map, List> node;
  Value(std::string text) : node(std::move(text)) {}
  Value(const char* text) : node(std::string(text)) {}
  Value(std::int64_t number) : node(number) {}
  Value(bool flag) : node(flag) {}
  Value(Map map) : node(std::move(map)) {}
  Value(List list) : node(std::move(list)) {}
};

// One document, ending in a line break, without `---`.
std::string print(const Value& document);

}  // namespace gpol::yaml
