// What `build` wrote is proven by `verify` without flags (docs/explain/GP0604.md), of every policy that is proven.
#include "tests/golden/golden.h"
#include "tests/golden/shard.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

TEST_CASE("goldens: verify proves of what build wrote what check proves of the policy") {
  const Root root;
  std::vector<Golden> all = goldens(GPOL_ROOT);
  for (Golden& example : examples(GPOL_ROOT)) all.push_back(std::move(example));
  int believed = 0;
  for (const Golden& golden : of_shard(std::move(all))) {
    if (golden.reads_stdin) continue;
    const Scratch scratch;
    const std::string out = (scratch / "out").string();
    if (run_gpol({"build", golden.policy.string(), "-o", out}).code != 0) continue;
    INFO(golden.policy.string());
    const Ran ran = run_gpol({"verify", out});
    CHECK(ran.code == 0);
    if (ran.code != 0) UNSCOPED_INFO(ran.out);
    ++believed;
  }
  CHECK((believed > 5 || !shard().is_large()));
}

}  // namespace gpol::test
