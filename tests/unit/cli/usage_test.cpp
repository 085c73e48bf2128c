// The command line itself: usage errors, help, version.
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using gpol::test::run_gpol;
using Args = std::vector<std::string>;

TEST_CASE("usage: the version is one line") {
  const auto ran = run_gpol({"--version"});
  CHECK(ran.code == 0);
  CHECK(ran.out == "gpol 0.1.0\n");
}

TEST_CASE("usage: every mistake is exit 2, one line and a hint, on standard error") {
  const std::pair<Args, std::string> table[] = {
      {{}, "error: gpol needs a command\n  help: `gpol --help` lists them\n"},
      {{"chek"}, "error: gpol has no command `chek`\n  help: did you mean `check`?\n"},
      {{""}, "error: gpol has no command ``\n  help: `gpol --help` lists the commands\n"},
      {{"--versoin"}, "error: gpol has no option `--versoin`\n  help: did you mean `--version`?\n"},
      {{"check"}, "error: gpol check needs a PATH\n  help: give a .gpol file or a directory: `gpol check policies/`\n"},
      {{"check", "--fromat", "json", "x"},
       "error: gpol check has no option `--fromat`\n  help: did you mean `--format`?\n"},
      {{"check", "--format=jsn", "x"}, "error: `--format` does not know `jsn`\n  help: did you mean `json`?\n"},
      {{"check", "--allow-gap", "reclam", "x"},
       "error: `--allow-gap` does not know `reclam`\n  help: did you mean `reclaim`?\n"},
      {{"check", "--dump=everything", "x"},
       "error: `--dump` does not know `everything`\n  help: use one of: expanded, ast, policy, cluster, obligations, "
       "smt\n"},
      {{"check", "--dump=ast", "x", "y"}, "error: `--dump` takes one policy\n  help: give a single .gpol file\n"},
      {{"build", "x"}, "error: gpol build needs `-o DIR`\n  help: name the directory to write: `-o manifests`\n"},
      {{"build", "x", "y", "-o", "z"},
       "error: gpol build takes one policy\n  help: build each policy into its own directory\n"},
      {{"fmt"}, "error: gpol fmt needs a PATH\n  help: give a .gpol file or a directory: `gpol fmt policies/`\n"},
      {{"fmt", "--chek", "x"}, "error: gpol fmt has no option `--chek`\n  help: did you mean `--check`?\n"},
      {{"fmt", "-", "x"},
       "error: gpol fmt takes `-` alone\n  help: give files and directories in a run of their own\n"},
      {{"verify", "x", "--serving", "chat=C"},
       "error: `--serving` takes queues and their class, A or B, and `chat=C` is none\n  help: write it as `--serving "
       "chat,search=B`\n"},
      {{"verify", "x", "--serving", "chat,search,chat=B"},
       "error: `--serving` gives `chat` two classes, A and B\n  help: name it once\n"},
      {{"verify", "x", "--serving", "chat=B", "--serving", "chat=A"},
       "error: `--serving` gives `chat` two classes, B and A\n  help: name it once\n"},
      {{"fmr"}, "error: gpol has no command `fmr`\n  help: did you mean `fmt`?\n"},
      {{"explain", "batch-run-on"},
       "error: there is no code and no premise `batch-run-on`\n  help: did you mean `batch-runs-on`?\n"},
      {{"explain", "GP130"}, "error: there is no code and no premise `GP130`\n  help: did you mean `GP1301`?\n"},
  };
  for (const auto& [args, err] : table) {
    const auto ran = run_gpol(args);
    CHECK(ran.code == 2);
    CHECK(ran.out == "");
    CHECK(ran.err == err);
  }
}

TEST_CASE("usage: help names every command and option") {
  for (const char* word : {"check", "build", "fmt", "explain", "--version", "Exit codes"})
    CHECK(run_gpol({"--help"}).out.find(word) != std::string::npos);
  for (const char* word : {"--format", "--allow-gap", "--dump", "--timings", "PATH"})
    CHECK(run_gpol({"check", "--help"}).out.find(word) != std::string::npos);
  for (const char* word : {"--format", "--allow-gap", "--timings", "--out"})
    CHECK(run_gpol({"build", "--help"}).out.find(word) != std::string::npos);
  for (const char* word : {"--check", "--diff", "PATH"})
    CHECK(run_gpol({"fmt", "--help"}).out.find(word) != std::string::npos);
  CHECK(run_gpol({"explain", "--help"}).code == 0);
}

TEST_CASE("usage: every command that `--help` lists has a `--help`, which is no mistake") {
  for (const char* command : {"check", "build", "verify", "fmt", "init", "explain", "completions", "man"})
    for (const char* flag : {"--help", "-h"}) {
      INFO(command << " " << flag);
      const auto ran = run_gpol({command, flag});
      CHECK(ran.code == 0);
      CHECK(ran.err == "");
      CHECK(ran.out.find(std::string("gpol ") + command) != std::string::npos);
    }
}
