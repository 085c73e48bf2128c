#include <set>

#include "checker/observe/kinds/kinds.h"
#include "tests/support/catch.h"

namespace gpol::manifest {
namespace {

// By its kind alone a reader says which version of an object is the one understood.
TEST_CASE("every kind is in the table once, and somebody reads it") {
  std::set<std::string_view> kinds;
  for (const KindRow& row : kKinds) {
    INFO(row.kind);
    CHECK(kinds.insert(row.kind).second);
    CHECK((row.read_back != nullptr || row.read_given != nullptr));
    CHECK(kind_row(row.api, row.kind) == &row);
  }
  CHECK(kind_row("v1", "ClusterQueue") == nullptr);
}

}  // namespace
}  // namespace gpol::manifest
