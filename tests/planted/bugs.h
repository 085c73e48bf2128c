// The bugs that can be switched on: where each is planted, and what it gets wrong. In: nothing. Out: the same table
// every time, one entry for each of checker/planted.h and one for each rule of the model that can be left out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/kueue/rules.h"
#include "checker/planted.h"

namespace gpol::planted_bugs {

struct Entry {
  std::string name, place, wrong;  // "WalkSpillWhole", "walk", "N6: ..."
  std::optional<Bug> bug;
  std::optional<kueue::Rule> rule;
  bool of_guards = false, of_nodes = false;  // else of queues: which checks can see it
};
const std::vector<Entry>& all();

}  // namespace gpol::planted_bugs
