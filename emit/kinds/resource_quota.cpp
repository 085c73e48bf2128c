#include "emit/kinds/kinds.h"

#include <utility>

namespace gpol::kinds {

yaml::Value resource_quota(const ResourceQuota& quota) {
  yaml::Map hard;
  for (const auto& [what, most] : quota.hard) hard.emplace_back(what, std::to_string(most));  // a Quantity
  yaml::Map spec;
  spec.emplace_back("hard", std::move(hard));
  yaml::Map map = object({.api_version = "v1", .kind = "ResourceQuota", .name = quota.name, .ns = quota.ns});
  map.emplace_back("spec", std::move(spec));
  return map;
}

}  // namespace gpol::kinds
