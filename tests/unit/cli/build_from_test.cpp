// `build --from`: what an earlier build had and the policy no longer has is kept, and proven, until it is retired.
#include "tests/unit/cli/built_from.h"

using gpol::test::build, gpol::test::read_text, gpol::test::Ran, gpol::test::says, gpol::test::Scratch;
using gpol::test::with, gpol::test::without, gpol::test::write_text;
namespace fs = std::filesystem;

namespace {

std::string ramp() { return read_text(std::string(GPOL_ROOT) + "/examples/morning-ramp/morning-ramp.gpol"); }
std::string no_finetune(const std::string& text) { return without(text, "tenant finetune", "back within 2min\n"); }
std::string small() { return read_text(std::string(GPOL_ROOT) + "/tests/golden/build/two_classes_one_loan.gpol"); }

// The document of queues.yaml about an object, without the comments above it; empty: there is none.
std::string object(const Scratch& dir, const std::string& kind, const std::string& name) {
  std::string text = read_text(dir / "out/base/queues.yaml");
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.find("\n---\n", begin);
    if (end == std::string::npos) end = text.size();
    const std::string one = text.substr(begin, end - begin);
    if (one.find("\nkind: " + kind + "\n") != std::string::npos &&
        one.find("\n  name: " + name + "\n") != std::string::npos)
      return one.substr(one.find("apiVersion"));
    begin = end + 5;
  }
  return {};
}

}  // namespace

TEST_CASE("build --from: the queue of a batch tenant that left stays as it was, with its LocalQueue on Hold",
          "[slow]") {
  const Scratch dir;
  REQUIRE(build(dir, ramp(), "").code == 0);
  const std::string finetune = object(dir, "ClusterQueue", "finetune"), search = object(dir, "ClusterQueue", "search");
  const std::string night = read_text(dir / "out/overlays/night/kustomization.yaml");
  REQUIRE(!finetune.empty());
  CHECK(object(dir, "LocalQueue", "finetune").find("stopPolicy: None") != std::string::npos);

  const Ran kept = build(dir, no_finetune(ramp()));
  INFO(kept.out);
  CHECK(kept.code == 0);
  CHECK(says(kept, "kept from the earlier build, with LocalQueues on Hold: `finetune` of tenant `finetune`"));
  CHECK(object(dir, "ClusterQueue", "finetune") == finetune);
  CHECK(object(dir, "ClusterQueue", "search") == search);  // it lends what may still be held
  CHECK(object(dir, "LocalQueue", "finetune").find("stopPolicy: Hold") != std::string::npos);
  CHECK(object(dir, "LocalQueue", "search").find("stopPolicy: None") != std::string::npos);
  const std::string queues = read_text(dir / "out/base/queues.yaml");
  CHECK(queues.find("# from: an earlier build: tenant finetune left the policy") != std::string::npos);
  CHECK(read_text(dir / "out/base/namespaces.yaml").find("gpol.dev/tenant: finetune") != std::string::npos);
  CHECK(read_text(dir / "out/base/guards.yaml").find("ml-train") != std::string::npos);
  CHECK(read_text(dir / "out/overlays/night/kustomization.yaml").find("name: finetune") != std::string::npos);

  // Of that output in turn, as often as one likes.
  const Ran again = build(dir, no_finetune(ramp()));
  CHECK(again.code == 0);
  CHECK(says(again, "already holds exactly these"));
  CHECK(build(dir, no_finetune(ramp()), "out", {"--check"}).code == 0);

  const std::string done = without(no_finetune(ramp()), "$never-held", ")\n");
  const Ran retired = build(dir, done, "out", {"--retired", "finetune"});
  INFO(retired.out);
  CHECK(retired.code == 0);
  CHECK(object(dir, "ClusterQueue", "finetune").empty());
  CHECK(object(dir, "LocalQueue", "finetune").empty());
  CHECK(object(dir, "ClusterQueue", "search") != search);
  CHECK(read_text(dir / "out/base/guards.yaml").find("ml-train") == std::string::npos);
  const Ran twice = build(dir, done, "out", {"--retired", "finetune"});
  CHECK(twice.code == 1);
  CHECK(says(twice, "error[GP0511]"));
  // It is what a build gives that never knew of the tenant.
  CHECK(says(build(dir, done, ""), "already holds exactly these"));
}

TEST_CASE("build --from: a tenant that comes back finds all quotas as they were, or is retired", "[slow]") {
  const Scratch dir;
  REQUIRE(build(dir, ramp(), "").code == 0);
  REQUIRE(build(dir, no_finetune(ramp())).code == 0);
  CHECK(build(dir, ramp()).code == 0);
  REQUIRE(build(dir, no_finetune(ramp())).code == 0);
  // What it borrowed may still run, and the policy no longer counts it.
  const std::string less = without(ramp(), "allow finetune", "back within 2min\n");
  const Ran back = build(dir, less);
  INFO(back.out);
  CHECK(back.code == 1);
  CHECK(says(back, "error[GP0510]: tenant `finetune` comes back"));
  CHECK(says(back, "nothing is written"));
  // Nor pods that were let in with a longer grace.
  const Ran sooner = build(dir, with(ramp(), "$classes(4min, 60s, 45s)", "$classes(4min, 50s, 45s)"));
  INFO(sooner.out);
  CHECK(sooner.code == 1);
  CHECK(
      says(sooner, "error[GP0510]: guard `gpol-batch-leaves` is not what it was when pods of `finetune` were let in"));
  const Ran retired = build(dir, less, "out", {"--retired", "finetune"});
  INFO(retired.out);
  CHECK(retired.code == 0);
}

TEST_CASE("build --from: what the tenant that left owns is counted, and whoever is given it meanwhile is refuted",
          "[slow]") {
  const std::string first = with(with(ramp(), "reserve 16 gpus of shared", "reserve 8 gpus of shared"),
                                 "quota 40 gpus of burst", "quota 8 gpus of shared\n  quota 40 gpus of burst");
  const std::string then = with(no_finetune(first), "reserve 8 gpus of shared", "reserve 16 gpus of shared");
  const Scratch dir;
  const Ran before = build(dir, first, "");
  INFO(before.out);
  REQUIRE(before.code == 0);
  const Ran given = build(dir, then);
  INFO(given.out);
  CHECK(given.code == 1);
  CHECK(says(given,
             "error[GP1201]: quotas of `shared` add up to 24 GPUs, but 16 GPUs are surely there; what `finetune` "
             "owns counts until its tenant, which left the policy, is retired"));
  CHECK(says(given, " finetune  "));  // the story
  CHECK(says(given, "nothing is written"));
  CHECK(build(dir, no_finetune(first)).code == 0);
  CHECK(build(dir, without(then, "$never-held", ")\n"), "out", {"--retired", "finetune"}).code == 0);
}

TEST_CASE("build --from: a serving tenant that left holds up to its own quota and is promised nothing", "[slow]") {
  for (const char* name : {"chat", "search"}) {
    INFO(name);
    const Scratch dir;
    REQUIRE(build(dir, ramp(), "").code == 0);
    const std::string queue = object(dir, "ClusterQueue", name);
    std::string left = without(ramp(), std::string("tenant ") + name, "\n}\n");
    if (std::string(name) == "search") left = without(left, "allow finetune", "back within 2min\n");
    const Ran kept = build(dir, left);
    INFO(kept.out);
    CHECK(kept.code == 0);
    CHECK(says(kept, "1 serving queue"));
    CHECK(object(dir, "ClusterQueue", name) == queue);
    CHECK(object(dir, "LocalQueue", name).find("stopPolicy: Hold") != std::string::npos);
    CHECK(says(build(dir, left), "already holds exactly these"));
    // Somebody else on its pool would stand beside pods of which nothing is known.
    const std::string pool = std::string(name) == "chat" ? "live" : "shared";
    const Ran other =
        build(dir, left + "tenant other { namespace other; class realtime; reserve 8 gpus of " + pool + " }\n");
    CHECK(other.code == 1);
    CHECK(says(other, "error[GP0510]: `other` serves on `" + pool + "`, where `" + name +
                          "`, which left the policy, may still run"));
  }
}

TEST_CASE("build --from: what the tenant that left stands on must be as it was", "[slow]") {
  const std::string left = without(small(), "tenant finetune", "back within 2min\n");
  const struct {
    std::string policy;
    const char* says;
  } table[] = {
      {with(left, "grace 60s (saved in 45s)", "grace 30s (saved in 25s)"),
       "guard `gpol-batch-leaves` is not what it was"},
      {without(left, "class batch", "\n"), "and so did its class `batch`"},
      {without(left, "window night", "\n"), "`finetune` may borrow during `night`, which the policy no longer has"},
      {without(without(left, "  nodes spot", "\n"), "  pool burst", "\n"),
       "on pool `burst`, which the policy no longer has"},
      {with(left, "namespace chat-prod", "namespace chat-prod, ml-train"),
       "`chat` has its namespace `ml-train` in another class"},
      {with(left, "cluster demo", "cluster other"), "is of cluster `demo`, and the policy of `other`"},
      {with(left, "pool live ", "writers user \"system:serviceaccount:ml-train:x\"\n  pool live "),
       "writer `system:serviceaccount:ml-train:x` is of namespace `ml-train`"},
      {with(left, "reserve 16 gpus of shared\n",
            "reserve 16 gpus of shared\n  queue { lend at most 2 gpus of shared }\n"),
       "`search` lends less of `shared` than `finetune`"},
  };
  const Scratch dir;
  REQUIRE(build(dir, small(), "").code == 0);
  for (const auto& row : table) {
    INFO(row.says);
    const Ran ran = build(dir, row.policy);
    INFO(ran.out);
    CHECK(ran.code == 1);
    CHECK(says(ran, "error[GP0510]"));
    CHECK(says(ran, row.says));
  }
}

TEST_CASE("build --from: borrower and lender leave at once, and go one after the other", "[slow]") {
  const Scratch dir;
  REQUIRE(build(dir, small(), "").code == 0);
  const std::string left = without(without(small(), "tenant finetune", "back within 2min\n"), "tenant search", "\n}\n");
  const Ran kept = build(dir, left);
  INFO(kept.out);
  CHECK(kept.code == 0);
  CHECK(!object(dir, "ClusterQueue", "finetune").empty());
  CHECK(!object(dir, "ClusterQueue", "search").empty());
  const Ran lender = build(dir, left, "out", {"--retired", "search"});  // finetune may hold what it lent
  CHECK(lender.code == 1);
  CHECK(says(lender, "error[GP0510]: `search` lends less of `shared` than `finetune`"));
  CHECK(build(dir, left, "out", {"--retired", "finetune"}).code == 0);
  CHECK(build(dir, left, "out", {"--retired", "search"}).code == 0);
  CHECK(object(dir, "ClusterQueue", "search").empty());
}

TEST_CASE("build --from: a tenant is retired by its name, and only once it has left") {
  const Scratch dir;
  REQUIRE(build(dir, small(), "").code == 0);
  const std::string left = without(small(), "tenant finetune", "back within 2min\n");
  const Ran typo = build(dir, left, "out", {"--retired", "finetun"});
  CHECK(typo.code == 1);
  CHECK(says(typo, "error[GP0511]: the earlier build has no tenant `finetun` that left the policy"));
  CHECK(says(typo, "did you mean `finetune`?"));
  const Ran stays = build(dir, small(), "out", {"--retired", "finetune"});
  CHECK(stays.code == 1);
  CHECK(says(stays, "tenant `finetune` is to be retired, and the policy still has it"));
  const Ran alone = build(dir, left, "", {"--retired", "finetune"});
  CHECK(alone.code == 2);
  CHECK(alone.err.find("`--retired` is about an earlier build") != std::string::npos);
}

TEST_CASE("build --from: a directory that gpol did not write is refused") {
  const Scratch dir;
  const Ran missing = build(dir, small(), "nowhere");
  CHECK(missing.code == 2);
  CHECK(says(missing, "error[GP0501]"));
  write_text(dir / "mine/queues.yaml", "a: b\n");
  const Ran mine = build(dir, small(), "mine");
  CHECK(mine.code == 1);
  CHECK(says(mine, "error[GP0509]"));
  REQUIRE(build(dir, small(), "").code == 0);
  write_text(dir / "out/base/queues.yaml", read_text(dir / "out/base/queues.yaml") + "# mine\n");
  const Ran edited = build(dir, small());
  CHECK(edited.code == 1);
  CHECK(says(edited, "error[GP0509]: `" + (dir / "out/base/queues.yaml").string() + "` is not what gpol wrote"));
}

TEST_CASE("build: queues that leave the output are named", "[slow]") {
  const Scratch dir;
  REQUIRE(!says(build(dir, small(), ""), "leaves the output"));
  const Ran left = build(dir, without(small(), "tenant finetune", "back within 2min\n"), "");
  INFO(left.out);
  CHECK(left.code == 0);
  CHECK(says(left, "leaves the output: `finetune`; while work of a tenant that left the policy may still run"));
}

TEST_CASE("build --from: a tenant that left had no quota of a profile that goes with it", "[slow]") {
  const Scratch dir;
  const std::string policy = R"(cluster demo {
  scheduler kueue 0.19.2
  nodes h { gpu A30-24GB; count 2; each 2 gpus, 64 cpu, 512 GiB, 110 pods }
  pool live on h as mig { 1 x 1g.6gb, 1 x 1g.6gb+me, 1 x 2g.12gb }
  writers user "flux"
}
class realtime : A { }
class batch : C { runs Job; grace 60s (saved in 45s); kill margin 5s }
tenant chat { namespace chat; class realtime; reserve 2 x 2g.12gb of live }
tenant left { namespace left; class batch; quota 1 x 1g.6gb of live }
trust controller-as-emitted because "one pipeline" by @platform
trust nodes-as-declared because "reviewed" by @platform
trust requests-within-share because "job templates state them" by @platform
)";
  REQUIRE(build(dir, policy, "").code == 0);
  const std::string without_me = with(policy, "1 x 1g.6gb, 1 x 1g.6gb+me", "2 x 1g.6gb");
  const Ran ran = build(dir, without(without_me, "tenant left", "of live }\n"));
  INFO(ran.out);
  CHECK(ran.code == 0);
  CHECK(says(ran, "kept from the earlier build, with LocalQueues on Hold: `left` of tenant `left`"));
  CHECK(object(dir, "ClusterQueue", "left").find("1g.6gb.me") == std::string::npos);
}
