// The plan of a policy in the repository.
#pragma once

#include <string>

#include "compiler/cluster/intent.h"
#include "compiler/policy/resolve.h"
#include "compiler/source/source_set.h"
#include "compiler/syntax/parse.h"
#include "tests/support/catch.h"
#include "tests/support/example.h"

namespace gpol::test {

inline Planned planned_of(const std::string& path) {
  SourceSet sources;
  const FileId file = sources.add(path, expanded_policy(path));
  auto parsed = parse(sources, file);
  auto resolved = resolve({&parsed.value, 1});
  REQUIRE(resolved.value);
  return plan(*resolved.value);
}

}  // namespace gpol::test
