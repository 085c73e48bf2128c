// `gpol init`: what it writes is proven, whatever it was told; what it was told is checked first.
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using gpol::test::read_text;
using gpol::test::run_gpol;
using gpol::test::Scratch;
using Args = std::vector<std::string>;

TEST_CASE("init: every policy that it writes is proven, without a warning, and in the one style", "[slow]") {
  const Args table[] = {{"4x8", "16", "never"},    {"4x8", "13", "never"},       {"2x1", "1", "never"},
                        {"100x8", "400", "never"}, {"4x8", "16", "4min"},        {"4x8", "32", "8min"},
                        {"1x8", "6", "8min"},      {"3x4", "5", "12min"},        {"1x1", "1", "3min"},
                        {"5x7", "9", "10min"},     {"100x8", "400", "1h"},       {"2x8", "16", "165s"},
                        {"1x8", "8", "86400s"},    {"64x16", "24", "5min"},      {"3x8", "24", "4min"},
                        {"100000x8", "8", "3min"}, {"100000x20", "40", "never"}, {"31250x64", "64", "never"}};
  const Scratch dir;
  for (const Args& row : table) {
    INFO(row[0] << " " << row[1] << " " << row[2]);
    const auto made = run_gpol({"init", "-", "--nodes", row[0], "--serving", row[1], "--back", row[2]});
    CHECK(made.code == 0);
    CHECK(made.err == "");
    const auto checked = run_gpol({"check", "-"}, made.out);
    CHECK(checked.code == 0);
    CHECK(checked.out.find("warning") == std::string::npos);
    CHECK(checked.out.find("\nproven under ") != std::string::npos);
    CHECK(run_gpol({"fmt", "--check", "-"}, made.out).code == 0);
    gpol::test::write_text(dir / "p.gpol", made.out);
    CHECK(run_gpol({"build", (dir / "p.gpol").string(), "-o", (dir / row[0]).string()}).code == 0);
    CHECK(run_gpol({"verify", (dir / row[0]).string()}).code == 0);
  }
}

TEST_CASE("init: an answer that cannot be is a usage error with a way out") {
  const std::pair<Args, std::string> table[] = {
      {{"4 x 8", "16", "never"},
       "error: `4 x 8` of --nodes: it is not nodes x GPUs\n  help: four nodes of eight GPUs are `4x8`\n"},
      {{"0x8", "1", "never"},
       "error: `0x8` of --nodes: no such cluster\n  help: 1 to 100000 nodes have 1 to 64 GPUs each\n"},
      {{"4x8", "many", "never"}, "error: `many` of --serving: it is not a number of GPUs\n  help: give 1 to 32\n"},
      {{"4x8", "33", "4min"}, "error: `33` of --serving: there are 32 GPUs\n  help: give 1 to 32\n"},
      {{"4x8", "25", "never"},
       "error: `25` of --serving: no node is left for batch, which never uses serving's\n  help: reserve at most 24, "
       "or let "
       "batch borrow: `--back 8min`\n"},
      {{"4x8", "16", "4 minutes"},
       "error: `4 minutes` of --back: it is not a time\n  help: write it as `4min`, or `never`\n"},
      {{"4x8", "13", "4min"},
       "error: `4min` of --back: that is too short: 13 replicas of 1 gpu are not back and warm so soon\n"
       "  help: give `6min` to `24h`; whole nodes come back sooner\n"},
      {{"4x8", "16", "500ms"},
       "error: `500ms` of --back: that is too short: 2 replicas of 8 gpus are not back and warm so soon\n"
       "  help: give `3min` to `24h`\n"},
      {{"100000x8", "100000", "4min"},
       "error: `4min` of --back: that is too short: 12500 replicas of 8 gpus are not back and warm so soon\n"
       "  help: so many are not back within `24h` either: give at most `--serving 46008`, or `--back never`\n"},
      {{"1000000000000x8", "16", "never"},
       "error: `1000000000000x8` of --nodes: no such cluster\n  help: 1 to 100000 nodes have 1 to 64 GPUs each\n"},
      {{"4x8", "16", "90d"},
       "error: `90d` of --back: that is too long, longer than a day\n  help: give `3min` to `24h`\n"},
      {{"4x8", "16", "1000000d"},
       "error: `1000000d` of --back: that is too long, longer than a day\n  help: give `3min` to `24h`\n"},
      {{"100000x64", "64", "never"},
       "error: `100000x64` of --nodes: these are 6400000 GPUs, and gpol counts with 2000000\n"
       "  help: give at most 31250 nodes of 64 gpus\n"},
  };
  for (const auto& [row, err] : table) {
    const auto ran = run_gpol({"init", "-", "--nodes", row[0], "--serving", row[1], "--back", row[2]});
    CHECK(ran.code == 2);
    CHECK(ran.out == "");
    CHECK(ran.err == err);
  }
  CHECK(run_gpol({"init", "a", "b"}).code == 2);
  CHECK(run_gpol({"init", "--servin", "4"}).err ==
        "error: gpol init has no option `--servin`\n  help: did you mean `--serving`?\n");
}

TEST_CASE("init: what no flag says is asked, and an empty answer or the end of the input takes what is offered",
          "[slow]") {
  const Scratch dir;
  const std::string path = (dir / "policy.gpol").string();
  const auto asked = run_gpol({"init", path}, "2x8\n 8 \n\n");
  CHECK(asked.code == 0);
  CHECK(asked.err ==
        "Nodes, and GPUs of each? [4x8] GPUs that serving must always get? [16] May batch borrow them? Within what "
        "time are "
        "they back and warm (as in 8min), or never? [never] ");
  CHECK(asked.out.find("proven under 3 trusted assumptions: 1 serving queue\n") != std::string::npos);
  CHECK(read_text(path).find("count 2\n") != std::string::npos);
  CHECK(read_text(path).find("reserve 8 gpus") != std::string::npos);
  CHECK(run_gpol({"init", "-"}).out.find("count 4\n") != std::string::npos);
}

TEST_CASE("init: an answer that cannot be is asked again, a flag's is not, nor at the end of the input") {
  const Scratch dir;
  const std::string path = (dir / "policy.gpol").string();
  const auto asked = run_gpol({"init", path}, "four\n2x8\n99\n8\nsoon\nnever\n");
  CHECK(asked.code == 0);
  for (const char* said : {"`four` of --nodes: it is not nodes x GPUs", "`99` of --serving: there are 16 GPUs",
                           "`soon` of --back: it is not a time"})
    CHECK(asked.err.find(said) != std::string::npos);
  CHECK(read_text(path).find("reserve 8 gpus") != std::string::npos);
  CHECK(run_gpol({"init", "-", "--nodes", "four"}, "16\nnever\n").code == 2);
  CHECK(run_gpol({"init", "-"}, "1x8\n").code == 2);  // 16 of 8 GPUs
}

TEST_CASE("init: a file that is there is left alone", "[slow]") {
  const Scratch dir;
  const std::string path = (dir / "policy.gpol").string();
  gpol::test::write_text(path, "mine");
  const auto ran = run_gpol({"init", path, "--nodes", "4x8", "--serving", "16", "--back", "never"});
  CHECK(ran.code == 2);
  CHECK(ran.err.find("error[GP0503]: `" + path + "` cannot be written: it is there already\n") == 0);
  CHECK(read_text(path) == "mine");
  const std::string nowhere = (dir / "no/policy.gpol").string();
  CHECK(run_gpol({"init", nowhere, "--nodes", "4x8", "--serving", "16", "--back", "never"}).code == 2);
  CHECK(std::distance(std::filesystem::directory_iterator(dir.path()), std::filesystem::directory_iterator()) == 1);
}

TEST_CASE("init: a single replica is spoken of as one") {
  const auto ran = run_gpol({"init", "-", "--nodes", "4x8", "--serving", "8", "--back", "60s"});
  CHECK(ran.code == 2);
  CHECK(ran.err.starts_with(
      "error: `60s` of --back: that is too short: a replica of 8 gpus is not back and warm so soon\n"));
}

TEST_CASE("init: into a directory it writes policy.gpol", "[slow]") {
  const Scratch dir;
  const Args args{"init", dir.path().string(), "--nodes", "4x8", "--serving", "16", "--back", "never"};
  const auto ran = run_gpol(args);
  CHECK(ran.code == 0);
  CHECK(ran.out.starts_with("wrote " + (dir / "policy.gpol").string() + "\n"));
  CHECK(run_gpol({"check", (dir / "policy.gpol").string()}).code == 0);
  CHECK(run_gpol(args).code == 2);  // it is there already
  Args missing = args;
  missing[1] = (dir / "no/where.gpol").string();
  const auto refused = run_gpol(missing);
  CHECK(refused.code == 2);
  CHECK(refused.err.find("help: make the directory first: `mkdir -p " + (dir / "no").string() + "`") !=
        std::string::npos);
}
