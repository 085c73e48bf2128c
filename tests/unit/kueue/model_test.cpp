#include "checker/kueue/model.h"

#include "tests/support/catch.h"
#include "tests/unit/kueue/model_builder.h"

using namespace gpol;
using namespace gpol::testing;
using Kind = gpol::kueue::Decision::Kind;

TEST_CASE("what fits is admitted, what does not waits, what leaves makes room") {
  Builder b;
  b.queue("q", "", {.nominal = 4});
  World w(b);
  const auto first = w.run("q", 3);
  const auto second = w.submit("q", 2);
  CHECK(w.model.settle());
  CHECK(w.pending(second));
  CHECK(w.left("q") == 1);
  w.model.finish(first);
  CHECK(w.model.settle());
  CHECK(w.admitted(second));
  CHECK(w.used("q") == 2);
}
