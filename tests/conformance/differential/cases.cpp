#include "tests/conformance/differential/cases.h"

#include <iterator>

namespace gpol::differential {

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& section : {quota_cases, manifest_cases, flavor_cases, change_cases, preemption_cases, reclaim_cases,
                              share_cases, sibling_cases, object_cases, switch_cases, waiting_cases, ending_cases}) {
    std::vector<Case> some = section();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace gpol::differential
