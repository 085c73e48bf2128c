// What mends a mistake. In: a mistake, as the grammar sees it. Out: what to do about it, and the edit that does it.
// Small edits are tried at the place (the rows of slip_rows.h, a word taken out, put in or replaced, a sign, quotes),
// and one counts if the statement reads after it. Units and zones have tables of their own where they are known
// (compiler/policy).
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

// Nothing: there is nothing better to say than what would have fitted.
std::optional<Slip> slip_of(std::string_view text, const Findings& findings, const Mistake& mistake,
                            const GrammarFacts& facts, const Trial& trial);

// Of a word where a declaration should begin.
std::optional<Slip> loose_slip(std::string_view text, const Findings& findings, const Token& found,
                               const GrammarFacts& facts, const Trial& trial);

// A slice as gpol writes it: `1g.10gb` of `1g10gb`, `MIG-1g.10GB`; nothing where it is none.
std::optional<std::string> mended_slice(std::string_view written);

// What a value in another spelling may mean: `1e3` is `1000`, `0x10` is `16`, `10pm` is `22:00`, `four` is `4`,
// `4min30s` is `270s`.
std::vector<std::string> spelled_otherwise(std::string_view written);

// The edit of a stretch of the text that is parsed; none where it was put together from parts of files.
std::vector<Edit> edit_of(const Findings& findings, std::uint32_t begin, std::uint32_t end, std::string with);

}  // namespace gpol::syntax
