// Kubernetes quantities, exactly: "500m", "1Ti", "1e3", "1.5". In: the text of a quantity. Out: base units as Kueue
// counts them (pkg/resources/amount.go): cpu in millicores, everything else in whole units, fractions rounded away from
// zero. Grammar: the pattern of the CRDs' int-or-string fields; values: k8s.io/apimachinery pkg/api/resource.
// Exact for any number of digits; nothing is converted through floating point.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpol::manifest {

struct Amount {
  enum class Status : std::uint8_t {
    Ok,
    Malformed,  // the API server would reject it, an exponent beyond +-99, or negative and beyond int64
    Unlimited,  // reaches the value that Kueue takes for "unlimited" (cpu: MaxInt64 / 1000 cores)
  } status = Status::Malformed;
  std::int64_t value = 0;
};

// In base units of `resource` ("cpu" or any other).
Amount amount_of(std::string_view quantity, std::string_view resource);

// The plain decimal that a quantity stands for, to the nano that Kubernetes keeps: "500m" and "0.50" give "0.5". One
// with a binary suffix is no more than 2^63-1, as Kubernetes has it. Empty when it is malformed.
std::string plain_decimal(std::string_view quantity);

}  // namespace gpol::manifest
