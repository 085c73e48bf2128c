#include "checker/observe/schema/duration.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gpol::manifest::schema {
namespace {

constexpr std::uint64_t kBorder = 1ULL << 63U;  // the largest magnitude, of a negative one
constexpr std::uint64_t kSecond = 1000000000;

constexpr std::pair<std::string_view, std::uint64_t> kUnits[] = {
    {"ns", 1},       {"us", 1000},   {"\xC2\xB5s", 1000}, {"\xCE\xBCs", 1000},
    {"ms", 1000000}, {"s", kSecond}, {"m", 60 * kSecond}, {"h", 3600 * kSecond},
};

bool digit(char c) { return c >= '0' && c <= '9'; }

// Digits off the front; false: more than a duration can hold.
bool take_whole(std::string_view& text, std::uint64_t& value) {
  for (; !text.empty() && digit(text[0]); text.remove_prefix(1)) {
    if (value > kBorder / 10) return false;
    value = value * 10 + static_cast<std::uint64_t>(text[0] - '0');
    if (value > kBorder) return false;
  }
  return true;
}

// Digits that it cannot hold are passed over.
void take_fraction(std::string_view& text, std::uint64_t& value, double& scale) {
  for (bool full = false; !text.empty() && digit(text[0]); text.remove_prefix(1)) {
    full = full || value > (kBorder - 1) / 10;
    if (full) continue;
    value = value * 10 + static_cast<std::uint64_t>(text[0] - '0');
    scale *= 10;
  }
}

// "1.5h" off the front, in nanoseconds.
std::optional<std::uint64_t> take_part(std::string_view& text) {
  std::uint64_t value = 0, fraction = 0;
  double scale = 1;
  bool digits = digit(text[0]);
  if (!take_whole(text, value)) return std::nullopt;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    digits = digits || (!text.empty() && digit(text[0]));
    take_fraction(text, fraction, scale);
  }
  const std::string_view unit = text.substr(0, text.find_first_of(".0123456789"));
  text.remove_prefix(unit.size());
  const auto* const known =
      std::find_if(std::begin(kUnits), std::end(kUnits), [&](const auto& one) { return one.first == unit; });
  if (!digits || known == std::end(kUnits) || value > kBorder / known->second) return std::nullopt;
  value *= known->second;
  value += static_cast<std::uint64_t>(static_cast<double>(fraction) * (static_cast<double>(known->second) / scale));
  return value > kBorder ? std::nullopt : std::optional(value);
}

}  // namespace

std::optional<std::int64_t> go_duration(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  std::uint64_t sum = 0;
  while (!text.empty()) {
    const auto part = take_part(text);
    if (!part || (sum += *part) > kBorder) return std::nullopt;
  }
  if (negative) return sum == kBorder ? std::numeric_limits<std::int64_t>::min() : -static_cast<std::int64_t>(sum);
  return sum == kBorder ? std::nullopt : std::optional(static_cast<std::int64_t>(sum));
}

}  // namespace gpol::manifest::schema
