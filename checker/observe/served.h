// What of an object's apiVersion and kind the API server of a cluster with Kueue v0.19.2 does not know (its CRDs serve
// v1beta1 and v1beta2 of each kind: config/components/crd/bases). In: both words. Out: what is wrong, or nothing; kinds
// of others are theirs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "checker/observe/schema/schema.h"

namespace gpol::manifest {

struct NotServed {
  std::string field, rule, what, hint;  // "apiVersion", "api:version", ...
};
std::optional<NotServed> not_served(const std::string& api, const std::string& kind);

// A hint for what the CRD refuses and Kueue's webhook mends in what is created (pkg/webhooks/clusterqueue_webhook.go:
// it decodes the object, defaults it and writes it anew, on CREATE alone); empty: the CRD sees it first.
std::string taken_at_first(std::string_view kind, const Violation& violation);

}  // namespace gpol::manifest
