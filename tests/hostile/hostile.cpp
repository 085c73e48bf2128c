// Every entry of the table, with the real program: the exit code and the words that it must give, within 120 s of
// processor time and 1 GiB, and what was built before stays as it was.
#include "tests/hostile/cases.h"
#include "tests/hostile/program.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol::test;
namespace fs = std::filesystem;

namespace {

void check_ended(const Ended& ended, int exit, const std::string& phrase) {
  INFO("took " << ended.seconds << " s and " << ended.rss_mib << " MiB");
  INFO(ended.said.substr(0, 2000));
  CHECK_FALSE(ended.late);
  CHECK(ended.seconds < limits().seconds);
  CHECK(ended.signal == 0);
  CHECK(ended.exit == exit);
  CHECK(ended.rss_mib < limits().rss_mib);
  CHECK(ended.said.find(phrase) != std::string::npos);
  CHECK(ended.said.find("internal error") == std::string::npos);
  // One mistake has one report: of the largest inputs a person reads no more than of the others.
  CHECK(ended.said.size() < 1'000'000);
}

// `large`: `build` alone, which reads and proves as `check` does: such an input takes seconds.
void play(Workshop& workshop, const std::vector<Case>& cases, bool large = false) {
  const fs::path first = workshop.fresh();
  write_text(first / "p.gpol", other_policy());
  REQUIRE(workshop.run({.args = {"build", (first / "p.gpol").string(), "-o", (first / "out").string()}}).exit == 0);
  const Tree old = tree(first / "out");
  for (const Case& bad : cases) {
    INFO(bad.name);
    const fs::path dir = workshop.fresh();
    fs::create_directory(dir / "in-dir");
    bad.make(dir / "in-dir");
    const std::string path = bad.path.empty() ? "" : (dir / "in-dir" / bad.path).string();
    // As nobody: root may read everything.
    if (!large) check_ended(workshop.run({.args = {"check", path}, .as_nobody = true}), bad.exit, bad.phrase);
    fs::copy(first / "out", dir / "out", fs::copy_options::recursive);
    for (const auto& entry : fs::recursive_directory_iterator(dir / "out"))
      if (entry.is_directory()) fs::permissions(entry.path(), fs::perms(0777));
    fs::permissions(dir / "out", fs::perms(0777));
    // A module can be checked and not be built.
    const bool is_module = bad.exit == 0 && bad.phrase == "nothing to prove";
    const int exit = is_module ? 1 : bad.exit;
    check_ended(workshop.run({.args = {"build", path, "-o", (dir / "out").string()}, .as_nobody = true}), exit,
                is_module ? "GP0505" : bad.phrase);
    CHECK((tree(dir / "out") == old) == (exit != 0));
    CHECK(std::distance(fs::directory_iterator(dir), fs::directory_iterator()) == 2);  // nothing beside them
    std::error_code ignored;
    fs::remove_all(dir, ignored);  // they are large
  }
}

}  // namespace

TEST_CASE("hostile: what a policy says") {
  Workshop workshop;
  play(workshop, cases_of_text());
}

TEST_CASE("hostile: how much of it there is") {
  Workshop workshop;
  play(workshop, cases_of_size(), true);
}

TEST_CASE("hostile: how much of it is wrong") {
  Workshop workshop;
  play(workshop, cases_of_unproven(), true);
}

TEST_CASE("hostile: what stands where a policy should") {
  Workshop workshop;
  play(workshop, cases_of_files());
}

TEST_CASE("hostile: manifests of others") {
  Workshop workshop;
  for (const Case& bad : cases_of_manifests()) {
    INFO(bad.name);
    const fs::path dir = workshop.fresh();
    fs::create_directory(dir / "in-dir");
    bad.make(dir / "in-dir");
    const std::string path = (dir / "in-dir" / bad.path).string();
    check_ended(workshop.run({.args = {"verify", path}, .as_nobody = true}), bad.exit, bad.phrase);
    // As JSON the whole of it is told, however long; it goes to a file.
    Command as_json{.args = {"verify", path, "--format", "json"}, .as_nobody = true};
    as_json.output = "/dev/null";
    const Ended ended = workshop.run(as_json);
    CHECK(ended.exit == bad.exit);
    CHECK(ended.seconds < limits().seconds);
    CHECK(ended.rss_mib < limits().rss_mib);
    std::error_code ignored;
    fs::remove_all(dir, ignored);
  }
}

TEST_CASE("hostile: standard input without an end") {
  Workshop workshop;
  Command command{.args = {"check", "-"}};
  command.input = "/dev/zero";
  check_ended(workshop.run(command), 1, "`-` is larger than 64 MiB");
}

TEST_CASE("hostile: the words of a command") {
  Workshop workshop;
  const struct {
    std::vector<std::string> args;
    const char* phrase;
  } table[] = {
      {{}, "gpol needs a command"},
      {{"chekc"}, "did you mean `check`?"},
      {{"check"}, "gpol check needs a PATH"},
      {{"check", "--fromat", "json", "x"}, "did you mean `--format`?"},
      {{"build", "x.gpol"}, "gpol build needs `-o DIR`"},
      {{"check", std::string(100'000, 'x')}, "File name too long"},
  };
  for (const auto& row : table) check_ended(workshop.run({.args = row.args}), 2, row.phrase);
}
