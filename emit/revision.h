// Which text a set of manifests was built from. In: the files of one policy, in the order of their imports. Out: the
// first 16 hex digits of the SHA-256 over their file names and bytes. Only the last component of a path counts, so that
// the same policy gives the same manifests wherever it is checked out.
#pragma once

#include <span>
#include <string>

#include "compiler/source/source_set.h"

namespace gpol {

std::string revision(const SourceSet& sources, std::span<const FileId> files);

}  // namespace gpol
