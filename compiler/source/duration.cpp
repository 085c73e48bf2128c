#include "compiler/source/duration.h"

#include <algorithm>
#include <limits>

#include "compiler/source/text.h"

namespace gpol {
namespace {

constexpr std::uint64_t kBorder = 1ULL << 63U;  // the largest magnitude, of a negative one

// Digits off the front; false: more than a duration can hold.
bool take_whole(std::string_view& text, std::uint64_t& value) {
  for (; !text.empty() && is_digit(text[0]); text.remove_prefix(1)) {
    if (value > kBorder / 10) return false;
    value = value * 10 + static_cast<std::uint64_t>(text[0] - '0');
    if (value > kBorder) return false;
  }
  return true;
}

// Digits that it cannot hold are passed over.
void take_fraction(std::string_view& text, std::uint64_t& value, double& scale) {
  for (bool full = false; !text.empty() && is_digit(text[0]); text.remove_prefix(1)) {
    full = full || value > (kBorder - 1) / 10;
    if (full) continue;
    value = value * 10 + static_cast<std::uint64_t>(text[0] - '0');
    scale *= 10;
  }
}

// "1.5h" off the front.
std::optional<std::uint64_t> take_part(std::string_view& text, const DurationStyle& style) {
  std::uint64_t value = 0, fraction = 0;
  double scale = 1;
  bool digits = is_digit(text[0]);
  if (!take_whole(text, value)) return std::nullopt;
  if (text.starts_with('.')) {
    if (!style.as_go) return std::nullopt;
    text.remove_prefix(1);
    digits = digits || (!text.empty() && is_digit(text[0]));
    take_fraction(text, fraction, scale);
  }
  const std::string_view unit = text.substr(0, text.find_first_of(".0123456789"));
  text.remove_prefix(unit.size());
  const auto known = std::ranges::find(style.units, unit, &DurationUnit::name);
  if (!digits || known == style.units.end() || value > style.most_of_part / known->scale) return std::nullopt;
  value *= known->scale;
  value += static_cast<std::uint64_t>(static_cast<double>(fraction) * (static_cast<double>(known->scale) / scale));
  return value > kBorder ? std::nullopt : std::optional(value);
}

}  // namespace

std::optional<std::int64_t> read_duration(std::string_view text, const DurationStyle& style) {
  const bool negative = style.as_go && text.starts_with('-');
  if (negative || (style.as_go && text.starts_with('+'))) text.remove_prefix(1);
  if (style.as_go && text == "0") return 0;
  if (text.empty()) return std::nullopt;
  std::uint64_t sum = 0;
  while (!text.empty())
    if (const auto part = take_part(text, style); !part || (sum += *part) > kBorder) return std::nullopt;
  if (negative) return sum == kBorder ? std::numeric_limits<std::int64_t>::min() : -static_cast<std::int64_t>(sum);
  return sum == kBorder ? std::nullopt : std::optional(static_cast<std::int64_t>(sum));
}

}  // namespace gpol
