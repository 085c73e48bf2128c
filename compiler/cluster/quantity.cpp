#include "compiler/cluster/quantity.h"

#include <array>

namespace gpol {

namespace {

// The largest suffix that leaves a whole number. `power` is where the amount starts: its unit is base^power.
template <std::size_t n>
std::string with_suffix(std::int64_t amount, std::int64_t base, std::size_t power,
                        const std::array<std::string_view, n>& suffixes) {
  if (amount == 0) return "0";
  while (power + 1 < n && amount % base == 0) {
    amount /= base;
    ++power;
  }
  return std::to_string(amount).append(suffixes.at(power));
}

constexpr std::array<std::string_view, 8> kDecimal = {"m", "", "k", "M", "G", "T", "P", "E"};
constexpr std::array<std::string_view, 7> kBinary = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

bool counted_in_bytes(std::string_view resource) {
  return resource == "memory" || resource == "ephemeral-storage" || resource.substr(0, 10) == "hugepages-";
}

}  // namespace

std::string quantity(std::string_view resource, std::int64_t amount) {
  if (resource == "cpu") return with_suffix(amount, 1000, 0, kDecimal);
  // Bytes that are no multiple of 1024 are canonical in decimal, as Kubernetes reads a bare number: "1G", "1500".
  if (counted_in_bytes(resource) && amount % 1024 == 0) return with_suffix(amount, 1024, 0, kBinary);
  return with_suffix(amount, 1000, 1, kDecimal);
}

std::string plain_quantity(std::string_view resource, std::int64_t amount) {
  if (resource == "cpu") return amount % 1000 == 0 ? std::to_string(amount / 1000) : std::to_string(amount) + "m";
  constexpr std::int64_t kGi = std::int64_t{1} << 30U;
  return amount > 0 && amount % kGi == 0 ? std::to_string(amount / kGi) + "Gi" : std::to_string(amount);
}

}  // namespace gpol
