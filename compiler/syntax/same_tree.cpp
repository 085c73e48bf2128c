#include "compiler/syntax/same_tree.h"

#include <algorithm>
#include <type_traits>

#include "compiler/syntax/fields.h"

namespace gpol::syntax {
namespace {

struct Same {
  bool operator()(Span, Span) const { return true; }
  bool operator()(const std::string& a, const std::string& b) const { return a == b; }
  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  bool operator()(T a, T b) const {
    return a == b;
  }
  template <class T>
  bool operator()(const std::optional<T>& a, const std::optional<T>& b) const {
    return a.has_value() == b.has_value() && (!a || (*this)(*a, *b));
  }
  template <class T>
  bool operator()(const std::vector<T>& a, const std::vector<T>& b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), *this);
  }
  template <class... Ts>
  bool operator()(const std::variant<Ts...>& a, const std::variant<Ts...>& b) const {
    return a.index() == b.index() &&
           std::visit([&](const auto& x) { return (*this)(x, std::get<std::decay_t<decltype(x)>>(b)); }, a);
  }
  template <HasFields T>
  bool operator()(const T& a, const T& b) const {
    return std::apply(
        [&](const auto&... of_a) {
          return std::apply([&](const auto&... of_b) { return ((*this)(of_a, of_b) && ...); }, fields(b).members);
        },
        fields(a).members);
  }
};

}  // namespace

bool same(const ast::Decl& a, const ast::Decl& b) { return Same()(a, b); }

}  // namespace gpol::syntax
