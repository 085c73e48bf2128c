// A value of CEL, as far as admission policies meet it: JSON, plus quantities and optionals. Maps have string keys, as
// every Kubernetes object has. Plain data; ordered, so that what is printed does not depend on where it came from.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gpol::cel {

struct Value;
using List = std::vector<Value>;
using Map = std::map<std::string, Value>;
struct Null {
  friend bool operator==(Null, Null) = default;
};
// resource.Quantity in units of 1e-9, the finest that it keeps (apimachinery/pkg/api/resource/quantity.go).
struct Quantity {
  __extension__ using Nano = __int128;
  Nano nano = 0;
};
struct Optional {
  std::shared_ptr<const Value> value;  // null: none
};

struct Value {
  std::variant<Null, bool, std::int64_t, double, std::string, List, Map, Quantity, Optional> is;

  Value() = default;
  template <class T>
  Value(T v) : is(std::move(v)) {}                    // NOLINT(google-explicit-constructor): a value of its kind
  Value(const char* text) : is(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  Value(int number) : is(std::int64_t{number}) {}     // NOLINT(google-explicit-constructor)

  template <class T>
  const T* as() const {
    return std::get_if<T>(&is);
  }
  template <class T>
  T* as() {
    return std::get_if<T>(&is);
  }
};

// The member of a map, or null where it is none or has none.
const Value* member(const Value* map, std::string_view name);
const Value* at(const Value& root, std::initializer_list<std::string_view> path);

// CEL's ==: numbers compare across int and double, other kinds that differ are unequal and no error.
bool equals(const Value& a, const Value& b);
// a < b, or nothing where CEL has no overload (numbers across kinds, strings, booleans).
std::optional<bool> less(const Value& a, const Value& b);

// JSON text, keys sorted. A quantity or an optional, which JSON has not, is written as null.
std::string to_json(const Value& value);

// apimachinery's ParseQuantity; nothing for text it refuses; `too_large` where it is beyond what is kept here.
std::optional<Quantity> parse_quantity(std::string_view text, bool& too_large);

}  // namespace gpol::cel
