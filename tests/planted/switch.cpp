// Which bug this run has: the one that GPOL_BUG names (bugs.cpp has the names), none without it.
#include <cstdlib>
#include <stdexcept>

#include "checker/kueue/rules.h"
#include "tests/planted/bugs.h"

namespace gpol {

namespace {

const planted_bugs::Entry* chosen() {
  static const planted_bugs::Entry* const entry = [] {
    const char* wanted = std::getenv("GPOL_BUG");
    if (wanted == nullptr) return static_cast<const planted_bugs::Entry*>(nullptr);
    for (const auto& one : planted_bugs::all())
      if (one.name == wanted) return &one;
    throw std::runtime_error(std::string("no such bug: ") + wanted);
  }();
  return entry;
}

}  // namespace

bool planted(Bug bug) {
  const auto* entry = chosen();
  return entry != nullptr && entry->bug == bug;
}

std::uint64_t planted_rules() {
  const auto* entry = chosen();
  return entry == nullptr || !entry->rule ? 0 : std::uint64_t{1} << static_cast<unsigned>(*entry->rule);
}

}  // namespace gpol
