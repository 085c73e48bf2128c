#include "emit/write.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "emit/codes.h"
#include "emit/replace.h"
#include "tests/support/catch.h"

using namespace gpol;
namespace fs = std::filesystem;

namespace {

// A directory of the test's own, open to every user and gone afterwards.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "gpol-write-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    root_ = fs::canonical(name);
    fs::permissions(root_, fs::perms(0777));
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  fs::path operator/(const std::string& name) const { return root_ / name; }
  const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

// The root user may write everywhere: what depends on permissions is tried as nobody.
class AsNobody {
 public:
  AsNobody() : was_root_(::geteuid() == 0) {
    if (was_root_) REQUIRE(::seteuid(65534) == 0);
  }
  ~AsNobody() {
    if (was_root_ && ::seteuid(0) != 0) std::abort();
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  bool was_root_;
};

void put(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

// Every file below a directory with its bytes, and every directory entry's name in `names`.
std::map<std::string, std::string> tree(const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (!entry.is_regular_file()) continue;
    std::ostringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    files[fs::relative(entry.path(), directory).string()] = bytes.str();
  }
  return files;
}

std::vector<std::string> names(const fs::path& directory) {
  std::vector<std::string> list;
  for (const auto& entry : fs::directory_iterator(directory)) list.push_back(entry.path().filename().string());
  std::sort(list.begin(), list.end());
  return list;
}

const std::vector<RenderedFile> kSet = {{"base/a.yaml", "a: 1\n"}, {"base/b.yaml", "b: 2\n"}, {"top.yaml", ""}};
const std::vector<RenderedFile> kOther = {{"base/a.yaml", "a: 2\n"}, {"overlays/x/c.yaml", "c: 3\n"}};

void check_holds(const fs::path& directory, const std::vector<RenderedFile>& files) {
  auto found = tree(directory);
  CHECK(found.erase(".gpol-owned") == 1);
  std::map<std::string, std::string> expected;
  for (const RenderedFile& file : files) expected[file.path] = file.bytes;
  CHECK(found == expected);
}

Diagnostic refused(const Outcome<WriteSummary>& outcome) {
  REQUIRE(outcome.diagnostics.size() == 1);
  CHECK_FALSE(outcome.ok());
  CHECK_FALSE(outcome.value.changed);
  return outcome.diagnostics.front();
}

}  // namespace

TEST_CASE("a new directory is made, with an index of its files") {
  const Scratch scratch;
  const auto outcome = write(scratch / "out", kSet);
  CHECK(outcome.ok());
  CHECK(outcome.value.changed);
  CHECK(outcome.value.files == 3);
  check_holds(scratch / "out", kSet);
  CHECK(tree(scratch / "out")[".gpol-owned"] ==
        "gpol-owned 1\n"
        "37b128c59f1f5097f73f82691cb519f1f568667faab5ced1b4ab979d36837eae  base/a.yaml\n"
        "d4eed209fa44e2eb45f5dbe26726d1985cef0bc7b9a2c923a8d7e8003662234e  base/b.yaml\n"
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  top.yaml\n");
  CHECK(names(scratch.root()) == std::vector<std::string>{"out"});
}

TEST_CASE("a trailing slash, an empty directory and one of empty directories are all fine") {
  const Scratch scratch;
  fs::create_directories(scratch / "out" / "base" / "empty");
  const auto outcome = write((scratch / "out").string() + "/", kSet);
  CHECK(outcome.ok());
  check_holds(scratch / "out", kSet);
}

TEST_CASE("a set replaces another and leaves nothing of it") {
  const Scratch scratch;
  REQUIRE(write(scratch / "out", kSet).ok());
  fs::permissions(scratch / "out", fs::perms(0750));
  const auto outcome = write(scratch / "out", kOther);
  CHECK(outcome.ok());
  CHECK(outcome.value.changed);
  check_holds(scratch / "out", kOther);
  CHECK(fs::status(scratch / "out").permissions() == fs::perms(0750));
  CHECK(names(scratch.root()) == std::vector<std::string>{"out"});
}

TEST_CASE("the same bytes again touch nothing") {
  const Scratch scratch;
  REQUIRE(write(scratch / "out", kSet).ok());
  const auto past = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(scratch / "out" / "base" / "a.yaml", past);
  fs::last_write_time(scratch / "out", past);
  const auto outcome = write(scratch / "out", kSet);
  CHECK(outcome.ok());
  CHECK_FALSE(outcome.value.changed);
  CHECK(outcome.value.files == 3);
  CHECK(fs::last_write_time(scratch / "out" / "base" / "a.yaml") == past);
  CHECK(fs::last_write_time(scratch / "out") == past);
}

TEST_CASE("an owned file that was edited, removed or added to the set is written anew") {
  const Scratch scratch;
  REQUIRE(write(scratch / "out", kSet).ok());
  put(scratch / "out" / "base" / "a.yaml", "a: 9\n");  // as long as it was
  CHECK(write(scratch / "out", kSet).value.changed);
  check_holds(scratch / "out", kSet);
  fs::remove(scratch / "out" / "top.yaml");
  CHECK(write(scratch / "out", kSet).value.changed);
  check_holds(scratch / "out", kSet);
}

TEST_CASE("a directory of somebody else's files is refused and left alone") {
  const Scratch scratch;
  put(scratch / "out" / "sub" / "notes.txt", "mine");
  put(scratch / "out" / "z.txt", "mine too");
  const auto before = tree(scratch.root());
  const Diagnostic diagnostic = refused(write(scratch / "out", kSet));
  CHECK(diagnostic.code == code::ForeignOutput);
  CHECK(diagnostic.message.find("`sub/notes.txt`") != std::string::npos);
  CHECK_FALSE(diagnostic.hint.empty());
  CHECK(tree(scratch.root()) == before);
}

TEST_CASE("one foreign file among gpol's own is enough") {
  const Scratch scratch;
  REQUIRE(write(scratch / "out", kSet).ok());
  put(scratch / "out" / "base" / "extra.yaml", "x");
  const auto before = tree(scratch.root());
  const Diagnostic diagnostic = refused(write(scratch / "out", kOther));
  CHECK(diagnostic.code == code::ForeignOutput);
  CHECK(diagnostic.message.find("`base/extra.yaml`") != std::string::npos);
  CHECK(tree(scratch.root()) == before);
}

TEST_CASE("a link is foreign even where the index lists a file") {
  const Scratch scratch;
  REQUIRE(write(scratch / "out", kSet).ok());
  put(scratch / "outside", "precious");
  fs::remove(scratch / "out" / "top.yaml");
  fs::create_symlink(scratch / "outside", scratch / "out" / "top.yaml");
  CHECK(refused(write(scratch / "out", kSet)).code == code::ForeignOutput);
  CHECK(tree(scratch.root())["outside"] == "precious");
}

TEST_CASE("an index that is not one owns nothing") {
  for (const std::string text : {"", "gpol-owned 2\n", "gpol-owned 1\nshort  a.yaml\n", "gpol-owned 1\nno line end"}) {
    const Scratch scratch;
    put(scratch / "out" / ".gpol-owned", text);
    put(scratch / "out" / "a.yaml", "x");
    CAPTURE(text);
    CHECK(refused(write(scratch / "out", kSet)).code == code::ForeignOutput);
    CHECK(tree(scratch / "out").size() == 2);
  }
}

TEST_CASE("what a killed run left is removed, but only with an index, alone and unused") {
  const Scratch scratch;
  REQUIRE(write(scratch / ".gpol-tmp-1-0", kSet).ok());  // killed before or after the swap
  put(scratch / ".gpol-tmp-2-0" / "a.yaml", "no index");
  REQUIRE(write(scratch / ".gpol-tmp-3-0", kSet).ok());
  put(scratch / ".gpol-tmp-3-0" / "stranger", "x");
  REQUIRE(write(scratch / ".gpol-tmp-4-0", kSet).ok());
  put(scratch / ".gpol-tmp-5-0", "a file");
  const int in_use = ::open((scratch / ".gpol-tmp-4-0").c_str(), O_RDONLY | O_DIRECTORY);
  REQUIRE(::flock(in_use, LOCK_EX) == 0);
  CHECK(write(scratch / "out", kSet).ok());
  ::close(in_use);
  CHECK(names(scratch.root()) ==
        std::vector<std::string>{".gpol-tmp-2-0", ".gpol-tmp-3-0", ".gpol-tmp-4-0", ".gpol-tmp-5-0", "out"});
}

TEST_CASE("a half-written set of a killed run is known by its index, which comes first") {
  const Scratch scratch;
  REQUIRE(write(scratch / ".gpol-tmp-1-0", kSet).ok());
  fs::remove_all(scratch / ".gpol-tmp-1-0" / "base");
  CHECK(write(scratch / "out", kSet).ok());
  CHECK(names(scratch.root()) == std::vector<std::string>{"out"});
}

TEST_CASE("what cannot be a target is refused with the reason") {
  const Scratch scratch;
  put(scratch / "file", "x");
  auto reason = [&](const fs::path& path) {
    const Diagnostic diagnostic = refused(write(path, kSet));
    CHECK(diagnostic.code == code::CannotWrite);
    CHECK(diagnostic.message.starts_with("`" + path.string() + "` cannot be written: "));
    return diagnostic.message.substr(diagnostic.message.find(": ") + 2);
  };
  CHECK(reason(scratch / "file") == "it is not a directory");
  CHECK(reason(scratch / "none" / "out") ==
        "its parent directory `" + (scratch / "none").string() + "` does not exist");
  CHECK(reason(scratch / "file" / "out") == "`" + (scratch / "file").string() + "` is not a directory");
  CHECK(reason(scratch / std::string(300, 'x')) == "File name too long");
  CHECK(reason("") == "no directory is named");
  fs::create_symlink("nowhere", scratch / "dangling");
  CHECK(reason(scratch / "dangling") == "it is a symbolic link to something that does not exist");
  fs::create_symlink("loop", scratch / "loop");
  CHECK(reason(scratch / "loop") == "it is a link that leads in a circle");
  CHECK(names(scratch.root()) == std::vector<std::string>{"dangling", "file", "loop"});
}

TEST_CASE("a link to a directory is followed and stays") {
  const Scratch scratch;
  fs::create_directory(scratch / "real");
  fs::create_directory_symlink("real", scratch / "link");
  CHECK(write(scratch / "link", kSet).ok());
  CHECK(fs::is_symlink(scratch / "link"));
  check_holds(scratch / "real", kSet);
  CHECK_FALSE(write(scratch / "link", kSet).value.changed);
}

TEST_CASE("a directory that may not be written is refused before anything is made") {
  const Scratch scratch;
  const AsNobody nobody;
  fs::create_directory(scratch / "shut");
  fs::permissions(scratch / "shut", fs::perms(0555));
  REQUIRE(write(scratch / "out", kSet).ok());
  fs::permissions(scratch / "out", fs::perms(0555));
  for (const fs::path& path : {scratch / "shut" / "new", scratch / "out"}) {
    const Diagnostic diagnostic = refused(write(path, kOther));
    CHECK(diagnostic.code == code::CannotWrite);
    CHECK(diagnostic.message == "`" + path.string() + "` cannot be written: Permission denied");
  }
  CHECK(names(scratch.root()) == std::vector<std::string>{"out", "shut"});
  check_holds(scratch / "out", kSet);
  fs::permissions(scratch / "out", fs::perms(0755));
}

TEST_CASE("a set that fails half-way leaves the old one and no temporary") {
  const Scratch scratch;
  REQUIRE(write(scratch / "out", kSet).ok());
  const std::vector<RenderedFile> broken = {{"a", "x"}, {"a/b", "a file cannot hold files"}};
  CHECK(refused(write(scratch / "out", broken)).code == code::CannotWrite);
  check_holds(scratch / "out", kSet);
  CHECK(names(scratch.root()) == std::vector<std::string>{"out"});
}

TEST_CASE("a file name that leads outside, or comes twice, is never written") {
  const Scratch scratch;
  for (const std::string path :
       {"", "../x", "a/../../x", "a/..", "/etc/x", "a//b", "./a", "a/", "..", ".gpol-owned", "a\nb"}) {
    CAPTURE(path);
    CHECK(refused(write(scratch / "out", std::vector<RenderedFile>{{path, "x"}})).code == code::CannotWrite);
  }
  CHECK(refused(write(scratch / "out", std::vector<RenderedFile>{{"a", "x"}, {"a", "y"}})).code == code::CannotWrite);
  CHECK(names(scratch.root()).empty());
}

TEST_CASE("no files at all make an empty set") {
  const Scratch scratch;
  REQUIRE(write(scratch / "out", kSet).ok());
  CHECK(write(scratch / "out", {}).value.changed);
  check_holds(scratch / "out", {});
  CHECK_FALSE(write(scratch / "out", {}).value.changed);
}

TEST_CASE("directories are swapped in one step or in two") {
  const Scratch scratch;
  put(scratch / "a" / "in-a", "1");
  put(scratch / "b" / "in-b", "2");
  for (const auto swap : {swap_directories, swap_in_two_steps, swap_in_two_steps, swap_directories}) {
    const auto before = tree(scratch / "a");
    std::error_code error;
    swap(scratch / "a", scratch / "b", scratch / "aside", error);
    CHECK_FALSE(error);
    CHECK(tree(scratch / "b") == before);
    CHECK(tree(scratch / "a") != before);
    CHECK(names(scratch.root()) == std::vector<std::string>{"a", "b"});
  }
}

TEST_CASE("a swap of two steps that fails in the second undoes the first") {
  const Scratch scratch;
  put(scratch / "b" / "in-b", "2");
  std::error_code error;
  swap_in_two_steps(scratch / "missing", scratch / "b", scratch / "aside", error);
  CHECK(error == std::errc::no_such_file_or_directory);
  CHECK(tree(scratch / "b").size() == 1);
  CHECK(names(scratch.root()) == std::vector<std::string>{"b"});
}

TEST_CASE("a directory that another run is writing is refused") {
  const Scratch scratch;
  REQUIRE(write(scratch / "out", kSet).ok());
  const int other = ::open((scratch / "out").c_str(), O_RDONLY | O_DIRECTORY);
  REQUIRE(::flock(other, LOCK_EX) == 0);
  const Diagnostic diagnostic = refused(write(scratch / "out", kOther));
  ::close(other);
  CHECK(diagnostic.message ==
        "`" + (scratch / "out").string() + "` cannot be written: another run of gpol is writing it");
  CHECK(write(scratch / "out", kOther).ok());
}

TEST_CASE("many writers of one directory leave one whole set and nothing else") {
  const Scratch scratch;
  REQUIRE(write(scratch / "out", kSet).ok());
  std::vector<std::thread> writers;
  std::array<std::vector<Diagnostic>, 4> refusals;
  for (std::size_t i = 0; i < refusals.size(); ++i)
    writers.emplace_back([&, i] {
      for (std::size_t round = 0; round < 20; ++round)
        for (const Diagnostic& d : write(scratch / "out", (i + round) % 2 == 0 ? kSet : kOther).diagnostics)
          refusals[i].push_back(d);
    });
  for (std::thread& writer : writers) writer.join();
  for (const auto& list : refusals)
    for (const Diagnostic& refusal : list) CHECK(refusal.message.ends_with("another run of gpol is writing it"));
  check_holds(scratch / "out", tree(scratch / "out").contains("top.yaml") ? kSet : kOther);
  CHECK(write(scratch / "out", kSet).ok());
  CHECK(names(scratch.root()) == std::vector<std::string>{"out"});
}
