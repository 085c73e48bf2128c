// What is asked of ranges and maps everywhere: whether something is there, and what it is.
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

namespace gpol {

// std::ranges::contains of C++23.
template <std::ranges::input_range Range, typename Value, typename Projection = std::identity>
constexpr bool contains(Range&& range, const Value& value, Projection projection = {}) {
  return std::ranges::find(range, value, projection) != std::ranges::end(range);
}
template <typename Value>
constexpr bool contains(std::initializer_list<std::type_identity_t<Value>> list, const Value& value) {
  return std::ranges::find(list, value) != list.end();
}

// The first element that is so; null: none is.
template <std::ranges::borrowed_range Range, typename Predicate>
constexpr auto find_where(Range&& range, Predicate is) {
  const auto found = std::ranges::find_if(range, std::move(is));
  return found == std::ranges::end(range) ? nullptr : std::to_address(found);
}
template <std::ranges::borrowed_range Range, typename Value, typename Projection = std::identity>
constexpr auto find_by(Range&& range, const Value& value, Projection projection = {}) {
  const auto found = std::ranges::find(range, value, projection);
  return found == std::ranges::end(range) ? nullptr : std::to_address(found);
}

// Of a map.
template <typename Map, typename Key>
typename Map::mapped_type value_or(const Map& map, const Key& key, typename Map::mapped_type fallback) {
  const auto found = map.find(key);
  return found == map.end() ? fallback : found->second;
}
template <typename Map, typename Key, typename Value>
bool has_value(const Map& map, const Key& key, const Value& value) {
  const auto found = map.find(key);
  return found != map.end() && found->second == value;
}

}  // namespace gpol
