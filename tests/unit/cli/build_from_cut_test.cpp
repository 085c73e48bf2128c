// `build --from` of pools whose GPUs are cut or shared: what stays, and which nodes are told what.
#include <fmt/format.h>

#include "tests/unit/cli/built_from.h"

using gpol::test::build, gpol::test::read_text, gpol::test::Ran, gpol::test::says, gpol::test::Scratch;
using gpol::test::with, gpol::test::without;
namespace fs = std::filesystem;

namespace {

// So many nodes of eight GPUs, cut so; twelve slices are reserved.
std::string cut(int nodes, const std::string& layout) {
  return fmt::format(R"(cluster demo {{
  scheduler kueue 0.19.2
  nodes mig {{ gpu H100-80GB; count {}; each 8 gpus, 192 cpu, 2 TiB, 110 pods }}
  pool cut on mig as mig {}
  writers user "flux"
}}
class realtime : A {{ }}
tenant chat {{ namespace chat-prod; class realtime; reserve 12 x 3g.40gb of cut }}
trust controller-as-emitted because "one pipeline" by @platform
trust nodes-as-declared because "reviewed" by @platform
)",
                     nodes, layout);
}

}  // namespace

TEST_CASE("build --from: GPUs stay cut as they were where they can, and the names of before stay", "[slow]") {
  const Scratch dir;
  const std::string policy = cut(4, "for 12 x 3g.40gb, 20 x 1g.10gb");
  const auto configs = [&] { return read_text(dir / "out/partition/mig-parted.yaml"); };
  const std::string twice = "cut: 6 x  [3g.40gb][3g.40gb]\n", sevens = "cut: 2 x  [1g.10gb][1g.10gb][1g.10gb]";
  Ran ran = build(dir, policy, "");
  INFO(ran.out);
  REQUIRE(ran.code == 0);
  CHECK(says(ran, twice));
  CHECK(says(ran, sevens));
  CHECK_FALSE(says(ran, "otherwise than before"));
  const std::string before = configs();
  const std::string noted = "gpol.dev/nodes: ";
  const auto at = before.find(noted) + noted.size();
  const std::string first = before.substr(at, before.find('=', at) - at);  // the name of a kind of node
  CHECK(first.starts_with("gpol-cut."));

  // As it is: nothing changes, and no name is there that was not.
  ran = build(dir, policy);
  CHECK(says(ran, "cut: GPUs that are cut otherwise than before: 0"));
  CHECK(configs() == before);

  // With two more of one profile other layouts need as few GPUs, and those that can stay do: 6 of 9 change with none
  // kept in mind.
  const std::string more = with(policy, "20 x 1g.10gb", "21 x 1g.10gb");
  ran = build(dir, more);
  INFO(ran.out);
  CHECK(ran.code == 0);
  CHECK(says(ran, twice));
  CHECK(says(ran, "cut: GPUs that are cut otherwise than before: 1"));
  const std::string after = configs();
  CHECK(after.find("\n      " + first + ":\n") != std::string::npos);        // nodes still carry it
  CHECK(says(ran, "of the nodes that carry it, which stay as they are\n"));  // which nodes are to take which
  CHECK(says(ran, ": 1 of the nodes that carry gpol-cut."));
  ran = build(dir, more);
  CHECK(says(ran, "cut: GPUs that are cut otherwise than before: 0"));
  CHECK(configs() == after);
  CHECK(build(dir, more, "out", {"--check"}).code == 0);
}

TEST_CASE("build --from: GPUs that are all cut otherwise take a configuration of another name") {
  const Scratch dir;
  const std::string policy = cut(3, "{ 2 x 3g.40gb }");
  REQUIRE(build(dir, policy, "").code == 0);
  const auto name = [&] {
    const std::string text = read_text(dir / "out/partition/mig-parted.yaml"), noted = "gpol.dev/nodes: ";
    const auto at = text.find(noted) + noted.size();
    return text.substr(at, text.find("=3\n", at) - at);
  };
  const std::string first = name();
  const Ran ran = build(dir, with(policy, "{ 2 x 3g.40gb }", "{ 1 x 3g.40gb, 4 x 1g.10gb }"));
  INFO(ran.out);
  REQUIRE(ran.code == 0);
  CHECK(name() != first);
  CHECK(read_text(dir / "out/partition/mig-parted.yaml").find("\n      " + first + ":\n") != std::string::npos);
  CHECK(says(ran, name() + ": 3 of the nodes that carry " + first + "\n"));
}

TEST_CASE("build --from: slices of before go to other nodes where a loss that is tolerated asks for it", "[slow]") {
  const Scratch dir;
  const std::string policy = cut(2, "for 12 x 3g.40gb, 14 x 1g.10gb");
  REQUIRE(build(dir, policy, "").code == 0);
  const std::string tolerant =
      with(with(policy, "110 pods }", "110 pods; tolerate 1 lost }"), "reserve 12 x", "reserve 6 x");
  Ran ran = build(dir, tolerant);
  INFO(ran.out);
  CHECK(ran.code == 0);
  CHECK(says(ran, "cut: 6 x  [3g.40gb][3g.40gb]\n"));
  CHECK_FALSE(says(ran, "otherwise than before: 0"));
  ran = build(dir, tolerant);
  CHECK(ran.code == 0);
  CHECK(says(ran, "cut: GPUs that are cut otherwise than before: 0"));
}

TEST_CASE("build --from: nodes that were cut and are whole now are told", "[slow]") {
  const Scratch dir;
  const std::string policy = cut(3, "{ 2 x 3g.40gb }");
  REQUIRE(build(dir, policy, "").code == 0);
  const std::string whole = with(with(policy, " as mig { 2 x 3g.40gb }", ""), "12 x 3g.40gb", "12 gpus");
  Ran ran = build(dir, whole);
  INFO(ran.out);
  REQUIRE(ran.code == 0);
  const auto at = ran.out.find(": 3 of the nodes that carry gpol-cut.");
  REQUIRE(at != std::string::npos);
  const std::string name = ran.out.substr(ran.out.rfind('\n', at) + 1, at - ran.out.rfind('\n', at) - 1);
  CHECK(fs::exists(dir / ("out/partition/" + name + ".sh")));
  CHECK(read_text(dir / "out/partition/mig-parted.yaml").find("\n      " + name + ":\n") != std::string::npos);
  CHECK(build(dir, whole, "out", {"--check"}).code == 0);
  ran = build(dir, whole, "");
  CHECK(ran.code == 0);
  CHECK_FALSE(fs::exists(dir / "out/partition"));
}

TEST_CASE("build --from: layouts of a pool that batch alone uses stay as they are", "[slow]") {
  const Scratch dir;
  const std::string policy = R"(cluster demo {
  scheduler kueue 0.19.2
  nodes a { gpu A30-24GB; count 3; each 1 gpus, 64 cpu, 512 GiB, 110 pods; tolerate 1 lost }
  nodes b { gpu A30-24GB; count 2; each 2 gpus, 64 cpu, 512 GiB, 110 pods }
  pool spare on a as mig for 3 x 1g.6gb
  pool live  on b
  writers user "flux"
}
class realtime : A { }
class batch : C { runs Job; grace 60s (saved in 45s); kill margin 5s }
tenant chat { namespace chat; class realtime; reserve 4 gpus of live }
tenant jobs { namespace jobs; class batch; quota 1 x 1g.6gb of spare }
trust controller-as-emitted because "one pipeline" by @platform
trust nodes-as-declared because "reviewed" by @platform
trust requests-within-share because "job templates state them" by @platform
)";
  REQUIRE(build(dir, policy, "").code == 0);
  for (int again = 0; again < 3; ++again) {
    const Ran ran = build(dir, policy);
    INFO(ran.out);
    CHECK(ran.code == 0);
    CHECK(says(ran, "spare: GPUs that are cut otherwise than before: 0"));
    CHECK(build(dir, policy, "out", {"--check"}).code == 0);
  }
}

TEST_CASE("build --from: nodes whose GPUs were shared and are whole now are told", "[slow]") {
  const Scratch dir;
  const std::string policy = R"(cluster demo {
  scheduler kueue 0.19.2
  nodes a { gpu A30-24GB; count 3; each 1 gpus, 64 cpu, 512 GiB, 110 pods }
  nodes b { gpu A30-24GB; count 2; each 2 gpus, 64 cpu, 512 GiB, 110 pods }
  pool spare on a as time-slices 4
  pool live  on b
  writers user "flux"
}
class realtime : A { }
class batch : C { runs Job; grace 60s (saved in 45s); kill margin 5s }
tenant chat { namespace chat; class realtime; reserve 4 gpus of live }
tenant jobs { namespace jobs; class batch; quota 12 shares of spare }
trust controller-as-emitted because "one pipeline" by @platform
trust nodes-as-declared because "reviewed" by @platform
)";
  REQUIRE(build(dir, policy, "").code == 0);
  const std::string whole = with(with(policy, " as time-slices 4", ""), "12 shares", "3 gpus");
  const Ran ran = build(dir, whole);
  INFO(ran.out);
  REQUIRE(ran.code == 0);
  const std::string configs = read_text(dir / "out/partition/device-plugin.yaml");
  CHECK(configs.find("  gpol-spare: |") != std::string::npos);
  CHECK(configs.find("sharing") == std::string::npos);
  CHECK(fs::exists(dir / "out/partition/gpol-spare.sh"));
  CHECK(build(dir, whole, "out", {"--check"}).code == 0);

  // The pool goes, and nodes may still carry its name: without the key the device plugin would not start there.
  const std::string gone = without(without(without(whole, "  nodes a ", "110 pods }\n"), "  pool spare", "on a\n"),
                                   "tenant jobs", "of spare }\n");
  const Ran dropped = build(dir, gone, "out", {"--retired", "jobs"});
  INFO(dropped.out);
  REQUIRE(dropped.code == 0);
  CHECK(read_text(dir / "out/partition/device-plugin.yaml").find("  gpol-spare: |") != std::string::npos);
  CHECK(read_text(dir / "out/partition/README.md").find("- `gpol-spare`: shares nothing any more") !=
        std::string::npos);
  CHECK_FALSE(fs::exists(dir / "out/partition/gpol-spare.sh"));
  CHECK(build(dir, gone, "out", {"--check"}).code == 0);
}
