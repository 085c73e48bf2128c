// `README.md` at the top of the output, for whoever reviews and applies it: what each file is, in which order they are
// applied, who switches windows, how to go back, and what to delete when a later build has an object no more. In: what
// was planned, the cluster's name, and the files that stand beside it. Out: the file.
#pragma once

#include <span>
#include <string>

#include "compiler/cluster/intent.h"
#include "emit/emit.h"

namespace gpol {

RenderedFile readme(const Planned& planned, const std::string& cluster, std::span<const RenderedFile> files);

}  // namespace gpol
