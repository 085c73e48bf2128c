// Characters that no word can hold where it is plain from what stands around them what was meant: `2026/10`, `30req/s`,
// `UTC+1`, `8'000`, `chat@example.com`. Each is reported once, and what belongs to it is passed over.

#include <algorithm>

#include "compiler/source/text.h"
#include "compiler/syntax/codes.h"
#include "compiler/syntax/patterns.h"
#include "compiler/syntax/scan.h"
#include "compiler/syntax/slips.h"

namespace gpol::syntax {

namespace {

// Group 1 of `written`, one of Patterns, is what is wrong and replaced by `meant`, groups of it in all three texts;
// `kNoEdit`: there is none.
struct Row {
  std::string_view written, message, hint, meant;
  bool sure = false;  // nothing else can have been meant
};
constexpr std::string_view kNoEdit = "\t";
constexpr std::string_view kDate = "this is no date as gpol writes it";
constexpr std::string_view kYear = "a date has the year first, in four digits: `2026-10`, `2026-12-24`";
constexpr std::string_view kSeparator = "a number has no separators";
constexpr std::string_view kRate = "a rate stands apart from its number, and in one piece";
constexpr std::string_view kZone = "a time zone is no offset";
constexpr std::string_view kCity =
    "name it by the `Area/City` of a large city in it, such as `Europe/Zurich`, or `UTC`";
constexpr std::string_view kMoney = "money is a number and its currency";
constexpr std::string_view kOwner = "an owner is no address";
constexpr std::string_view kImport = "an import is written without `<` and `>`";
constexpr std::string_view kSlice = "`\\1` is no slice as gpol writes it";

constexpr Row kRows[] = {
    {R"(= ?([-0-9,/ ]*\*[-0-9*,/A-Za-z ]*[-0-9*,/A-Za-z]))", "this is a cron line", kNoCron, kNoEdit},
    {R"(import ((?:\.{1,2}/|/)[^ \t;'#]+))", "a path stands in double quotes", R"(write `import '\1'`)", R"('\1')"},
    {R"(import (<(gpol/[a-z0-9/-]+)>))", kImport, R"(write `import \2`)", R"(\2)"},
    {R"(import (<([^<>\n]+)>))", kImport, R"(write `import '\2'`)", R"('\2')"},
    {R"(import [^ ]*/(\*))", "`*` has no meaning in a policy", "name what is imported, each in a line of its own",
     kNoEdit},
    {R"((?:owner|by) ((?:[A-Za-z.-]+ )*<?([A-Za-z0-9]+)@[A-Za-z0-9._+-]+>?))", kOwner,
     R"(an owner begins with `@`: `@\2`)", R"(@\2)"},
    {R"((?:owner|by) ((?:[A-Za-z.-]+ )*<?([A-Za-z0-9]+)[._+-]([A-Za-z0-9]+)@[A-Za-z0-9._+-]+>?))", kOwner,
     R"(an owner begins with `@`: `@\2-\3`)", R"(@\2-\3)"},
    // numbers, dates, amounts
    {R"(\b(([0-9]{1,3})\x27([0-9]{3})(?:\x27([0-9]{3}))?(?:\x27([0-9]{3}))?)(?:[^0-9\x27]|$))", kSeparator,
     R"(write `\2\3\4\5`)", R"(\2\3\4\5)"},
    {R"(\b(([0-9]+)_([0-9]+)(?:_([0-9]+))?(?:_([0-9]+))?)\b)", kSeparator, R"(write `\2\3\4\5`)", R"(\2\3\4\5)"},
    {R"(\b(([0-9]{4})[-/]([0-9]))(?:[^0-9/-]|$))", kDate, R"(write `\2-0\3`)", R"(\2-0\3)"},
    {R"(\b(([0-9]{4})/([0-9]{2}))(?:[^0-9/-]|$))", kDate, R"(write `\2-\3`)", R"(\2-\3)"},
    {R"(\b(([0-9]{4})/([0-9]{2})/([0-9]{2}))\b)", kDate, R"(write `\2-\3-\4`)", R"(\2-\3-\4)"},
    {R"([{,][ \t\n]*((?:0[1-9]|1[0-2])-[0-3][0-9])\b)", kDate, R"(say of which year, as in `2026-\1`)", kNoEdit},
    {R"(\b([0-9]{1,2}[-/][0-9]{1,2}[-/][0-9]{2,4})\b)", kDate, kYear, kNoEdit},
    {R"((?:measured|until) ([0-9]+[-/][0-9]+))", kDate, kYear, kNoEdit},
    {R"(\b((?:[Mm][Ii][Gg]-)?([0-9]+)[gG][.-]?([0-9]+)(?:[gG][iI]?[bB]?)?)\b)", kSlice, R"(write `\2g.\3gb`)",
     R"(\2g.\3gb)", true},
    {R"([0-9]((req|tokens|samples)~/~(s|min|h))\b)", kRate, R"(write `\2/\3`)", R"( \2/\3)"},
    {R"(\b((req|tokens|samples)~/~(s|min|h))\b)", kRate, R"(write `\2/\3`)", R"(\2/\3)"},
    {R"([0-9](/(s|min|h))\b)", "a rate says of what", R"(write `req/\2` or `tokens/\2`)", kNoEdit},
    {R"((\$~([0-9.]+))(?:[^0-9.,]|$))", kMoney, R"(write `\2 USD`)", R"(\2 USD)"},
    {R"((€~([0-9.]+))(?:[^0-9.,]|$))", kMoney, R"(write `\2 EUR`)", R"(\2 EUR)"},
    {R"((?:^|[^0-9.,])(([0-9.]+)~€))", kMoney, R"(write `\2 EUR`)", R"(\2 EUR)"},
    {R"([0-9](~%))", "`%` stands alone", "write it without a blank: `40%`", "%", true},
    {R"((?:count|replicas|=) (\[~([0-9:]+)~,~([0-9:]+)~\]))", "a range has no brackets", R"(write `\2..\3`)",
     R"(\2..\3)"},
    // times and names
    {R"(\b(?:tenant|class|cohort|pool|nodes|cluster|service|lever|window|of|from|to|on|in) )"
     R"(((?:\x27|‘|“)([A-Za-z][-A-Za-z0-9_.]*)(?:\x27|’|”)))",
     "a name stands without quotes", R"(write `\2`)", R"(\2)", true},
    {R"((\[((?:measured|declared|derived|saved) [^\[\]\n]*)\]))", "it stands in parentheses", R"(write `(\2)`)",
     R"((\2))"},
    {R"([0-9](-|–|—)[0-9])", R"(`\1` has no meaning here)", "a range is written with `..`: `22:00..06:00`", "..", true},
    {R"((\b[A-Za-z/]+\+[0-9:]+|\+[0-9]+:[0-9]+))", kZone, kCity, kNoEdit},
    {R"(\b(([A-Z][A-Za-z_]*)~/~([A-Z][A-Za-z_]*))\b)", "a name stands in one piece", R"(write `\2/\3`)", R"(\2/\3)"},
    {R"(namespace ([0-9][-0-9a-z]*))", "a name begins with a letter", R"(put the namespace in double quotes: `'\1'`)",
     R"('\1')", true},
    // signs that say nothing
    {R"((---))", "`---` has no meaning in a policy", "this is no YAML: leave the line out", "", true},
    {R"((--([a-z])))", "`--` has no meaning in a policy", "leave out the `--`", R"(\2)"},
    {R"(\.\.(\.))", "`...` has no meaning in a policy", "a range is written with `..`", ""},
    {R"(slo [^;{}]*(>))", "a service level is no bound from below", "write `<`", "<"},
    {R"(((?:[~^>!])=?))", "a comparison has no meaning here", "leave it out: the number stands alone", ""},
    {R"((\+)[0-9])", "`+` has no meaning before a number", "leave out the `+`", ""},
    {R"((-)[0-9])", "a number cannot be negative", "leave out the `-`", ""},
    {R"((~(?:&&?|\+)) )", "parts are not joined so", "separate the parts with `,`", ","},
    {R"((([A-Za-z0-9])\.)(?:[ ;]|$))", "`.` has no meaning here", "leave out the `.`", R"(\2)"},
    {R"((\*))", "`*` has no meaning in a policy", "how many of a slice is written with `x`: `2 x 3g.40gb`", "x", true},
};

}  // namespace

bool Scanner::row_around(std::uint32_t at) {
  static const Patterns patterns([] {
    std::vector<std::string_view> rows;
    for (const Row& row : kRows) rows.push_back(row.written);
    return rows;
  }());
  constexpr std::uint32_t kBefore = 80, kBehind = 120;  // no slip is longer
  constexpr std::size_t kMostLooks = 5000;              // of one file
  if (++looks_ > kMostLooks) return false;
  std::uint32_t from = at > kBefore ? at - kBefore : 0;
  if (const auto line = text_.substr(from, at - from).rfind('\n'); line != std::string_view::npos)
    from += static_cast<std::uint32_t>(line);
  const std::string_view behind = text_.substr(at, kBehind);
  const std::string_view near = text_.substr(from, at - from + behind.substr(0, behind.find_first_of("\r\n")).size());
  for (const Row& row : kRows) {
    const auto index = static_cast<std::size_t>(&row - kRows);
    for (std::size_t next = 0, n = 0; n < 8; ++n) {
      const auto found = patterns.match(index, near, next);
      if (!found) break;
      const auto begin = static_cast<std::uint32_t>((*found)[1].data() - text_.data());
      const auto end = begin + static_cast<std::uint32_t>((*found)[1].size());
      next = static_cast<std::size_t>(found->front().data() - near.data()) + 1;
      if (begin > at) break;
      if (end <= at) continue;
      Diagnostic told = error_at(code::BadCharacter, findings_.span(begin, end), filled(row.message, *found),
                                 filled(row.hint, *found));
      if (row.meant != kNoEdit) told.edits = edit_of(findings_, begin, end, filled(row.meant, *found));
      told.sure = row.sure && !told.edits.empty();
      findings_.add(std::move(told));
      at_ = std::max(at_, end);
      after_bad_ = true;
      return true;
    }
  }
  return false;
}

}  // namespace gpol::syntax
