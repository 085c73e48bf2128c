// Sums of resources, by name, in base units as in cluster.h; what is not named is 0.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/model/volcano/setup.h"

namespace gpol::volcano {

std::int64_t sum(std::int64_t a, std::int64_t b);  // at most INT64_MAX
std::int64_t of(const Amounts& amounts, const std::string& resource);
void add(Amounts& to, const Amounts& amounts);
void subtract(Amounts& from, const Amounts& amounts);
// The greater of both, by resource.
void raise(Amounts& to, const Amounts& least);
// max(0, amounts - less), of what `amounts` names.
Amounts beyond(const Amounts& amounts, const Amounts& less);
// What Volcano compares of them: real_capability.h counts().
Amounts counted(const Amounts& amounts);
// Nothing but `pods`, and zeros.
bool is_empty(const Amounts& amounts);

}  // namespace gpol::volcano
