// What an obligation says, in words. In: an obligation; those that failed bring their own message, those that are
// proven get their family's standard sentence with their figures, made only when they are printed (a large cluster has
// hundreds of thousands).
#pragma once

#include <string>

#include "checker/report/report.h"

namespace gpol {

std::string sentence(const Obligation& obligation);

}  // namespace gpol
