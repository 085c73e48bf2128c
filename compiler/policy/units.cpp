#include "compiler/policy/units.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/policy/names.h"

namespace gpol {

namespace {

__extension__ using Wide = unsigned __int128;

struct Unit {
  std::string_view name;
  Dimension dimension;
  std::int64_t scale;  // base units in one
};

constexpr std::int64_t kKi = 1024, kMi = kKi * kKi, kGi = kMi * kKi, kTi = kGi * kKi, kPi = kTi * kKi;
constexpr std::int64_t kKilo = 1000, kMega = kKilo * kKilo, kGiga = kMega * kKilo, kTera = kGiga * kKilo,
                       kPeta = kTera * kKilo;
constexpr std::int64_t kSecond = 1000, kMinute = 60 * kSecond, kHour = 60 * kMinute, kDay = 24 * kHour;

constexpr Unit kUnits[] = {
    {"gpu", Dimension::Gpus, 1},
    {"gpus", Dimension::Gpus, 1},
    {"cpu", Dimension::Cpu, 1000},
    {"cpus", Dimension::Cpu, 1000},
    {"core", Dimension::Cpu, 1000},
    {"cores", Dimension::Cpu, 1000},
    {"pod", Dimension::Pods, 1},
    {"pods", Dimension::Pods, 1},
    {"B", Dimension::Memory, 1},
    {"kB", Dimension::Memory, kKilo},
    {"KB", Dimension::Memory, kKilo},
    {"MB", Dimension::Memory, kMega},
    {"GB", Dimension::Memory, kGiga},
    {"TB", Dimension::Memory, kTera},
    {"PB", Dimension::Memory, kPeta},
    {"KiB", Dimension::Memory, kKi},
    {"MiB", Dimension::Memory, kMi},
    {"GiB", Dimension::Memory, kGi},
    {"TiB", Dimension::Memory, kTi},
    {"PiB", Dimension::Memory, kPi},
    {"ms", Dimension::Time, 1},
    {"s", Dimension::Time, kSecond},
    {"min", Dimension::Time, kMinute},
    {"h", Dimension::Time, kHour},
    {"d", Dimension::Time, kDay},
    {"%", Dimension::Percent, 100},
    {"x", Dimension::Factor, 1000},
    {"stream", Dimension::Streams, 1},
    {"streams", Dimension::Streams, 1},
    {"req/s", Dimension::Requests, 3600},
    {"req/min", Dimension::Requests, 60},
    {"req/h", Dimension::Requests, 1},
    {"tokens/s", Dimension::Tokens, 3600},
    {"tokens/min", Dimension::Tokens, 60},
    {"tokens/h", Dimension::Tokens, 1},
    {"samples/s", Dimension::Samples, 3600},
    {"samples/min", Dimension::Samples, 60},
    {"samples/h", Dimension::Samples, 1},
    {"EUR", Dimension::Money, 1000},
    {"USD", Dimension::Money, 1000},
    {"CHF", Dimension::Money, 1000},
    {"GBP", Dimension::Money, 1000},
    {"JPY", Dimension::Money, 1000},
};

constexpr Unit kSlices{"x", Dimension::Slices, 1};  // whatever the profile is

// Spellings of other tools whose nearest letters would mislead.
struct Slip {
  std::string_view written, meant;
};
constexpr Slip kSlips[] = {
    {"m", "min"},
    {"mins", "min"},
    {"minute", "min"},
    {"minutes", "min"},
    {"sec", "s"},
    {"secs", "s"},
    {"second", "s"},
    {"seconds", "s"},
    {"hr", "h"},
    {"hrs", "h"},
    {"hour", "h"},
    {"hours", "h"},
    {"day", "d"},
    {"days", "d"},
    {"Ki", "KiB"},
    {"Mi", "MiB"},
    {"Gi", "GiB"},
    {"Ti", "TiB"},
    {"Pi", "PiB"},
    {"k", "kB"},
    {"K", "kB"},
    {"M", "MB"},
    {"G", "GB"},
    {"T", "TB"},
    {"P", "PB"},
    {"vcpu", "cpu"},
    {"vcpus", "cpus"},
    {"vCPU", "cpu"},
    {"byte", "B"},
    {"bytes", "B"},
    {"millis", "ms"},
    {"msec", "ms"},
    {"device", "gpu"},
    {"devices", "gpus"},
    {"percent", "%"},
    {"pct", "%"},
    {"times", "x"},
    {"accelerator", "gpu"},
    {"accelerators", "gpus"},
    {"qps", "req/s"},
    {"rps", "req/s"},
};

const Unit* find_unit(std::string_view name) {
  if (name.starts_with("x ")) return &kSlices;
  for (const Unit& unit : kUnits)
    if (unit.name == name) return &unit;
  return nullptr;
}

std::string unit_hint(std::string_view written) {
  std::string lower(written.substr(0, 16));  // no slip is longer
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (const Slip& slip : kSlips)  // `Minutes`, but `M` is not `m`
    if (slip.written == written || (written.size() > 2 && slip.written == lower))
      return fmt::format("did you mean `{}`?", slip.meant);
  std::vector<std::string_view> names;
  for (const Unit& unit : kUnits) names.push_back(unit.name);
  const std::string hint = choice_hint(written, names);
  return hint.empty() ? "the units are gpus, cpu, B to PiB, pods, ms, s, min, h and d" : hint;
}

// What one base unit is called where a fraction of it was asked for.
std::string_view base_unit(Dimension dimension) {
  switch (dimension) {
    case Dimension::Gpus:
      return "GPUs";
    case Dimension::Cpu:
      return "millicores";
    case Dimension::Memory:
      return "bytes";
    case Dimension::Pods:
      return "pods";
    case Dimension::Time:
      return "milliseconds";
    case Dimension::Slices:
      return "slices";
    case Dimension::Percent:
      return "hundredths of a percent";
    case Dimension::Factor:
      return "thousandths";
    case Dimension::Streams:
      return "streams";
    case Dimension::Requests:
      return "requests an hour";
    case Dimension::Tokens:
      return "tokens an hour";
    case Dimension::Samples:
      return "samples an hour";
    case Dimension::Money:
      return "thousandths";
    case Dimension::Count:
      break;
  }
  return "";
}

std::string as_written(const ast::Quantity& written) {
  constexpr std::size_t kShown = 32;  // a number of a million digits is not repeated
  const std::string number = written.number.size() > kShown ? written.number.substr(0, kShown) + "..." : written.number;
  if (written.unit.empty()) return number;
  const Unit* unit = find_unit(written.unit);
  const bool tight =
      written.unit == "%" || written.unit == "x" || (unit != nullptr && unit->dimension == Dimension::Time);
  return number + (tight ? "" : " ") + written.unit;
}

Diagnostic& report(std::vector<Diagnostic>& out, Code code, Span span, std::string message, std::string hint) {
  out.push_back({code, Severity::Error, span, std::move(message), {}, std::move(hint)});
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
    report(out, Code::OutOfRange, written.span, fmt::format("`{}` starts with a zero", as_written(written)),
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
    report(out, Code::OutOfRange, written.span,
           fmt::format("`{}` is not a whole number{}{}", as_written(written),
                       dimension == Dimension::Count ? "" : " of ", base_unit(dimension)),
           "write a whole number of a smaller unit");
    if (dimension == Dimension::Gpus || dimension == Dimension::Pods || dimension == Dimension::Count)
      out.back().hint = "write a whole number";
    return std::nullopt;
  }
  value += part / divisor;
  if (value > static_cast<Wide>(kLargestAmount)) {
    report(out, Code::OutOfRange, written.span, fmt::format("`{}` is too large", as_written(written)),
           fmt::format("the largest number is {}{}{}", kLargestAmount, dimension == Dimension::Count ? "" : " ",
                       base_unit(dimension)));
    return std::nullopt;
  }
  return static_cast<std::int64_t>(value);
}

std::optional<Resource> resource_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::Gpus:
      return Resource::Gpu;
    case Dimension::Cpu:
      return Resource::Cpu;
    case Dimension::Memory:
      return Resource::Memory;
    case Dimension::Pods:
      return Resource::Pods;
    default:
      break;
  }
  return std::nullopt;
}

// A unit of the wrong kind is named before the number is looked at: `8.5 gpus` as a duration is one mistake, not two.
bool has_dimension(const ast::Quantity& written, Dimension expected, std::string_view what, std::string_view example,
                   std::vector<Diagnostic>& out) {
  const Unit* unit = find_unit(written.unit);
  if (unit == nullptr && !written.unit.empty()) return true;  // unknown: `amount` says so
  if ((unit == nullptr ? Dimension::Count : unit->dimension) == expected) return true;
  report(out, Code::WrongUnit, written.span,
         fmt::format("expected {} such as `{}`, found `{}`", what, example, as_written(written)), {});
  return false;
}

}  // namespace

std::optional<Amount> amount(const ast::Quantity& written, std::vector<Diagnostic>& out) {
  Unit unit{"", Dimension::Count, 1};
  if (!written.unit.empty()) {
    const Unit* known = find_unit(written.unit);
    if (known == nullptr) {
      report(out, Code::UnknownUnit, written.span, fmt::format("`{}` is not a unit that gpol knows", written.unit),
             unit_hint(written.unit));
      return std::nullopt;
    }
    unit = *known;
  }
  const auto value = scaled(written, unit.dimension, unit.scale, out);
  if (!value) return std::nullopt;
  return Amount{unit.dimension, *value};
}

std::optional<Millis> duration(const ast::Quantity& written, std::string_view what, std::vector<Diagnostic>& out) {
  if (!has_dimension(written, Dimension::Time, what, "60s", out)) return std::nullopt;
  const auto found = amount(written, out);
  return found ? std::optional<Millis>(found->value) : std::nullopt;
}

std::optional<std::int64_t> count(const ast::Quantity& written, std::string_view what, std::vector<Diagnostic>& out) {
  if (!has_dimension(written, Dimension::Count, what, "6", out)) return std::nullopt;
  const auto found = amount(written, out);
  return found ? std::optional<std::int64_t>(found->value) : std::nullopt;
}

std::optional<std::int64_t> measure(const ast::Quantity& written, Dimension expected, std::string_view what,
                                    std::string_view example, std::vector<Diagnostic>& out) {
  if (!has_dimension(written, expected, what, example, out)) return std::nullopt;
  const auto found = amount(written, out);
  return found ? std::optional<std::int64_t>(found->value) : std::nullopt;
}

bool is_unit(std::string_view unit, Dimension dimension) {
  const Unit* known = find_unit(unit);
  return known != nullptr && known->dimension == dimension;
}

std::optional<ResourceAmounts> resources(std::span<const ast::Quantity> written, std::string_view what,
                                         std::vector<Diagnostic>& out) {
  ResourceAmounts all;
  std::array<Span, kResources> first{};
  bool sound = true;
  for (const ast::Quantity& quantity : written) {
    const Unit* unit = find_unit(quantity.unit);
    const bool known = unit != nullptr || quantity.unit.empty();
    const auto resource = resource_of(unit == nullptr ? Dimension::Count : unit->dimension);
    if (known && !resource) {
      report(out, Code::WrongUnit, quantity.span,
             fmt::format("expected {} such as `8 gpus, 128 cpu, 960 GiB`, found `{}`", what, as_written(quantity)), {});
      sound = false;
      continue;
    }
    const auto found = amount(quantity, out);
    if (!found || !resource) {
      sound = false;
      continue;
    }
    const auto at = static_cast<std::size_t>(*resource);
    if (all.stated[at]) {
      report(out, Code::DuplicateClause, quantity.span,
             fmt::format("{} is given twice", *resource == Resource::Gpu ? "gpus" : resource_name(*resource)),
             "keep one of them")
          .labels.push_back({first[at], "first given here"});
      sound = false;
      continue;
    }
    all.stated[at] = true;
    all.amounts.of[at] = found->value;
    first[at] = quantity.span;
  }
  return sound ? std::optional<ResourceAmounts>(all) : std::nullopt;
}

std::string human_amount(Resource resource, std::int64_t value) {
  if (value < 0) return "-" + human_amount(resource, -value);
  switch (resource) {
    case Resource::Gpu:
      return fmt::format("{} GPU{}", value, value == 1 ? "" : "s");
    case Resource::Pods:
      return fmt::format("{} pod{}", value, value == 1 ? "" : "s");
    case Resource::Cpu: {
      std::string text = fmt::format("{}.{:03}", value / 1000, value % 1000);
      text.erase(text.find_last_not_of('0') + 1);
      if (text.back() == '.') text.pop_back();
      return text + " cpu";
    }
    case Resource::Memory:
      break;
  }
  // The unit that leaves the smallest whole number; a tie cannot be, since no two units are equal but kB and KB.
  const Unit* best = find_unit("B");
  if (value != 0)
    for (const Unit& unit : kUnits)
      if (unit.dimension == Dimension::Memory && value % unit.scale == 0 && unit.scale > best->scale) best = &unit;
  return fmt::format("{} {}", value / best->scale, best->name);
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
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", value / scale, name);
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
