// Every statement of the reference about Kueue that was once executed, played in the model: what each states of its end
// the real code has done (tests/conformance/differential holds both to it).
#include "tests/conformance/differential/cases.h"
#include "tests/planted/played.h"
#include "tests/support/catch.h"

TEST_CASE("the cases that the real Kueue code was held to") {
  const auto cases = gpol::differential::cases();  // throws where the model does not do what a case says
  CHECK(cases.size() >= 100);
  for (const auto& one : cases) {
    INFO(one.name);
    CHECK(gpol::planted_bugs::played(one.history).empty());
  }
}
