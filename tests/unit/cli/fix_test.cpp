// check --fix: what is written, what is not, and that a fixed policy says what it said.
#include <sys/stat.h>

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

std::string golden(const std::string& name) { return read_text(std::string(GPOL_ROOT) + "/tests/golden/" + name); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The last line.
std::string headline(const Ran& ran) {
  const std::string text = ran.out.substr(0, ran.out.size() - 1);
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

TEST_CASE("fix: every lint of the goldens is followed, and the verdict stays", "[slow]") {
  for (const char* name : {"lint/definitions_and_imports_of_no_use.gpol", "lint/declarations_of_no_use.gpol",
                           "lint/allows_that_add_nothing.gpol", "lint/promises_that_follow.gpol",
                           "proof/a_trust_that_nothing_rests_on.gpol"}) {
    INFO(name);
    const Scratch dir;
    const fs::path file = dir / "policy.gpol";
    write_text(file, golden(name));
    const bool clean = run_gpol({"fmt", "--check", file.string()}).code == 0;
    const auto before = run_gpol({"check", "--allow-gap", "slo", file.string()});
    CHECK((has(before.out, "[GP04") || has(before.out, "[GP0307]")));
    const auto fixed = run_gpol({"check", "--allow-gap", "slo", "--fix", file.string()});
    INFO(fixed.out);
    CHECK(fixed.code == before.code);
    CHECK(headline(fixed) == headline(before));
    CHECK(!has(fixed.out, "[GP04"));
    CHECK(!has(fixed.out, "[GP0307]"));
    CHECK(!has(fixed.out, "\nfixed 0\n"));
    CHECK(!has(read_text(file), "#~ GP04"));
    if (clean) CHECK(run_gpol({"fmt", "--check", file.string()}).code == 0);
    const auto again = run_gpol({"check", "--fix", file.string()});
    CHECK(has(again.out, "\nfixed 0\n"));
  }
}

TEST_CASE("fix: the same slip twice in one item, which tells one at a time") {
  const Scratch dir;
  const fs::path file = dir / "policy.gpol";
  write_text(file, "cluster a { pool p on n as mig { 2x 3g.40gb, 1x 1g.10gb } }\n");
  run_gpol({"check", "--fix", file.string()});
  const std::string once = read_text(file);
  CHECK(has(once, "mig { 2 x 3g.40gb, 1 x 1g.10gb }"));
  CHECK(has(run_gpol({"check", "--fix", file.string()}).out, "\nfixed 0\n"));
  CHECK(read_text(file) == once);
}

TEST_CASE("fix: what nobody uses goes with all that only it used, and comments of others stay", "[slow]") {
  const Scratch dir;
  const fs::path file = dir / "policy.gpol";
  std::string text = golden("lint/definitions_and_imports_of_no_use.gpol");
  write_text(file, text);
  const auto ran = run_gpol({"check", "--fix", file.string()});
  CHECK(has(ran.out, "fixed " + file.string() + ":"));
  const std::string after = read_text(file);
  CHECK(!has(after, "define quiet"));
  CHECK(!has(after, "Nothing is made of these two"));
  CHECK(has(after, "import gpol/classes\n\ncluster demo"));
  CHECK(has(after, "define own($name, $gpus)"));
}

TEST_CASE("fix: a file that others of the run import is not told what it does not use itself", "[slow]") {
  const Scratch dir;
  const std::string text = golden("lint/declarations_of_no_use.gpol");
  write_text(dir / "cluster.gpol", text + "\ndefine team { owner @team }\n");
  CHECK(has(run_gpol({"check", (dir / "cluster.gpol").string()}).out, "`team` is defined and never used"));
  write_text(dir / "whole.gpol", "language 1\nimport \"cluster.gpol\"\ncohort more in company\n");
  const auto ran = run_gpol({"check", dir.path().string()});
  CHECK(!has(ran.out, "`team` is defined"));
  CHECK(has(ran.out, "cohort `more` is never used"));
  const auto fixed = run_gpol({"check", "--fix", dir.path().string()});
  CHECK(has(fixed.out, "fixed 1\n"));
  CHECK(read_text(dir / "cluster.gpol") == text + "\ndefine team { owner @team }\n");
  CHECK(read_text(dir / "whole.gpol") == "language 1\nimport \"cluster.gpol\"\n");
}

TEST_CASE("fix: a module is left alone, and so is what is imported but not named") {
  const Scratch dir;
  const std::string module = "language 1\n\ndefine quiet { grace 60s }\n\ncalendar holidays { 2026-12-25 }\n";
  write_text(dir / "sub/module.gpol", module);
  write_text(dir / "policy.gpol", golden("lint/declarations_of_no_use.gpol") + "import \"sub/module.gpol\"\n");
  const auto ran = run_gpol({"check", "--fix", (dir / "sub/module.gpol").string()});
  CHECK(ran.code == 0);
  CHECK(has(ran.out, "fixed 0\n"));
  CHECK(read_text(dir / "sub/module.gpol") == module);
}

TEST_CASE("fix: what a definition makes is left alone, and a declaration that holds a reference goes whole", "[slow]") {
  const Scratch dir;
  const fs::path file = dir / "policy.gpol";
  const std::string text = golden("proof/a_trust_that_nothing_rests_on.gpol") +
                           "define closing($name) { calendar $name { 2026-12-25 } }\n$closing(holidays)\n"
                           "define size { 10 GiB }\nhardware Small { memory $size }\n";
  write_text(file, text);
  const auto ran = run_gpol({"check", "--fix", file.string()});
  INFO(ran.out);
  const std::string after = read_text(file);
  CHECK(has(after, "$closing(holidays)"));
  CHECK(!has(after, "hardware Small"));
  CHECK(!has(after, "define size"));
  CHECK(!has(after, "times-hold"));
}

TEST_CASE("fix: standard input, a stage, a read-only file and a link out of the repository are refused") {
  CHECK(run_gpol({"check", "--fix", "-"}, "language 1\n").code == 2);
  CHECK(run_gpol({"check", "--fix", "--dump=ast", "a.gpol"}).code == 2);
  const Scratch dir;
  const Scratch other;
  const std::string text = golden("lint/declarations_of_no_use.gpol");
  fs::create_directories(dir / ".git");
  write_text(other / "real.gpol", text);
  fs::create_symlink(other / "real.gpol", dir / "link.gpol");
  const auto ran = run_gpol({"check", "--fix", (dir / "link.gpol").string()});
  CHECK(ran.code == 2);
  CHECK(has(ran.out, "it is a link that leads out of the repository"));
  CHECK(read_text(other / "real.gpol") == text);
}

TEST_CASE("fix: JSON says how many edits were made", "[slow]") {
  const Scratch dir;
  write_text(dir / "a.gpol", golden("lint/declarations_of_no_use.gpol"));
  const auto before = run_gpol({"check", "--format", "json", (dir / "a.gpol").string()});
  CHECK(has(before.out, "\"replaces\":\"# The office is closed then, and nobody asks.\\ncalendar holidays {"));
  CHECK(!has(before.out, "\"fixed\""));
  CHECK(has(run_gpol({"check", "--fix", "--format", "json", (dir / "a.gpol").string()}).out, "\"fixed\":5"));
}

TEST_CASE("fix: slips that can have meant one thing are mended, guesses are shown") {
  const Scratch dir;
  const fs::path file = dir / "a.gpol";
  std::string text = golden("proof/a_trust_that_nothing_rests_on.gpol");
  const auto change = [&](const std::string& what, const std::string& with) {
    REQUIRE(has(text, what));
    text.replace(text.find(what), what.size(), with);
  };
  change("reserve 16 gpus of live", "reserve = 16 GPUs on live");
  change("ready within 4min", "ready in 4 minutes");
  change("class realtime\n", "class realtyme\n");
  write_text(file, text);
  const auto ran = run_gpol({"check", "--fix", file.string()});
  INFO(ran.out);
  const std::string after = read_text(file);
  CHECK(has(after, "reserve 16 gpus of live"));
  CHECK(has(after, "ready within 4 min"));
  CHECK(has(after, "class realtyme\n"));
  CHECK(has(ran.out, "did you mean `realtime`?"));
  CHECK(ran.code == 1);
}
