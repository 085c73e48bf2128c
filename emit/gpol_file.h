// gpol.yaml at the top of the output: what `gpol verify` cannot see in the manifests (docs/explain/GP0604.md). In: what
// was planned. Out: the file: of queues their roles, classes, deadlines, reserves, replicas and the shapes of batch;
// times, tenants outside the queue, Nodes, and the version of Kueue.
#pragma once

#include "compiler/cluster/intent.h"
#include "emit/emit.h"

namespace gpol {

RenderedFile gpol_file(const Planned& planned);

}  // namespace gpol
