// Checks that several rules need: metav1's own on labels and annotations, and quantities.
#pragma once

#include "checker/observe/schema/findings.h"

namespace gpol::manifest::schema {

// validation.ValidateLabels of metav1: keys and values of a map. What is null is absent.
void check_labels(const Look& labels, const Report& report);
// The same for an object's own metadata, where null is an empty value.
void check_own_labels(const Look& labels, const Report& report);
// validation.ValidateAnnotations: keys in any case, 256 KiB in all.
void check_annotations(const Look& annotations, const Report& report);
void check_own_annotations(const Look& annotations, const Report& report);
// validation.ValidateLabelSelector of metav1.
void check_selector(const Look& selector, const Report& report);
// Text that the CRD's pattern lets through and resource.ParseQuantity does not; what a webhook cannot decode is
// refused.
bool check_quantity(const Look& quantity, const Report& report);
// Whether a quantity that check_quantity takes is below zero.
bool is_negative(const Look& quantity);

}  // namespace gpol::manifest::schema
