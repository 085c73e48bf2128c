// A request that is bad and gets in, made simple: what it does not need is left out, and texts and numbers are the
// plainest that do, so that what is shown depends on the guards and not on the solver's choice. In: the request, and
// whether one is still bad and admitted. Out: one of which no part can be dropped and no number lowered.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "checker/guards/cel.h"
#include "checker/guards/symbolic.h"

namespace gpol {

// The texts that an expression speaks of.
std::vector<std::string> texts_of(const cel::Expr& expr);

// `there`: parts that stay, and are added where they may be; `texts`: what values and keys may be; `namespaces`:
// preferred names of the request's own.
cel::Value simplest(cel::Value request, const std::vector<symbolic::AlwaysThere>& there,
                    const std::vector<std::string>& texts, const std::vector<std::string>& namespaces,
                    const std::function<bool(const cel::Value&)>& keeps);

}  // namespace gpol
