#include "checker/observe/scalars.h"

#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol::manifest {
namespace {

using Kind = Node::Kind;

bool signed_text(std::string_view text) { return text.starts_with('-') || text.starts_with('+'); }

// "123400" of digits "1234" and exponent 5: 1.234e5. As Go's strconv lays a float out.
std::string laid_out(std::string_view digits, int exponent, bool scientific) {
  std::string result;
  if (scientific) {
    result.append(digits.substr(0, 1));
    if (digits.size() > 1) result.append(".").append(digits.substr(1));
    const auto number = std::to_string(std::abs(exponent));
    return result + (exponent < 0 ? "e-" : "e+") + (number.size() < 2 ? "0" : "") + number;
  }
  if (exponent < 0) return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + std::string(digits);
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return std::string(digits) + std::string(whole - digits.size(), '0');
  return std::string(digits.substr(0, whole)) + "." + std::string(digits.substr(whole));
}

// The shortest digits that give the value back, and the exponent of the first of them.
template <class Float>
std::pair<std::string, int> shortest(Float value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  const auto e = text.find('e');
  std::string digits(text.substr(0, e));
  std::erase(digits, '.');
  return {digits, std::atoi(std::string(text.substr(e + 1)).c_str())};
}

// As encoding/json writes it.
std::string json_number(double value) {
  if (value == 0) return std::signbit(value) ? "-0" : "0";
  const auto [digits, exponent] = shortest(std::abs(value));
  const bool scientific = exponent < -6 || exponent >= 21;
  auto text = laid_out(digits, exponent, scientific);
  if (scientific && text[text.size() - 4] == 'e' && text[text.size() - 2] == '0') text.erase(text.size() - 2, 1);
  return (value < 0 ? "-" : "") + text;
}

// As sigs.k8s.io/yaml writes it for a key: strconv's 'g' with 32 bits.
std::string key_number(double value) {
  if (std::isnan(value)) return ".nan";
  if (std::isinf(static_cast<float>(value))) return value < 0 ? "-.inf" : ".inf";
  const auto narrow = static_cast<float>(value);
  if (narrow == 0) return std::signbit(narrow) ? "-0" : "0";
  const auto [digits, exponent] = shortest(std::abs(narrow));
  return (narrow < 0 ? "-" : "") + laid_out(digits, exponent, exponent < -4 || exponent >= 6);
}

Scalar floating(double value) {
  Scalar result{Kind::Float, {}, {}, key_number(value)};
  if (std::isinf(value) || std::isnan(value)) {
    result.refused = "an infinity or no number, which JSON cannot hold";
    return result;
  }
  result.text = json_number(value);
  // 1e3 is sent as 1000, and nobody can tell that from an integer.
  if (result.text.find_first_not_of("0123456789-") == std::string::npos) result.kind = Kind::Integer;
  return result;
}

// Digits with a sign and a prefix, as strconv.ParseInt and ParseUint with base 0 take them.
std::optional<Scalar> integer(std::string_view text) {
  // go.yaml.in/yaml/v2 tries what stands behind "0b" once more, and then with a sign.
  if (text.starts_with("0b") && signed_text(text.substr(2)))
    return integer(std::string(text.substr(2, 1)) + "0b" + std::string(text.substr(3)));
  const bool has_sign = signed_text(text), negative = text.starts_with('-');
  auto digits = text.substr(has_sign ? 1 : 0);
  int base = 10;
  if (digits.size() > 1 && digits[0] == '0') {
    const char letter = digits[1];
    base = letter == 'x' || letter == 'X' ? 16 : letter == 'b' || letter == 'B' ? 2 : 8;
    digits.remove_prefix(base != 8 || letter == 'o' || letter == 'O' ? 2 : 1);
  }
  std::uint64_t value = 0;
  const auto* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  if (digits.empty() || error != std::errc{} || stop != end) return std::nullopt;
  const std::uint64_t border = static_cast<std::uint64_t>(INT64_MAX) + (negative ? 1 : 0);
  if (value > border && has_sign) return std::nullopt;  // ParseUint takes no sign
  const auto number = (negative && value != 0 ? "-" : "") + std::to_string(value);
  return Scalar{Kind::Integer, number, {}, value > border ? "" : number};
}

// Nothing when it is beyond float64, as strconv.ParseFloat says.
std::optional<double> decimal(std::string_view text) {
  static const re2::RE2 kForm("[-+]?(?:\\.[0-9]+|[0-9]+(?:\\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?");
  if (!re2::RE2::FullMatch(text, kForm)) return std::nullopt;
  double value = 0;
  const auto unsigned_text = text.substr(text[0] == '+' ? 1 : 0);
  const auto result = std::from_chars(unsigned_text.data(), unsigned_text.data() + unsigned_text.size(), value);
  if (result.ec == std::errc{}) return value;
  // Too large or too small: the first digit that is not 0 and the exponent say which.
  const long double wide = std::strtold(std::string(text).c_str(), nullptr);
  if (std::abs(wide) > 1) return std::nullopt;
  return std::signbit(wide) ? -0.0 : 0.0;
}

std::string without_underscores(std::string_view text) {
  std::string result(text);
  std::erase(result, '_');
  return result;
}

// "_" between digits only, as Go has it in literals.
bool underscores_between_digits(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '_' && (i == 0 || !is_digit(text[i - 1]) || i + 1 == text.size() || !is_digit(text[i + 1])))
      return false;
  return true;
}

Scalar plain(std::string_view text) {
  if (contains({"", "~", "null", "Null", "NULL"}, text)) return {Kind::Null, {}, {}, {}};
  if (contains({"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"}, text))
    return {Kind::Bool, "true", {}, "true"};
  if (contains({"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"}, text))
    return {Kind::Bool, "false", {}, "false"};
  if (contains({".nan", ".NaN", ".NAN"}, text)) return floating(std::nan(""));
  if (contains({".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"}, text)) return floating(HUGE_VAL);
  if (contains({"-.inf", "-.Inf", "-.INF"}, text)) return floating(-HUGE_VAL);
  const bool point = text[0] == '.';
  if (point || signed_text(text) || is_digit(text[0])) {
    const auto number = without_underscores(text);
    if (!point)
      if (auto whole = integer(number)) return *std::move(whole);
    if (!point || underscores_between_digits(text))
      if (const auto value = decimal(number)) return floating(*value);
  }
  return {Kind::Text, std::string(text), {}, std::string(text)};
}

// The bytes that base64 stands for; nothing when it is not base64.
std::optional<std::string> from_base64(std::string_view text) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes, input(text);
  std::erase_if(input, [](char c) { return c == '\n' || c == '\r'; });
  if (input.size() % 4 != 0) return std::nullopt;
  const auto padding = input.ends_with("==") ? 2U : input.ends_with("=") ? 1U : 0U;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const auto at = i >= input.size() - padding ? 0 : alphabet.find(input[i]);
    if (at == std::string_view::npos) return std::nullopt;
    bits = bits << 6U | static_cast<std::uint32_t>(at);
    if (i % 4 == 3)
      for (int shift = 16; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(bits >> shift & 0xFFU));
  }
  bytes.resize(bytes.size() - padding);
  return bytes;
}

Scalar refuse(std::string why) { return {Kind::Text, {}, std::move(why), {}}; }

}  // namespace

Scalar kubernetes_scalar(std::string_view text, std::string_view tag) {
  constexpr std::string_view standard = "tag:yaml.org,2002:";
  if (tag.empty()) return plain(text);
  const auto name = tag.starts_with(standard) ? tag.substr(standard.size()) : std::string_view{};
  if (name == "binary") {
    auto bytes = from_base64(text);
    if (!bytes) return refuse("!!binary text that is not base64");
    return {Kind::Text, *bytes, {}, *bytes};
  }
  if (name == "timestamp") return {Kind::Text, {}, "the tag !!timestamp", {}, true};
  if (!contains({"null", "bool", "int", "float"}, name)) return {Kind::Text, std::string(text), {}, std::string(text)};
  auto result = plain(text);
  if (name == "float" && result.kind == Kind::Integer && !result.key.empty())
    result = floating(std::strtod(result.text.c_str(), nullptr));
  const bool fits = name == "null"   ? result.kind == Kind::Null
                    : name == "bool" ? result.kind == Kind::Bool
                    : name == "float"
                        ? result.kind == Kind::Float || (result.kind == Kind::Integer && !result.key.empty())
                        : result.kind == Kind::Integer && integer(without_underscores(text)).has_value();
  return fits ? result : refuse("a value that is not what its tag says");
}

Kind plain_kind(std::string_view text) {
  if (contains({"", "~", "null", "Null", "NULL"}, text)) return Kind::Null;
  if (contains({"true", "false"}, text)) return Kind::Bool;
  if (contains({"True", "TRUE", "False", "FALSE", "y",  "Y",  "yes", "Yes", "YES", "n",  "N",
                "no",   "No",   "NO",    "on",    "On", "ON", "off", "Off", "OFF", "<<", "="},
               text))
    return Kind::Ambiguous;
  const char first = text[0];
  if (first != '+' && first != '-' && first != '.' && !is_digit(first)) return Kind::Text;
  const auto digits = text.substr(first == '-' ? 1 : 0);
  const bool all_digits = !digits.empty() && only_digits(digits);
  if (all_digits) return digits.size() > 1 && digits[0] == '0' ? Kind::Ambiguous : Kind::Integer;
  if (contains({".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"}, text.substr(first == '.' ? 0 : 1)))
    return Kind::Ambiguous;
  // Anything made only of the characters of numbers, in any base or style, of dates and of times.
  const bool radix = digits.size() > 2 && digits[0] == '0' && contains({"x", "X", "o", "b", "B"}, digits.substr(1, 1));
  if (radix && digits.find_first_not_of("0123456789abcdefABCDEF_", 2) == std::string_view::npos) return Kind::Ambiguous;
  const bool has_digit = text.find_first_of("0123456789") != std::string_view::npos;
  const bool numeric = text.find_first_not_of("0123456789+-._:eETZ ") == std::string_view::npos;
  // "1E", "5e" are quantities and nothing else: an exponent needs digits.
  const bool open_exponent = text.ends_with('e') || text.ends_with('E') || text.ends_with('T');
  return has_digit && numeric && !open_exponent ? Kind::Ambiguous : Kind::Text;
}

}  // namespace gpol::manifest
