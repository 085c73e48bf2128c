#include "compiler/policy/policy.h"

namespace gpol {

GPOL_SPECIAL_MEMBERS_OF(Policy);

NodeMark label_of(const Pool& pool) { return pool.label.value_or(NodeMark{kPoolKey, pool.name}); }
NodeMark taint_of(const Pool& pool) { return pool.taint.value_or(NodeMark{kPoolKey, pool.name, "NoSchedule"}); }

}  // namespace gpol
