// The directory that `build` writes, as people review it: few files, each object with its clause, and edits of the
// policy that change no more than what they say.
#include <filesystem>
#include <map>
#include <sstream>

#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol::test;
namespace fs = std::filesystem;

namespace {

using Lines = std::map<std::string, std::vector<std::string>>;  // by file

const std::string kExample = GPOL_ROOT "/examples/morning-ramp/morning-ramp.gpol";

Lines built(const std::string& text) {
  const Scratch dir;
  write_text(dir / "p.gpol", text);
  const Ran ran = run_gpol({"build", (dir / "p.gpol").string(), "-o", (dir / "out").string()});
  INFO(ran.out);
  REQUIRE(ran.code == 0);
  Lines files;
  for (const auto& entry : fs::recursive_directory_iterator(dir / "out")) {
    if (!entry.is_regular_file()) continue;
    std::vector<std::string>& lines = files[fs::relative(entry.path(), dir / "out").string()];
    std::istringstream in(read_text(entry.path()));
    for (std::string line; std::getline(in, line);) lines.push_back(line);
  }
  return files;
}

// Which lines are others, "FILE: LINE" as they were; both have the same files of as many lines.
std::vector<std::string> changed(const Lines& before, const Lines& after) {
  std::vector<std::string> all;
  REQUIRE(before.size() == after.size());
  for (const auto& [file, lines] : before) {
    INFO(file);
    REQUIRE(after.contains(file));
    REQUIRE(after.at(file).size() == lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (lines[i] != after.at(file)[i]) all.push_back(file + ": " + lines[i]);
  }
  return all;
}

std::string readme_of(const Lines& files) {
  std::string text;
  for (const std::string& line : files.at("README.md")) text += line + "\n";
  return text;
}

std::string with(const std::string& what, const std::string& to) {
  std::string text = read_text(kExample);
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), to);
}

}  // namespace

TEST_CASE("build: a comment in the policy changes the revision, and the hash of its file", "[slow]") {
  const auto lines =
      changed(built(read_text(kExample)), built(with("tenant chat {", "# of chat\n\ntenant chat {  # C")));
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].starts_with(".gpol-owned: "));
  CHECK(lines[0].ends_with("  kustomization.yaml"));
  CHECK(lines[1].starts_with("kustomization.yaml:     gpol.dev/revision: "));
}

TEST_CASE("build: a number changes its own lines", "[slow]") {
  const auto lines = changed(built(read_text(kExample)), built(with("quota 40 gpus", "quota 48 gpus")));
  int quotas = 0;
  for (const std::string& line : lines) {
    INFO(line);
    const bool quota = line.starts_with("base/queues.yaml:               nominalQuota: ");
    quotas += quota;
    CHECK((quota || line == "base/queues.yaml: # from: tenant finetune { quota 40 gpus of burst }" ||
           line.starts_with("kustomization.yaml:     gpol.dev/revision: ") || line.starts_with(".gpol-owned: ")));
  }
  CHECK(quotas == 4);  // devices, cpu, memory and pods
  CHECK(lines.size() == 8);
}

TEST_CASE("build: few files, of which README.md speaks, and above each object its clause", "[slow]") {
  const Lines files = built(read_text(kExample));
  CHECK(files.size() <= 25);
  const std::string readme = readme_of(files);
  for (const auto& [file, lines] : files) {
    INFO(file);
    const bool by_folder = file.starts_with("nodes/") || file.starts_with("rbac/") || file.starts_with("controller/");
    if (file != "README.md")
      CHECK(readme.find("| `" + (by_folder ? file.substr(0, file.find('/') + 1) : file) + "` |") != std::string::npos);
    if (!file.starts_with("base/") && !file.starts_with("rbac/")) continue;
    if (file.ends_with("kustomization.yaml")) continue;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!lines[i].starts_with("apiVersion: ")) continue;
      REQUIRE(i > 0);
      CHECK(lines[i - 1].starts_with("# from: "));
      CHECK(lines[i - 1].find(".gpol:") == std::string::npos);  // no line number
    }
  }
}

TEST_CASE("build: README.md says who switches windows only where there is something to switch", "[slow]") {
  const std::string readme = readme_of(built(read_text(kExample)));
  CHECK(readme.find("A pipeline that heals itself undoes a switch by hand") != std::string::npos);
  CHECK(readme.find("overlays/night") != std::string::npos);
  const std::string loan =
      "allow finetune to borrow up to 8 gpus of shared from search during night, back within 2min\n";
  const std::string without = readme_of(built(with(loan, "")));
  CHECK(without.find("No window changes a limit") != std::string::npos);
  CHECK(without.find("heals itself") == std::string::npos);
}
