#include <utility>

#include "emit/kinds/kinds.h"

namespace gpol::kinds {

yaml::Value resource_quota(const ResourceQuota& quota) {
  yaml::Map hard;
  for (const auto& [what, most] : quota.hard) hard.emplace_back(what, std::to_string(most));  // a Quantity
  return with(object({.api_version = "v1", .kind = "ResourceQuota", .name = quota.name, .ns = quota.ns}), "spec",
              yaml::Map{{"hard", std::move(hard)}});
}

}  // namespace gpol::kinds
