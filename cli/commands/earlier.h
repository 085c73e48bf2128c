// What an earlier `build` wrote, read back from its directory by the reader that reads all manifests. In: the
// directory. Out: its objects, or one mistake with a code and a place: GP0501 where it is not there (exit 2), GP0509
// where it is not what gpol wrote (exit 1).
#pragma once

#include <string>
#include <vector>

#include "compiler/cluster/retired.h"
#include "compiler/source/diagnostic.h"
#include "emit/emit.h"

namespace gpol {

// Nobody is retired in it.
Outcome<Earlier> read_earlier(const std::string& directory);

// The ClusterQueues that `directory` holds now and `files`, which are to be written there, do not; empty where nobody
// can tell.
std::vector<std::string> queues_that_leave(const std::string& directory, const std::vector<RenderedFile>& files);

}  // namespace gpol
