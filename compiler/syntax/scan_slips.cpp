// Characters that no word can hold where it is plain from the words around them what was meant: `2026/10`, `30req/s`,
// `UTC+1`, `8'000`, `--max-model-len`. Each is reported once, and what belongs to it is passed over.
#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "compiler/source/lookup.h"
#include "compiler/source/source_set.h"
#include "compiler/source/text.h"
#include "compiler/syntax/codes.h"
#include "compiler/syntax/scan.h"
#include "compiler/syntax/slips.h"

namespace gpol::syntax {

namespace {

constexpr std::uint32_t kFar = 40;  // no slip is longer

struct Around {
  std::uint32_t from, to;
};

// The stretch of such characters that holds the place.
template <class Part>
Around stretch(std::string_view text, std::uint32_t at, Part part) {
  Around out{at, at};
  while (out.from > 0 && at - out.from < kFar && part(text[out.from - 1])) --out.from;
  while (out.to < text.size() && out.to - at < kFar && part(text[out.to])) ++out.to;
  return out;
}

struct Meant {
  Around around;
  std::string_view message;
  std::string hint;
  std::optional<std::string> instead;
};

// `2026/10`, `2026-1`, `12/24/2026`, `measured 26-10`; ranges of numbers are none of these.
std::optional<Meant> date(std::string_view text, std::uint32_t at) {
  const Around all = stretch(text, at, [](char c) { return is_digit(c) || c == '/' || c == '-'; });
  const std::string written(text.substr(all.from, all.to - all.from));
  static const std::regex year_first("([0-9]{4})[-/]([0-9]{1,2})(?:[-/]([0-9]{1,2}))?");
  static const std::regex year_last("[0-9]{1,2}[-/][0-9]{1,2}[-/][0-9]{2,4}");
  std::smatch match;
  constexpr std::string_view kMessage = "this is no date as gpol writes it";
  if (std::regex_match(written, match, year_first)) {
    const int month = std::stoi(match[2].str());
    if (month < 1 || month > 12) return std::nullopt;
    std::string mended = fmt::format("{}-{:02}", match[1].str(), month);
    if (match[3].matched) mended += fmt::format("-{:02}", std::stoi(match[3].str()));
    return Meant{all, kMessage, fmt::format("write `{}`", mended), mended};
  }
  const std::string_view ahead = text.substr(0, all.from);
  // `calendar holidays { 12-25 }`
  static const std::regex no_year("(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])");
  const auto last = ahead.find_last_not_of(" \t\r\n");
  if (last != std::string_view::npos && (ahead[last] == '{' || ahead[last] == ',') &&
      std::regex_match(written, no_year))
    return Meant{all, kMessage, fmt::format("say of which year, as in `2026-{}`", written), std::nullopt};
  if (std::regex_match(written, year_last) || ahead.ends_with("measured ") || ahead.ends_with("until "))
    return Meant{all, kMessage, "a date has the year first, in four digits: `2026-10`, `2026-12-24`", std::nullopt};
  return std::nullopt;
}

// `30req/s`, `30 req / s`, `Europe / Zurich`.
std::optional<Meant> slash(std::string_view text, std::uint32_t at) {
  if (text[at] != '/') return std::nullopt;
  const auto blanks = stretch(text, at, [](char c) { return c == ' ' || c == '/'; });
  const auto part = [](char c) { return is_letter(c) || c == '_'; };
  const Around first = stretch(text, blanks.from, part), second = stretch(text, blanks.to, part);
  const std::string_view left = text.substr(first.from, blanks.from - first.from);
  const std::string_view right = text.substr(blanks.to, second.to - blanks.to);
  constexpr std::string_view kRates[] = {"req", "tokens", "samples"}, kTimes[] = {"s", "min", "h"};
  const bool rate = contains(kRates, left) && contains(kTimes, right);
  if (left.empty() && contains(kTimes, right) && blanks.from > 0 && is_digit(text[blanks.from - 1]))
    return Meant{
        {at, second.to}, "a rate says of what", fmt::format("write `req/{0}` or `tokens/{0}`", right), std::nullopt};
  const bool zone = !left.empty() && !right.empty() && left[0] < 'a' && right[0] < 'a';
  if (!rate && !zone) return std::nullopt;
  const std::string mended = fmt::format("{}/{}", left, right);
  const bool tight = first.from > 0 && is_digit(text[first.from - 1]);
  return Meant{{first.from, second.to},
               rate ? "a rate stands apart from its number, and in one piece" : "a name stands in one piece",
               fmt::format("write `{}`", mended),
               (tight ? " " : "") + mended};
}

// `UTC+1`, `+01:00`: an offset knows no summer time, and is no name.
std::optional<Meant> offset(std::string_view text, std::uint32_t at) {
  if (text[at] != '+' || at + 1 >= text.size() || !is_digit(text[at + 1])) return std::nullopt;
  const Around all =
      stretch(text, at, [](char c) { return is_letter(c) || is_digit(c) || c == '+' || c == ':' || c == '/'; });
  if (all.from == at && text.substr(at, all.to - at).find(':') == std::string_view::npos)
    return Meant{{at, at + 1}, "`+` has no meaning before a number", "leave out the `+`", ""};
  return Meant{all, "a time zone is no offset",
               "name it by the `Area/City` of a large city in it, such as `Europe/Zurich`, or `UTC`", std::nullopt};
}

// `$2.50`, `€2.50`.
std::optional<Meant> money(std::string_view text, std::uint32_t at) {
  constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
      {"$", "USD"}, {"\xE2\x82\xAC", "EUR"}, {"\xC2\xA3", "GBP"}, {"\xC2\xA5", "JPY"}};
  for (const auto& [sign, currency] : kSigns) {
    if (!text.substr(at).starts_with(sign)) continue;
    if (at > 0 && is_digit(text[at - 1]) && sign != "$") {  // `2.50€`
      const Around number = stretch(text, at, [](char c) { return is_digit(c) || c == '.'; });
      const std::string mended = fmt::format("{} {}", text.substr(number.from, at - number.from), currency);
      return Meant{{number.from, at + static_cast<std::uint32_t>(sign.size())},
                   "money is a number and its currency",
                   fmt::format("write `{}`", mended),
                   mended};
    }
    const auto number = at + static_cast<std::uint32_t>(sign.size());
    const Around all = stretch(text, number, [](char c) { return is_digit(c) || c == '.'; });
    if (number >= text.size() || !is_digit(text[number])) return std::nullopt;
    const std::string mended = fmt::format("{} {}", text.substr(number, all.to - number), currency);
    return Meant{{at, all.to}, "money is a number and its currency", fmt::format("write `{}`", mended), mended};
  }
  return std::nullopt;
}

// `22:00–06:00`, with a dash of a word processor.
std::optional<Meant> dash(std::string_view text, std::uint32_t at) {
  for (const std::string_view sign : {"\xE2\x80\x93", "\xE2\x80\x94"}) {
    const auto end = at + static_cast<std::uint32_t>(sign.size());
    if (text.substr(at).starts_with(sign) && at > 0 && is_digit(text[at - 1]) && end < text.size() &&
        is_digit(text[end]))
      return Meant{{at, end}, "a dash has no meaning here", "a range is written with `..`: `22:00..06:00`", ".."};
  }
  return std::nullopt;
}

// `import ./lib.gpol`, `import ../lib.gpol`, `import /srv/lib.gpol`.
std::optional<Meant> path(std::string_view text, std::uint32_t at) {
  if (text[at] != '.' && text[at] != '/') return std::nullopt;
  auto begin = at, end = at;
  while (begin > 0 && at - begin < 2 && text[begin - 1] == '.') --begin;  // `..` is a word of its own
  if (!text.substr(0, begin).ends_with("import ")) return std::nullopt;
  constexpr std::string_view kEnds = " \t\r\n;\"#";
  while (end < text.size() && end - at < 4 * kFar && kEnds.find(text[end]) == std::string_view::npos) ++end;
  const std::string mended = fmt::format("\"{}\"", text.substr(begin, end - begin));
  return Meant{{begin, end}, "a path stands in double quotes", fmt::format("write `import {}`", mended), mended};
}

// `--max-model-len`, as on a command line; a sentence's full stop.
std::optional<Meant> superfluous(std::string_view text, std::uint32_t at) {
  if (text.substr(at).starts_with("--") && at + 2 < text.size() && is_letter(text[at + 2]))
    return Meant{{at, at + 3}, "`--` has no meaning in a policy", "leave out the `--`", std::string(1, text[at + 2])};
  const char after = at + 1 < text.size() ? text[at + 1] : '\n';
  if (text[at] == '.' && text.substr(0, at).ends_with(".."))
    return Meant{{at, at + 1}, "`...` has no meaning in a policy", "a range is written with `..`", ""};
  if (text[at] == '>' && text.substr(0, at).ends_with(' ') && text.substr(at > 24 ? at - 24 : 0, 24).find("slo ") < 24)
    return Meant{{at, at + 1}, "a service level is no bound from below", "write `<`", "<"};
  constexpr std::string_view kComparisons = "~^>!";
  if (kComparisons.find(text[at]) != std::string_view::npos)
    return Meant{{at, at + (after == '=' ? 2U : 1U)},
                 "a comparison has no meaning here",
                 "leave it out: the number stands alone",
                 ""};
  if ((text[at] == '&' || text[at] == '+') && at > 1 && text[at - 1] == ' ')
    return Meant{
        {at - 1, at + (after == text[at] ? 2U : 1U)}, "parts are not joined so", "separate the parts with `,`", ","};
  if (text[at] == '.' && at > 0 && (is_letter(text[at - 1]) || is_digit(text[at - 1])) &&
      (after == ' ' || after == '\n' || after == '\r' || after == ';'))
    return Meant{{at - 1, at + 1}, "`.` has no meaning here", "leave out the `.`", std::string(1, text[at - 1])};
  return std::nullopt;
}

}  // namespace

void Scanner::pass_over(std::uint32_t begin, std::uint32_t end, std::string message, std::string hint,
                        std::optional<std::string> instead) {
  Diagnostic out = error_at(code::BadCharacter, findings_.span(begin, end), std::move(message), std::move(hint));
  if (instead) out.edits = edit_of(findings_, begin, end, std::move(*instead));
  findings_.add(std::move(out));
  at_ = std::max(at_, end);
  after_bad_ = true;
}

bool Scanner::separator_in_number() {
  const char sign = text_[at_];
  if ((sign != '\'' && sign != '_') || at_ == 0 || !is_digit(text_[at_ - 1])) return false;
  const Around all = stretch(text_, at_, [&](char c) { return is_digit(c) || c == sign; });
  const std::string written(text_.substr(all.from, all.to - all.from));
  static const std::regex groups("[0-9]{1,3}('[0-9]{3})+|[0-9]+(_[0-9]+)+");
  if (!std::regex_match(written, groups)) return false;
  std::string mended = written;
  std::erase(mended, sign);
  pass_over(all.from, all.to, fmt::format("`{}` has no meaning in a number", sign),
            fmt::format("a number stands without separators: `{}`", mended), mended);
  return true;
}

// `window n = 0 22 * * *`, at its first field: what is left of the line is passed over as one mistake.
bool Scanner::cron_line() {
  constexpr std::uint32_t kFarthest = 120;
  const std::string_view ahead = text_.substr(at_ > kFarthest ? at_ - kFarthest : 0, std::min(at_, kFarthest));
  const auto last = ahead.find_last_not_of(" \t");
  if (last == std::string_view::npos || ahead[last] != '=') return false;
  std::uint32_t end = std::min(end_of_line(at_), at_ + kFarthest);
  end = static_cast<std::uint32_t>(std::min<std::size_t>(text_.find_first_of("#;", at_), end));
  const std::string_view rest = text_.substr(at_, end - at_);
  static const std::regex fields("[-0-9,/*]+(?:[ \t]+[-0-9,/*A-Za-z]+){4,5}[ \t]*");
  if (rest.find('*') == std::string_view::npos || !std::regex_match(rest.begin(), rest.end(), fields)) return false;
  pass_over(at_, end, "this is a cron line", std::string(kNoCron), {});
  return true;
}

bool Scanner::slip_around(std::uint32_t begin) {
  for (const auto& rule : {path, date, slash, offset, money, dash, superfluous})
    if (auto meant = rule(text_, begin)) {
      pass_over(meant->around.from, meant->around.to, std::string(meant->message), std::move(meant->hint),
                std::move(meant->instead));
      return true;
    }
  return false;
}

}  // namespace gpol::syntax
