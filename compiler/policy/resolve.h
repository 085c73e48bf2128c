// Syntax tree to policy: names, types, units, defaults, and what a policy may not say. In: the trees of one policy's
// files. Out: a Policy when nothing found is an error, else nothing; always the diagnostics, sorted by place, up to
// kMostMistakes (compiler/source/most.h). Limits: 256 classes beside a cluster (GP0104). Files without a `cluster` are
// a module: no pool can be known, so whatever needs one is left out. The Policy then has an empty cluster name, its
// tenants have no amounts, there are no allows, and there is nothing to prove.
#pragma once

#include <optional>
#include <span>

#include "compiler/policy/policy.h"
#include "compiler/source/diagnostic.h"
#include "compiler/syntax/ast.h"

namespace gpol {

Outcome<std::optional<Policy>> resolve(std::span<const ast::File> files);

}  // namespace gpol
