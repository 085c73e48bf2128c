// What of a given Configuration contradicts a proof. In: the Configuration and what is proven. Out: GP0507 for each
// line of it, with what to change; nothing: to the proof it means what the Configuration that was planned means, once
// it has the lines of that one (kueue_config.h).
#pragma once

#include <string_view>
#include <vector>

#include "checker/observe/given_configuration.h"
#include "compiler/cluster/intent.h"
#include "compiler/source/diagnostic.h"

namespace gpol {

std::vector<Diagnostic> conflicts(const GivenConfiguration& given, const Planned& planned);

// How long the pods of a workload must be given to get ready: "30m", Kueue's own time, or longer.
std::string_view pods_ready_time(const Planned& planned);

}  // namespace gpol
