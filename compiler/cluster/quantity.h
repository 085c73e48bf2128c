// Amounts as Kubernetes writes them. In: a resource's name and an amount in base units (cpu: millicores, memory: bytes,
// all else: whole units). Out: the canonical string of resource.Quantity (apimachinery pkg/api/resource), the one that
// an API server or Kueue's webhook would write back, so that an applied object never differs from the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpol {

std::string quantity(std::string_view resource, std::int64_t amount);
// As people write it, in repairs of their manifests: "2000", "500m", "64Gi", "8".
std::string plain_quantity(std::string_view resource, std::int64_t amount);

}  // namespace gpol
