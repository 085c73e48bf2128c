#include "checker/observe/quantity.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace gpol::manifest {
namespace {

// sign * digits * 10^exponent, without leading or trailing zeros in `digits`; empty digits: zero.
struct Decimal {
  bool negative = false, binary = false;
  std::string digits;
  std::int64_t exponent = 0;
};

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

std::optional<Decimal> parse(std::string_view text) {
  static const re2::RE2 kForm("([+-]?)([0-9]*)(?:\\.([0-9]*))?(?:([numkMGTPE])|([KMGTPE])i|[eE]([+-]?[0-9]+))?");
  re2::StringPiece sign, whole, fraction, decimal, binary, power;
  if (!re2::RE2::FullMatch(text, kForm, &sign, &whole, &fraction, &decimal, &binary, &power)) return std::nullopt;
  if (whole.empty() && fraction.empty()) return std::nullopt;
  Decimal value;
  value.negative = sign == "-";
  value.binary = !binary.empty();
  value.digits.append(whole.data(), whole.size()).append(fraction.data(), fraction.size());
  value.exponent = -static_cast<std::int64_t>(fraction.size());
  trim(value);
  constexpr std::string_view kDecimal = "num_kMGTPE", kBinary = "KMGTPE";  // n = 10^-9, '_' stands for 10^0
  if (!decimal.empty()) value.exponent += (static_cast<std::int64_t>(kDecimal.find(decimal[0])) - 3) * 3;
  for (std::size_t i = 0; value.binary && i <= kBinary.find(binary[0]); ++i) times_1024(value.digits);
  const long exponent = std::strtol(std::string(power.data(), power.size()).c_str(), nullptr, 10);
  if (exponent < -99 || exponent > 99)
    return std::nullopt;  // upstream cuts large exponents to 32 bits; nobody means that
  value.exponent += exponent;
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
  if (const std::int64_t unlimited = cpu ? INT64_MAX / 1000 * 1000 : INT64_MAX; !value || *value >= unlimited)
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
