#include "compiler/policy/unit_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "compiler/source/edit_distance.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"
#include "compiler/syntax/slips.h"

namespace gpol {

namespace {

constexpr std::int64_t kKi = 1024, kMi = kKi * kKi, kGi = kMi * kKi, kTi = kGi * kKi, kPi = kTi * kKi;
constexpr std::int64_t kKilo = 1000, kMega = kKilo * kKilo, kGiga = kMega * kKilo, kTera = kGiga * kKilo,
                       kPeta = kTera * kKilo;
constexpr std::int64_t kSecond = 1000, kMinute = 60 * kSecond, kHour = 60 * kMinute, kDay = 24 * kHour;

constexpr std::int64_t kRate = 1000;  // thousandths, in the window that the unit names

constexpr KnownUnit kUnits[] = {
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
    {"share", Dimension::Shares, 1},
    {"shares", Dimension::Shares, 1},
    {"stream", Dimension::Streams, 1},
    {"streams", Dimension::Streams, 1},
    {"tokens", Dimension::TokenCount, 1},
    {"job", Dimension::Jobs, 1},
    {"jobs", Dimension::Jobs, 1},
    {"req/s", Dimension::Requests, kRate},
    {"req/min", Dimension::Requests, kRate},
    {"req/h", Dimension::Requests, kRate},
    {"tokens/s", Dimension::Tokens, kRate},
    {"tokens/min", Dimension::Tokens, kRate},
    {"tokens/h", Dimension::Tokens, kRate},
    {"samples/s", Dimension::Samples, kRate},
    {"samples/min", Dimension::Samples, kRate},
    {"samples/h", Dimension::Samples, kRate},
    {"EUR", Dimension::Money, 1000},
    {"USD", Dimension::Money, 1000},
    {"CHF", Dimension::Money, 1000},
    {"GBP", Dimension::Money, 1000},
    {"JPY", Dimension::Money, 1000},
};

constexpr KnownUnit kSlices{"x", Dimension::Slices, 1};  // whatever the profile is

// Spellings of other tools whose nearest letters would mislead.
struct Slip {
  std::string_view written, meant;  // written: words with a space between
};
constexpr Slip kSlips[] = {
    {"m mins minute minutes", "min"},
    {"sec secs second seconds", "s"},
    {"hr hrs hour hours", "h"},
    {"day days", "d"},
    {"Ki", "KiB"},
    {"Mi", "MiB"},
    {"Gi", "GiB"},
    {"Ti", "TiB"},
    {"Pi", "PiB"},
    {"k K", "kB"},
    {"M", "MB"},
    {"G", "GB"},
    {"T", "TB"},
    {"P", "PB"},
    {"vcpu vCPU", "cpu"},
    {"vcpus", "cpus"},
    {"byte bytes", "B"},
    {"millis msec", "ms"},
    {"nvidia.com/gpu H100 H200 A100 B200 devices accelerators", "gpus"},
    {"euro euros", "EUR"},
    {"dollar dollars", "USD"},
    {"device accelerator", "gpu"},
    {"percent pct", "%"},
    {"times", "x"},
    {"qps rps", "req/s"},
};

// What a place takes, in words.
struct UnitNames {
  Dimension dimension;
  std::string_view names;
};
constexpr UnitNames kUnitNames[] = {
    {Dimension::Gpus, "gpus"},
    {Dimension::Cpu, "cpu"},
    {Dimension::Memory, "B to PiB"},
    {Dimension::Pods, "pods"},
    {Dimension::Time, "ms, s, min, h, d"},
    {Dimension::Slices, "`x PROFILE`"},
    {Dimension::Shares, "shares"},
    {Dimension::Percent, "%"},
    {Dimension::Factor, "x"},
    {Dimension::Streams, "streams"},
    {Dimension::TokenCount, "tokens"},
    {Dimension::Jobs, "jobs"},
    {Dimension::Requests, "req/s, req/min, req/h"},
    {Dimension::Tokens, "tokens/s, tokens/min, tokens/h"},
    {Dimension::Samples, "samples/s, samples/min, samples/h"},
    {Dimension::Money, "EUR, USD, CHF, GBP, JPY"},
};

// "the units here are streams, req/s, req/min and req/h"
std::string units_of(Dimensions expected) {
  std::string names;
  for (const UnitNames& unit : kUnitNames)
    if (contains(expected, unit.dimension)) add_to_list(names, unit.names);
  if (names.empty()) return {};  // a count
  const auto last = names.rfind(", ");
  if (last == std::string::npos) return fmt::format("the unit here is {}", names);
  return fmt::format("the units here are {} and {}", names.substr(0, last), names.substr(last + 2));
}

}  // namespace

std::span<const KnownUnit> units() { return kUnits; }

const KnownUnit* find_unit(std::string_view name) {
  return name.starts_with("x ") ? &kSlices : find_by(kUnits, name, &KnownUnit::name);
}

std::string unit_hint(std::string_view written, Dimensions expected) {
  const std::string low = lowered(written.substr(0, 16));  // no slip is longer
  const auto is = [&](auto word) {                         // `Minutes`, but `M` is not `m`
    const std::string_view slip(word.begin(), word.end());
    return slip == written || (written.size() > 2 && slip == low);
  };
  for (const Slip& slip : kSlips)
    if (std::ranges::any_of(std::views::split(slip.written, ' '), is) &&
        contains(expected, find_unit(slip.meant)->dimension))
      return fmt::format("did you mean `{}`?", slip.meant);
  if (const auto slice = syntax::mended_slice(written)) return fmt::format("did you mean `x {}`?", *slice);
  std::vector<std::string_view> names;
  for (const KnownUnit& unit : kUnits)
    if (contains(expected, unit.dimension)) names.push_back(unit.name);
  const auto near = nearest(written, names);
  if (!near) return units_of(expected);
  // Of `gb` both are meant as often.
  const bool decimal = near->size() == 2 && near->ends_with('B') && find_unit(*near)->dimension == Dimension::Memory;
  return fmt::format("did you mean `{}`?{}", *near,
                     decimal ? fmt::format(" It counts in powers of 1000, `{}iB` in those of 1024",
                                           near->front() == 'k' ? 'K' : near->front())
                             : "");
}

}  // namespace gpol
