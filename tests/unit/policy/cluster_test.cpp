// Mistakes in a cluster: scheduler, node groups, pools.
#include "compiler/policy/codes.h"
#include "tests/unit/policy/policy_text.h"

namespace gpol {

namespace {

using test::accepts;
using test::refuses;

constexpr const char* kEach = "each 8 gpus, 192 cpu, 2 TiB, 110 pods";

std::string with_scheduler(const std::string& scheduler) { return "cluster east {\n" + scheduler + "\n}"; }
std::string with_group(const std::string& items) {
  return "cluster east { scheduler kueue\nnodes h100 { " + items + " }\n}";
}
std::string with_pools(const std::string& count, const std::string& pools) {
  return "cluster east { scheduler kueue nodes h100 { count " + count + " " + kEach + " }\n" + pools + "\n}";
}

std::string version_of(const std::string& scheduler) {
  return test::Resolved(with_scheduler(scheduler)).policy().kueue_version;
}

TEST_CASE("the scheduler is kueue or volcano of a version whose rules are known") {
  CHECK(version_of("scheduler kueue") == "0.19.2");
  CHECK(version_of("scheduler kueue 0.19.2") == "0.19.2");
  CHECK(version_of("scheduler volcano").empty());
  CHECK(test::Resolved(with_scheduler("scheduler volcano")).policy().volcano_version == "1.15.1");
  CHECK(test::Resolved(with_scheduler("scheduler kueue")).policy().volcano_version.empty());
  refuses(with_scheduler("scheduler volcano 1.14.1"),
          "GP0208 2:19 [1.14.1] gpol does not know the rules of volcano `1.14.1`", "the rules of `1.15.1` are known",
          {});
  refuses(with_scheduler("scheduler yunikorn"),
          "GP0208 2:11 [yunikorn] scheduler `yunikorn` is not one that gpol knows",
          "write `scheduler kueue` or `scheduler volcano`", {});
  refuses(
      with_scheduler("scheduler kueue 0.19.1"), "GP0208 2:17 [0.19.1] gpol does not know the rules of kueue `0.19.1`",
      "the rules of `0.19.2` are known; `gpol verify` judges what others can hold in manifests of v0.15 to v0.19", {});
  refuses(with_scheduler(""), "GP0205 1:9 [east] cluster `east` has no `scheduler`", "add `scheduler kueue`", {});
  refuses(with_scheduler("scheduler kueue scheduler kueue"),
          {"GP0206 2:17 [scheduler kueue] `scheduler` is given twice"});
  refuses(with_scheduler("scheduler kueue { round within 5s round within 6s }"),
          "GP0206 2:48 [6s] `round within` is given twice", "keep one of them", {"5s: first given here"});
  refuses(with_scheduler("scheduler kueue { release within 5 gpus }"),
          {"GP0203 2:34 [5 gpus] expected a duration such as `60s`, found `5 gpus`"});
}

TEST_CASE("a policy has one cluster and speaks language 1") {
  refuses("cluster east { scheduler kueue }\ncluster west { scheduler kueue }",
          "GP0202 2:9 [west] a policy has one cluster, `west` is a second", "give each cluster a policy of its own",
          {"east: the first is declared here"});
  accepts("language 1\ncluster east { scheduler kueue }");
  refuses("language 2", "GP0208 1:10 [2] language 2 is not one that this gpol reads", "write `language 1`", {});
  refuses("language 1.0", {"GP0208 1:10 [1.0] language 1.0 is not one that this gpol reads"});
  refuses("class c : C { }\nlanguage 1", "GP0208 2:1 [language 1] `language` is not the first declaration of its file",
          "move it to the top, once", {});
  refuses("language 1 language 1", {"GP0208 1:12 [language 1] `language` is not the first declaration of its file"});
}

TEST_CASE("a group states its count and all that a node has") {
  refuses(with_group(kEach), "GP0205 2:7 [h100] node group `h100` has no `count`", "add `count N`", {});
  refuses(with_group("count 4"), "GP0205 2:7 [h100] node group `h100` has no `each`",
          "add what each node has: `each 8 gpus, 192 cpu, 2 TiB, 110 pods`", {});
  refuses(with_group("count 4 each 192 cpu, 110 pods"),
          {"GP0205 2:22 [each 192 cpu, 110 pods] `each` states no gpus, memory"});
  refuses(with_group("count 4 each 0 gpus, 192 cpu, 2 TiB, 110 pods"),
          {"GP0207 2:22 [each 0 gpus, 192 cpu, 2 TiB, 110 pods] a node of `h100` has 0 gpus"});
  refuses(with_group("count 4 each 8 gpus, 192 cpu, 2 TB, 1 TiB, 110 pods"),
          "GP0206 2:50 [1 TiB] memory is given twice", "keep one of them", {"2 TB: first given here"});
  refuses(with_group("count 4 each 8 gpus, 192 cpu, 2 Tib, 110 gups"),
          {"GP0204 2:44 [2 Tib] `Tib` is not a unit that gpol knows",
           "GP0204 2:51 [110 gups] `gups` is not a unit that gpol knows"});
  for (const char* item : {"count 4", "gpu H100-80GB", "daemons take 1 cpu", "tolerate 1 lost", "spot notice 2min"}) {
    CAPTURE(item);
    const std::string once =
        std::string("count 4 ") + kEach + " gpu H100-80GB daemons take 1 cpu tolerate 1 lost spot notice 2min ";
    const test::Resolved twice(with_group(once + item));
    REQUIRE(twice.outcome.diagnostics.size() == 1);
    CHECK(twice.outcome.diagnostics[0].code == code::DuplicateClause);
    CHECK(twice.sources.slice(twice.outcome.diagnostics[0].span) == item);
  }
}

TEST_CASE("counts are whole, run upwards and leave nodes after the tolerated loss") {
  const std::string each = std::string(" ") + kEach;
  refuses(with_group("count 0" + each), "GP0207 2:14 [count 0] node group `h100` never has a node",
          "state a count above 0", {});
  refuses(with_group("count 4..2" + each), "GP0207 2:14 [count 4..2] count runs backwards, from 4 to 2",
          "write `count 2..4`", {});
  refuses(with_group("count 06" + each), "GP0207 2:20 [06] `06` starts with a zero", "write `6`", {});
  refuses(with_group("count 1000000000000000000000000000000" + each),
          {"GP0207 2:20 [1000000000000000000000000000000] `1000000000000000000000000000000` is too large"});
  refuses(with_group("count 4 tolerate 4 lost" + each),
          "GP0207 2:22 [tolerate 4 lost] of 4 nodes 4 cannot be lost with any left", "tolerate at most 3 lost",
          {"count 4: the count"});
  accepts(with_group("count 4 tolerate 3 lost" + each));
  accepts(with_group("count 0..2 tolerate 1 lost" + each));
  refuses(with_group("count 0..2 tolerate 2 lost" + each),
          {"GP0207 2:25 [tolerate 2 lost] of 2 nodes 2 cannot be lost with any left"});
  refuses(with_group("count 1000000000" + each),
          {"GP0207 2:14 [count 1000000000] 1000000000 nodes of 2 TiB are too much to count with"});
}

TEST_CASE("daemons leave something of a node") {
  const std::string each = std::string(kEach) + " ";
  refuses(with_group("count 4 " + each + "daemons take 192 cpu"),
          "GP0207 2:60 [daemons take 192 cpu] daemons take 192 cpu of a node that has 192 cpu",
          "leave something of each resource to pods", {"each 8 gpus, 192 cpu, 2 TiB, 110 pods: the node"});
  refuses(with_group("count 4 " + each + "daemons take 3 TiB"),
          {"GP0207 2:60 [daemons take 3 TiB] daemons take 3 TiB of a node that has 2 TiB"});
  refuses(with_group("count 4 " + each + "daemons take 5s"),
          {"GP0203 2:73 [5s] expected an amount such as `8 gpus, 128 cpu, 960 GiB`, found `5s`"});
  accepts(with_group("count 4 " + each + "daemons take 191.999 cpu, 7 gpus"));
}

TEST_CASE("pools take no more nodes than the group surely has") {
  accepts(with_pools("4", "pool a on h100 take 4 nodes"));
  accepts(with_pools("4", "pool a on h100 take 1 nodes pool b on h100 take 2 nodes"));
  refuses(with_pools("4", "pool a on h100 take 5 nodes"),
          "GP0306 2:1 [pool a on h100 take 5 nodes] pool `a` takes 5 nodes of `h100`, which has 4",
          "take fewer, or raise the group's count", {});
  refuses(with_pools("4", "pool a on h100 take 3 nodes\npool b on h100 take 2 nodes"),
          "GP0306 3:1 [pool b on h100 take 2 nodes] pool `b` takes 2 nodes of `h100`, which has 4, 3 of them taken",
          "take fewer, or raise the group's count", {"pool a on h100 take 3 nodes: takes nodes of the same group"});
  refuses(with_pools("4", "pool a on h100 take 4 nodes\npool b on h100 take the rest"),
          {"GP0306 3:1 [pool b on h100 take the rest] no node of `h100` is left for pool `b`"});
  refuses(with_pools("4", "pool a on h100\npool b on h100 take 1 nodes"),
          "GP0306 2:1 [pool a on h100] pool `a` takes all nodes of `h100`, which other pools take too",
          "say how many: `take N nodes` or `take the rest`",
          {"pool b on h100 take 1 nodes: takes nodes of the same group"});
  refuses(with_pools("4", "pool a on h100 take the rest\npool b on h100 take the rest"),
          "GP0306 3:1 [pool b on h100 take the rest] two pools take the rest of `h100`",
          "say how many one of them takes: `take N nodes`",
          {"pool a on h100 take the rest: takes nodes of the same group"});
  refuses(with_pools("2..4", "pool a on h100 take 3 nodes"),
          "GP0306 2:1 [pool a on h100 take 3 nodes] pool `a` takes 3 nodes of `h100`, which surely has 2",
          "only `take the rest`, or a pool of the whole group, may count on nodes that come and go", {});
  refuses(with_pools("4", "pool a on h100 take 0 nodes"), {"GP0207 2:21 [0] pool `a` takes 0 nodes"});
  refuses(with_pools("4", "pool a on h200"), "GP0201 2:11 [h200] node group `h200` is not declared",
          "did you mean `h100`?", {});
}

TEST_CASE("a pool has the label and the taint that it says, else gpol's own") {
  const test::Resolved resolved(
      with_pools("4",
                 "pool a on h100 take 1 nodes label \"node-role.kubernetes.io/gpu=\" taint sku=gpu:NoExecute\n"
                 "pool b on h100 take 1 nodes label node-role.kubernetes.io/gpu=X_1.x"));
  const Policy& p = resolved.policy();
  CHECK(label_of(p.pools[0]) == NodeMark{"node-role.kubernetes.io/gpu", ""});
  CHECK(taint_of(p.pools[0]) == NodeMark{"sku", "gpu", "NoExecute"});
  CHECK(label_of(p.pools[1]) == NodeMark{"node-role.kubernetes.io/gpu", "X_1.x"});
  CHECK(taint_of(p.pools[1]) == NodeMark{kPoolKey, "b", "NoSchedule"});
  const test::Resolved own(with_pools("4", "pool c on h100 taint dedicated"));
  const Pool& c = own.policy().pools[0];
  CHECK(label_of(c) == NodeMark{kPoolKey, "c"});
  CHECK(taint_of(c) == NodeMark{"dedicated", "", "NoSchedule"});
}

TEST_CASE("the key and value of a label or taint are those that kubernetes takes") {
  const auto labelled = [](const std::string& mark) {
    return with_pools("4", "pool a on h100 label \"" + mark + "\"");
  };
  const std::string name63(63, 'n'), domain253 = std::string(63, 'd') + "." + std::string(63, 'd') + "." +
                                                 std::string(63, 'd') + "." + std::string(61, 'd');
  for (const char* good : {"a=b", "a.b-c/D_x.y=1", "gpol.dev/gpu-pool=z"}) accepts(labelled(good));
  for (const std::string& key : {name63, domain253 + "/" + name63, std::string("9/9")}) accepts(labelled(key + "=v"));
  for (const std::string& key : {name63 + "n", domain253 + "d/x", std::string("A/x"), std::string("a/b/c"),
                                 std::string("/x"), std::string("x/"), std::string("-x"), std::string("x_"),
                                 std::string("a..b/x"), std::string(), std::string("a b"), std::string("a-/x")})
    refuses(labelled(key + "=v"), {"GP0208 2:22 [\"" + key + "=v\"] `" + key + "` is not the key of a label of nodes"});
  accepts(labelled("k=" + name63));
  for (const std::string& value : {name63 + "n", std::string("-"), std::string("a/b"), std::string("a=b")})
    refuses(labelled("k=" + value),
            {"GP0208 2:22 [\"k=" + value + "\"] `" + value + "` is not the value of a label of nodes"});
}

TEST_CASE("pools are told apart by their labels, by one key") {
  const auto pools = [](const std::string& first, const std::string& second) {
    return with_pools("4", "pool a on h100 take 1 nodes " + first + "\npool b on h100 take 1 nodes " + second);
  };
  accepts(pools("label k=a taint sku=gpu", "label k=b taint sku=gpu"));
  accepts(pools("label k=a taint sku=gpu", "label k=b taint sku=other"));
  accepts(pools("taint sku=gpu", "taint sku=gpu"));
  refuses(pools("label k=a", "label k=a"),
          "GP0321 3:35 [k=a] pools `a` and `b` have one label, `k=a`: their nodes are not told apart",
          "give each pool a label that only its own nodes carry", {"k=a: pool `a`"});
  refuses(pools("label gpol.dev/gpu-pool=b", ""),
          {"GP0321 3:1 [pool b on h100 take 1 nodes] pools `a` and `b` have one label, `gpol.dev/gpu-pool=b`: their "
           "nodes are not told apart"});
  const std::string hint = "give all pools a label with one key: a node has one value of it";
  refuses(pools("label k=a taint sku=gpu", "label l=a taint sku=other"),
          "GP0321 3:35 [l=a] the labels of pools `a` and `b` have two keys, `k` and `l`: a node may carry both, and is "
          "then of both pools",
          hint, {"k=a: pool `a`"});
  refuses(pools("label k=a taint sku=gpu", ""),
          "GP0321 3:1 [pool b on h100 take 1 nodes] the labels of pools `a` and `b` have two keys, `k` and "
          "`gpol.dev/gpu-pool`: a node may carry both, and is then of both pools",
          hint, {"k=a: pool `a`"});
}

TEST_CASE("only the rest and the whole of an elastic group are elastic") {
  const test::Resolved resolved(with_pools("2..9", "pool rest2 on h100 take the rest pool a on h100 take 2 nodes"));
  const Policy& p = resolved.policy();
  CHECK(p.pools[0].nodes_min == 0);
  CHECK(p.pools[0].nodes_max == 7);
  CHECK(p.pools[1].nodes_min == 2);
  CHECK(p.pools[1].nodes_max == 2);
}

TEST_CASE("names of groups and pools are declared once, and pools are kubernetes names") {
  refuses(with_pools("4", "pool a on h100 take 1 nodes\npool a on h100 take 2 nodes"),
          "GP0202 3:6 [a] pool `a` is declared twice", "give one of them another name", {"a: first declared here"});
  refuses(with_pools("4", "pool Big_One on h100"),
          "GP0209 2:6 [Big_One] pool `Big_One` cannot be the name of a kubernetes object",
          "use lower-case letters, digits and `-`, at most 63 characters, a letter or digit first and last: `big-one`",
          {});
  accepts(with_pools("4", "pool " + std::string(63, 'a') + " on h100"));
  const std::string longer(64, 'a');
  refuses(with_pools("4", "pool " + longer + " on h100"),
          {"GP0209 2:6 [" + longer + "] pool `" + longer + "` cannot be the name of a kubernetes object"});
  refuses("cluster Eu { scheduler kueue }", {"GP0209 1:9 [Eu] cluster `Eu` cannot be the name of a kubernetes object"});
}

TEST_CASE("a broken group is complained of once, not by all who stand on it") {
  refuses(
      "cluster east { scheduler kueue\nnodes h100 { count 4 each 8 gpus }\npool live on h100 take 2 nodes pool rest2 "
      "on h100 take the rest }\n"
      "class standard : B { ready within 4min } class batch : C { }\n"
      "tenant search { namespace search class standard reserve 8 gpus of live replica 8 gpus }\n"
      "tenant train { namespace train class batch quota 8 gpus of live }\n"
      "allow train to borrow up to 8 gpus of live from search",
      {"GP0205 2:22 [each 8 gpus] `each` states no cpu, memory, pods"});
}

}  // namespace

}  // namespace gpol
