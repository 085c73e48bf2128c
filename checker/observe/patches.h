// Patches of an overlay: JSON 6902 lists that change quotas of one ClusterQueue and nothing else. In: the document of a
// patch and the queue as the base has it. Out: the quotas that the patch leaves different, added to the mode.
// Operations as kustomize applies them (RFC 6902): replace and remove need the field to be there, add sets it.
#pragma once

#include "checker/observe/draft.h"
#include "checker/observe/view.h"

namespace gpol::manifest {

void apply_patch(const View& operations, Draft& draft, const Queue& queue, Mode& mode);

// After all patches: drops what equals the base, and reports what Kueue would reject.
void finish_mode(Draft& draft, Mode& mode);

}  // namespace gpol::manifest
