// One file in the place of another.
#include "emit/rewrite.h"

#include <sys/stat.h>
#include <unistd.h>

#include "emit/codes.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

namespace gpol {
namespace {

using test::read_text;
using test::Scratch;
using test::write_text;
namespace fs = std::filesystem;

TEST_CASE("rewrite: a file that was changed meanwhile is left alone, one that holds the text already is done") {
  const Scratch dir;
  write_text(dir / "f", "somebody else's");
  const auto problem = rewrite(dir / "f", "before", "after");
  REQUIRE(problem);
  CHECK(problem->code == code::CannotWrite);
  CHECK(problem->message.ends_with("it was changed meanwhile"));
  CHECK(read_text(dir / "f") == "somebody else's");
  write_text(dir / "f", "after");
  CHECK_FALSE(rewrite(dir / "f", "before", "after"));
  CHECK(read_text(dir / "f") == "after");
}

TEST_CASE("rewrite: a reader that has the file open keeps the whole old text") {
  const Scratch dir;
  write_text(dir / "f", "before");
  std::ifstream reader(dir / "f");
  CHECK_FALSE(rewrite(dir / "f", "before", "after"));
  CHECK(std::string(std::istreambuf_iterator<char>(reader), {}) == "before");
  CHECK(read_text(dir / "f") == "after");
}

TEST_CASE("rewrite: owner, group and mode are kept") {
  const Scratch dir;
  write_text(dir / "f", "before");
  if (geteuid() == 0) REQUIRE(::chown((dir / "f").c_str(), 65534, 65534) == 0);
  fs::permissions(dir / "f", fs::perms(0604));
  struct stat before{};
  struct stat after{};
  REQUIRE(::stat((dir / "f").c_str(), &before) == 0);
  CHECK_FALSE(rewrite(dir / "f", "before", "after"));
  REQUIRE(::stat((dir / "f").c_str(), &after) == 0);
  CHECK(before.st_ino != after.st_ino);
  CHECK(before.st_uid == after.st_uid);
  CHECK(before.st_gid == after.st_gid);
  CHECK(before.st_mode == after.st_mode);
}

TEST_CASE("rewrite: a file that is gone, and a link that leads nowhere, are problems") {
  const Scratch dir;
  CHECK(rewrite(dir / "no", "a", "b"));
  fs::create_symlink("no", dir / "link");
  CHECK(rewrite(dir / "link", "a", "b"));
  CHECK_FALSE(fs::exists(dir / "no"));
}

}  // namespace
}  // namespace gpol
