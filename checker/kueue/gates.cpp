#include "checker/kueue/gates.h"

#include <string>

#include "compiler/cluster/kueue_version.h"

namespace gpol::kueue {

Gates::Gates(const KueueConfig& config) {
  for (std::size_t i = 0; i < kGates.size(); ++i) {
    const auto found = config.gates.find(std::string(kGates[i].name));
    if (found == config.gates.end() ? gate_default(kGates[i].name, config.version).value_or(kGates[i].by_default)
                                    : found->second)
      on_ |= std::uint32_t{1} << i;
    else if (kGates[i].rule)
      rules_off_ |= std::uint64_t{1} << static_cast<unsigned>(*kGates[i].rule);
  }
}

}  // namespace gpol::kueue
