#include "checker/observe/schema/syntax.h"

#include <algorithm>

#include "checker/observe/quantity.h"
#include "compiler/source/duration.h"
#include "compiler/source/text.h"

namespace gpol::manifest::schema {
namespace {

bool lower(char c) { return c >= 'a' && c <= 'z'; }
bool lower_or_digit(char c) { return lower(c) || is_digit(c); }

// One or more characters, the first and the last of `ends`, those between of `ends` or `between`.
bool framed(std::string_view text, bool (*ends)(char), std::string_view between) {
  if (text.empty() || !ends(text.front()) || !ends(text.back())) return false;
  return std::ranges::all_of(text, [&](char c) { return ends(c) || between.find(c) != std::string_view::npos; });
}

bool dns_label(std::string_view text) { return framed(text, lower_or_digit, "-"); }

bool dns_subdomain(std::string_view text) {
  for (;;) {
    const auto dot = text.find('.');
    if (!dns_label(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool label_name(std::string_view text) { return framed(text, is_alphanumeric, "-_."); }

bool label_key_pattern(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return label_name(text);
  return dns_subdomain(text.substr(0, slash)) && label_name(text.substr(slash + 1));
}

bool kind_word(std::string_view text) {
  if (text.empty() || !is_letter(text[0])) return false;
  return framed(text, is_alphanumeric, "-");
}

// Digits with at most one dot among them, at least one digit; takes them off.
bool take_decimal(std::string_view& text) {
  std::size_t n = 0, digits = 0;
  for (bool dot = false; n < text.size() && (is_digit(text[n]) || (text[n] == '.' && !dot)); ++n) {
    dot = dot || text[n] == '.';
    digits += is_digit(text[n]) ? 1 : 0;
  }
  text.remove_prefix(n);
  return digits > 0;
}

bool quantity_pattern(std::string_view text) {
  const auto take_sign = [&] {
    if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  };
  take_sign();
  if (!take_decimal(text)) return false;
  constexpr std::string_view binary = "KMGTPE", decimal = "numkMGTPE";
  if (text.empty()) return true;
  if (text.size() == 2 && text[1] == 'i') return binary.find(text[0]) != std::string_view::npos;
  if (text.size() == 1) return decimal.find(text[0]) != std::string_view::npos;
  if (text[0] != 'e' && text[0] != 'E') return false;
  text.remove_prefix(1);
  take_sign();
  return take_decimal(text) && text.empty();
}

// A number of exactly `width` digits at `at`, or -1.
int number_at(std::string_view text, std::size_t at, std::size_t width) {
  if (at + width > text.size()) return -1;
  int value = 0;
  for (const char c : text.substr(at, width)) {
    if (!is_digit(c)) return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

int days_in(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return kDays[month - 1] + (leap && month == 2 ? 1 : 0);
}

bool clock_at(std::string_view text, std::size_t at) {
  const int hour = number_at(text, at, 2), minute = number_at(text, at + 3, 2);
  return hour >= 0 && hour < 24 && text[at + 2] == ':' && minute >= 0 && minute < 60;
}

bool date_time(std::string_view text) {
  if (text.size() < 20 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[16] != ':') return false;
  const int year = number_at(text, 0, 4), month = number_at(text, 5, 2), day = number_at(text, 8, 2);
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > days_in(year, month)) return false;
  const int second = number_at(text, 17, 2);
  if (!clock_at(text, 11) || second < 0 || second > 59) return false;
  text.remove_prefix(19);
  if (text[0] == '.') {
    const auto end = text.find_first_not_of("0123456789", 1);
    if (end == std::string_view::npos || end == 1) return false;
    text.remove_prefix(end);
  }
  return text == "Z" || (text.size() == 6 && (text[0] == '+' || text[0] == '-') && clock_at(text, 1));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\n\v\f\r";
  const auto begin = std::min(text.find_first_not_of(blanks), text.size());
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

// No digit before the point or the suffix is a zero there: "u", ".", "-Ki".
bool go_quantity(std::string_view text) {
  if (text.empty()) return false;
  const std::size_t sign = text[0] == '+' || text[0] == '-' ? 1 : 0;
  const bool whole = text.size() > sign && is_digit(text[sign]);
  return is_quantity(std::string(text.substr(0, sign)) + (whole ? "" : "0") + std::string(text.substr(sign)));
}

// Digits before and after the point, without zeros that say nothing.
struct Plain {
  bool negative;
  std::string whole, fraction;
};

Plain plain(std::string_view text) {
  std::string value = plain_decimal(text);
  const bool negative = value.starts_with('-');
  if (negative) value.erase(0, 1);
  const auto dot = value.find('.');
  Plain parts{negative, value.substr(0, dot), dot == std::string::npos ? "" : value.substr(dot + 1)};
  if (parts.whole == "0") parts.whole.clear();
  constexpr std::string_view most = "9223372036854775807";  // ParseQuantity cuts Ki, Mi, ... there
  if (text.ends_with('i') &&
      (parts.whole.size() > most.size() || (parts.whole.size() == most.size() && parts.whole > most)))
    parts = {negative, std::string(most), ""};
  return parts;
}

int magnitude(const Plain& left, const Plain& right) {
  if (left.whole.size() != right.whole.size()) return left.whole.size() < right.whole.size() ? -1 : 1;
  if (const int order = left.whole.compare(right.whole)) return order;
  return left.fraction.compare(right.fraction);
}

}  // namespace

bool is_of(Syntax syntax, std::string_view text) {
  switch (syntax) {
    case Syntax::Any:
      return true;
    case Syntax::Subdomain:
      return dns_subdomain(text);
    case Syntax::Label:
      return dns_label(text);
    case Syntax::LabelKey:
      return label_key_pattern(text);
    case Syntax::KindWord:
      return kind_word(text);
    case Syntax::Quantity:
      return quantity_pattern(text);
    case Syntax::DateTime:
      return date_time(text);
    case Syntax::Duration:
      return go_duration(text).has_value();
    case Syntax::Wait:
      return go_duration(text).value_or(-1) >= 0;
    case Syntax::GoQuantity:
      return go_quantity(trimmed(text));
  }
  return true;
}

std::string_view described(Syntax syntax) {
  switch (syntax) {
    case Syntax::Any:
      return "any text";
    case Syntax::Subdomain:
      return "a DNS name: lower-case letters, digits, `-` and `.`, with a letter or digit at both ends of each part";
    case Syntax::Label:
      return "a DNS label: lower-case letters, digits and `-`, with a letter or digit at both ends";
    case Syntax::LabelKey:
      return "a label key: an optional DNS name and `/`, then letters, digits, `-`, `_` and `.`";
    case Syntax::KindWord:
      return "a kind: letters, digits and `-`, with a letter first";
    case Syntax::Quantity:
      return "a quantity, such as 8, 500m, 1.5 or 64Gi";
    case Syntax::DateTime:
      return "a time, such as 2026-10-01T08:00:00Z";
    case Syntax::Duration:
      return "a duration, such as 30m or 1.5h";
    case Syntax::Wait:
      return "a duration of 0s or more, such as 30m or 1.5h";
    case Syntax::GoQuantity:
      return "a quantity, such as 8, 500m, 1.5 or 64Gi";
  }
  return "";
}

std::string_view name_of(Syntax syntax) {
  constexpr std::string_view kNames[] = {"",         "subdomain", "label",    "label-key", "kind",
                                         "quantity", "date-time", "duration", "wait",      "go-quantity"};
  return kNames[static_cast<std::size_t>(syntax)];
}

bool is_label_key(std::string_view text) {
  const auto slash = text.find('/');
  const auto name = slash == std::string_view::npos ? text : text.substr(slash + 1);
  if (slash != std::string_view::npos && !is_subdomain(text.substr(0, slash))) return false;
  return name.size() <= 63 && label_name(name);
}

bool is_label_value(std::string_view text) { return text.empty() || (text.size() <= 63 && label_name(text)); }

bool is_subdomain(std::string_view text) { return text.size() <= 253 && dns_subdomain(text); }

bool is_label(std::string_view text) { return text.size() <= 63 && dns_label(text); }

bool is_domain_prefixed_path(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos || slash + 1 == text.size() || !is_subdomain(text.substr(0, slash))) return false;
  constexpr std::string_view marks = "/-._~%!$&'()*+,;=:";
  const auto path = text.substr(slash + 1);
  return std::ranges::all_of(path,
                             [&](char c) { return is_alphanumeric(c) || marks.find(c) != std::string_view::npos; });
}

bool is_quantity(std::string_view text) { return !plain_decimal(text).empty(); }

int compare_quantities(std::string_view left, std::string_view right) {
  const Plain a = plain(left), b = plain(right);
  if (a.negative != b.negative) return a.negative ? -1 : 1;
  return a.negative ? magnitude(b, a) : magnitude(a, b);
}

}  // namespace gpol::manifest::schema
