// Mistakes in tenants and their queues, and the amounts that follow from GPUs.
#include "compiler/policy/codes.h"
#include "tests/unit/policy/policy_text.h"

namespace gpol {

namespace {

using test::accepts;
using test::kCluster;
using test::refuses;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

std::string search(const std::string& items) {
  return kCluster + "tenant search { namespace search class standard " + items + " }";
}
std::string train(const std::string& items) {
  return kCluster + "tenant train { namespace train class batch " + items + " }";
}
std::string train_queue(const std::string& items) { return train("quota 8 gpus of burst\nqueue { " + items + " }"); }

TEST_CASE("what goes with a GPU is its share of a node, rounded down") {
  // A node leaves 7 GPUs, 100 cpu, 1 GiB (1024 MiB) and 10 pods.
  const std::string odd =
      "cluster east { scheduler kueue nodes g { count 2 each 7 gpus, 101 cpu, 1 GiB, 12 pods daemons take 1 cpu, 2 "
      "pods } pool p on g }"
      "class batch : C { } tenant t { namespace t class batch quota ";
  const auto quota = [&](const std::string& amounts) {
    return test::Resolved(odd + amounts + " of p }").policy().tenants[0].quotas.at(0).amount;
  };
  const Resources three = quota("3 gpus");
  CHECK(three[Resource::Gpu] == 3);
  CHECK(three[Resource::Cpu] == 42857);          // 300000 / 7 = 42857.1
  CHECK(three[Resource::Memory] == 438 * kMiB);  // 3072 / 7 = 438.9
  CHECK(three[Resource::Pods] == 4);             // 30 / 7 = 4.3
  CHECK(quota("7 gpus")[Resource::Memory] == 1024 * kMiB);
  CHECK(quota("14 gpus")[Resource::Cpu] == 200000);
  CHECK(quota("0 gpus") == Resources{});
  const Resources stated = quota("3 gpus, 1.5 cpu, 1 GB, 9 pods");
  CHECK(stated[Resource::Cpu] == 1500);
  CHECK(stated[Resource::Memory] == 1000000000);
  CHECK(stated[Resource::Pods] == 9);
}

TEST_CASE("shares of one node never add up to more than the node") {
  for (int gpus = 1; gpus <= 9; ++gpus) {
    std::string text = fmt::format(
        "cluster east {{ scheduler kueue nodes g {{ count 1 each {} gpus, 101.003 cpu, 1000003 kB, 13 pods }} pool p "
        "on g }}"
        "class batch : C {{ }} ",
        gpus);
    for (int t = 0; t < gpus; ++t)
      text += fmt::format("tenant t{} {{ namespace t{} class batch quota 1 gpus of p }} ", t, t);
    const test::Resolved resolved(text);
    Resources sum;
    for (const auto& tenant : resolved.policy().tenants) sum += tenant.quotas.at(0).amount;
    CHECK(sum[Resource::Gpu] == gpus);
    CHECK(sum[Resource::Cpu] <= 101003);
    CHECK(sum[Resource::Cpu] > 101003 - gpus);
    CHECK(sum[Resource::Memory] <= 1000003000);
    CHECK(sum[Resource::Memory] > 1000003000 - gpus * kMiB - kMiB);
    CHECK(sum[Resource::Pods] <= 13);
  }
}

TEST_CASE("an amount of a pool starts with its gpus") {
  refuses(search("\nreserve 128 cpu, 1 TiB of live"),
          "GP0205 3:1 [reserve 128 cpu, 1 TiB of live] `reserve` states no gpus",
          "write `reserve N gpus` first: cpu, memory and pods go with them", {});
  refuses(train("\nquota 1 pod of burst"), {"GP0205 3:1 [quota 1 pod of burst] `quota` states no gpus"});
  refuses(search("\nreserve 0 gpus of live"), "GP0207 3:1 [reserve 0 gpus of live] `reserve` of 0 gpus",
          "state more than 0 gpus", {});
  refuses(search("\nreserve 8 gpus, 0 pods of live"),
          {"GP0207 3:1 [reserve 8 gpus, 0 pods of live] `reserve` of 0 pods"});
  accepts(train("quota 0 gpus of burst"));
  refuses(search("\nreserve 60s of live"),
          {"GP0203 3:9 [60s] expected an amount such as `8 gpus, 128 cpu, 960 GiB`, found `60s`"});
  refuses(search("\nreserve 1000000000000000 gpus of live"),
          {"GP0207 3:1 [reserve 1000000000000000 gpus of live] what goes with 1P GPUs of `live` is too "
           "large"});
  refuses(
      "cluster east { scheduler kueue nodes g { count 1 each 8 gpus, 8 cpu, 8 GiB, 4 pods } pool p on g }\n"
      "class a : A { } tenant t { namespace t class a reserve 1 gpus of p }",
      "GP0207 2:48 [reserve 1 gpus of p] 1 GPU of `p` would bring 0 pods", "state the pods beside the gpus", {});
}

TEST_CASE("a serving tenant's queue may not be stopped: it would admit nobody") {
  refuses(kCluster + "tenant x { namespace x class realtime reserve 8 gpus of live queue { stopPolicy Hold } }",
          {"GP0302 2:70 [stopPolicy Hold] `stopPolicy Hold` does not fit tenant `x`, whose class `realtime` is A"});
  accepts(kCluster + "tenant x { namespace x class realtime reserve 8 gpus of live queue { stopPolicy None } }");
  accepts(kCluster + "tenant x { namespace x class batch quota 8 gpus of burst queue { stopPolicy Hold } }");
}

TEST_CASE("a tenant has a namespace, a class and what its class asks for") {
  refuses(kCluster + "tenant x { }",
          {"GP0205 2:8 [x] tenant `x` has no `class`", "GP0205 2:8 [x] tenant `x` has no `namespace`"});
  refuses(search(""), "GP0205 2:8 [search] tenant `search` has no `reserve`",
          "add what is always its own: `reserve 8 gpus of POOL`", {});
  refuses(search("reserve 8 gpus of live\nquota 8 gpus of live"),
          "GP0302 3:1 [quota 8 gpus of live] `quota` does not fit tenant `search`, whose class `standard` is B",
          "a serving tenant states a `reserve`", {"class standard: its class"});
  refuses(train("\nreserve 8 gpus of live\nreplica 8 gpus\nstart load 5s"),
          {"GP0302 2:32 [class batch] class `batch` is C, and tenant `train` states what fits classes A and B alone: "
           "`reserve`, `replica`, `start`"});
  // The class counts wherever it stands in the block.
  refuses(kCluster + "tenant t { quota 8 gpus of live namespace t class standard reserve 8 gpus of live }",
          {"GP0302 2:12 [quota 8 gpus of live] `quota` does not fit tenant `t`, whose class `standard` is B"});
}

TEST_CASE("an unknown class is one mistake and the rest of the tenant is still read") {
  refuses(
      kCluster + "tenant t { namespace t class standart reserve 8 gups of live quota 8 gpus of liev }",
      {"GP0201 2:30 [standart] class `standart` is not declared",
       "GP0204 2:47 [8 gups] `gups` is not a unit that gpol knows", "GP0201 2:78 [liev] pool `liev` is not declared"});
  refuses("class x : D { }\ntenant t { namespace t class x }", {"GP0208 1:11 [D] `D` is not a class of isolation"});
}

TEST_CASE("an unknown name is reported once with all its uses") {
  refuses(train("quota 1 gpus of brust") +
              "\ntenant b { namespace b class batch quota 1 gpus of brust queue { borrow at most 1 gpus of brust } }",
          "GP0201 2:60 [brust] pool `brust` is not declared", "did you mean `burst`?",
          {"brust: also used here", "brust: also used here"});
  refuses(train("quota 1 gpus of nowhere-near"), "GP0201 2:60 [nowhere-near] pool `nowhere-near` is not declared",
          "write one of `burst`, `live`, `shared`", {});
  refuses("tenant t { namespace t class c }", "GP0201 1:30 [c] class `c` is not declared",
          "no class is declared: add `class c : B { ready within 4min }`", {});
}

TEST_CASE("a clause of a tenant stands once, a reserve once for each pool") {
  const std::string once =
      "tenant search { namespace search owner @s class standard reserve 8 gpus of live replica 1 gpus start load 1s "
      "(declared) "
      "asks at 09:30 queue { } ";
  for (const char* item : {"namespace other", "owner @t", "class realtime", "reserve 1 gpus of live", "replica 2 gpus",
                           "start warm 1s (declared)", "asks at 10:30", "queue { }"}) {
    CAPTURE(item);
    const test::Resolved twice(kCluster + once + item + " }");
    REQUIRE(twice.lines().size() == 1);
    CHECK(twice.outcome.diagnostics[0].code == code::DuplicateClause);
    CHECK(twice.sources.slice(twice.outcome.diagnostics[0].span) == item);
    CHECK(twice.outcome.diagnostics[0].labels.size() == 1);
  }
  refuses(train("quota 1 gpus of live quota 1 gpus of burst\nquota 2 gpus of live"),
          "GP0206 3:1 [quota 2 gpus of live] `quota ... of live` is given twice", "keep one of them",
          {"quota 1 gpus of live: first given here"});
}

TEST_CASE("namespaces and tenant names are unique and legal") {
  refuses(test::kTenants + "tenant b { namespace train class batch }",
          "GP0202 3:22 [train] namespace `train` already belongs to tenant `train`",
          "a namespace belongs to one tenant: split it, or make the two tenants one", {"train: first given here"});
  refuses(kCluster + "tenant b { namespace n, n class batch }", {"GP0202 2:25 [n] namespace `n` is listed twice"});
  refuses(kCluster + "tenant B { namespace n_1 class batch }",
          {"GP0209 2:8 [B] tenant `B` cannot be the name of a kubernetes object",
           "GP0209 2:22 [n_1] namespace `n_1` cannot be the name of a kubernetes object"});
  refuses(test::kTenants + "tenant chat { namespace c class batch }",
          {"GP0202 3:8 [chat] tenant `chat` is declared twice"});
}

TEST_CASE("the queues of a tenant with several pools collide with no other") {
  const std::string two = "tenant a { namespace a class standard reserve 1 gpus of live reserve 1 gpus of shared }\n";
  accepts(kCluster + two);
  refuses(kCluster + two + "tenant a-shared { namespace b class batch }",
          "GP0202 2:62 [reserve 1 gpus of shared] the queue `a-shared` that tenant `a` needs for this pool has the "
          "name of another",
          "rename one of the two tenants", {"a-shared: the other tenant"});
  refuses(
      "cluster east { scheduler kueue nodes g { count 4 each 8 gpus, 8 cpu, 8 GiB, 80 pods } pool c on g take 1 nodes "
      "pool b-c on g take 1 nodes pool d on g take the rest } class s : A { }\n"
      "tenant a { namespace a class s reserve 1 gpus of b-c reserve 1 gpus of d }\n"
      "tenant a-b { namespace b class s reserve 1 gpus of c reserve 1 gpus of d }",
      {"GP0202 3:34 [reserve 1 gpus of c] the queue `a-b-c` that tenant `a-b` needs for this pool has the name of "
       "another"});
  refuses(kCluster + two + "tenant a { namespace b class standard reserve 1 gpus of live reserve 1 gpus of shared }",
          {"GP0202 3:8 [a] tenant `a` is declared twice"});
  const std::string name(60, 't');
  refuses(
      kCluster + "tenant " + name + " { namespace a class standard\nreserve 1 gpus of live\nreserve 1 gpus of shared }",
      {"GP0209 3:1 [reserve 1 gpus of live] queue `" + name + "-live` cannot be the name of a kubernetes object",
       "GP0209 4:1 [reserve 1 gpus of shared] queue `" + name + "-shared` cannot be the name of a kubernetes object"});
}

TEST_CASE("a replica fits on a node and within a reserve") {
  const Policy p = test::Resolved(search("reserve 8 gpus of live replica 2 gpus")).policy();
  const Resources replica = p.tenants[0].reserves[0].replica.value();
  CHECK(replica[Resource::Gpu] == 2);
  CHECK(replica[Resource::Cpu] == 46000);
  CHECK(replica[Resource::Memory] == 496 * 1024 * kMiB);
  CHECK(replica[Resource::Pods] == 1);
  accepts(search("reserve 4 gpus of live reserve 8 gpus of shared replica 4 gpus, 1 cpu, 1 pod"));
  refuses(search("reserve 1 gpus of live reserve 8 gpus of shared\nreplica 4 gpus, 1 cpu, 1 pod"),
          {"GP0207 3:1 [replica 4 gpus, 1 cpu, 1 pod] a replica of `search` asks 4 GPUs, the reserve has 1 GPU"});
  refuses(search("reserve 16 gpus of live\nreplica 9 gpus"),
          "GP0207 3:1 [replica 9 gpus] a replica of `search` asks 9 GPUs, a node of `h100` has 8 GPUs for pods",
          "make the replica smaller", {"reserve 16 gpus of live: the reserve"});
  refuses(search("reserve 16 gpus of live\nreplica 8 gpus, 192 cpu"),
          {"GP0207 3:1 [replica 8 gpus, 192 cpu] a replica of `search` asks 192 cpu, a node of `h100` has 184 cpu for "
           "pods"});
  refuses(search("reserve 4 gpus of live\nreplica 8 gpus"),
          {"GP0207 3:1 [replica 8 gpus] a replica of `search` asks 8 GPUs, the reserve has 4 GPUs"});
  refuses(search("reserve 4 gpus of live\nreplica 1 gpus, 1 TiB"),
          {"GP0207 3:1 [replica 1 gpus, 1 TiB] a replica of `search` asks 1 TiB, the reserve has 992 GiB"});
  refuses(search("reserve 4 gpus of live\nreplica 1 cpu"), {"GP0205 3:1 [replica 1 cpu] `replica` states no gpus"});
  refuses(search("reserve 4 gpus of live\nreplica 0 gpus"), {"GP0207 3:1 [replica 0 gpus] `replica` of 0 gpus"});
  refuses(search("reserve 4 gpus of live\nreplica 1 gpus, 2 pods"),
          {"GP0207 3:1 [replica 1 gpus, 2 pods] a replica is one pod"});
}

TEST_CASE("the terms of a start are known, given once, and keep their source") {
  const auto source = [](const std::string& text) {
    return test::Resolved(search("reserve 8 gpus of live start load 1500ms" + text))
        .policy()
        .tenants[0]
        .start.load.value()
        .source;
  };
  CHECK(source(" (measured 2026-10)") == "measured 2026-10");
  CHECK(source(" (declared)") == "declared");
  CHECK(source(" (derived \"140 GB at 5 GB/s\")") == "derived 140 GB at 5 GB/s");
  refuses(search("reserve 8 gpus of live\nstart load 1s"),
          "GP0205 3:1 [start load 1s] `start` does not say where its times come from",
          "add `(measured 2026-10)`, `(declared \"by whom\")` or `(derived \"how\")` at its end", {});
  refuses(search("reserve 8 gpus of live\nstart laod 1s (declared)"),
          "GP0208 3:7 [laod] `laod` is not a term of the start", "did you mean `load`?", {});
  refuses(search("reserve 8 gpus of live\nstart load 1s, load 2s (declared)"),
          "GP0206 3:16 [load] `load` is given twice", "keep one of them", {"load: first given here"});
  refuses(search("reserve 8 gpus of live\nstart load 8 gpus (declared)"),
          {"GP0203 3:12 [8 gpus] expected a duration such as `60s`, found `8 gpus`"});
  refuses(search("reserve 8 gpus of live\nasks at 24:00"), {"GP0207 3:9 [24:00] not a time of day"});
}

TEST_CASE("queue settings are kueue's own fields and values") {
  const test::Resolved resolved(
      train_queue(
          "cohort top queueingStrategy StrictFIFO reclaimWithinCohort Any withinClusterQueue LowerOrNewerEqualPriority "
          "borrowWithinCohort Never whenCanBorrow TryNextFlavor whenCanPreempt MayStopSearch stopPolicy HoldAndDrain "
          "lend at most 2 gpus of burst borrow without limit") +
      " cohort top");
  const QueueSettings& queue = resolved.policy().tenants[0].queue;
  CHECK(queue.cohort == 0);
  CHECK(queue.queueing_strategy->value == "StrictFIFO");
  CHECK(resolved.sources.slice(queue.queueing_strategy->span) == "queueingStrategy StrictFIFO");
  CHECK(queue.reclaim_within_cohort->value == "Any");
  CHECK(queue.within_cluster_queue->value == "LowerOrNewerEqualPriority");
  CHECK(queue.borrow_within_cohort->value == "Never");
  CHECK(queue.when_can_borrow->value == "TryNextFlavor");
  CHECK(queue.when_can_preempt->value == "MayStopSearch");
  CHECK(queue.stop_policy->value == "HoldAndDrain");
  REQUIRE(queue.lend);
  CHECK_FALSE(queue.lend->unlimited);
  REQUIRE(queue.lend->at_most.size() == 1);
  CHECK(queue.lend->at_most[0].amount[Resource::Gpu] == 2);
  CHECK(queue.lend->at_most[0].amount[Resource::Cpu] == 48000);
  REQUIRE(queue.borrow);
  CHECK(queue.borrow->unlimited);
}

TEST_CASE("queue settings that kueue does not have are refused") {
  refuses(train_queue("queuingStrategy StrictFIFO"),
          "GP0208 3:9 [queuingStrategy] `queuingStrategy` is not a queue setting that gpol knows",
          "did you mean `queueingStrategy`?", {});
  refuses(train_queue("queueingStrategy strictfifo"),
          "GP0208 3:26 [strictfifo] `strictfifo` is not a value of `queueingStrategy`", "did you mean `StrictFIFO`?",
          {});
  refuses(train_queue("borrowWithinCohort Any"), "GP0208 3:28 [Any] `Any` is not a value of `borrowWithinCohort`",
          "write one of `Never`, `LowerPriority`", {});
  refuses(train_queue("stopPolicy None stopPolicy Hold"), "GP0206 3:25 [stopPolicy Hold] `stopPolicy` is given twice",
          "keep one of them", {"stopPolicy None: first given here"});
  refuses(train_queue("cohort top cohort top") + " cohort top", {"GP0206 3:27 [top] `cohort` is given twice"});
  refuses(train_queue("cohort tpo") + " cohort top", "GP0201 3:16 [tpo] cohort `tpo` is not declared",
          "did you mean `top`?", {});
  refuses(train_queue("borrow at most 1 gpus of burst borrow without limit"),
          {"GP0206 3:40 [borrow without limit] `borrow` is given twice"});
  refuses(train_queue("borrow without limit borrow at most 1 gpus of live"),
          {"GP0206 3:30 [borrow at most 1 gpus of live] `borrow` is given twice"});
  refuses(train_queue("borrow at most 1 gpus of burst borrow at most 2 gpus of burst"),
          {"GP0206 3:40 [borrow at most 2 gpus of burst] `borrow at most ... of burst` is given twice"});
  refuses(train_queue("borrow at most 1 gpus of live"),
          "GP0305 3:9 [borrow at most 1 gpus of live] `borrow at most` of `live` would have no effect: the queue of "
          "`train` has no quota there",
          "say `quota 0 gpus of live` of the tenant, or leave this out", {});
}

TEST_CASE("a queue lends no more than it owns") {
  refuses(train_queue("lend at most 9 gpus of burst"),
          "GP0207 3:9 [lend at most 9 gpus of burst] tenant `train` lends 9 GPUs of `burst` and owns 8 GPUs",
          "lend at most what it owns", {});
  refuses(train_queue("lend at most 1 gpus of live"),
          {"GP0207 3:9 [lend at most 1 gpus of live] tenant `train` lends 1 GPU of `live` and owns 0 GPUs"});
  accepts(train_queue("lend at most 0 gpus of live"));
  refuses(
      train_queue("lend at most 8 gpus, 193 cpu of burst"),
      {"GP0207 3:9 [lend at most 8 gpus, 193 cpu of burst] tenant `train` lends 193 cpu of `burst` and owns 192 cpu"});
  // What merely goes with the GPUs is at most what is owned.
  const test::Resolved resolved(train("queue { lend at most 8 gpus of burst } quota 8 gpus, 10 cpu of burst"));
  CHECK(resolved.policy().tenants[0].queue.lend->at_most[0].amount[Resource::Cpu] == 10000);
}

}  // namespace

}  // namespace gpol
