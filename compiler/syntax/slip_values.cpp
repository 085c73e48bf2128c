// Values in the spelling of other places, and what they may mean here.
#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <regex>

#include "compiler/source/text.h"
#include "compiler/syntax/slips.h"

namespace gpol::syntax {

namespace {

constexpr std::size_t kLongest = 40;  // no slip is longer

std::int64_t number(const std::string& digits) { return std::stoll("0" + digits); }

// `1.5` by 3 is `1500`.
std::optional<std::string> times_power_of_ten(std::string number, int by) {
  constexpr int kMostDigits = 12;
  if (by > kMostDigits) return std::nullopt;
  auto point = number.find('.');
  if (point == std::string::npos)
    point = number.size();
  else
    number.erase(point, 1);
  point += static_cast<std::size_t>(by);
  if (number.size() < point) number.resize(point, '0');
  if (number.size() > point) number.insert(point, ".");
  number.erase(0, std::min(number.find_first_not_of('0'), number.size() - 1));
  return number;
}

// `4min30s`, in the largest unit that it is a whole number of.
std::optional<std::string> time_in_parts(std::string text) {
  struct Unit {
    std::string_view written, name;
    std::int64_t ms;
  };
  constexpr Unit kUnits[] = {{"d", "d", 86'400'000}, {"h", "h", 3'600'000}, {"min", "min", 60'000},
                             {"m", "min", 60'000},   {"s", "s", 1000},      {"ms", "ms", 1}};
  static const std::regex part("([0-9]{1,6})(d|h|min|ms|m|s)");
  std::int64_t all = 0, least = INT64_MAX;
  int parts = 0;
  std::smatch match;
  for (; std::regex_search(text, match, part, std::regex_constants::match_continuous); ++parts) {
    for (const Unit& unit : kUnits)
      if (match[2].str() == unit.written) {
        if (unit.ms >= least) return std::nullopt;  // `4min 4min` are no parts
        all += number(match[1].str()) * (least = unit.ms);
      }
    text = match.suffix();
  }
  if (parts < 2 || !text.empty()) return std::nullopt;
  for (const Unit& unit : kUnits)
    if (all % unit.ms == 0) return fmt::format("{}{}", all / unit.ms, unit.name);
  return std::nullopt;
}

// `10pm`, `22h`, `9h30`, `2200`, `6`, `6:00`.
std::optional<std::string> time_of_day(const std::string& text) {
  static const std::regex form("([0-9]{1,2})(?:h|:(?=[0-9]))?([0-9]{2})?([aApP][mM])?");
  std::smatch match;
  if (!std::regex_match(text, match, form)) return std::nullopt;
  std::int64_t hour = number(match[1].str());
  if (match[3].matched) hour = hour % 12 + (lowered(match[3].str()) == "pm" ? 12 : 0);
  const std::string minutes = match[2].matched ? match[2].str() : std::string("00");
  if (hour > 23 || minutes > "59") return std::nullopt;
  return fmt::format("{:02}:{}", hour, minutes);
}

}  // namespace

std::vector<std::string> spelled_otherwise(std::string_view written) {
  std::vector<std::string> out;
  if (written.empty() || written.size() > kLongest) return out;
  const std::string text(written);
  const auto may_be = [&](std::optional<std::string> meant) {
    if (meant && *meant != text) out.push_back(std::move(*meant));
  };
  may_be(mended_slice(written));
  constexpr std::string_view kNumbers[] = {"zero",  "one",   "two",  "three", "four",   "five",  "six",
                                           "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  for (std::size_t i = 0; i < std::size(kNumbers); ++i)
    if (written == kNumbers[i]) may_be(std::to_string(i));
  static const std::regex hexadecimal("0[xX]([0-9a-fA-F]{1,8})"), exponent("([0-9.]{1,12})[eE]([0-9]{1,2})([a-z]*)");
  std::smatch match;
  if (std::regex_match(text, match, hexadecimal)) may_be(std::to_string(std::stoll(match[1].str(), nullptr, 16)));
  if (std::regex_match(text, match, exponent))
    if (const auto all = times_power_of_ten(match[1].str(), static_cast<int>(number(match[2].str()))))
      may_be(*all + match[3].str());
  may_be(time_in_parts(text));
  may_be(time_of_day(text));
  return out;
}

std::optional<std::string> mended_slice(std::string_view written) {
  if (written.size() > kLongest) return std::nullopt;
  const std::string word = lowered(written);
  // `3g40gb`, and with something between the two numbers `3g.40`.
  static const std::regex slice(
      "(?:nvidia\\.com/)?(?:mig-)?([0-9]+)g(?:[.-]?([0-9]+) ?gi?b?|[.-]([0-9]+))(\\+[a-z.]+)?");
  std::smatch match;
  if (!std::regex_match(word, match, slice)) return std::nullopt;
  std::string mended = match[1].str() + "g." + match[2].str() + match[3].str() + "gb" + match[4].str();
  if (mended == written) return std::nullopt;
  return mended;
}

}  // namespace gpol::syntax
