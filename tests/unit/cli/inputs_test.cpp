// What is read and what is refused.
#include <sys/stat.h>
#include <unistd.h>

#include <sstream>

#include "cli/commands/inputs.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol;
using gpol::test::Scratch;
using gpol::test::write_text;
namespace fs = std::filesystem;

namespace {

struct Read {
  std::vector<std::string> names;
  std::vector<std::string> codes;
};

Read read(const Scratch& scratch, std::vector<std::string> paths, const std::string& input = {}) {
  std::istringstream in(input);
  const auto result = read_policies(paths, in);
  Read out;
  for (const auto& text : result.value)
    out.names.push_back(text.path == "-" ? text.path : fs::path(text.path).lexically_relative(scratch.path()).string());
  for (const auto& d : result.diagnostics) out.codes.push_back(to_string(d.code));
  return out;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("inputs: a directory gives its policies in order, hidden entries left out, each once") {
  const Scratch dir;
  for (const char* name : {"b.gpol", "a/z.gpol", "a/y.gpol", ".git/x.gpol", ".hidden.gpol", "c.yaml"})
    write_text(dir / name, "");
  CHECK(read(dir, {dir.path().string(), (dir / "b.gpol").string()}).names == Names{"a/y.gpol", "a/z.gpol", "b.gpol"});
}

TEST_CASE("inputs: what is missing, no policy or not a file has a code") {
  const Scratch dir;
  fs::create_directory(dir / "empty");
  CHECK(read(dir, {(dir / "no.gpol").string()}).codes == Names{"GP0501"});
  CHECK(read(dir, {(dir / "empty").string()}).codes == Names{"GP0502"});
  CHECK(read(dir, {"/dev/zero"}).codes == Names{"GP0501"});
}

TEST_CASE("inputs: a pipe is refused and does not block") {
  const Scratch dir;
  REQUIRE(mkfifo((dir / "p.gpol").c_str(), 0600) == 0);
  CHECK(read(dir, {(dir / "p.gpol").string()}).codes == Names{"GP0501"});
  CHECK(read(dir, {dir.path().string()}).codes == Names{"GP0501"});
}

TEST_CASE("inputs: a link in a repository prints nothing of a file outside of it") {
  const Scratch dir, other;
  write_text(other / "secret.txt", "secret words\n");
  fs::create_directories(dir / "repository/.git");
  write_text(dir / "repository/.git/HEAD", "ref: refs/heads/main\n");
  fs::create_symlink(other / "secret.txt", dir / "repository/x.gpol");
  fs::create_symlink(other / "secret.txt", dir / "repository/x.yaml");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"check", "x.gpol"},
                                                {"fmt", "--diff", "x.gpol"},
                                                {"build", "x.gpol", "-o", "out"},
                                                {"verify", "x.yaml"}}) {
    std::vector<std::string> asked = words;
    asked[asked[1] == "--diff" ? 2 : 1] = (dir / "repository" / asked[asked[1] == "--diff" ? 2 : 1]).string();
    if (asked.size() == 4) asked[3] = (dir / "out").string();
    const auto ran = gpol::test::run_gpol(asked);
    INFO(ran.out << ran.err);
    CHECK(ran.code != 0);
    CHECK((ran.out + ran.err).find("leads out of the repository") != std::string::npos);
    CHECK((ran.out + ran.err).find("secret words") == std::string::npos);
  }
}

TEST_CASE("inputs: links to directories end nowhere, links to files stay inside") {
  const Scratch dir;
  const Scratch other;
  write_text(dir / "sub/a.gpol", "");
  write_text(other / "secret.gpol", "");
  fs::create_directory_symlink("..", dir / "sub/loop");
  fs::create_directory_symlink("..", dir / "sub/loop.gpol");
  fs::create_symlink("sub/a.gpol", dir / "inside.gpol");
  CHECK(read(dir, {dir.path().string()}).names == Names{"inside.gpol", "sub/a.gpol"});
  CHECK(read(dir, {dir.path().string()}).codes.empty());
  fs::create_symlink(other / "secret.gpol", dir / "out.gpol");
  CHECK(read(dir, {dir.path().string()}).codes == Names{"GP0501"});
}

TEST_CASE("inputs: a file over 64 MiB is refused") {
  const Scratch dir;
  write_text(dir / "big.gpol", "");
  fs::resize_file(dir / "big.gpol", (std::uintmax_t{64} << 20U) + 1);  // a hole: takes no space
  CHECK(read(dir, {(dir / "big.gpol").string()}).codes == Names{"GP0104"});
}

TEST_CASE("inputs: all files together have a limit") {
  const Scratch dir;
  for (const char* name : {"a.gpol", "b.gpol", "c.gpol"}) {
    write_text(dir / name, "");
    fs::resize_file(dir / name, std::uintmax_t{32} << 20U);
  }
  const Read result = read(dir, {dir.path().string()});
  CHECK(result.names == Names{"a.gpol", "b.gpol"});
  CHECK(result.codes == Names{"GP0104"});
}

TEST_CASE("inputs: directories have a limit of depth") {
  const Scratch dir;
  std::string deep = "x";
  for (int i = 0; i < 70; ++i) deep += "/x";
  write_text(dir / (deep + "/p.gpol"), "");
  CHECK(read(dir, {dir.path().string()}).codes == Names{"GP0104"});
}

TEST_CASE("inputs: a path that is not there names the one that was meant") {
  const Scratch dir;
  write_text(dir / "policies/cluster.gpol", "");
  const auto hint = [&](const std::string& path) {
    std::istringstream in;
    const std::vector<std::string> paths{(dir / path).string()};
    return read_policies(paths, in).diagnostics.at(0).hint;
  };
  CHECK(hint("policies/clutser.gpol") == "did you mean `" + (dir / "policies/cluster.gpol").string() + "`?");
  CHECK(hint("polices") == "did you mean `" + (dir / "policies").string() + "`?");
  CHECK(hint("elsewhere/none.gpol").empty());
}

TEST_CASE("inputs: - is standard input") {
  const Scratch dir;
  std::istringstream in("class a : A { }");
  const std::vector<std::string> paths{"-"};
  const auto result = read_policies(paths, in);
  REQUIRE(result.value.size() == 1);
  CHECK(result.value[0].path == "-");
  CHECK(result.value[0].text == "class a : A { }");
}
