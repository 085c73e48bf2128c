// gpol.yaml: roles, what is passed over, nodes, waivers; its page and its schema.
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/catch.h"
#include "tests/support/json_schema.h"
#include "tests/support/manifests.h"
#include "tests/support/run_gpol.h"

using namespace gpol::test;
using nlohmann::json;

namespace {

constexpr const char* kFlavor =
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: h100}\nspec: {nodeLabels: {gpu: "
    "h100}}\n";

std::string job_of_train(int gpus) {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: train, namespace: train}\n"
         "spec: {clusterQueue: train}\n---\napiVersion: batch/v1\nkind: Job\n"
         "metadata: {name: j, namespace: train, labels: {kueue.x-k8s.io/queue-name: train}}\n"
         "spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i, resources: {limits: "
         "{nvidia.com/gpu: " +
         std::to_string(gpus) + "}}}]}}}\n";
}

struct Repository {
  Scratch dir;
  explicit Repository(const std::string& config) {
    write_text(dir / ".git/HEAD", "ref: refs/heads/main\n");
    write_text(dir / "queues/all.yaml",
               cluster_queue("chat", "nominalQuota: 8") + cluster_queue("train", "nominalQuota: 8") + kFlavor);
    write_text(dir / "gpol.yaml", config);
  }
  Ran verify(std::vector<std::string> more = {}, const std::string& below = "") const {
    more.insert(more.begin(), {"verify", (dir / below).string()});
    return run_gpol(more);
  }
};

const std::string kServes = "queues: {chat: {role: serving}}\n";
const std::string kWaived = kServes +
                            "waivers:\n- {finding: GP1001, subject: chat, until: 2027-01-31, reason: it moves, "
                            "owner: \"@platform\"}\n";

std::string example(const std::string& page, int which) {
  std::size_t at = 0;
  for (int i = 0; i <= which; ++i) at = page.find("```yaml\n", at) + 8;
  return page.substr(at, page.find("```", at) - at);
}

}  // namespace

TEST_CASE("gpol.yaml: its roles count for the repository and each part of it, and flags beat them") {
  const Repository r(kServes);
  CHECK(r.verify().code == 1);
  CHECK(r.verify({}, "queues").out.find("serve A") != std::string::npos);
  CHECK(r.verify({"--serving", "chat=B"}).out.find("serve B") != std::string::npos);
}

TEST_CASE("gpol.yaml: it is found from wherever the command runs in the repository") {
  const Repository r(kServes);
  const auto before = std::filesystem::current_path();
  for (const char* at : {"", "queues"}) {
    std::filesystem::current_path(r.dir / at);
    for (const char* path : {".", "../queues"})
      if (std::string(path) == "." || std::string(at) == "queues")
        CHECK(run_gpol({"verify", path}).out.find("serve A") != std::string::npos);
  }
  std::filesystem::current_path(before);
}

TEST_CASE("gpol.yaml: a queue that is not there is a mistake of the whole, and none of a part") {
  const Repository r("queues: {chta: {role: serving}}\n");
  const auto whole = r.verify();
  CHECK(whole.code == 1);
  CHECK(whole.out.find("did you mean `chat`?") != std::string::npos);
  CHECK(r.verify({}, "queues").out.find("chta") == std::string::npos);
}

TEST_CASE("gpol.yaml: keys that it does not know, and values that it cannot take, are mistakes with their line") {
  for (const char* wrong : {"queus: {}\n",
                            "queues: {chat: {role: serving, clas: A}}\n",
                            "kueue: newest\n",
                            "exclude: dev\n",
                            "nodes: [{name: a, count: 1}]\n",
                            "nodes: [{name: a, allocatable: {cpu: 1}}]\n",
                            "nodes: [{name: a, count: 2, upTo: 1, allocatable: {cpu: 1}}]\n",
                            "nodes: [{name: a, count: 100000, allocatable: {cpu: 1}}]\n",
                            "queues: {chat: {role: serving, class: B, deadline: soon}}\n",
                            "queues: {chat: {role: serving, reserve: {h100: {nvidia.com/gpu: -1}}}}\n",
                            "queues: {chat: {role: serving, reserve: {h100: {nvidia.com/gpu: 0}}}}\n",
                            "queues: {chat: {role: serving, reserve: {h100: {}}}}\n",
                            "queues: {chat: {role: serving, replica: {nvidia.com/gpu: 0}}}\n",
                            "queues: {chat: {role: serving, replica: {nvidia.com/gpu: 9}}}\n",
                            "queues: {chat: {role: serving, shapes: {h100: {nvidia.com/gpu: 1}}}}\n",
                            "queues: {train: {role: batch, replica: {nvidia.com/gpu: 1}}}\n",
                            "queues: {train: {role: batch, shapes: {a100: {nvidia.com/gpu: 1}}}}\n",
                            "queues: {chat: {role: serving, start: {warmup: 5s}}}\n",
                            "times: {rounds: 5s}\n",
                            "tenants: [{name: web, flavor: h100}]\n",
                            "tenants: [{name: web, reserve: {cpu: 1}}]\n",
                            "waivers: [{finding: GP9999, subject: a, until: 2027-01-31, reason: b, owner: c}]\n",
                            "waivers: [{finding: GP1001, subject: a, until: 2027-02-31, reason: b, owner: c}]\n",
                            "waivers: [{finding: GP1001, subject: a, until: 2027-01-31, reason: b}]\n",
                            "- a\n",
                            "{}\n---\n{}\n"}) {
    INFO(wrong);
    const Repository r(wrong);
    for (const char* below : {"", "queues"}) {
      const auto ran = r.verify({}, below);
      CHECK(ran.code == 1);
      CHECK(ran.out.find("[GP0604]") != std::string::npos);
    }
  }
}

TEST_CASE("gpol.yaml: a waived finding keeps its verdict and does not count for the exit code, until it ends") {
  const Repository r(kWaived);
  const auto ran = r.verify();
  CHECK(ran.code == 0);
  CHECK(ran.out.find("NOT SAFE") == 0);
  CHECK(ran.out.find("waived until 2027-01-31 by @platform: it moves") != std::string::npos);
  CHECK(ran.out.find("1 finding waived, until 2027-01-31") != std::string::npos);
  CHECK(r.verify({"--as-of", "2027-01-31"}).code == 0);
  const auto ended = r.verify({"--as-of", "2027-02-01"});
  CHECK(ended.code == 1);
  CHECK(ended.out.find("has ended") != std::string::npos);
  const json with = json::parse(r.verify({"--format", "json"}).out);
  const Repository without(kServes);
  const json plain = json::parse(without.verify({"--format", "json"}).out);
  CHECK(with["verdict"] == "refuted");
  CHECK(with["obligations"].size() == plain["obligations"].size());
  CHECK(with["waivers"][0]["status"] == "used");
  CHECK(SchemaCheck(json::parse(read_text(GPOL_ROOT "/tests/support/report.schema.json")))(with).empty());
  for (const char* format : {"markdown", "human"})
    CHECK(r.verify({"--format", format, "--full"}).out.find("it moves") != std::string::npos);
}

TEST_CASE("gpol.yaml: a waiver covers nothing but its own finding") {
  const Repository r(kServes + "waivers: [{finding: GP1101, subject: chat, until: 2027-01-31, reason: a, owner: b}]\n");
  const auto ran = r.verify();
  CHECK(ran.code == 1);
  CHECK(ran.out.find("matches no finding") != std::string::npos);
}

TEST_CASE("--fail-on: what is refuted or undecided fails less, mistakes fail all the same") {
  const Repository refuted(kServes), undecided("kueue: v0.19.2\n"), wrong("kueu: v0.19.2\n");
  CHECK(refuted.verify({"--fail-on", "refuted"}).code == 1);
  CHECK(refuted.verify({"--fail-on", "never"}).code == 0);
  CHECK(refuted.verify({"--fail-on", "never"}).out.find("NOT SAFE") == 0);
  CHECK(undecided.verify().code == 3);
  CHECK(undecided.verify({"--fail-on", "refuted"}).code == 0);
  CHECK(wrong.verify({"--fail-on", "never"}).code == 1);
  CHECK(refuted.verify({"--fail-on", "always"}).code == 2);
}

TEST_CASE("gpol.yaml: what it excludes is passed over and counted, by verify, check and fmt") {
  const Repository r(kServes + "exclude: [old/, \"*.gen.yaml\", drafts]\n");
  write_text(r.dir / "old/queues.yaml", "kind: {");
  write_text(r.dir / "queues/x.gen.yaml", "kind: {");
  write_text(r.dir / "drafts/x.gpol", "cluster {");
  write_text(r.dir / "ok.gpol", "window night = 22:00..06:00 UTC daily\n");
  CHECK(r.verify().out.find("3 files or directories that gpol.yaml excludes") != std::string::npos);
  CHECK(r.verify({"--list-skipped"}).out.find("x.gen.yaml") != std::string::npos);
  CHECK(run_gpol({"fmt", "--check", r.dir.path().string()}).code == 0);
  CHECK(run_gpol({"check", r.dir.path().string()}).code == 0);
  CHECK(run_gpol({"fmt", "--check", (r.dir / "drafts/x.gpol").string()}).code == 1);  // a file that is named is read
}

TEST_CASE("gpol.yaml: its nodes are held against quotas; what an autoscaler may add counts for batch alone") {
  const std::string nodes =
      "nodes: [{name: h100, count: 1, upTo: 3, labels: {gpu: h100}, allocatable: {nvidia.com/gpu: 8}}]\n";
  const Repository serving(kServes + nodes), nobody(nodes);
  const auto capacity = [](const Ran& ran) {
    const json all = json::parse(ran.out);
    for (const json& o : all["obligations"])
      if (o["family"] == "capacity") return o;
    return json();
  };
  const json sure = capacity(serving.verify({"--format", "json"}));
  CHECK(sure["verdict"] == "refuted");
  CHECK(sure["message"].get<std::string>().find("8 GPUs are surely there") != std::string::npos);
  write_text(nobody.dir / "queues/all.yaml", cluster_queue("chat", "nominalQuota: 16, lendingLimit: 0") + kFlavor);
  CHECK(capacity(nobody.verify({"--format", "json"}))["verdict"] == "proven");
}

TEST_CASE("gpol.yaml: a reserve and a shape are taken for granted, told, and held against quotas and objects") {
  struct Tree : Repository {
    explicit Tree(const std::string& config) : Repository(config) {
      const std::string any = "  preemption: {reclaimWithinCohort: Any}\n";
      write_text(dir / "queues/all.yaml",
                 cluster_queue("chat", "nominalQuota: 8, borrowingLimit: 0, lendingLimit: 4", any) +
                     cluster_queue("train", "nominalQuota: 8", any) + kFlavor);
    }
  };
  const auto said = [](const Repository& r) { return r.verify({"--full"}); };
  const std::string half = "queues:\n  chat: {role: serving, class: A, reserve: {h100: {nvidia.com/gpu: 4}}}\n";
  CHECK(said(Tree(kServes)).code == 1);
  const Ran granted = said(Tree(half));
  CHECK(granted.code == 0);
  CHECK(granted.out.find("serving asks for no more than the reserve of `chat`") != std::string::npos);
  const Ran beyond = said(Tree("queues: {chat: {role: serving, reserve: {h100: {nvidia.com/gpu: 9}}}}\n"));
  CHECK(beyond.code == 1);
  CHECK(beyond.out.find("has a reserve of 9 nvidia.com/gpu of `h100`, and its quota is 8") != std::string::npos);
  const Tree shaped(half + "  train: {role: batch, shapes: {h100: {nvidia.com/gpu: 8}}}\n");
  CHECK(said(shaped).code == 0);
  write_text(shaped.dir / "queues/job.yaml", job_of_train(4));
  const Ran other = said(shaped);
  CHECK(other.code == 1);
  CHECK(other.out.find("how many devices pods of `train` ask for, and Job `train/j` asks for others") !=
        std::string::npos);
  write_text(shaped.dir / "queues/job.yaml", job_of_train(8));
  CHECK(said(shaped).code == 0);
  write_text(shaped.dir / "gpol.yaml", half + "  train: {role: batch, grace: 29s}\n");
  CHECK(said(shaped).out.find("that pods of `train` end within 29s, and those of Job `train/j` may take 30 s") !=
        std::string::npos);
  write_text(shaped.dir / "gpol.yaml", half + "  train: {role: batch, grace: 30s}\n");
  CHECK(said(shaped).code == 0);
}

TEST_CASE("--write-config: proposes who serves, says why, and is understood; it writes over nothing") {
  const Repository r("");
  std::filesystem::remove(r.dir / "gpol.yaml");
  CHECK(r.verify({"--write-config"}, "queues").code == 0);
  const std::string text = read_text((r.dir / "gpol.yaml").string());
  CHECK(text.find("#   chat: by its name") != std::string::npos);
  CHECK(r.verify().out.find("serve A") != std::string::npos);
  CHECK(r.verify({"--write-config"}).code == 2);
  CHECK(read_text((r.dir / "gpol.yaml").string()) == text);
}

TEST_CASE("explain GP0604: the wrong example is refused, the right one has every key of the schema") {
  const std::string page = read_text(GPOL_ROOT "/docs/explain/GP0604.md");
  const json schema = json::parse(read_text(GPOL_ROOT "/docs/gpol.schema.json"));
  const std::string wrong = example(page, 0), right = example(page, 1);
  CHECK(Repository(wrong).verify().out.find("[GP0604]") != std::string::npos);
  CHECK(Repository(right).verify({}, "queues").out.find("[GP0604]") == std::string::npos);
  for (const auto& [key, value] : schema["properties"].items()) {
    INFO(key);
    CHECK(right.find(key + ":") != std::string::npos);
    // A key of the schema is one that the reader knows: with a value of no kind at all it is not "unknown".
    const Repository r(key + ": 2027-01-31T00:00:00Z\n");
    CHECK(r.verify().out.find("unknown") == std::string::npos);
  }
}
