// The statements of the reference about Kueue that were once executed, each as a history that ends in what it says:
// played in the model and in the real code. In: nothing. Out: named histories, the same every time.
#pragma once

#include <string>
#include <vector>

#include "tests/conformance/differential/history.h"

namespace gpol::differential {

struct Case {
  std::string name;  // "N15: a StrictFIFO sibling ..."
  History history;   // with the outcome of every cycle
};
// Throws std::runtime_error where the model itself does not do what a case says.
std::vector<Case> cases();

}  // namespace gpol::differential
