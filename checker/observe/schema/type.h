// The words in which the tables say what a field may hold. A table is an array of Fields; a line of it reads like
//   {"resources", list_of(kResourceQuota).by("name").sized(1, 64).required()}
// Everything is constexpr and points at other tables; nothing is built at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "checker/observe/schema/syntax.h"

namespace gpol::manifest::schema {

struct Field;

struct Type {
  // Quantity: a number without fraction or text, as x-kubernetes-int-or-string. Any: not looked at.
  enum class Is : std::uint8_t { Any, Text, Integer, Bool, Quantity, Object, Map, List } is = Is::Any;
  Syntax syntax = Syntax::Any;  // of text
  bool demanded = false;        // absent is a mistake
  bool distinct = false;        // a list: no item twice
  bool open = false;            // an object: fields beside those listed are not looked at
  bool never_null = false;      // null is not absent, as where Go decodes it as text
  // Of an integer its value, of text its characters, of a list its items, of a map its entries.
  std::int64_t least = 0, most = std::numeric_limits<std::int64_t>::max();
  // With a space between; of text: the only ones, empty: any; of an object: further fields, of any value.
  std::string_view words = {};
  std::string_view key = {};       // a list: the field by which its items are told apart; empty: none
  std::string_view fallback = {};  // what an absent field, or null, stands for; empty: nothing
  const Field* fields = nullptr;
  std::size_t field_count = 0;  // of an object, or of the objects of a list
  const Type* item = nullptr;   // of a list or map of anything else

  template <class T>
  constexpr Type with(T Type::* member, T value) const {
    Type copy = *this;
    copy.*member = value;
    return copy;
  }
  constexpr Type required() const { return with(&Type::demanded, true); }
  constexpr Type opened() const { return with(&Type::open, true); }
  constexpr Type not_null() const { return with(&Type::never_null, true); }
  constexpr Type set() const { return with(&Type::distinct, true); }
  constexpr Type like(Syntax one) const { return with(&Type::syntax, one); }
  constexpr Type by(std::string_view field) const { return with(&Type::key, field); }
  constexpr Type or_else(std::string_view value) const { return with(&Type::fallback, value); }
  constexpr Type beside(std::string_view names) const { return with(&Type::words, names); }
  constexpr Type from(std::int64_t low) const { return with(&Type::least, low); }
  constexpr Type upto(std::int64_t high) const { return with(&Type::most, high); }
  constexpr Type sized(std::int64_t low, std::int64_t high) const { return from(low).upto(high); }

  constexpr std::span<const Field> all_fields() const;
};

struct Field {
  std::string_view name;
  Type type;
};

constexpr std::span<const Field> Type::all_fields() const { return {fields, field_count}; }

constexpr Type any() { return {}; }
constexpr Type text() { return {.is = Type::Is::Text}; }
constexpr Type text(std::int64_t most) { return text().upto(most); }
constexpr Type words(std::string_view list) { return {.is = Type::Is::Text, .words = list}; }
constexpr Type boolean() { return {.is = Type::Is::Bool}; }
constexpr Type quantity() { return {.is = Type::Is::Quantity, .syntax = Syntax::Quantity}; }
constexpr Type int32() {
  return Type{.is = Type::Is::Integer}.sized(std::numeric_limits<std::int32_t>::min(),
                                             std::numeric_limits<std::int32_t>::max());
}
constexpr Type int64() { return Type{.is = Type::Is::Integer}.from(std::numeric_limits<std::int64_t>::min()); }
// What most references are: metav1's DNS-1123 subdomain.
constexpr Type name() { return text(253).like(Syntax::Subdomain); }

constexpr Type object(std::span<const Field> fields) {
  return {.is = Type::Is::Object, .fields = fields.data(), .field_count = fields.size()};
}
// One of whose fields the names are known alone.
constexpr Type fields(std::string_view names) { return Type{.is = Type::Is::Object}.beside(names); }
constexpr Type list_of(std::span<const Field> fields) {
  return {.is = Type::Is::List, .fields = fields.data(), .field_count = fields.size()};
}
constexpr Type list_of(const Type& item) { return {.is = Type::Is::List, .item = &item}; }
constexpr Type map_of(const Type& item) { return {.is = Type::Is::Map, .item = &item}; }
Type list_of(Type&&) = delete;  // the table keeps a pointer
Type map_of(Type&&) = delete;

}  // namespace gpol::manifest::schema
