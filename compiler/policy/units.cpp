#include "compiler/policy/units.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/policy/codes.h"
#include "compiler/policy/unit_table.h"
#include "compiler/source/codes.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

__extension__ using Wide = unsigned __int128;

// What one base unit is called where a fraction of it was asked for.
std::string_view base_unit(Dimension dimension) {
  constexpr std::pair<Dimension, std::string_view> kUnits[] = {
      {Dimension::Gpus, "GPUs"},
      {Dimension::Cpu, "millicores"},
      {Dimension::Memory, "bytes"},
      {Dimension::Pods, "pods"},
      {Dimension::Time, "milliseconds"},
      {Dimension::Slices, "slices"},
      {Dimension::Shares, "shares"},
      {Dimension::Percent, "hundredths of a percent"},
      {Dimension::Factor, "thousandths"},
      {Dimension::Streams, "streams"},
      {Dimension::TokenCount, "tokens"},
      {Dimension::Jobs, "jobs"},
      {Dimension::Requests, "requests an hour"},
      {Dimension::Tokens, "tokens an hour"},
      {Dimension::Samples, "samples an hour"},
      {Dimension::Money, "thousandths"},
  };
  for (const auto& [known, unit] : kUnits)
    if (known == dimension) return unit;
  return "";
}

std::string as_written(const ast::Quantity& written) {
  constexpr std::size_t kShown = 32;  // a number of a million digits is not repeated
  const std::string number = written.number.size() > kShown ? written.number.substr(0, kShown) + "..." : written.number;
  if (written.unit.empty()) return number;
  const KnownUnit* unit = find_unit(written.unit);
  const bool tight =
      written.unit == "%" || written.unit == "x" || (unit != nullptr && unit->dimension == Dimension::Time);
  return number + (tight ? "" : " ") + written.unit;
}

Diagnostic& report(std::vector<Diagnostic>& out, Code code, Span span, std::string message, std::string hint) {
  out.push_back(error_at(code, span, std::move(message), std::move(hint)));
  return out.back();
}

// The number times `scale`, exactly; GP0207 when it is not whole, too large, or written in a misleading way.
std::optional<std::int64_t> scaled(const ast::Quantity& written, Dimension dimension, std::int64_t scale,
                                   std::vector<Diagnostic>& out) {
  const std::string_view number = written.number;
  const std::string_view whole = number.substr(0, number.find('.'));
  std::string_view fraction = whole.size() == number.size() ? std::string_view{} : number.substr(whole.size() + 1);
  if (whole.size() > 1 && whole.front() == '0') {
    std::string_view digits = whole.substr(std::min(whole.find_first_not_of('0'), whole.size() - 1));
    if (digits.size() > 24) digits = digits.substr(0, 24);
    report(out, code::OutOfRange, written.span, fmt::format("`{}` starts with a zero", as_written(written)),
           fmt::format("write `{}`", digits));
    return std::nullopt;
  }
  fraction = fraction.substr(0, fraction.find_last_not_of('0') + 1);
  Wide value = 0;
  for (char digit : whole) {
    value = value * 10 + static_cast<Wide>(digit - '0');
    if (value > static_cast<Wide>(kLargestAmount)) break;
  }
  value *= static_cast<Wide>(scale);
  // 10^18 times the largest scale still fits 128 bits; a longer fraction of any unit is never whole in practice.
  constexpr std::size_t kFractionDigits = 18;
  Wide part = 0, divisor = 1;
  for (char digit : fraction.substr(0, kFractionDigits)) {
    part = part * 10 + static_cast<Wide>(digit - '0');
    divisor *= 10;
  }
  part *= static_cast<Wide>(scale);
  if (fraction.size() > kFractionDigits || part % divisor != 0) {
    report(out, code::OutOfRange, written.span,
           fmt::format("`{}` is not a whole number{}{}", as_written(written),
                       dimension == Dimension::Count ? "" : " of ", base_unit(dimension)),
           "write a whole number of a smaller unit");
    if (dimension == Dimension::Gpus || dimension == Dimension::Pods || dimension == Dimension::Count)
      out.back().hint = "write a whole number";
    return std::nullopt;
  }
  value += part / divisor;
  if (value > static_cast<Wide>(kLargestAmount)) {
    report(out, code::OutOfRange, written.span, fmt::format("`{}` is too large", as_written(written)),
           fmt::format("the largest number is {}",
                       as_written({std::to_string(kLargestAmount / scale), written.unit, written.span})));
    return std::nullopt;
  }
  return static_cast<std::int64_t>(value);
}

// Of one of kResourceDimensions.
Resource resource_of(Dimension dimension) {
  return dimension == Dimension::Gpus     ? Resource::Gpu
         : dimension == Dimension::Cpu    ? Resource::Cpu
         : dimension == Dimension::Memory ? Resource::Memory
                                          : Resource::Pods;
}

constexpr Dimension kResourceDimensions[] = {Dimension::Gpus, Dimension::Cpu, Dimension::Memory, Dimension::Pods};

}  // namespace

std::optional<Amount> amount(const ast::Quantity& written, std::span<const Dimension> expected, std::string_view what,
                             std::string_view example, std::vector<Diagnostic>& out) {
  const KnownUnit none{"", Dimension::Count, 1};
  const KnownUnit* unit = written.unit.empty() ? &none : find_unit(written.unit);
  if (unit == nullptr) {
    report(out, code::UnknownUnit, written.span, fmt::format("`{}` is not a unit that gpol knows", written.unit),
           unit_hint(written.unit, expected));
    return std::nullopt;
  }
  // A unit of the wrong kind is named before the number is looked at: `8.5 gpus` as a duration is one mistake, not two.
  if (!contains(expected, unit->dimension)) {
    // A share of a pool, where GPUs are counted.
    const bool share = unit->dimension == Dimension::Percent && contains(expected, Dimension::Gpus);
    report(out, code::WrongUnit, written.span,
           fmt::format("expected {} such as `{}`, found `{}`", what, example, as_written(written)),
           share ? "an amount is a number of GPUs, not a share of the pool: write `8 gpus`" : "");
    return std::nullopt;
  }
  const auto value = scaled(written, unit->dimension, unit->scale, out);
  if (!value) return std::nullopt;
  return Amount{unit->dimension, *value};
}

std::optional<std::int64_t> measure(const ast::Quantity& written, Dimension expected, std::string_view what,
                                    std::string_view example, std::vector<Diagnostic>& out) {
  const auto found = amount(written, {&expected, 1}, what, example, out);
  return found ? std::optional<std::int64_t>(found->value) : std::nullopt;
}

std::optional<Millis> duration(const ast::Quantity& written, std::string_view what, std::vector<Diagnostic>& out) {
  return measure(written, Dimension::Time, what, "60s", out);
}

std::optional<std::int64_t> count(const ast::Quantity& written, std::string_view what, std::vector<Diagnostic>& out) {
  return measure(written, Dimension::Count, what, "6", out);
}

bool is_unit(std::string_view unit, Dimension dimension) {
  const KnownUnit* known = find_unit(unit);
  return known != nullptr && known->dimension == dimension;
}

std::optional<ResourceAmounts> resources(std::span<const ast::Quantity> written, std::string_view what,
                                         std::vector<Diagnostic>& out) {
  ResourceAmounts all;
  std::array<Span, kCommonResources> first{};
  bool sound = true;
  for (const ast::Quantity& quantity : written) {
    const auto found = amount(quantity, kResourceDimensions, what, "8 gpus, 128 cpu, 960 GiB", out);
    if (!found) {
      sound = false;
      continue;
    }
    const Resource resource = resource_of(found->dimension);
    const auto at = static_cast<std::size_t>(resource);
    if (all.stated[at]) {
      report(out, code::DuplicateClause, quantity.span, fmt::format("{} is given twice", common_resources()[at].words),
             "keep one of them")
          .labels.push_back({first[at], "first given here"});
      sound = false;
      continue;
    }
    all.stated[at] = true;
    all.amounts[resource] = found->value;
    first[at] = quantity.span;
  }
  return sound ? std::optional<ResourceAmounts>(all) : std::nullopt;
}

std::string human_count(std::int64_t value) {
  // As whoever wrote 2E did; what is no round number is told to the last digit.
  constexpr std::pair<std::int64_t, char> kSuffixes[] = {
      {1000000000000000000, 'E'}, {1000000000000000, 'P'}, {1000000000000, 'T'}, {1000000000, 'G'}};
  for (const auto& [scale, suffix] : kSuffixes)
    if (value >= scale && value % scale == 0) return fmt::format("{}{}", value / scale, suffix);
  return fmt::format("{}", value);
}

std::string human_amount(Resource resource, std::int64_t value) {
  return human_amount(common_resources().at(static_cast<std::size_t>(resource)), value);
}

std::string human_amount(const ResourceRow& resource, std::int64_t value) {
  using Unit = ResourceRow::Unit;
  if (value < 0) return "-" + human_amount(resource, -value);
  switch (resource.unit) {
    case Unit::Devices:
      return fmt::format("{} GPU{}", human_count(value), value == 1 ? "" : "s");
    case Unit::Shares:
      return fmt::format("{} share{}", human_count(value), value == 1 ? "" : "s");
    case Unit::Slices:
      return fmt::format("{} x {}", human_count(value), resource.profile);
    case Unit::Pods:
      return fmt::format("{} pod{}", human_count(value), value == 1 ? "" : "s");
    case Unit::Millicores: {
      if (value % 1000 == 0) return human_count(value / 1000) + " cpu";
      std::string text = fmt::format("{}.{:03}", value / 1000, value % 1000);
      text.erase(text.find_last_not_of('0') + 1);
      if (text.back() == '.') text.pop_back();
      return text + " cpu";
    }
    case Unit::Bytes:
      break;
  }
  // The unit that leaves the smallest whole number; a tie cannot be, since no two units are equal but kB and KB.
  const KnownUnit* best = find_unit("B");
  if (value != 0)
    for (const KnownUnit& unit : units())
      if (unit.dimension == Dimension::Memory && value % unit.scale == 0 && unit.scale > best->scale) best = &unit;
  // Beyond the units of the language.
  constexpr std::int64_t kPiB = std::int64_t{1} << 50U, kEiB = std::int64_t{1} << 60U;
  if (value != 0 && value % kPiB == 0)
    return value % kEiB == 0 ? fmt::format("{} EiB", value / kEiB) : fmt::format("{} PiB", value / kPiB);
  return fmt::format("{} {}", human_count(value / best->scale), best->name);
}

std::int64_t sum_of(std::initializer_list<std::int64_t> terms) {
  std::int64_t sum = 0;
  for (const std::int64_t term : terms)
    if (__builtin_add_overflow(sum, term, &sum)) return INT64_MAX;
  return sum;
}
std::int64_t times(std::int64_t count, std::int64_t each) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(count, each, &product) ? INT64_MAX : product;
}

std::string human_duration(Millis value) {
  if (value == 0) return "0s";
  if (value < 0) return "-" + human_duration(-value);
  std::string text;
  for (std::string_view name : {"d", "h", "min", "s", "ms"}) {
    const std::int64_t scale = find_unit(name)->scale;
    if (value / scale == 0) continue;
    add_to_list(text, fmt::format("{}{}", value / scale, name), " ");
    value %= scale;
  }
  return text;
}

std::string written_duration(Millis value) {
  for (std::string_view name : {"d", "h", "min", "s"}) {
    const std::int64_t scale = find_unit(name)->scale;
    if (value > 0 && value % scale == 0) return fmt::format("{}{}", value / scale, name);
  }
  return fmt::format("{}ms", value);
}

}  // namespace gpol
