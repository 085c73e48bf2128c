// `README.md` at the top of the output, for whoever reviews and applies it: what each file is, in which order they are
// applied, who switches windows, how to go back, and what to delete when a later build has an object no more. In: what
// was planned, the cluster's name, the files that stand beside it, and what Kueue's Configuration is. Out: the file.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "compiler/cluster/intent.h"
#include "emit/emit.h"

namespace gpol {

// What `controller/controller_manager_config.yaml` is: lines to merge, or what somebody keeps, with those lines.
enum class ConfigurationFile : std::uint8_t { Lines, Itself, ConfigMap, Values };

RenderedFile readme(const Planned& planned, const std::string& cluster, std::span<const RenderedFile> files,
                    ConfigurationFile configuration);

}  // namespace gpol
