#include "checker/observe/quantity.h"

#include <algorithm>
#include <optional>

#include "compiler/source/text.h"

namespace gpol::manifest {
namespace {

// sign * digits * 10^exponent, without leading or trailing zeros in `digits`; empty digits: zero.
struct Decimal {
  bool negative = false, binary = false;
  std::string digits;
  std::int64_t exponent = 0;
};

std::string_view take_digits(std::string_view& rest) {
  std::size_t n = 0;
  while (n < rest.size() && is_digit(rest[n])) ++n;
  const auto digits = rest.substr(0, n);
  rest.remove_prefix(n);
  return digits;
}

void trim(Decimal& value) {
  const auto first = value.digits.find_first_not_of('0');
  if (first == std::string::npos) {
    value.digits.clear();
    value.exponent = 0;
    return;
  }
  const auto last = value.digits.find_last_not_of('0');
  value.exponent += static_cast<std::int64_t>(value.digits.size() - 1 - last);
  value.digits = value.digits.substr(first, last - first + 1);
}

// Schoolbook multiplication by 2^10, digit by digit from the right.
void times_1024(std::string& digits) {
  std::string product;
  product.reserve(digits.size() + 4);
  std::uint32_t carry = 0;
  for (auto d = digits.rbegin(); d != digits.rend(); ++d) {
    carry += static_cast<std::uint32_t>(*d - '0') * 1024U;
    product.push_back(static_cast<char>('0' + carry % 10));
    carry /= 10;
  }
  for (; carry > 0; carry /= 10) product.push_back(static_cast<char>('0' + carry % 10));
  std::ranges::reverse(product);
  digits = std::move(product);
}

// What follows the digits: "", one letter, "Ki".."Ei", or an exponent. False when it is none of them.
bool apply_suffix(std::string_view suffix, Decimal& value) {
  constexpr std::string_view decimal = "num_kMGTPE";  // n = 10^-9, '_' stands for 10^0
  constexpr std::string_view binary = "KMGTPE";
  if (suffix.empty()) return true;
  if (suffix.size() == 1) {
    const auto at = decimal.find(suffix[0]);
    if (at == std::string_view::npos || suffix[0] == '_') return false;
    value.exponent += (static_cast<std::int64_t>(at) - 3) * 3;
    return true;
  }
  if (suffix.size() == 2 && suffix[1] == 'i') {
    const auto at = binary.find(suffix[0]);
    if (at == std::string_view::npos) return false;
    value.binary = true;
    for (std::size_t i = 0; i <= at; ++i) times_1024(value.digits);
    return true;
  }
  if (suffix[0] != 'e' && suffix[0] != 'E') return false;
  suffix.remove_prefix(1);
  const bool negative = suffix[0] == '-';
  if (suffix[0] == '-' || suffix[0] == '+') suffix.remove_prefix(1);
  const auto digits = take_digits(suffix);
  if (digits.empty() || !suffix.empty()) return false;
  std::int64_t exponent = 0;
  for (const char d : digits) {
    exponent = exponent * 10 + (d - '0');
    if (exponent > 99) return false;  // upstream cuts large exponents to 32 bits; nobody means that
  }
  value.exponent += negative ? -exponent : exponent;
  return true;
}

std::optional<Decimal> parse(std::string_view text) {
  Decimal value;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    value.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  const auto whole = take_digits(text);
  std::string_view fraction;
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    fraction = take_digits(text);
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;
  value.digits.reserve(whole.size() + fraction.size());
  value.digits.append(whole).append(fraction);
  value.exponent = -static_cast<std::int64_t>(fraction.size());
  trim(value);
  if (!apply_suffix(text, value)) return std::nullopt;
  trim(value);
  return value;
}

// |value| * 10^shift as an integer, rounded up; nothing when it does not fit.
std::optional<std::int64_t> ceiling(const Decimal& value, std::int64_t shift) {
  const std::int64_t exponent = value.exponent + shift;
  const auto size = static_cast<std::int64_t>(value.digits.size());
  if (size + exponent > 19) return std::nullopt;
  std::int64_t result = 0;
  for (std::int64_t i = 0; i < size + exponent; ++i) {
    const int digit = i < size ? value.digits[static_cast<std::size_t>(i)] - '0' : 0;
    if (__builtin_mul_overflow(result, 10, &result) || __builtin_add_overflow(result, digit, &result))
      return std::nullopt;
  }
  // The last digit is never 0, so cutting any digit off leaves a remainder.
  if (size > 0 && exponent < 0 && __builtin_add_overflow(result, 1, &result)) return std::nullopt;
  return result;
}

}  // namespace

Amount amount_of(std::string_view quantity, std::string_view resource) {
  const bool cpu = resource == "cpu";
  const auto parsed = parse(quantity);
  if (!parsed) return {Amount::Status::Malformed, 0};
  const auto value = ceiling(*parsed, cpu ? 3 : 0);
  const std::int64_t unlimited = cpu ? INT64_MAX / 1000 * 1000 : INT64_MAX;
  if (!value || *value >= unlimited)
    return {parsed->negative ? Amount::Status::Malformed : Amount::Status::Unlimited, 0};
  return {Amount::Status::Ok, parsed->negative ? -*value : *value};
}

std::string plain_decimal(std::string_view quantity) {
  auto parsed = parse(quantity);
  if (!parsed) return {};
  if (parsed->digits.empty()) return "0";
  if (parsed->binary && !ceiling(*parsed, 0)) return (parsed->negative ? "-" : "") + std::to_string(INT64_MAX);
  if (parsed->exponent < -9) {
    const auto nanos = ceiling(*parsed, 9);
    if (!nanos) return {};
    parsed->digits = std::to_string(*nanos);
    parsed->exponent = -9;
    trim(*parsed);
  }
  std::string text = parsed->digits;
  if (parsed->exponent >= 0) {
    text.append(static_cast<std::size_t>(parsed->exponent), '0');
  } else {
    const auto places = static_cast<std::size_t>(-parsed->exponent);
    if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
    text.insert(text.size() - places, 1, '.');
  }
  return parsed->negative ? "-" + text : text;
}

}  // namespace gpol::manifest
