// Imports of what is no file: each is one clear error at the import, which names what the author wrote.
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

namespace fs = std::filesystem;
using gpol::test::run_gpol;
using gpol::test::Scratch;
using gpol::test::write_text;

namespace {

struct Said {
  std::string message, hint;
};

// Of a policy in `dir` that imports `target`.
Said said_of(const Scratch& dir, const std::string& target) {
  write_text(dir / "p.gpol", "import \"" + target + "\"\n");
  const auto ran = run_gpol({"check", "--format", "json", (dir / "p.gpol").string()});
  CHECK(ran.code == 1);
  const auto found = nlohmann::json::parse(ran.out).at("diagnostics");
  REQUIRE(found.size() == 1);
  CHECK(found[0].at("code") == "GP0312");
  CHECK(found[0].at("location").at("line") == 1);
  return {found[0].at("message"), found[0].at("hint")};
}

}  // namespace

TEST_CASE("imports: a link that leads in a circle") {
  const Scratch dir;
  fs::create_symlink("b.gpol", dir / "a.gpol");
  fs::create_symlink("a.gpol", dir / "b.gpol");
  const Said said = said_of(dir, "a.gpol");
  CHECK(said.message == "`a.gpol` is a link that leads in a circle");
  CHECK(said.hint == "import the file itself");
}

TEST_CASE("imports: a directory of links alone") {
  const Scratch dir;
  fs::create_directory(dir / "lib");
  gpol::test::write_text(dir / "a.gpol", "language 1\n");
  fs::create_symlink("../a.gpol", dir / "lib/link.gpol");
  const Said said = said_of(dir, "lib");
  CHECK(said.message == "`lib` holds no .gpol file of its own: `link.gpol` is a link");
  CHECK(said.hint == "of a directory links are passed over: import the file itself, which must be in the repository");
}

TEST_CASE("imports: a circle inside a directory is told once, of a policy and of modules alone") {
  const std::string cluster = gpol::test::read_text(GPOL_ROOT "/examples/morning-ramp/morning-ramp.gpol");
  for (const std::string& more : {cluster, std::string("language 1\n")}) {
    const Scratch dir;
    write_text(dir / ".git/HEAD", "");
    write_text(dir / "a.gpol", more + "import \"sub\"\n");
    write_text(dir / "sub/b.gpol", "import \"../a.gpol\"\n");
    const auto ran = run_gpol({"check", dir.path().string()});
    CHECK(ran.code == 1);
    CHECK(ran.out.ends_with("\nerror: 1 mistake, nothing is proven\n"));
    const auto told = ran.out.find("/a.gpol` imports itself: ");
    CHECK(told != std::string::npos);
    CHECK(ran.out.find(" imports itself: ", told + 20) == std::string::npos);
  }
}

TEST_CASE("imports: a pipe is refused and does not block") {
  const Scratch dir;
  REQUIRE(mkfifo((dir / "pipe.gpol").c_str(), 0600) == 0);
  const Said said = said_of(dir, "pipe.gpol");
  CHECK(said.message == "`pipe.gpol` is no regular file");
  CHECK(said.hint == "import a .gpol file, or a directory");
}

TEST_CASE("imports: an absolute path, outside the repository and inside it") {
  const Scratch dir;
  write_text(dir / ".git/HEAD", "");
  write_text(dir / "teams/a.gpol", "language 1\n");
  CHECK(said_of(dir, "/etc/passwd").hint == "imports reach no further than the root of the repository");
  const Said inside = said_of(dir, (fs::canonical(dir.path()) / "teams/a.gpol").string());
  CHECK(inside.hint == "write `\"teams/a.gpol\"`");
  write_text(dir / "p.gpol", "import \"teams/a.gpol\"\n");
  CHECK(run_gpol({"check", (dir / "p.gpol").string()}).code == 0);
}

TEST_CASE("imports: a name of the library in quotes, and a file without them") {
  const Scratch dir;
  CHECK(said_of(dir, "gpol/classes").hint == "a name of the library stands without quotes: `gpol/classes`");
  write_text(dir / "p.gpol", "import teams/a.gpol\n");
  const auto ran = run_gpol({"check", (dir / "p.gpol").string()});
  CHECK(ran.out.find("a file is imported by its path in quotes: `\"teams/a.gpol\"`") != std::string::npos);
}

TEST_CASE("imports: a directory with a policy and its modules is checked as the policy is") {
  const Scratch dir;
  write_text(dir / "main.gpol",
             "import gpol/classes\nimport \"teams\"\n$classes(4min, 60s, 45s)\ncluster c {\n"
             "  nodes h100 { count 2; each 8 gpus, 192 cpu, 2 TiB, 110 pods }\n  pool main on h100\n"
             "  scheduler kueue 0.19.2\n}\n");
  const std::string module = "tenant chat { namespace chat-prod; class realtime; reserve 8 gpus of main }\n";
  write_text(dir / "teams/one.gpol", module);
  const auto whole = run_gpol({"check", dir.path().string()});
  CHECK(whole.out.find("GP0201") == std::string::npos);
  CHECK(whole.out.find("chat           chat    A      8 GPUs of main") != std::string::npos);
  // A mistake of a module is told once, as its importer sees it.
  write_text(dir / "teams/one.gpol", "tenant chat { namespace chat-prod; class realtimo; reserve 8 gpus of main }\n");
  const auto wrong = run_gpol({"check", dir.path().string()});
  CHECK(wrong.code == 1);
  CHECK(wrong.out.find("did you mean `realtime`?") != std::string::npos);
  CHECK(wrong.out.find("error: 1 mistake, nothing is proven") != std::string::npos);
  // By itself a module must say what it needs.
  CHECK(run_gpol({"check", (dir / "teams/one.gpol").string()}).code == 1);
}

TEST_CASE("imports: a directory with a policy and its modules is built as the policy is", "[slow]") {
  const Scratch dir;
  const std::string policy = (dir / "in/policy.gpol").string(), out = (dir / "out").string();
  std::filesystem::create_directory(dir / "in");
  REQUIRE(run_gpol({"init", policy, "--nodes", "4x8", "--serving", "16", "--back", "never"}).code == 0);
  write_text(policy, gpol::test::read_text(policy) + "import \"module.gpol\"\n");
  write_text(dir / "in/module.gpol", "cohort spare\n");
  const auto built = run_gpol({"build", (dir / "in").string(), "-o", out});
  INFO(built.out << built.err);
  CHECK(built.code == 0);
  CHECK(std::filesystem::exists(out));
  // A module that nobody imports may be a policy that lacks its cluster.
  write_text(dir / "in/other.gpol", "cohort other\n");
  CHECK(run_gpol({"build", (dir / "in").string(), "-o", out}).code == 2);
}

TEST_CASE("imports: whatever the library defines is named with the import that defines it") {
  std::size_t definitions = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(GPOL_ROOT) / "policies")) {
    if (entry.path().extension() != ".gpol") continue;
    std::istringstream lines(gpol::test::read_text(entry.path()));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("define ")) continue;
      ++definitions;
      const std::string name = line.substr(7, line.find_first_of("( {", 7) - 7);
      INFO(name);
      const auto ran = run_gpol({"check", "-"}, "cluster small {}\n$" + name + "\n");
      const auto library =
          "gpol/" + fs::relative(entry.path(), fs::path(GPOL_ROOT) / "policies").replace_extension().string();
      CHECK(ran.out.find("add the line `import " + library + "`") != std::string::npos);
    }
  }
  CHECK(definitions > 2);
}
