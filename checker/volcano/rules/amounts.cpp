#include "checker/volcano/rules/amounts.h"

#include <algorithm>

#include "checker/volcano/rules/real_capability.h"
#include "compiler/source/lookup.h"

namespace gpol::volcano {

std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? INT64_MAX : result;
}

std::int64_t of(const Amounts& amounts, const std::string& resource) { return value_or(amounts, resource, 0); }

void add(Amounts& to, const Amounts& amounts) {
  for (const auto& [resource, amount] : amounts) to[resource] = sum(to[resource], amount);
}

void subtract(Amounts& from, const Amounts& amounts) {
  for (const auto& [resource, amount] : amounts) from[resource] -= amount;
}

void raise(Amounts& to, const Amounts& least) {
  for (const auto& [resource, amount] : least) {
    const auto [entry, added] = to.try_emplace(resource, amount);
    if (!added) entry->second = std::max(entry->second, amount);
  }
}

Amounts beyond(const Amounts& amounts, const Amounts& less) {
  Amounts result;
  for (const auto& [resource, amount] : amounts)
    if (const std::int64_t rest = amount - of(less, resource); rest > 0) result.emplace(resource, rest);
  return result;
}

Amounts counted(const Amounts& amounts) {
  Amounts result;
  for (const auto& [resource, amount] : amounts)
    if (counts(resource)) result.emplace(resource, amount);
  return result;
}

bool is_empty(const Amounts& amounts) {
  return std::ranges::all_of(amounts, [](const auto& entry) { return entry.second <= 0 || entry.first == "pods"; });
}

}  // namespace gpol::volcano
