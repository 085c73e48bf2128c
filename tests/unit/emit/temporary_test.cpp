// What killed runs left behind: what is swept, and what is not ours to sweep.
#include "emit/temporary.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "emit/owned_index.h"
#include "emit/write.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol;
using gpol::test::Scratch;
using gpol::test::write_text;
namespace fs = std::filesystem;

namespace {

const std::vector<RenderedFile> kSet = {{"base/a.yaml", "a: 1\n"}, {"top.yaml", ""}};
const std::vector<RenderedFile> kOther = {{"base/a.yaml", "a: 2\n"}};

std::vector<std::string> names(const Scratch& dir) {
  std::vector<std::string> list;
  for (const auto& entry : fs::directory_iterator(dir.path())) list.push_back(entry.path().filename().string());
  std::sort(list.begin(), list.end());
  return list;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a run killed before its index was whole leaves what the next one removes") {
  const std::string index = index_text(kSet);
  for (std::size_t cut = 0; cut <= index.size(); cut += 7) {
    const Scratch dir;
    write_text(dir / ".gpol-tmp-12-0/.gpol-owned", index.substr(0, cut));
    fs::create_directory(dir / ".gpol-tmp-13-4");
    CAPTURE(cut);
    CHECK(write(dir / "out", kSet).ok());
    CHECK(names(dir) == Names{"out"});
  }
}

TEST_CASE("a directory that only looks like a temporary stays") {
  const Scratch dir;
  fs::create_directory(dir / ".gpol-tmp-notes");
  fs::create_directory(dir / ".gpol-tmp-1");
  fs::create_directory(dir / ".gpol-tmp-1-0-old");
  write_text(dir / ".gpol-tmp-2-0/.gpol-owned", "gpol-owned 1\nnot a sum");
  write_text(dir / ".gpol-tmp-3-0/.gpol-owned", "my list");
  write_text(dir / ".gpol-tmp-4-0/sub/.gpol-owned", "");
  fs::create_directories(dir / ".gpol-tmp-5-0/empty");
  fs::create_directory(dir / "elsewhere");
  fs::create_directory_symlink("elsewhere", dir / ".gpol-tmp-6-0");
  fs::create_directory(dir / ".gpol-tmp-7-0");
  fs::create_symlink("../elsewhere", dir / ".gpol-tmp-7-0/.gpol-owned");
  const Names before = names(dir);
  CHECK(write(dir / "out", kSet).ok());
  Names after = names(dir);
  std::erase(after, "out");
  CHECK(after == before);
}

TEST_CASE("what another run is beginning is not swept, and it does not begin in what is being swept") {
  const Scratch dir;
  fs::create_directory(dir / ".gpol-tmp-8-0");
  const int other = ::open((dir / ".gpol-tmp-8-0").c_str(), O_RDONLY | O_DIRECTORY);
  REQUIRE(::flock(other, LOCK_EX) == 0);
  CHECK(write(dir / "out", kSet).ok());
  CHECK(names(dir) == Names{".gpol-tmp-8-0", "out"});
  ::close(other);
  CHECK(write(dir / "out", kOther).ok());
  CHECK(names(dir) == Names{"out"});
}

TEST_CASE("a run that changes nothing sweeps too") {
  const Scratch dir;
  REQUIRE(write(dir / "out", kSet).ok());
  REQUIRE(write(dir / ".gpol-tmp-1-0", kOther).ok());  // the old set of a run killed after the swap
  CHECK_FALSE(write(dir / "out", kSet).value.changed);
  CHECK(names(dir) == Names{"out"});
}

TEST_CASE("with nothing at the target an old set is kept until there is a new one") {
  const Scratch dir;
  REQUIRE(write(dir / ".gpol-tmp-1-0-old", kSet).ok());  // killed between the two steps of a swap
  const std::vector<RenderedFile> broken = {{"a", "x"}, {"a/b", "a file cannot hold files"}};
  CHECK_FALSE(write(dir / "out", broken).ok());
  CHECK(names(dir) == Names{".gpol-tmp-1-0-old"});
  CHECK(write(dir / "out", kOther).ok());
  CHECK(names(dir) == Names{"out"});
}

TEST_CASE("a write that is stopped leaves the old set and nothing else") {
  const Scratch dir;
  REQUIRE(write(dir / "out", kSet).ok());
  int asked = 0;
  const auto whole = write(dir / "other", kOther, [&] { return ++asked < 0; });
  CHECK(whole.ok());
  CHECK(asked == 2);  // before its one file, and before the swap
  for (int at = 1; at <= asked; ++at) {
    int now = 0;
    CHECK_FALSE(write(dir / "out", kOther, [&] { return ++now == at; }).ok());
    CHECK(names(dir) == Names{"other", "out"});
    CHECK_FALSE(write(dir / "out", kSet).value.changed);
  }
}
