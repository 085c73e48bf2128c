// Copying, moving and ending the large structs of this folder.
#include "compiler/cluster/cluster.h"
#include "compiler/cluster/intent.h"
#include "compiler/cluster/pod_facts.h"

namespace gpol {

GPOL_SPECIAL_MEMBERS_OF(Cluster);
GPOL_SPECIAL_MEMBERS_OF(QueueRole);
GPOL_SPECIAL_MEMBERS_OF(Intent);
GPOL_SPECIAL_MEMBERS_OF(PodFacts);

}  // namespace gpol
