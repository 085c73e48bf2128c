// The common slips: words of other languages, a unit left out, `=` for a space, a slice written another way. One table
// for the reader (slips.cpp); units and zones have theirs where they are known (compiler/policy). In: a mistake, as the
// grammar sees it. Out: what to do about it, and the edit that does it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/syntax/mistake.h"

namespace gpol::syntax {

// To a cron line in the place of a window's times.
inline constexpr std::string_view kNoCron =
    "a window is no cron line: it has a beginning, an end, a zone and its days, as in `22:00..06:00 UTC daily`";

struct Slip {
  std::string hint;
  std::vector<Edit> edits;
  bool sure = false;  // nothing else can have been meant
};

// Nothing: it is none of them.
std::optional<Slip> slip_of(std::string_view text, const Findings& findings, const Mistake& mistake,
                            const GrammarFacts& facts);

// Of a word where a declaration should begin; what it is of another language.
std::optional<Slip> foreign_declaration(std::string_view text, const Findings& findings, const Token& found);

// Of a sentence where a declaration should begin, `train may borrow ...`.
std::optional<Slip> sentence(std::string_view text, const Findings& findings, const Token& found);

// A slice as gpol writes it: `1g.10gb` of `1g10gb`, `MIG-1g.10GB`; nothing where it is none.
std::optional<std::string> mended_slice(std::string_view written);

// The edit of a stretch of the text that is parsed; none where it was put together from parts of files.
std::vector<Edit> edit_of(const Findings& findings, std::uint32_t begin, std::uint32_t end, std::string with);

}  // namespace gpol::syntax
