// What `build` writes, and when it writes nothing.
#include <sys/stat.h>

#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using gpol::test::Ran;
using gpol::test::read_text;
using gpol::test::run_gpol;
using gpol::test::Scratch;
using gpol::test::write_text;
namespace fs = std::filesystem;

namespace {

std::string policy() { return std::string(GPOL_ROOT) + "/examples/morning-ramp/morning-ramp.gpol"; }

Ran build(const std::string& from, const fs::path& to) { return run_gpol({"build", from, "-o", to.string()}); }

bool says(const Ran& ran, const std::string& part) { return ran.out.find(part) != std::string::npos; }

std::string changed(const std::string& what, const std::string& with) {
  std::string text = read_text(policy());
  const auto at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

}  // namespace

TEST_CASE("build: the same policy again changes nothing") {
  const Scratch dir;
  CHECK(says(build(policy(), dir / "out"), "\nwrote "));
  const auto written = fs::last_write_time(dir / "out");
  const Ran again = build(policy(), dir / "out");
  CHECK(again.code == 0);
  CHECK(says(again, "already holds exactly these"));
  CHECK(fs::last_write_time(dir / "out") == written);
}

TEST_CASE("build: a policy that is not proven leaves what was built before") {
  const Scratch dir;
  REQUIRE(build(policy(), dir / "out").code == 0);
  const std::string before = read_text(dir / "out/base/kustomization.yaml");
  REQUIRE(!before.empty());
  const struct {
    const char* what;
    const char* with;
    int code;
  } table[] = {{"load 25s", "load 200s", 1}, {"load 25s, ", "", 3}, {"$classes(4min", "$classes(4sec", 1}};
  for (const auto& row : table) {
    write_text(dir / "p.gpol", changed(row.what, row.with));
    const Ran ran = build((dir / "p.gpol").string(), dir / "out");
    CHECK(ran.code == row.code);
    CHECK(says(ran, "nothing is written"));
    CHECK(read_text(dir / "out/base/kustomization.yaml") == before);
  }
  CHECK(!fs::exists(dir / "other"));
}

TEST_CASE("build: an undecided family must be allowed by its name") {
  const Scratch dir;
  write_text(dir / "p.gpol", changed("load 25s, ", ""));
  const std::string path = (dir / "p.gpol").string();
  const std::string out = (dir / "out").string();
  CHECK(run_gpol({"build", path, "-o", out, "--allow-gap", "claim"}).code == 3);
  CHECK(!fs::exists(out));
  const Ran allowed = run_gpol({"build", path, "-o", out, "--allow-gap", "claim", "--allow-gap", "reclaim"});
  CHECK(allowed.code == 0);
  CHECK(says(allowed, "with allowed gaps in reclaim"));
  CHECK(fs::exists(dir / "out/base/kustomization.yaml"));
}

TEST_CASE("build: a directory with foreign files is refused as it is") {
  const Scratch dir;
  write_text(dir / "out/mine.txt", "mine");
  const Ran ran = build(policy(), dir / "out");
  CHECK(ran.code == 2);
  CHECK(says(ran, "error[GP0504]"));
  CHECK(ran.out.ends_with("error: nothing is written, though all is proven\n"));
  CHECK(read_text(dir / "out/mine.txt") == "mine");
  CHECK(std::distance(fs::directory_iterator(dir / "out"), fs::directory_iterator()) == 1);
}

TEST_CASE("build: a place that cannot be written is exit 2") {
  const Scratch dir;
  write_text(dir / "file", "text");
  for (const char* place : {"file", "file/below"}) {
    const Ran ran = build(policy(), dir / place);
    CHECK(ran.code == 2);
    CHECK(says(ran, "error[GP0503]"));
    CHECK(ran.out.ends_with("error: nothing is written, though all is proven\n"));
  }
  CHECK(read_text(dir / "file") == "text");
}

TEST_CASE("build: standard input is a policy too") {
  const Scratch dir;
  CHECK(run_gpol({"build", "-", "-o", (dir / "out").string()}, read_text(policy())).code == 0);
  CHECK(fs::exists(dir / "out/base/kustomization.yaml"));
}
