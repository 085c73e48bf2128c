// The command: what is written, what is only looked at, and what is left alone.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol;
using gpol::test::Ran;
using gpol::test::read_text;
using gpol::test::run_gpol;
using gpol::test::Scratch;
using gpol::test::write_text;
namespace fs = std::filesystem;

namespace {

const std::string kMessy = "class  a:A{}\n";
const std::string kClean = "class a : A { }\n";
const std::string kWrong = "clas a : A { }\n";

bool says(const Ran& ran, const std::string& text) { return ran.err.find(text) != std::string::npos; }

std::size_t entries(const fs::path& directory) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("fmt: files and directories are rewritten, and those that changed are named") {
  const Scratch dir;
  for (const char* name : {"b.gpol", "sub/a.gpol"}) write_text(dir / name, kMessy);
  for (const char* name : {"clean.gpol", ".hidden/h.gpol"}) write_text(dir / name, kClean);
  write_text(dir / "other.txt", kMessy);
  const auto ran = run_gpol({"fmt", dir.path().string()});
  CHECK(ran.code == 0);
  CHECK(ran.err == "");
  CHECK(ran.out == (dir / "b.gpol").string() + "\n" + (dir / "sub/a.gpol").string() + "\n");
  CHECK(read_text(dir / "b.gpol") == kClean);
  CHECK(read_text(dir / "sub/a.gpol") == kClean);
  CHECK(read_text(dir / "other.txt") == kMessy);
  const auto again = run_gpol({"fmt", dir.path().string()});
  CHECK(again.code == 0);
  CHECK(again.out == "");
  CHECK(entries(dir.path()) == 5);
}

TEST_CASE("fmt: --check and --diff write nothing and end with 1 where something would change") {
  const Scratch dir;
  const std::string messy = (dir / "messy.gpol").string();
  const std::string clean = (dir / "clean.gpol").string();
  write_text(messy, kMessy);
  write_text(clean, kClean);
  const std::string diff = "--- " + messy + "\n+++ " + messy + "\n@@ -1 +1 @@\n-" + kMessy + "+" + kClean;
  const std::pair<std::vector<std::string>, std::string> table[] = {
      {{"fmt", "--check", messy, clean}, messy + "\n"},
      {{"fmt", "--diff", messy, clean}, diff},
      {{"fmt", "--check", "--diff", messy, clean}, diff},
  };
  for (const auto& [args, out] : table) {
    const auto ran = run_gpol(args);
    CHECK(ran.code == 1);
    CHECK(ran.out == out);
    CHECK(ran.err == "");
  }
  for (const char* flag : {"--check", "--diff"}) {
    const auto ran = run_gpol({"fmt", flag, clean});
    CHECK(ran.code == 0);
    CHECK(ran.out == "");
  }
  CHECK(read_text(messy) == kMessy);
}

TEST_CASE("fmt: standard input to standard output") {
  CHECK(run_gpol({"fmt", "-"}, kMessy).out == kClean);
  CHECK(run_gpol({"fmt", "-"}, kMessy).code == 0);
  CHECK(run_gpol({"fmt", "-"}, kClean).out == kClean);
  CHECK(run_gpol({"fmt", "-"}, "").out == "");
  const auto check = run_gpol({"fmt", "--check", "-"}, kMessy);
  CHECK(check.code == 1);
  CHECK(check.out == "-\n");
  const auto diff = run_gpol({"fmt", "--diff", "-"}, "class  a:A{}");
  CHECK(diff.code == 1);
  CHECK(diff.out == "--- -\n+++ -\n@@ -1 +1 @@\n-class  a:A{}\n\\ No newline at end of file\n+class a : A { }\n");
  const auto wrong = run_gpol({"fmt", "-"}, kWrong);
  CHECK(wrong.code == 1);
  CHECK(wrong.out == "");
  CHECK(says(wrong, "error[GP0101]"));
}

TEST_CASE("fmt: a file with mistakes is left alone, the others are not") {
  const Scratch dir;
  write_text(dir / "a.gpol", kMessy);
  write_text(dir / "b.gpol", kWrong);
  write_text(dir / "c.gpol", kMessy);
  const auto ran = run_gpol({"fmt", dir.path().string()});
  CHECK(ran.code == 1);
  CHECK(says(ran, "error[GP0101]"));
  CHECK(read_text(dir / "a.gpol") == kClean);
  CHECK(read_text(dir / "b.gpol") == kWrong);
  CHECK(read_text(dir / "c.gpol") == kClean);
}

TEST_CASE("fmt: what cannot be read is exit 2, the worst wins") {
  const Scratch dir;
  write_text(dir / "b.gpol", kWrong);
  const auto ran = run_gpol({"fmt", "--check", (dir / "no.gpol").string(), (dir / "b.gpol").string()});
  CHECK(ran.code == 2);
  CHECK(says(ran, "error[GP0501]"));
  CHECK(says(ran, "error[GP0101]"));
}

TEST_CASE("fmt: the mode is kept, a link stays a link, two names of one file are one") {
  const Scratch dir;
  write_text(dir / "real.gpol", kMessy);
  fs::permissions(dir / "real.gpol", fs::perms(0640));
  fs::create_symlink("real.gpol", dir / "link.gpol");
  const auto ran = run_gpol({"fmt", (dir / "link.gpol").string(), (dir / "real.gpol").string()});
  CHECK(ran.code == 0);
  CHECK(ran.err == "");
  CHECK(fs::is_symlink(dir / "link.gpol"));
  CHECK(read_text(dir / "real.gpol") == kClean);
  CHECK(fs::status(dir / "real.gpol").permissions() == fs::perms(0640));
}

TEST_CASE("fmt: where nothing can be written the file is as it was, and nothing lies beside it") {
  const Scratch dir;
  const std::string file = (dir / "a.gpol").string();
  const std::string messy = kMessy + std::string(100'000, ' ') + "# " + std::string(100'000, 'x') + "\n";
  write_text(file, messy);
  // A full disk, also for root: files may not grow beyond what is set here.
  rlimit old{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &old) == 0);
  rlimit small = old;
  small.rlim_cur = 50'000;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const auto ran = run_gpol({"fmt", file});
  REQUIRE(setrlimit(RLIMIT_FSIZE, &old) == 0);
  std::signal(SIGXFSZ, handler);
  CHECK(ran.code == 2);
  CHECK(ran.out == "");
  CHECK(says(ran, "error[GP0503]: `" + file + "` cannot be written: "));
  CHECK(read_text(file) == messy);
  CHECK(entries(dir.path()) == 1);
}

TEST_CASE("fmt: a file that may not be written is left alone although its directory may be") {
  const Scratch dir;
  fs::permissions(dir.path(), fs::perms(0777));
  const std::string file = (dir / "a.gpol").string();
  write_text(file, kMessy);
  fs::permissions(file, fs::perms(0444));
  const bool root = geteuid() == 0;
  if (root) REQUIRE(seteuid(65534) == 0);  // root may write everything
  const auto ran = run_gpol({"fmt", file});
  if (root) REQUIRE(seteuid(0) == 0);
  CHECK(ran.code == 2);
  CHECK(says(ran, "error[GP0503]: `" + file + "` cannot be written: Permission denied"));
  CHECK(read_text(file) == kMessy);
  CHECK(entries(dir.path()) == 1);
}
