#include "checker/guards/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compiler/source/text.h"

namespace gpol::cel {

const Value* member(const Value* map, std::string_view name) {
  const Map* entries = map == nullptr ? nullptr : map->as<Map>();
  if (entries == nullptr) return nullptr;
  const auto found = entries->find(std::string(name));
  return found == entries->end() ? nullptr : &found->second;
}

const Value* at(const Value& root, std::initializer_list<std::string_view> path) {
  const Value* here = &root;
  for (const auto name : path) here = member(here, name);
  return here;
}

namespace {

constexpr double kTwo63 = 9223372036854775808.0;

// -1, 0, 1; 2 where they cannot be compared (NaN). common/types/compare.go: a double outside the integers' range is
// on its side of all of them, otherwise the integer is compared as a double.
int compare(std::int64_t a, double b) {
  if (std::isnan(b)) return 2;
  if (b < -kTwo63) return 1;
  if (b > kTwo63) return -1;
  const auto d = static_cast<double>(a);
  return d < b ? -1 : d > b ? 1 : 0;
}

std::optional<int> numbers(const Value& a, const Value& b) {
  const auto *ai = a.as<std::int64_t>(), *bi = b.as<std::int64_t>();
  const auto *ad = a.as<double>(), *bd = b.as<double>();
  if (ai != nullptr && bi != nullptr) return *ai < *bi ? -1 : *ai > *bi ? 1 : 0;
  if (ai != nullptr && bd != nullptr) return compare(*ai, *bd);
  if (ad != nullptr && bi != nullptr) {
    const int turned = compare(*bi, *ad);
    return turned == 2 ? 2 : -turned;
  }
  if (ad != nullptr && bd != nullptr) {
    if (std::isnan(*ad) || std::isnan(*bd)) return 2;
    return *ad < *bd ? -1 : *ad > *bd ? 1 : 0;
  }
  return std::nullopt;
}

void quote(const std::string& text, std::string& out) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  out += '"';
}

void write(const Value& value, std::string& out) {
  if (const auto* b = value.as<bool>()) {
    out += *b ? "true" : "false";
  } else if (const auto* i = value.as<std::int64_t>()) {
    out += std::to_string(*i);
  } else if (const auto* d = value.as<double>()) {
    const std::string text = std::isfinite(*d) ? fmt::format("{}", *d) : "null";
    out += text;
    if (text.find_first_not_of("-0123456789") == std::string::npos) out += ".0";
  } else if (const auto* s = value.as<std::string>()) {
    quote(*s, out);
  } else if (const auto* list = value.as<List>()) {
    out += '[';
    for (const Value& element : *list) {
      if (&element != list->data()) out += ',';
      write(element, out);
    }
    out += ']';
  } else if (const auto* map = value.as<Map>()) {
    out += '{';
    bool first = true;
    for (const auto& [key, of] : *map) {
      if (!first) out += ',';
      first = false;
      quote(key, out);
      out += ':';
      write(of, out);
    }
    out += '}';
  } else {
    out += "null";
  }
}

constexpr Quantity::Nano kNano = 1'000'000'000;
constexpr Quantity::Nano kMost = kNano * kNano * kNano;  // 1e27 nano: 1e18 units, beyond which nothing is kept here

struct Scale {
  Quantity::Nano times = 0;
  Quantity::Nano over = 1;
};

// The suffix as a factor of nano units; times 0: unknown.
Scale scale_of(std::string_view suffix, bool& too_large) {
  // n = 10^-9, each a thousand of the one before; '0', which begins no suffix, stands for the units.
  static constexpr std::string_view kDecimal = "num0kMGTPE", kBinary = "KMGTPE";
  if (suffix.size() < 2) {
    const auto power = suffix.empty() ? kDecimal.find('0') : kDecimal.find(suffix[0]);
    if (power == std::string_view::npos) return {};
    Scale scale{1, 1};
    for (std::size_t i = 0; i < power; ++i) scale.times *= 1000;
    return scale;
  }
  if (suffix.size() == 2 && suffix[1] == 'i') {
    const auto power = kBinary.find(suffix[0]);
    if (power == std::string_view::npos) return {};
    Scale scale{kNano, 1};
    for (std::size_t i = 0; i <= power; ++i) scale.times *= 1024;
    return scale;
  }
  if (suffix[0] != 'e' && suffix[0] != 'E') return {};
  suffix.remove_prefix(1);
  const bool negative = suffix[0] == '-';
  if (negative || suffix[0] == '+') suffix.remove_prefix(1);
  if (suffix.empty() || !only_digits(suffix)) return {};
  int exponent = 0;
  for (const char c : suffix) exponent = exponent > 100 ? exponent : exponent * 10 + (c - '0');
  if (exponent > 18) {
    too_large = true;
    return {};
  }
  Scale scale{kNano, 1};
  for (int i = 0; i < exponent; ++i) (negative ? scale.over : scale.times) *= 10;
  return scale;
}

}  // namespace

bool equals(const Value& a, const Value& b) {
  if (const auto order = numbers(a, b)) return *order == 0;
  if (a.is.index() != b.is.index()) return false;
  if (const auto* v = a.as<bool>()) return *v == *b.as<bool>();
  if (const auto* v = a.as<std::string>()) return *v == *b.as<std::string>();
  if (const auto* v = a.as<Quantity>()) return v->nano == b.as<Quantity>()->nano;
  if (const auto* v = a.as<Optional>()) {
    const auto& other = b.as<Optional>()->value;
    if (!v->value || !other) return !v->value && !other;
    return equals(*v->value, *other);
  }
  if (const auto* v = a.as<List>()) return std::ranges::equal(*v, *b.as<List>(), equals);
  if (const auto* v = a.as<Map>()) {
    const Map& other = *b.as<Map>();
    if (v->size() != other.size()) return false;
    return std::ranges::all_of(*v, [&](const auto& entry) {
      const auto found = other.find(entry.first);
      return found != other.end() && equals(entry.second, found->second);
    });
  }
  return true;  // null
}

std::optional<bool> less(const Value& a, const Value& b) {
  if (const auto order = numbers(a, b)) {
    if (*order == 2) return std::nullopt;
    return *order < 0;
  }
  if (a.is.index() != b.is.index()) return std::nullopt;
  if (const auto* v = a.as<bool>()) return !*v && *b.as<bool>();
  if (const auto* v = a.as<std::string>()) return *v < *b.as<std::string>();
  return std::nullopt;
}

std::string to_json(const Value& value) {
  std::string out;
  write(value, out);
  return out;
}

std::optional<Quantity> parse_quantity(std::string_view text, bool& too_large) {
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  Quantity::Nano digits = 0, under = 1;
  std::size_t seen = 0, at = 0;
  bool point = false, precise = true;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (!is_digit(c)) break;
    ++seen;
    if (digits > 100 * kNano * kNano) {
      precise = false;
      continue;
    }
    digits = digits * 10 + (c - '0');
    if (point) under *= 10;
  }
  if (seen == 0) return std::nullopt;
  const Scale scale = scale_of(text.substr(at), too_large);
  if (scale.times == 0) return std::nullopt;
  if (!precise || (digits != 0 && scale.times > kMost * kNano / digits)) {
    too_large = true;
    return std::nullopt;
  }
  const Quantity::Nano over = under * scale.over;
  const Quantity::Nano product = digits * scale.times;
  const Quantity::Nano nano = (product + over - 1) / over;  // rounded up, away from zero
  if (nano > kMost) {
    too_large = true;
    return std::nullopt;
  }
  return Quantity{negative ? -nano : nano};
}

}  // namespace gpol::cel
