// A history played in the model, with what it states of its end. In: a history. Out: nothing where all of it is the
// case; else what is not.
#pragma once

#include <string>

#include "tests/conformance/differential/outcome.h"

namespace gpol::planted_bugs {

std::string played(const differential::History& history);

}  // namespace gpol::planted_bugs
