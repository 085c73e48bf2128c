// What a cluster says to one Queue of Volcano v1.15.1: the structure of its CRD (config/crd/volcano/bases/
// scheduling.volcano.sh_queues.yaml) and what its webhook asks of one alone (pkg/webhooks/admission/queues/validate).
// In: apiVersion and kind. Out: the kind, null for any other; the rules.
#pragma once

#include "checker/observe/schema/findings.h"
#include "checker/observe/schema/tables.h"

namespace gpol::manifest::schema {

const Kind* volcano_kind(std::string_view api, std::string_view name);
std::span<const Rule> volcano_rules();

}  // namespace gpol::manifest::schema
