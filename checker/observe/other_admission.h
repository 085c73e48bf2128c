// Admission that is not looked at: webhooks that are not Kueue's, and policies that change what is written
// (admissionregistration.k8s.io). In: an object. Out: what it is, where it is asked about pods, what makes them, or
// Kueue's objects; else nothing.
#pragma once

#include <optional>
#include <string>

#include "checker/observe/tree.h"

namespace gpol::manifest {

std::optional<std::string> other_admission(const Node& object);  // "MutatingWebhookConfiguration `istio`"

}  // namespace gpol::manifest
