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

TEST_CASE("build: the same policy again changes nothing", "[slow]") {
  const Scratch dir;
  CHECK(says(build(policy(), dir / "out"), "\nwrote "));
  const auto written = fs::last_write_time(dir / "out");
  const Ran again = build(policy(), dir / "out");
  CHECK(again.code == 0);
  CHECK(says(again, "already holds exactly these"));
  CHECK(fs::last_write_time(dir / "out") == written);
}

TEST_CASE("build: a policy that is not proven leaves what was built before", "[slow]") {
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

TEST_CASE("build: an undecided family must be allowed by its name", "[slow]") {
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

TEST_CASE("build: a directory with foreign files is refused as it is", "[slow]") {
  const Scratch dir;
  write_text(dir / "out/mine.txt", "mine");
  const Ran ran = build(policy(), dir / "out");
  CHECK(ran.code == 2);
  CHECK(says(ran, "error[GP0504]"));
  CHECK(ran.out.ends_with("error: nothing is written, though all is proven\n"));
  CHECK(read_text(dir / "out/mine.txt") == "mine");
  CHECK(std::distance(fs::directory_iterator(dir / "out"), fs::directory_iterator()) == 1);
}

TEST_CASE("build: a place that cannot be written is exit 2", "[slow]") {
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

TEST_CASE("build: standard input is a policy too", "[slow]") {
  const Scratch dir;
  CHECK(run_gpol({"build", "-", "-o", (dir / "out").string()}, read_text(policy())).code == 0);
  CHECK(fs::exists(dir / "out/base/kustomization.yaml"));
}

TEST_CASE("build: a policy whose only tenant is outside the queue", "[slow]") {
  const Scratch dir;
  write_text(dir / "p.gpol",
             "language 1\n"
             "cluster one {\n"
             "  scheduler kueue 0.19.2\n"
             "  nodes h100 { gpu H100-80GB; count 3; each 8 gpus, 192 cpu, 2 TiB, 110 pods; tolerate 1 lost }\n"
             "  pool live on h100\n"
             "  writers user \"flux\"\n"
             "}\n"
             "class realtime : A { }\n"
             "tenant chat { namespace chat-prod; class realtime; outside the queue; reserve 16 gpus of live; replica 8 "
             "gpus }\n"
             "trust nodes-as-declared because \"counted\" by @p\n"
             "trust controller-as-emitted because \"reviewed\" by @p\n");
  const Ran built = build((dir / "p.gpol").string(), dir / "out");
  INFO(built.out);
  CHECK(built.code == 0);
  CHECK(fs::exists(dir / "out/nodes/live.yaml"));
}

TEST_CASE("build: windows that are equal but for a calendar are two overlays, and long names are cut", "[slow]") {
  const Scratch dir;
  const std::string path = std::string(GPOL_ROOT) + "/tests/golden/build/two_classes_one_loan.gpol";
  const auto with = [&](const std::string& more) {
    std::string text = read_text(path);
    text.insert(text.find("allow finetune"), more);
    write_text(dir / "p.gpol", text);
    return build((dir / "p.gpol").string(), dir / "out");
  };
  const std::string loan = "allow finetune to borrow up to 2 gpus of shared from search during ";
  CHECK(with("calendar holidays { 2026-12-25 }\n"
             "window worked = 22:00..06:00 Europe/Zurich daily except holidays\n" +
             loan + "worked, back within 2min\n")
            .code == 0);
  CHECK(fs::exists(dir / "out/overlays/night/kustomization.yaml"));
  CHECK(fs::exists(dir / "out/overlays/night-and-worked/kustomization.yaml"));
  std::string many;
  for (const char letter : {'a', 'b', 'c', 'd'}) {
    const std::string name = std::string(60, 'w') + letter;
    many += "window " + name + " = 08:00..20:00 Europe/Zurich daily\n" + loan + name + ", back within 2min\n";
  }
  CHECK(with(many).code == 0);
  CHECK(fs::exists(dir / "out/overlays/windows.2-3-4-5/kustomization.yaml"));
}

TEST_CASE("build: a module has nothing to build, and what was built stays", "[slow]") {
  const Scratch dir;
  REQUIRE(build(policy(), dir / "out").code == 0);
  const std::string before = read_text(dir / "out/base/kustomization.yaml");
  write_text(dir / "module.gpol", "language 1\nclass realtime : A { }\n");
  const Ran ran = build((dir / "module.gpol").string(), dir / "out");
  CHECK(ran.code == 1);
  CHECK(says(ran, "declares no cluster: there is nothing to build"));
  CHECK(read_text(dir / "out/base/kustomization.yaml") == before);
}

TEST_CASE("build: names that no file or YAML text can hold are mistakes in the policy") {
  const Scratch dir;
  for (const auto& [what, to, code] : {std::tuple{"pool burst ", "pool kustomization ", "GP0209"},
                                       {"kustomize-controller", "kustomize-\uffff", "GP0208"}}) {
    write_text(dir / "p.gpol", changed(what, to));
    const Ran ran = build((dir / "p.gpol").string(), dir / "out");
    INFO(ran.out);
    CHECK(ran.code == 1);
    CHECK(says(ran, code));
  }
}

TEST_CASE("build: an index that somebody planted removes nothing", "[slow]") {
  const Scratch dir;
  REQUIRE(build(policy(), dir / "out").code == 0);
  write_text(dir / "out/base/notes.yaml", "mine\n");
  const std::string index = read_text(dir / "out/.gpol-owned");
  write_text(dir / "out/.gpol-owned", index + std::string(64, '0') + "  base/notes.yaml\n");
  const Ran ran = build(policy(), dir / "out");
  CHECK(ran.code == 2);
  CHECK(says(ran, "GP0504"));
  CHECK(read_text(dir / "out/base/notes.yaml") == "mine\n");
  // One of its own that was changed by hand is written anew.
  fs::remove(dir / "out/base/notes.yaml");
  write_text(dir / "out/.gpol-owned", index);
  write_text(dir / "out/base/kustomization.yaml", "changed\n");
  CHECK(build(policy(), dir / "out").code == 0);
  CHECK(read_text(dir / "out/base/kustomization.yaml") != "changed\n");
}
