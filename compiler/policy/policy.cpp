#include "compiler/policy/policy.h"

#include <stdexcept>

namespace gpol {

std::string_view resource_name(Resource resource) {
  switch (resource) {
    case Resource::Cpu:
      return "cpu";
    case Resource::Memory:
      return "memory";
    case Resource::Gpu:
      return "nvidia.com/gpu";
    case Resource::Pods:
      return "pods";
  }
  throw std::logic_error("internal error: a resource that does not exist");
}

Policy::Policy() = default;
Policy::Policy(const Policy&) = default;
Policy::Policy(Policy&&) noexcept = default;
Policy& Policy::operator=(const Policy&) = default;
Policy& Policy::operator=(Policy&&) noexcept = default;
Policy::~Policy() = default;

}  // namespace gpol
