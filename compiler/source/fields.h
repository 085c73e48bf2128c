// The members of a struct with their names, said once for all who go through them: to compare, to print.
#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>

namespace gpol {

template <class... Members>
struct Fields {
  std::string_view of, names;  // of the struct; of its members, as a list "a, b"
  std::tuple<const Members&...> members;
};

// Members are bound in their order: a struct that has more or fewer of them does not compile.
#define GPOL_FIELDS(Struct, ...)                                         \
  inline auto fields(const Struct& gone_through) {                       \
    const auto& [__VA_ARGS__] = gone_through;                            \
    return ::gpol::Fields{#Struct, #__VA_ARGS__, std::tie(__VA_ARGS__)}; \
  }

template <class T>
concept HasFields = requires(const T& t) { fields(t); };

inline std::string_view nth(std::string_view list, std::size_t n) {
  for (; n > 0; --n) list.remove_prefix(list.find(", ") + 2);
  return list.substr(0, list.find(", "));
}

// Calls `visit` with the name and the value of each member.
template <HasFields T, class Visit>
void each_field(const T& t, Visit visit) {
  const auto all = fields(t);
  std::size_t n = 0;
  std::apply([&](const auto&... member) { (visit(nth(all.names, n++), member), ...); }, all.members);
}

}  // namespace gpol
