// The bugs that can be switched on: where each is planted, and what it gets wrong. In: nothing. Out: the same table
// every time, one entry for each of checker/planted.h and one for each rule of the model that can be left out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/kueue/rules.h"
#include "checker/planted.h"

namespace gpol::planted_bugs {

enum class About : std::uint8_t { Queues, Nodes, Guards };  // which checks can see it

struct Entry {
  std::string name, place, wrong;  // "WalkOnHoldIsEmpty", "walk", "hazard 7: ..."
  std::optional<Bug> bug;
  std::optional<kueue::Rule> rule;
  About about = About::Queues;
};
const std::vector<Entry>& all();

}  // namespace gpol::planted_bugs
