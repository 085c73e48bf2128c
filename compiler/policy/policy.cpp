#include "compiler/policy/policy.h"

namespace gpol {

Policy::Policy() = default;
Policy::Policy(const Policy&) = default;
Policy::Policy(Policy&&) noexcept = default;
Policy& Policy::operator=(const Policy&) = default;
Policy& Policy::operator=(Policy&&) noexcept = default;
Policy::~Policy() = default;

NodeMark label_of(const Pool& pool) { return pool.label.value_or(NodeMark{kPoolKey, pool.name}); }
NodeMark taint_of(const Pool& pool) { return pool.taint.value_or(NodeMark{kPoolKey, pool.name, "NoSchedule"}); }

}  // namespace gpol
