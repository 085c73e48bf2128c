// `gpol build` into a directory that was built for another cluster.
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using gpol::test::read_text;
using gpol::test::run_gpol;
using gpol::test::Scratch;
using gpol::test::write_text;

TEST_CASE("build: the directory of another cluster is left alone", "[slow]") {
  const Scratch dir;
  const std::string text = run_gpol({"init", "-", "--nodes", "4x8", "--serving", "16", "--back", "never"}).out;
  REQUIRE(text.find("cluster demo {") != std::string::npos);
  const auto build = [&](const std::string& cluster, const std::string& from) {
    std::string named = text;
    named.replace(named.find("cluster demo"), 12, "cluster " + cluster);
    write_text(dir / from, named);
    return run_gpol({"build", (dir / from).string(), "-o", (dir / "out").string()});
  };
  REQUIRE(build("east", "a.gpol").code == 0);
  const std::string before = read_text(dir / "out/.gpol-owned");
  CHECK(before.starts_with("gpol-owned 1 east\n"));
  const auto ran = build("west", "b.gpol");
  CHECK(ran.code == 2);
  CHECK(ran.out.find("error[GP0504]: `" + (dir / "out").string() + "` holds what was built for cluster `east`\n") == 0);
  CHECK(read_text(dir / "out/.gpol-owned") == before);
  CHECK(build("east", "c.gpol").code == 0);  // the same cluster, from another file
  // An index of an earlier release names nobody.
  const std::string now = read_text(dir / "out/.gpol-owned");
  write_text(dir / "out/.gpol-owned", "gpol-owned 1\n" + now.substr(now.find('\n') + 1));
  CHECK(build("west", "b.gpol").code == 0);
}
