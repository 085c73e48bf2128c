#include "checker/observe/schema/syntax.h"

#include <re2/re2.h>

#include <algorithm>
#include <chrono>

#include "checker/observe/quantity.h"
#include "compiler/source/duration.h"
#include "compiler/source/text.h"

namespace gpol::manifest::schema {
namespace {

// Whether the whole text is of the form.
bool fits(std::string_view text, const re2::RE2& form) { return re2::RE2::FullMatch(text, form); }

struct Forms {
  const std::string label_form = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?",
                    subdomain_form = label_form + "(?:\\." + label_form + ")*";
  const std::string name_form = "[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?";
  const std::string decimal_form = "(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)", clock_form = "(?:[01][0-9]|2[0-3]):[0-5][0-9]";
  const re2::RE2 label{label_form}, subdomain{subdomain_form}, label_name{name_form};
  const re2::RE2 label_key{"(?:" + subdomain_form + "/)?" + name_form};
  const re2::RE2 kind_word{"[A-Za-z](?:[-A-Za-z0-9]*[A-Za-z0-9])?"};
  const re2::RE2 quantity{"[+-]?" + decimal_form + "(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?" + decimal_form + ")?"};
  const re2::RE2 date_time{"([0-9]{4})-([0-9]{2})-([0-9]{2})T" + clock_form + ":[0-5][0-9](?:\\.[0-9]+)?(?:Z|[+-]" +
                           clock_form + ")"};
  const re2::RE2 prefixed_path{"[^/]*/[-A-Za-z0-9/._~%!$&'()*+,;=:]+"};
};
const Forms& forms() {
  static const Forms all;
  return all;
}

bool is_date_time(std::string_view text) {
  int year = 0;
  unsigned month = 0, day = 0;
  return re2::RE2::FullMatch(text, forms().date_time, &year, &month, &day) &&
         std::chrono::year_month_day(std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)).ok();
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
  return parts;
}

int magnitude(const Plain& left, const Plain& right) {
  if (left.whole.size() != right.whole.size()) return left.whole.size() < right.whole.size() ? -1 : 1;
  if (const int order = left.whole.compare(right.whole)) return order;
  return left.fraction.compare(right.fraction);
}

struct Row {
  std::string_view name, described;
  bool (*is)(std::string_view text);
};
constexpr Row kRows[] = {
    {"", "any text", [](std::string_view) { return true; }},
    {"subdomain",
     "a DNS name: lower-case letters, digits, `-` and `.`, with a letter or digit at both ends of each part",
     [](std::string_view text) { return fits(text, forms().subdomain); }},
    {"label", "a DNS label: lower-case letters, digits and `-`, with a letter or digit at both ends",
     [](std::string_view text) { return fits(text, forms().label); }},
    {"label-key", "a label key: an optional DNS name and `/`, then letters, digits, `-`, `_` and `.`",
     [](std::string_view text) { return fits(text, forms().label_key); }},
    {"kind", "a kind: letters, digits and `-`, with a letter first",
     [](std::string_view text) { return fits(text, forms().kind_word); }},
    {"quantity", "a quantity, such as 8, 500m, 1.5 or 64Gi",
     [](std::string_view text) { return fits(text, forms().quantity); }},
    {"date-time", "a time, such as 2026-10-01T08:00:00Z", is_date_time},
    {"duration", "a duration, such as 30m or 1.5h",
     [](std::string_view text) { return go_duration(text).has_value(); }},
    {"go-quantity", "a quantity, such as 8, 500m, 1.5 or 64Gi",
     [](std::string_view text) { return go_quantity(trimmed(text)); }},
};
const Row& row_of(Syntax syntax) { return kRows[static_cast<std::size_t>(syntax)]; }

}  // namespace

bool is_of(Syntax syntax, std::string_view text) { return row_of(syntax).is(text); }
std::string_view described(Syntax syntax) { return row_of(syntax).described; }
std::string_view name_of(Syntax syntax) { return row_of(syntax).name; }

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  const auto begin = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

bool is_label_key(std::string_view text) {
  const auto slash = text.find('/');
  const auto name = slash == std::string_view::npos ? text : text.substr(slash + 1);
  if (slash != std::string_view::npos && !is_subdomain(text.substr(0, slash))) return false;
  return name.size() <= 63 && fits(name, forms().label_name);
}

bool is_label_value(std::string_view text) {
  return text.empty() || (text.size() <= 63 && fits(text, forms().label_name));
}

bool is_subdomain(std::string_view text) { return text.size() <= 253 && fits(text, forms().subdomain); }

bool is_label(std::string_view text) { return text.size() <= 63 && fits(text, forms().label); }

bool is_domain_prefixed_path(std::string_view text) {
  return fits(text, forms().prefixed_path) && is_subdomain(text.substr(0, text.find('/')));
}

bool is_quantity(std::string_view text) { return !plain_decimal(text).empty(); }

int compare_quantities(std::string_view left, std::string_view right) {
  const Plain a = plain(left), b = plain(right);
  if (a.negative != b.negative) return a.negative ? -1 : 1;
  return a.negative ? magnitude(b, a) : magnitude(a, b);
}

}  // namespace gpol::manifest::schema
