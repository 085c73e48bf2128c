// gpol diff: what a change of manifests means, in GPUs.
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/json_schema.h"
#include "tests/support/manifests.h"
#include "tests/support/run_gpol.h"

using namespace gpol::test;
using nlohmann::json;

namespace {

struct Sides {
  Scratch dir;
  Sides(const std::string& before, const std::string& after) {
    write_text(dir / "old/queues.yaml", before);
    write_text(dir / "new/queues.yaml", after);
  }
  Ran diff(std::vector<std::string> more = {"--serving", "chat"}) const {
    more.insert(more.begin(), {"diff", (dir / "old").string(), (dir / "new").string()});
    return run_gpol(more);
  }
  json changes(std::vector<std::string> more = {"--serving", "chat"}) const {
    more.insert(more.end(), {"--format", "json"});
    const json all = json::parse(diff(more).out);
    CHECK(SchemaCheck(json::parse(read_text(GPOL_ROOT "/tests/support/report.schema.json")))(all).empty());
    return all["diff"];
  }
};

const std::string kTrain = cluster_queue("train", "nominalQuota: 8");
const std::string kKept = cluster_queue("chat", "nominalQuota: 8, lendingLimit: 0");

}  // namespace

TEST_CASE("diff: what means the same exits 0, whatever its text") {
  const Sides same(kKept + kTrain, "# moved\n" + kTrain + kKept);
  const auto ran = same.diff();
  CHECK(ran.code == 0);
  CHECK(ran.out == "means the same\n");
  CHECK(same.changes()["rows"].empty());
}

TEST_CASE("diff: a limit that goes loses the promise, with the GPUs, the line and the story") {
  const Sides lost(kKept + kTrain, cluster_queue("chat", "nominalQuota: 8") + kTrain);
  const auto ran = lost.diff();
  CHECK(ran.code == 1);
  CHECK(ran.out.find("LOST  1 statement does not hold any more; newly exposed: 8 GPUs of `chat`") == 0);
  CHECK(ran.out.find("0 GPUs -> 8 GPUs") != std::string::npos);
  CHECK(ran.out.find("riskier") != std::string::npos);
  CHECK(ran.out.find("new/queues.yaml:") != std::string::npos);
  CHECK(ran.out.find("train asks for 16 GPUs") != std::string::npos);
  const json diff = lost.changes();
  CHECK(diff["before_verdict"] == "proven");
  CHECK(diff["lost"].size() == 1);
  CHECK(diff["exposed"][0]["figures"]["reserve"] == 8);
  CHECK(lost.diff({"--serving", "chat", "--allow-exposure"}).code == 1);
}

TEST_CASE("diff: more of what was refuted already is exposed, less of it is safer", "[slow]") {
  const std::string two = cluster_queue("chat", "nominalQuota: 8, lendingLimit: 2") + kTrain,
                    six = cluster_queue("chat", "nominalQuota: 8, lendingLimit: 6") + kTrain;
  const Sides worse(two, six), better(six, two);
  CHECK(worse.diff().code == 1);
  CHECK(worse.diff().out.find("EXPOSED  no promise is lost; newly exposed: 4 GPUs of `chat`") == 0);
  CHECK(worse.diff({"--serving", "chat", "--allow-exposure"}).code == 0);
  CHECK(better.diff().code == 0);
  CHECK(better.diff().out.find("SAFER") == 0);
}

TEST_CASE("diff: a raised quota that others may borrow is not exposed, and a weaker return of what they hold is") {
  const std::string any = "  preemption: {reclaimWithinCohort: Any}\n";
  const auto search = [&](const std::string& quota, const std::string& preemption) {
    return cluster_queue("search", quota, preemption) + kTrain;
  };
  const std::vector<std::string> serving{"--serving", "search=B"};
  const Ran raised = Sides(search("nominalQuota: 4", any), search("nominalQuota: 8", any)).diff(serving);
  CHECK(raised.code == 0);
  CHECK(raised.out.find("SAFER") == 0);
  CHECK(Sides(search("nominalQuota: 8", any), search("nominalQuota: 8", "")).diff(serving).code == 1);
  CHECK(Sides(search("nominalQuota: 8", ""), search("nominalQuota: 8", any)).diff(serving).code == 0);
}

TEST_CASE("diff: what differs and was not read is not compared, where it names what a verdict rests on") {
  const Sides sides(kKept + kTrain, kKept + kTrain);
  write_text(sides.dir / "old/more.yaml.j2", "kind: ClusterQueue\nmetadata: {name: {{ name }}}\n");
  write_text(sides.dir / "new/more.yaml.j2", "kind: ClusterQueue\nmetadata: {name: {{ other }}}\n");
  const Ran ran = sides.diff();
  CHECK(ran.code == 3);
  CHECK(ran.out.find("NOT KNOWN  ") == 0);
  CHECK(ran.out.find("new/more.yaml.j2` differs (a template)") != std::string::npos);
  CHECK(sides.diff({"--serving", "chat", "--fail-on", "refuted"}).code == 0);
  write_text(sides.dir / "old/more.yaml.j2", "kind: ClusterRoleBinding\nmetadata: {name: {{ name }}}\n");
  write_text(sides.dir / "new/more.yaml.j2", "kind: ClusterRoleBinding\nmetadata: {name: {{ other }}}\n");
  CHECK(sides.diff().code == 3);
  write_text(sides.dir / "old/more.yaml.j2", "a: {{ service }}\n");
  write_text(sides.dir / "new/more.yaml.j2", "a: {{ another }}\n");
  CHECK(sides.diff().code == 0);
}

TEST_CASE("diff: a mistake of one side stays there, and a queue that flags name may be on one side alone") {
  const std::string wrong = cluster_queue("search", "nominalQouta: 4") + kTrain;
  const Ran fresh = Sides(wrong, cluster_queue("search", "nominalQuota: 4") + kTrain).diff({"--serving", "search"});
  CHECK(fresh.code == 1);
  CHECK(fresh.out.find("new, and does not hold") != std::string::npos);
  CHECK(fresh.err.find("has mistakes: what they are in counts as new") != std::string::npos);
  const Ran added = Sides(kTrain, cluster_queue("chat", "nominalQuota: 8") + kTrain).diff();
  CHECK(added.code == 1);
  CHECK(added.out.find("NEW  ") == 0);
  CHECK(Sides(kTrain, kTrain).diff().code == 1);  // neither has it
}

TEST_CASE("diff: a role that is dropped is removed and counts as exposed, and so is a queue that is called bounded") {
  const Sides dropped(kKept + kTrain, kKept + kTrain);
  write_text(dropped.dir / "old/gpol.yaml", "queues: {chat: {role: serving}, train: {role: serving}}\n");
  write_text(dropped.dir / "new/gpol.yaml", "queues: {chat: {role: serving}, train: {role: bounded}}\n");
  const auto ran = dropped.diff({});
  CHECK(ran.code == 1);
  CHECK(ran.out.find("removed   `train` does not serve any more (class A before)") != std::string::npos);
  CHECK(ran.out.find("removed   `train` is called bounded now") != std::string::npos);
  const Sides weaker(kKept + kTrain, kKept + kTrain);
  write_text(weaker.dir / "old/gpol.yaml", "queues: {chat: {role: serving}}\n");
  write_text(weaker.dir / "new/gpol.yaml", "queues: {chat: {role: serving, class: B}}\n");
  CHECK(weaker.diff({}).code == 1);
  CHECK(weaker.changes({})["removed"].size() == 1);
}

TEST_CASE("diff: a reserve that shrinks and a queue that is gone are exposed; a new one is gained or lost") {
  const Sides smaller(kKept + kTrain, cluster_queue("chat", "nominalQuota: 4, lendingLimit: 0") + kTrain);
  CHECK(smaller.diff().code == 1);
  CHECK(smaller.changes()["exposed"][0]["figures"]["reserve"] == 4);
  const Sides gone(kKept + cluster_queue("search", "nominalQuota: 4, lendingLimit: 0") + kTrain, kKept + kTrain);
  write_text(gone.dir / "old/gpol.yaml", "queues: {chat: {role: serving}, search: {role: serving}}\n");
  write_text(gone.dir / "new/gpol.yaml", "queues: {chat: {role: serving}}\n");
  CHECK(gone.diff({}).out.find("gone") != std::string::npos);
  const Sides fresh(kTrain, kKept + kTrain);
  write_text(fresh.dir / "new/gpol.yaml", "queues: {chat: {role: serving}}\n");
  CHECK(fresh.diff({}).code == 0);
}

TEST_CASE("diff: a policy is compared with manifests by its queues alone", "[slow]") {
  const Scratch dir;
  const std::string policy = GPOL_ROOT "/examples/morning-ramp/morning-ramp.gpol", out = (dir / "out").string();
  REQUIRE(run_gpol({"build", policy, "-o", out}).code == 0);
  const auto same = run_gpol({"diff", policy, out});
  INFO(same.out);
  CHECK(same.code == 0);
  const std::string found = out + "/gpol.yaml";  // it beats labels
  std::string text = read_text(found);
  const std::size_t at = text.find("class: A");
  REQUIRE(at != std::string::npos);
  text.replace(at, 8, "class: B");
  write_text(found, text);
  const auto lent = run_gpol({"diff", policy, out});
  INFO(lent.out);
  CHECK(lent.code == 1);
}

TEST_CASE("diff: of a single file gpol.yaml beside it counts, too") {
  const Sides sides(kKept + kTrain, kKept + kTrain);
  const std::string serves = "queues: {chat: {role: serving}}\n";
  write_text(sides.dir / "old/gpol.yaml", serves);
  write_text(sides.dir / "new/gpol.yaml", serves + "exclude: [more/]\n");
  const auto ran =
      run_gpol({"diff", (sides.dir / "old/queues.yaml").string(), (sides.dir / "new/queues.yaml").string()});
  CHECK(ran.code == 1);
  CHECK(ran.out.find("gpol.yaml leaves out `more/` now") != std::string::npos);
}

TEST_CASE("diff: a ResourceFlavor that is defined at last exposes nothing; one that is gone does") {
  const std::string flavor =
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: h100}\nspec: {nodeLabels: {pool: "
      "h100}}\n";
  const Sides defined(kKept + kTrain, kKept + kTrain + flavor), gone(kKept + kTrain + flavor, kKept + kTrain);
  CHECK(defined.diff().code == 0);
  CHECK(gone.diff().code == 1);
  CHECK(gone.diff().out.find("the nodes of flavor `h100`, on which somebody serves, are any now") != std::string::npos);
}

TEST_CASE("diff: a tenant that becomes batch is not said to keep what it had", "[slow]") {
  const Scratch dir;
  std::string text = read_text(GPOL_ROOT "/tests/diff/bases/ramp/ramp.gpol");
  write_text(dir / "old.gpol", text);
  const auto replace = [&](const std::string& from, const std::string& to) {
    REQUIRE(text.find(from) != std::string::npos);
    text.replace(text.find(from), from.size(), to);
  };
  replace("class realtime\n  reserve 16 gpus of live", "class batch\n  quota 16 gpus of live\n  shape 8 gpus of live");
  write_text(dir / "new.gpol", text);
  const auto ran = run_gpol({"diff", (dir / "old.gpol").string(), (dir / "new.gpol").string()});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 1);
  CHECK(ran.out.find("`chat` does not serve any more (class A before)\n") != std::string::npos);
}

TEST_CASE("diff: an approval covers nothing that only has its name in a path", "[slow]") {
  const Scratch dir;
  std::string text = read_text(GPOL_ROOT "/tests/diff/bases/ramp/ramp.gpol");
  write_text(dir / "old/ramp.gpol", text);
  text.replace(text.find("up to 8 gpus"), 12, "up to 9 gpus");
  write_text(dir / "new/ramp.gpol", text);
  write_text(dir / "signed", "@search\n");
  const std::vector<std::string> words{
      "diff",        (dir / "old").string(),   (dir / "new").string(), "--require-approvals",
      "--approvals", (dir / "signed").string()};
  CHECK(run_gpol(words).code == 0);
  write_text(dir / "new/gpol.yaml", "exclude: [search/]\n");
  const std::string left_out = "gpol.yaml leaves out `search/` now";
  const auto ran = run_gpol(words);  // anybody's approval will do: nobody is named for it
  CHECK(ran.code == 0);
  CHECK(ran.out.find("@search has approved: no clause or owner says whom to ask: " + left_out) != std::string::npos);
  for (const char* side : {"old", "new"}) {
    const auto path = dir / side / "ramp.gpol";
    write_text(path, read_text(path) + "approve changes to all by @governance\n");
  }
  write_text(dir / "new/ramp.gpol", read_text(dir / "old/ramp.gpol"));
  const auto named = run_gpol(words);
  CHECK(named.code == 1);
  CHECK(named.out.find("@governance is asked: `approve changes to all`: " + left_out) != std::string::npos);
  write_text(dir / "signed", "@governance\n");
  CHECK(run_gpol(words).code == 0);
}

TEST_CASE("diff: of queues without owners one approval of anybody is asked, whatever is lost or not known") {
  const Sides lost(kKept + kTrain, cluster_queue("chat", "nominalQuota: 8") + kTrain);
  const std::string signed_off = (lost.dir / "signed").string();
  write_text(signed_off, "# nobody yet\n");
  std::vector<std::string> words{"--serving", "chat", "--require-approvals", "--approvals", signed_off};
  const Ran missing = lost.diff(words);
  CHECK(missing.code == 1);
  CHECK(missing.out.find("anyone is asked: no clause or owner says whom to ask: `chat` is riskier on `h100`") !=
        std::string::npos);
  write_text(signed_off, "@platform\n");
  CHECK(lost.diff(words).code == 0);
  const Sides unread(kKept + kTrain, kKept + kTrain);
  write_text(unread.dir / "old/more.yaml.j2", "kind: ClusterQueue\nmetadata: {name: {{ name }}}\n");
  write_text(unread.dir / "new/more.yaml.j2", "kind: ClusterQueue\nmetadata: {name: {{ other }}}\n");
  CHECK(unread.diff(words).code == 0);
  write_text(signed_off, "");
  CHECK(unread.diff(words).code == 1);
  words.insert(words.end(), {"--fail-on", "refuted"});
  CHECK(unread.diff(words).code == 0);
}

TEST_CASE("diff: a policy that is gone takes no approval with it", "[slow]") {
  const Scratch dir;
  const std::string text = read_text(GPOL_ROOT "/tests/diff/bases/ramp/ramp.gpol");
  write_text(dir / "old/eu/ramp.gpol", text + "approve changes to chat by @governance\n");
  write_text(dir / "new/queues.yaml", kTrain);
  write_text(dir / "signed", "@chat @search\n@search\n@ml\n");
  const std::vector<std::string> words{
      "diff",        (dir / "old").string(),   (dir / "new").string(), "--require-approvals",
      "--approvals", (dir / "signed").string()};
  const auto ran = run_gpol(words);
  INFO(ran.out << ran.err);
  CHECK(ran.code == 1);
  CHECK(ran.out.find("@governance is asked: `approve changes to chat`, and the clause itself is dropped") !=
        std::string::npos);
  write_text(dir / "signed", "@chat\n@search\n@governance\n");
  CHECK(run_gpol(words).code == 0);
}

TEST_CASE("diff: an owner hears which resource of a pool is gone where the tenant stays", "[slow]") {
  const Scratch dir;
  std::string text = read_text(GPOL_ROOT "/examples/on-prem-three-classes/on-prem-three-classes.gpol");
  write_text(dir / "old/p.gpol", text);
  const auto replace = [&](const std::string& from, const std::string& to) {
    REQUIRE(text.find(from) != std::string::npos);
    text.replace(text.find(from), from.size(), to);
  };
  replace("1 x 3g.40gb, 4 x 1g.10gb", "2 x 2g.20gb, 3 x 1g.10gb");
  replace("16 x 3g.40gb of cards", "16 x 2g.20gb of cards");
  write_text(dir / "new/p.gpol", text);
  const auto ran = run_gpol({"diff", (dir / "old").string(), (dir / "new").string()});
  INFO(ran.out);
  CHECK(
      ran.out.find("owner of `chat`: nothing is promised to `chat` of `nvidia.com/mig-3g.40gb` on `cards` any more") !=
      std::string::npos);
}

TEST_CASE("diff: one side from standard input") {
  const Sides sides(kKept + kTrain, cluster_queue("chat", "nominalQuota: 8") + kTrain);
  const std::string before = read_text(sides.dir / "old/queues.yaml"), after = (sides.dir / "new").string();
  CHECK(run_gpol({"diff", "-", after, "--serving", "chat"}, before).code == 1);
  CHECK(run_gpol({"diff", (sides.dir / "old").string(), "-", "--serving", "chat"}, before).out == "means the same\n");
  CHECK(run_gpol({"diff", "-", "-"}).code == 2);
}

TEST_CASE("diff: mistakes of a side, and wrong words") {
  const Sides after(kKept + kTrain, "kind: {"), before("kind: {", kKept + kTrain);
  CHECK(after.diff().code == 1);
  const auto ran = before.diff();
  CHECK(ran.code == 0);
  CHECK(ran.err.find("the side before, has mistakes") != std::string::npos);
  CHECK(run_gpol({"diff", "one"}).code == 2);
  CHECK(run_gpol({"diff", "/nowhere/a", "/nowhere/b"}).code == 2);
  CHECK(after.diff({"--serving", "chat", "--format", "csv"}).code == 2);
}
