// Units are types. In: a quantity as written. Out: an amount in base units with its dimension, or a diagnostic that
// says which unit was expected (GP0203), which is unknown (GP0204, with the nearest), or that the number is out of
// range (GP0207). A GPU, a GiB, a second and a percent never mix.
// Decimal suffixes are powers of 1000 (GB), binary ones of 1024 (GiB), as in Kubernetes.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/policy/policy.h"
#include "compiler/source/diagnostic.h"
#include "compiler/syntax/ast.h"

namespace gpol {

enum class Dimension {
  Count,
  Gpus,
  Cpu,
  Memory,
  Pods,
  Time,
  Slices,   // of a GPU; the unit is written `x 3g.40gb`
  Shares,   // of a GPU that several pods have at once
  Percent,  // in hundredths of one
  Factor,   // `10x`, in thousandths
  Streams,
  TokenCount,  // of one request
  Jobs,
  Requests,
  Tokens,
  Samples,  // the last three in thousandths, in the window that their unit names
  Money,    // in thousandths of the currency's unit
};

struct Amount {
  Dimension dimension = Dimension::Count;
  std::int64_t value = 0;
};

// No single quantity may exceed this in base units (GP0207), no product of a count and a quantity 2^58; sums in the
// checker saturate (checker/kueue/forest.h).
inline constexpr std::int64_t kLargestAmount = std::int64_t{1} << 50;

// Of one of the dimensions that are expected here, in its base units; `what` names the clause for the message ("a
// duration", "the grace"), `example` is what the message shows.
std::optional<Amount> amount(const ast::Quantity& written, std::span<const Dimension> expected, std::string_view what,
                             std::string_view example, std::vector<Diagnostic>& out);
std::optional<Millis> duration(const ast::Quantity& written, std::string_view what, std::vector<Diagnostic>& out);
std::optional<std::int64_t> count(const ast::Quantity& written, std::string_view what, std::vector<Diagnostic>& out);
std::optional<std::int64_t> measure(const ast::Quantity& written, Dimension expected, std::string_view what,
                                    std::string_view example, std::vector<Diagnostic>& out);
// Whether a unit is of a dimension; false where it does not exist.
bool is_unit(std::string_view unit, Dimension dimension);
// `8 gpus, 128 cpu, 960 GiB`: at most one of each dimension, and none in slices; `stated` says which were written.
struct ResourceAmounts {
  Resources amounts;
  std::array<bool, kCommonResources> stated{};
};
std::optional<ResourceAmounts> resources(std::span<const ast::Quantity> written, std::string_view what,
                                         std::vector<Diagnostic>& out);

// Durations or counts, none negative, added and multiplied; what is too large for 64 bits is INT64_MAX.
std::int64_t sum_of(std::initializer_list<std::int64_t> terms);
std::int64_t times(std::int64_t count, std::int64_t each);

// `8 GPUs`, `2 cpu`, `960 GiB`, `2min 30s`: base units back into words, exactly; used by messages.
std::string human_amount(const ResourceRow& resource, std::int64_t value);  // `2 x 3g.40gb` of slices
std::string human_amount(Resource resource, std::int64_t value);            // one of the four of every policy
// "8", "2E" of large round numbers.
std::string human_count(std::int64_t value);
std::string human_duration(Millis value);
// The same as a policy would write it, one number and one unit: `150s`. `value` is not negative.
std::string written_duration(Millis value);

}  // namespace gpol
