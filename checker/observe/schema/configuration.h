// What Kueue v0.19.2 would say to its Configuration before it starts. In: the tree of one, nulls and all, in either
// version. Out: every reason why it would not start, as schema.h has them; none: it starts. Facts: pkg/config/config.go
// (strict decoding, defaults) and pkg/config/validation.go; tests/conformance/schema compares with Kueue's own loader.
// The families of the rules:
//   schema:    decoding (tables_configuration.h): unknown fields, types, durations, words
//   config:    what validation.go asks of several fields, or of one as Kueue knows it
// As Kueue does, what cannot be decoded is asked nothing more. Not looked at, because the file does not say it:
//   - gates of `--feature-gates` (controller.h) and of libraries that Kueue links, AllAlpha and AllBeta
//   - the namespace of Kueue's own pod, which is the default of `namespace`: kueue-system is assumed, as outside a pod
//   - what starts and fails later: addresses and ports that are taken, certificates, leases
// Not looked at, because nothing that is proven rests on it: the values of `webhook`, `leaderElection`, `metrics`,
// `health`, `controller`, `tls`, `internalCertManagement`, `clientConnection`, `multiKueue`, `objectRetentionPolicies`,
// `visibilityServer`; that Kueue runs with them is a premise (controller-as-emitted). Nor those of
// `admissionFairSharing`, `queueVisibility` and `resources.deviceClassMappings`, whose presence leaves everything
// undecided. Fields that nobody knows are found there all the same.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "checker/observe/schema/findings.h"
#include "checker/observe/schema/type.h"

namespace gpol::manifest {

std::vector<Violation> refused_at_start(const Node& configuration);

namespace schema {
// The rules of pkg/config/validation.go that the tables cannot say. They are asked of what could be decoded.
std::span<const Rule> configuration_rules();
// The table of a version; null: there is none.
const Type* configuration_type(std::string_view api, std::string_view kind);
}  // namespace schema

// What Kueue can manage (pkg/controller/jobs): its name, and "Kind.version.group".
struct KueueFramework {
  std::string_view name, kind;
};
std::span<const KueueFramework> kueue_frameworks();

}  // namespace gpol::manifest
