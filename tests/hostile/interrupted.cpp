// A build that is interrupted (SIGINT, SIGTERM) or killed (SIGKILL) at any step of writing: the output is the old set
// or the new one. Interrupted, it leaves nothing beside it; what a killed one leaves, the next build removes.
#include <csignal>
#include <set>

#include "tests/hostile/program.h"
#include "tests/hostile/traced.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol::test;
namespace fs = std::filesystem;

namespace {

struct Scene {
  explicit Scene(bool with_old) : dir(workshop.fresh()), had_old(with_old) {
    write_text(dir / "old.gpol", other_policy());
    write_text(dir / "new.gpol", good_policy());
    REQUIRE(workshop.run({.args = {"build", (dir / "old.gpol").string(), "-o", (dir / "old").string()}}).exit == 0);
    REQUIRE(workshop.run({.args = {"build", (dir / "new.gpol").string(), "-o", (dir / "new").string()}}).exit == 0);
    if (with_old) old = tree(dir / "old");
    fresh = tree(dir / "new");
    REQUIRE(old != fresh);
  }
  std::vector<std::string> args() const {
    return {"build", (dir / "new.gpol").string(), "-o", (dir / "work/out").string()};
  }
  void reset() const {
    fs::remove_all(dir / "work");
    fs::create_directory(dir / "work");
    if (had_old) fs::copy(dir / "old", dir / "work/out", fs::copy_options::recursive);
  }
  std::size_t beside() const {  // what stands beside the output
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(dir / "work")) count += entry.path().filename() != "out";
    return count;
  }

  Workshop workshop;
  fs::path dir;
  bool had_old;
  Tree old, fresh;
};

// Every kind of step: the first and last ones, those around the swap, and of the files between them every fourth.
std::set<std::size_t> points(const Traced& whole) {
  std::set<std::size_t> chosen;
  const std::size_t last = whole.steps.size();
  for (std::size_t i = 1; i <= last; ++i)
    if (i <= 6 || i + 6 > last || i % 4 == 0) chosen.insert(i);
  for (const std::size_t at : renames(whole))
    for (std::size_t i = at > 3 ? at - 3 : 1; i <= std::min(at + 3, last); ++i) chosen.insert(i);
  return chosen;
}

void play(const Scene& scene, int signal) {
  scene.reset();
  const Traced whole = run_traced(scene.workshop.program(), scene.args(), 0, 0);
  if (!whole.possible) {
    WARN("skipped: no process can be traced here");
    return;
  }
  REQUIRE(whole.exit == 0);
  REQUIRE(whole.steps.size() > 30);  // a file each, and what stands around them
  REQUIRE(renames(whole).size() == 1);
  REQUIRE(tree(scene.dir / "work/out") == scene.fresh);
  std::size_t kept = 0, replaced = 0;
  for (const std::size_t at : points(whole)) {
    INFO("step " << at << " of " << whole.steps.size() << ", signal " << signal);
    scene.reset();
    const Traced ended = run_traced(scene.workshop.program(), scene.args(), at, signal);
    CHECK(ended.signal == signal);
    const Tree found = tree(scene.dir / "work/out");
    const bool is_new = found == scene.fresh;
    CHECK((is_new || (found == scene.old && fs::exists(scene.dir / "work/out") == scene.had_old)));
    ++(is_new ? replaced : kept);
    if (signal != SIGKILL) CHECK(scene.beside() == 0);
    CHECK(run_traced(scene.workshop.program(), scene.args(), 0, 0).exit == 0);
    CHECK(tree(scene.dir / "work/out") == scene.fresh);
    CHECK(scene.beside() == 0);
  }
  CHECK(kept > 10);
  CHECK(replaced > 0);
}

}  // namespace

TEST_CASE("interrupted: by SIGINT over an old set") { play(Scene(true), SIGINT); }
TEST_CASE("interrupted: by SIGTERM where nothing was") { play(Scene(false), SIGTERM); }
TEST_CASE("interrupted: by SIGKILL over an old set") { play(Scene(true), SIGKILL); }
TEST_CASE("interrupted: by SIGKILL where nothing was") { play(Scene(false), SIGKILL); }

TEST_CASE("interrupted: a signal that the user's shell told it to ignore stops nothing") {
  const Scene scene(true);
  scene.reset();
  struct sigaction ignore{}, before{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGHUP, &ignore, &before);  // as nohup does; the child inherits it
  const Traced ended = run_traced(scene.workshop.program(), scene.args(), 5, SIGHUP);
  sigaction(SIGHUP, &before, nullptr);
  if (!ended.possible) return;
  CHECK(ended.exit == 0);
  CHECK(tree(scene.dir / "work/out") == scene.fresh);
}
