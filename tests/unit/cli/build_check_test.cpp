// gpol build --check: what is committed is what the policy gives.
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol::test;
namespace fs = std::filesystem;

namespace {

bool says(const Ran& ran, const std::string& words) {
  INFO(ran.out << ran.err);
  return ran.out.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("build --check: equal, edited, missing, left over, and not there at all", "[slow]") {
  const Scratch dir;
  const std::string policy = (dir / "p.gpol").string(), out = (dir / "out").string();
  write_text(policy, read_text(GPOL_ROOT "/examples/morning-ramp/morning-ramp.gpol"));
  const auto check = [&] { return run_gpol({"build", policy, "-o", out, "--check"}); };
  CHECK(check().code == 1);
  CHECK_FALSE(fs::exists(out));  // it only looks
  REQUIRE(run_gpol({"build", policy, "-o", out}).code == 0);
  CHECK(check().code == 0);
  CHECK(says(check(), "holds exactly these"));
  const std::string file = out + "/base/queues.yaml";
  const std::string whole = read_text(file);
  write_text(file, whole + "# by hand\n");
  CHECK(check().code == 1);
  CHECK(says(check(), "differs: " + file));
  CHECK(says(check(), "error[GP0506]"));
  CHECK(says(check(), "1 of "));
  CHECK(read_text(file) == whole + "# by hand\n");
  write_text(file, whole);
  CHECK(check().code == 0);
  fs::rename(file, dir / "aside");
  CHECK(says(check(), "missing: " + file));
  fs::rename(dir / "aside", file);
  write_text(dir / "out/notes.txt", "mine\n");
  CHECK(says(check(), "not of this policy: " + (dir / "out/notes.txt").string()));
  fs::remove(dir / "out/notes.txt");
  std::string text = read_text(policy);
  text.replace(text.find("up to 8 gpus"), 12, "up to 4 gpus");
  write_text(policy, text);
  CHECK(check().code == 1);
  CHECK(says(check(), "differs: "));
  write_text(policy, "tenant");  // a mistake, or what is not proven, is told as build tells it
  CHECK(check().code == 1);
  CHECK_FALSE(says(check(), "GP0506"));
}
