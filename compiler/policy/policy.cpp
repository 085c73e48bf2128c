#include "compiler/policy/policy.h"

namespace gpol {

Policy::Policy() = default;
Policy::Policy(const Policy&) = default;
Policy::Policy(Policy&&) noexcept = default;
Policy& Policy::operator=(const Policy&) = default;
Policy& Policy::operator=(Policy&&) noexcept = default;
Policy::~Policy() = default;

}  // namespace gpol
