// Regular expressions over short stretches of a policy, and what is written instead of them. In: the rows of a table.
// Out: where one of them matches. It takes time in proportion to the stretch, whatever stands there.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
}

namespace gpol::syntax {

// Of RE2, in which a blank stands for blanks, `~` for blanks or none, `'` for a double quote, `<n>` for a name, `<#>` a
// number, `<q>` a number with its unit, `<p>` a slice and `<r>` the rest of the item.
class Patterns {
 public:
  explicit Patterns(const std::vector<std::string_view>& rows);
  ~Patterns();

  // Where a row matches first, from `from` on: the whole, and its groups.
  using Groups = std::vector<std::string_view>;
  std::optional<Groups> match(std::size_t row, std::string_view text, std::size_t from) const;

 private:
  std::vector<std::unique_ptr<const re2::RE2>> rows_;
};

// `form` with groups in the place of `\1`, and a double quote in that of `'`.
std::string filled(std::string_view form, const Patterns::Groups& groups);

}  // namespace gpol::syntax
