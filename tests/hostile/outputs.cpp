// Where `gpol build` cannot write, or must not: exit 2, its reason, and everything as it was.
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/hostile/program.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol::test;
namespace fs = std::filesystem;

namespace {

// A directory with a policy, an output built from another policy, and nothing else.
struct Built {
  explicit Built(Workshop& workshop) : workshop_(workshop), dir(workshop.fresh()) {
    write_text(dir / "p.gpol", other_policy());
    REQUIRE(build("out").exit == 0);
    old = tree(dir / "out");
    write_text(dir / "p.gpol", good_policy());
  }
  Ended build(const std::string& out, rlim_t largest_file = RLIM_INFINITY) {
    Command command{.args = {"build", (dir / "p.gpol").string(), "-o", (dir / out).string()}, .as_nobody = true};
    command.largest_file = largest_file;
    return workshop_.run(command);
  }
  void refused(const std::string& out, const std::string& phrase) {
    const Tree before = tree(dir);
    const Ended ended = build(out);
    INFO(out << ": " << ended.said);
    CHECK(ended.exit == 2);
    CHECK(ended.said.find(phrase) != std::string::npos);
    CHECK(tree(dir) == before);
    check_clean();
  }
  void check_clean() const {
    for (const auto& entry : fs::directory_iterator(dir))
      CHECK_FALSE(entry.path().filename().string().starts_with(".gpol-tmp-"));
  }

  Workshop& workshop_;
  fs::path dir;
  Tree old;
};

}  // namespace

TEST_CASE("outputs: a directory that may not be written") {
  Workshop workshop;
  Built built(workshop);
  fs::permissions(built.dir / "out", fs::perms(0555));
  built.refused("out", "Permission denied");
  fs::permissions(built.dir / "out", fs::perms(0755));
  fs::permissions(built.dir / "out/nodes", fs::perms(0555));  // the old set could not be removed
  built.refused("out", "Permission denied");
  fs::permissions(built.dir / "out/nodes", fs::perms(0755));
  fs::permissions(built.dir, fs::perms(0555));
  built.refused("out", "Permission denied");
  built.refused("new", "Permission denied");
  fs::permissions(built.dir, fs::perms(0777));
  CHECK(built.build("out").exit == 0);
}

TEST_CASE("outputs: a directory that is not gpol's") {
  Workshop workshop;
  Built built(workshop);
  write_text(built.dir / "foreign/notes.txt", "mine");
  built.refused("foreign", "error[GP0504]");
  write_text(built.dir / "out/mine.yaml", "mine");
  built.refused("out", "`mine.yaml`, which no `gpol build` into");
  fs::remove(built.dir / "out/mine.yaml");
  write_text(built.dir / "claims/.gpol-owned", "gpol-owned 1\n" + std::string(64, 'a') + "  mine.txt\n");
  write_text(built.dir / "claims/mine.txt.bak", "mine");
  built.refused("claims", "error[GP0504]");
  built.refused(".", "error[GP0504]");
  built.refused("p.gpol", "it is not a directory");
  built.refused("p.gpol/below", "is not a directory");
  built.refused("no/such", "does not exist");
  fs::create_symlink("loop", built.dir / "loop");
  built.refused("loop", "it is a link that leads in a circle");
  mkfifo((built.dir / "fifo").c_str(), 0666);
  built.refused("fifo", "it is not a directory");
  fs::create_directory(built.dir / "odd");
  mkfifo((built.dir / "odd/.gpol-owned").c_str(), 0666);
  built.refused("odd", "error[GP0504]");
  for (const char* place : {"/", "/etc", "/proc/self", "/dev/null"}) {
    const Ended ended = workshop.run({.args = {"build", (built.dir / "p.gpol").string(), "-o", place}});
    INFO(place << ": " << ended.said);
    CHECK(ended.exit == 2);
  }
}

TEST_CASE("outputs: a file over the user's limit, whichever it is, leaves the old set") {
  Workshop workshop;
  Built built(workshop);
  REQUIRE(built.build("whole").exit == 0);
  rlim_t largest = 0;
  for (const auto& [name, bytes] : tree(built.dir / "whole")) largest = std::max<rlim_t>(largest, bytes.size());
  for (const rlim_t most : {rlim_t{1}, largest / 8, largest / 2, largest - 1}) {
    const Ended ended = built.build("out", most);
    INFO(most << ": " << ended.said);
    CHECK(ended.signal == 0);
    CHECK(ended.exit == 2);
    CHECK(tree(built.dir / "out") == built.old);
    built.check_clean();
  }
  CHECK(built.build("out").exit == 0);
  CHECK(tree(built.dir / "out") == tree(built.dir / "whole"));
}

TEST_CASE("outputs: a full disk leaves the old set, and is a reason") {
  Workshop workshop;
  Built built(workshop);
  fs::create_directory(built.dir / "disk");
  // Too small for a second set beside the first.
  std::size_t bytes = 0;
  for (const auto& file : built.old) bytes += (file.second.size() / 4096 + 1) * 4096;
  const std::string size = "size=" + std::to_string(bytes * 3 / 2) + ",mode=0777";
  if (mount("tmpfs", (built.dir / "disk").c_str(), "tmpfs", 0, size.c_str()) != 0) {
    WARN("skipped: a small file system cannot be mounted here (not root, or a container without the right)");
    return;
  }
  fs::copy(built.dir / "out", built.dir / "disk/out", fs::copy_options::recursive);
  fs::permissions(built.dir / "disk/out", fs::perms(0777));
  const Ended ended =
      workshop.run({.args = {"build", (built.dir / "p.gpol").string(), "-o", (built.dir / "disk/out").string()}});
  const Tree left = tree(built.dir / "disk");
  const Ended direct =
      workshop.run({.args = {"build", (built.dir / "p.gpol").string(), "-o", (built.dir / "disk").string()}});
  umount((built.dir / "disk").c_str());
  INFO(ended.said);
  CHECK(ended.exit == 2);
  CHECK(ended.said.find("No space left on device") != std::string::npos);
  Tree expected;
  for (const auto& [name, text] : built.old) expected["out/" + name] = text;
  CHECK(left == expected);
  CHECK(direct.exit == 2);  // a mount point cannot be replaced, and it holds `out`
}

TEST_CASE("outputs: a report that cannot be printed is exit 2") {
  Workshop workshop;
  Built built(workshop);
  for (const char* command : {"check", "build"}) {
    Command full{.args = {command, (built.dir / "p.gpol").string()}, .as_nobody = true};
    if (std::string(command) == "build") full.args.insert(full.args.end(), {"-o", (built.dir / "new").string()});
    full.output = "/dev/full";
    const Ended ended = workshop.run(full);
    CHECK(ended.exit == 2);
    CHECK(ended.said.find("the output could not be written") != std::string::npos);
  }
  built.check_clean();
}
