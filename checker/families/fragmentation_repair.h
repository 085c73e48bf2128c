// What would mend a replica that can find no node: batch of whole nodes, quotas of `pods`, more nodes. In: the question
// whose answer it was. Out: the fix, tried by the closed form where it has a number.
#pragma once

#include "checker/families/families.h"
#include "checker/families/fragmentation_question.h"

namespace gpol {

void repair_fragmentation(const Proof& proof, const PoolCapacity& capacity, const nodes::Question& question,
                          const Kinds& kinds, const Replicas& of, Detail& detail);

}  // namespace gpol
