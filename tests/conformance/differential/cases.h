// The statements of the reference about Kueue that were once executed, each as a history that ends in what it says:
// played in the model and in the real code. In: nothing. Out: named histories, the same every time. Which statement is
// which case: docs/conformance.md.
#pragma once

#include <string>
#include <vector>

#include "tests/conformance/differential/history.h"

namespace gpol::differential {

struct Case {
  std::string name;  // "N15: a StrictFIFO sibling ..."
  History history;   // with the outcome of every cycle
};
// All of them. These and the next throw std::runtime_error where the model itself does not do what a case says.
std::vector<Case> cases();

// By section of the reference.
std::vector<Case> quota_cases();       // 2: the arithmetic
std::vector<Case> manifest_cases();    // 2, 4.4: what is read from YAML
std::vector<Case> flavor_cases();      // 3.2, N10, G's point 5: which flavor
std::vector<Case> change_cases();      // 3.5, 3.6, N6, N7: stops and live changes
std::vector<Case> preemption_cases();  // 4.1, 4.2: who can be evicted
std::vector<Case> reclaim_cases();     // 4.3: G, and N1 to N9, where there is no guarantee
std::vector<Case> share_cases();       // 4.2, N4 and what was found: fair sharing
std::vector<Case> sibling_cases();     // N15: another queue's head
std::vector<Case> object_cases();  // 1.2, 3.2, 3.4, 3.5, 6: LocalQueues, flavors' objects, taints, namespaces, requests
std::vector<Case> switch_cases();  // 3, 4: feature gates and waitForPodsReady
std::vector<Case> ending_cases();  // 2, 10: debt while victims end, class A that waits beside quota of its own
std::vector<Case> waiting_cases();  // 3.4: what happens to a cycle that waits for pods

}  // namespace gpol::differential
