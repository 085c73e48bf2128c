// Work on several threads gives the bytes of one thread, and long work shows itself on a terminal, and only there.
#include <chrono>
#include <sstream>
#include <thread>

#include "cli/render/progress.h"
#include "compiler/source/parallel.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol;
using namespace gpol::test;

TEST_CASE("in_parallel: each once, whatever the threads; what one throws is thrown") {
  for (const unsigned threads : {1U, 3U, 64U}) {
    std::vector<int> times(100, 0);
    in_parallel(times.size(), threads, [&](std::size_t i) { ++times[i]; });
    CHECK(times == std::vector<int>(100, 1));
    CHECK_THROWS_AS(in_parallel(9, threads, [](std::size_t i) { i == 4 ? throw std::bad_alloc() : void(); }),
                    std::bad_alloc);
  }
  in_parallel(0, 4, [](std::size_t) { FAIL("there is none"); });
}

TEST_CASE("progress: a line from one second on, gone at the end; nothing before, and nothing without a terminal",
          "[slow]") {
  using namespace std::chrono_literals;
  std::ostringstream terminal;
  {
    Progress progress(&terminal);
    progress.begin("policies", 40);
    for (int i = 0; i < 12; ++i) progress.done_one();
  }
  CHECK(terminal.str().empty());
  {
    Progress progress(&terminal);
    progress.begin("policies", 40);
    for (int i = 0; i < 12; ++i) progress.done_one();
    std::this_thread::sleep_for(1500ms);
  }
  CHECK(terminal.str().find("\r12 of 40 policies, 1 s\x1b[K") == 0);
  CHECK(terminal.str().ends_with("\r\x1b[K"));
  Progress silent(nullptr);
  silent.begin("policies", 1);
  silent.done_one();
}

TEST_CASE("--jobs: the same bytes for every number, and a number it must be", "[slow]") {
  const std::string examples = std::string(GPOL_ROOT) + "/examples", shapes = std::string(GPOL_ROOT) + "/tests/shapes";
  for (const std::vector<std::string>& asked :
       {std::vector<std::string>{"check", examples + "/morning-ramp"}, {"verify", shapes, "--full"}}) {
    const auto run = [&](const char* jobs) {
      std::vector<std::string> words = asked;
      words.insert(words.end(), {"--format", "json", "--jobs", jobs});
      return run_gpol(words);
    };
    const auto one = run("1"), many = run("7");
    CHECK(one.code == many.code);
    const bool same = one.out == many.out && one.err == many.err;
    CHECK(same);
    CHECK(one.out.size() > 10'000);
  }
  for (const char* wrong : {"0", "-1", "many", "1.5", "257", "99999999999"}) {
    const auto refused = run_gpol({"check", examples, "--jobs", wrong});
    CHECK(refused.code == 2);
    CHECK(refused.err.find(std::string("`--jobs` takes a number from 1 to 256, and `") + wrong) != std::string::npos);
  }
}
