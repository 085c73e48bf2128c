// What people write, and what gpol has for it: the data of slips.h. A row is tried at a mistake and counts if the
// statement reads after it, so no row says where it belongs. In: words and texts of a policy. Out: what may be meant.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "compiler/syntax/patterns.h"

namespace gpol::syntax {

// One of the words of `written`, which have blanks between them, for `meant`.
struct Synonym {
  std::string_view written, meant;
};
std::span<const Synonym> synonyms();

// Whether a word is one of a list with blanks between them.
bool in_list(std::string_view list, std::string_view word);

// Words that say nothing before the one that fits.
bool is_filler(std::string_view word);

// A stretch of a statement in another form. `written` is one of Patterns, and `\1` in `meant` its first group. Without
// `meant` there is a hint and no edit, without a `hint` it is told what to write.
struct Rewrite {
  std::string_view written, meant, hint = {};
  bool sure = false;       // nothing else can have been meant; of a hint alone: no edit is looked for
  std::size_t tenant = 0;  // the group that must be the name of a declared tenant
};
std::span<const Rewrite> rewrites();

// The first match of a row in `text`, from `from` on.
std::optional<Patterns::Groups> matched(std::size_t row, std::string_view text, std::size_t from);

}  // namespace gpol::syntax
