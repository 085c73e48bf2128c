// The tree that every manifest is built as, and the only printer (through yaml-cpp's emitter). Keys keep the order in
// which they are put; a string that YAML 1.1 or 1.2 would read as something else is quoted, one of whole lines is a
// literal block; no anchors, no tags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gpol::yaml {

struct Value;
using Map = std::vector<std::pair<std::string, Value>>;
using List = std::vector<Value>;
struct Number {  // as it is written: "1.5"
  std::string text;
};
struct Value {
  std::variant<std::string, std::int64_t, bool, Map, List, std::nullptr_t, Number> node;
  Value(std::string text);
  Value(const char* text);
  Value(std::int64_t number);
  Value(bool flag);
  Value(Map map);
  Value(List list);
  Value(std::nullptr_t null);
  Value(Number number);
  // Not here, or every file that sees one would compile those of all its parts.
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();
};

// One document, ending in a line break, without `---`.
std::string print(const Value& document);

}  // namespace gpol::yaml
