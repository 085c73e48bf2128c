// Older versions of Kueue's objects as the newest one. In: an object as it was written. Out: the same object as
// v1beta2 spells it, positions kept; what changed is listed in Kueue's apis/kueue/v1beta1/*_conversion.go and
// apis/config/v1beta1. Values that v1beta1 does not have are left for whoever validates.
#pragma once

#include <string>

#include "checker/observe/tree.h"

namespace gpol::manifest {

// A field that is null is not there: the API server takes it out before it fills in defaults, and Go reads it as
// nothing. Values of labels and annotations are texts, and stay; so do items of lists.
void drop_nulls(Node& node);

// Kueue's objects and its Configuration, served in more than one version. Does nothing to all others.
void to_newest(Node& object);

// One that is absent is one that is empty.
void give_spec(Node& object);

// A field of a converted object, in the words of its file: "spec.cohort" for "spec.cohortName".
std::string as_written(std::string field, bool converted);

// Of a Configuration, which Go decodes: a null gate is false, a null label empty text. Before nulls are dropped.
void decode_nulls(Node& configuration);

}  // namespace gpol::manifest
