// Completions and the man page say what `--help` says; bash is asked itself.
#include <cstdio>

#include "cli/commands/options.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace {

// What bash offers for the last of the words.
std::string offered(const std::string& words) {
  const Scratch scratch;
  const auto script = scratch.path() / "completions.bash";
  write_text(script, run_gpol({"completions", "bash"}).out + "COMP_WORDS=(" + words +
                         ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_gpol\necho \"${COMPREPLY[@]}\"\n");
  std::FILE* bash = ::popen(("bash -u " + script.string() + " 2>&1").c_str(), "r");
  REQUIRE(bash != nullptr);
  std::string out;
  for (int c = 0; (c = std::fgetc(bash)) != EOF;) out.push_back(static_cast<char>(c));
  CHECK(::pclose(bash) == 0);
  return out;
}

}  // namespace

TEST_CASE("completions: bash offers commands, options and the words that options take") {
  CHECK(offered("gpol ch") == "check\n");
  CHECK(offered("gpol check --form") == "--format\n");
  CHECK(offered("gpol check --format ''") == "human json markdown sarif junit github\n");
  CHECK(offered("gpol check --dump e") == "expanded\n");
  CHECK(offered("gpol build --allow-gap reclai") == "reclaim\n");
  CHECK(offered("gpol explain GP130") == "GP1301\n");
  CHECK(offered("gpol completions z") == "zsh\n");
  CHECK(offered("gpol fmt --d") == "--diff\n");
}

TEST_CASE("completions and the man page: every command and option of `--help` is in all of them") {
  const std::string man = run_gpol({"man"}).out;
  for (const CommandInfo& command : commands()) {
    INFO(command.name);
    CHECK(run_gpol({"--help"}).out.find("\n  " + command.name) != std::string::npos);
    CHECK(man.find(".SS gpol " + command.name) != std::string::npos);
    for (const char* shell : {"bash", "zsh", "fish"})
      CHECK(run_gpol({"completions", shell}).out.find(command.name) != std::string::npos);
    if (command.options.empty()) continue;
    const std::string help = run_gpol({command.name, "--help"}).out;
    for (const OptionInfo& option : command.options) {
      INFO(option.name);
      CHECK(help.find(option.name) != std::string::npos);
      std::string escaped;
      for (const char c : option.name) escaped += c == '-' ? "\\-" : std::string(1, c);
      CHECK(man.find(escaped) != std::string::npos);
      CHECK(run_gpol({"completions", "fish"}).out.find("-l " + option.name.substr(2)) != std::string::npos);
      CHECK(run_gpol({"completions", "zsh"}).out.find("'" + option.name + "[") != std::string::npos);
    }
  }
}

TEST_CASE("completions: all that explain explains is offered") {
  for (const char* shell : {"bash", "zsh", "fish"})
    for (const char* word : {"GP1001", "premises", "constructs", "times-hold"})
      CHECK(run_gpol({"completions", shell}).out.find(word) != std::string::npos);
}

TEST_CASE("completions: a shell that is not known") {
  const auto ran = run_gpol({"completions", "basch"});
  CHECK(ran.code == 2);
  CHECK(ran.err.find("did you mean `bash`?") != std::string::npos);
}

}  // namespace gpol::test
