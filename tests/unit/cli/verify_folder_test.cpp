// Folders as they are kept: kustomizations, directories of several clusters, and the report in few lines.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol::test;
using nlohmann::json;

namespace {

std::string queue(const std::string& name, int gpus, const std::string& more = "") {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: " + name +
         "}\nspec:\n  cohortName: all\n  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: " + name +
         "}}\n" + more +
         "  resourceGroups:\n  - coveredResources: [nvidia.com/gpu]\n    flavors:\n    - name: h100\n      resources:\n"
         "      - {name: nvidia.com/gpu, nominalQuota: " +
         std::to_string(gpus) + "}\n---\n";
}

json report(const std::filesystem::path& folder) {
  return json::parse(run_gpol({"verify", folder.string(), "--serving", "chat", "--format", "json"}).out);
}

const json* claim(const json& all, const std::string& bundle, const std::string& name) {
  for (const json& o : all["obligations"])
    if (o["family"] == "claim" && o["subject"]["name"] == name && o.value("bundle", "").ends_with(bundle)) return &o;
  return nullptr;
}

}  // namespace

TEST_CASE("folders: each kustomization that no other one includes is a bundle, built with its patches") {
  const Scratch dir;
  write_text(dir / "base/queues.yaml", queue("chat", 8) + queue("train", 4));
  write_text(dir / "base/kustomization.yaml", "resources: [queues.yaml]\n");
  write_text(dir / "overlays/eu/kustomization.yaml",
             "resources: [../../base]\npatches:\n- target: {kind: ClusterQueue, name: chat}\n  patch: |\n"
             "    - {op: add, path: /spec/resourceGroups/0/flavors/0/resources/0/lendingLimit, value: 2}\n");
  write_text(dir / "overlays/us/kustomization.yaml", "resources: [../../base]\n");
  write_text(dir / "misc/service.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: x}\n");
  const json all = report(dir.path());
  CHECK(all["verdict"] == "refuted");
  REQUIRE(all["bundles"].size() == 2);
  const json *eu = claim(all, "overlays/eu", "chat"), *us = claim(all, "overlays/us", "chat");
  REQUIRE(eu != nullptr);
  REQUIRE(us != nullptr);
  CHECK((*eu)["figures"]["claimable"] == 2);
  CHECK((*us)["figures"]["claimable"] == 8);
  CHECK((*us)["location"]["file"].get<std::string>().ends_with("base/queues.yaml"));
  // A kustomization alone reads its base beside it.
  const json alone = report(dir / "overlays/eu");
  CHECK(alone["verdict"] == "error");  // nothing outside of what was given, or of its repository, is read
  std::filesystem::create_directory(dir / ".git");
  const json in_repository = report(dir / "overlays/eu");
  CHECK(in_repository["verdict"] == "refuted");
  CHECK_FALSE(in_repository.contains("bundles"));
}

TEST_CASE(
    "folders: what a kustomization does that is not built leaves its bundle undecided, and says how to build it") {
  const Scratch dir;
  write_text(dir / "queues.yaml", queue("chat", 8));
  write_text(dir / "kustomization.yaml", "resources: [queues.yaml]\nhelmCharts: [{name: kueue}]\n");
  const json all = report(dir.path());
  CHECK(all["verdict"] == "undecided");
  CHECK(all["headline"].get<std::string>().find("kustomize build") != std::string::npos);
}

TEST_CASE("folders: directories that say different things of one object are clusters of their own") {
  const Scratch dir;
  write_text(dir / "eu/queues.yaml", queue("chat", 8) + queue("train", 0));
  write_text(dir / "us/queues.yaml", queue("chat", 4) + queue("train", 0));
  const json all = report(dir.path());
  REQUIRE(all["bundles"].size() == 2);
  CHECK((*claim(all, "eu", "chat"))["figures"]["claimable"] == 8);
  CHECK((*claim(all, "us", "chat"))["figures"]["claimable"] == 4);
  bool shared = false;
  for (const json& a : all["assumptions"])
    shared = shared || a["text"].get<std::string>().find("cohort `all`") != std::string::npos;
  CHECK(shared);
  // In one directory it is a mistake.
  write_text(dir / "us/again.yaml", queue("chat", 2));
  CHECK(report(dir / "us")["diagnostics"][0]["code"] == "GP0602");
}

TEST_CASE("verify: the report is short: the verdict first, a row for each queue, a finding a line with its edit") {
  const Scratch dir;
  std::string text = queue("chat", 8);
  for (int i = 0; i < 9; ++i) text += queue("train" + std::to_string(i), 4);
  write_text(dir / "queues.yaml", text);
  const Ran ran = run_gpol({"verify", dir.path().string(), "--serving", "chat"});
  CHECK(ran.code == 1);
  CHECK(ran.out.starts_with("NOT SAFE  others can hold 8 of the 8 GPUs that serving owns: of `chat`\n"));
  CHECK(std::count(ran.out.begin(), ran.out.end(), '\n') <= 25);
  CHECK(ran.out.find("batch?") != std::string::npos);
  CHECK(ran.out.find("lendingLimit` of ClusterQueue `chat` to `0`") != std::string::npos);
  const Ran full = run_gpol({"verify", dir.path().string(), "--serving", "chat", "--full"});
  CHECK(full.code == 1);
  CHECK(full.out.find("error[GP1001]") != std::string::npos);
  CHECK(full.out.find("premise ") != std::string::npos);
  const Ran bounded = run_gpol({"verify", dir.path().string(), "--serving", "chat", "--bounded",
                                "train0,train1,train2,train3,train4,train5,train6,train7,train8"});
  CHECK(bounded.code == 0);
  CHECK(bounded.out.starts_with("SAFE  others can hold none of the 8 GPUs that serving owns\n"));
}

TEST_CASE("verify: a document that kubectl never reaches is no part of the cluster, and an error") {
  const Scratch dir;
  write_text(dir / "queues.yaml",
             queue("chat", 8) + "kind: ClusterQueue\nmetadata: {name: [\n---\n" + queue("train", 8));
  const json all = report(dir.path());
  CHECK(all["verdict"] == "error");
  bool told = false;
  for (const json& d : all["diagnostics"])
    told = told || d["message"].get<std::string>().find("kubectl stops reading the file at line") != std::string::npos;
  CHECK(told);
}

TEST_CASE("folders: a directory is the same with `./`, what no kustomization names is counted, Nodes are everybody's") {
  const Scratch dir;
  write_text(dir / "base/queues.yaml",
             "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: h100}\nspec: {nodeLabels: "
             "{pool: h100}}\n---\n" +
                 queue("chat", 8));
  write_text(dir / "base/forgotten.yaml", queue("train", 4));
  write_text(dir / "base/kustomization.yaml", "resources: [queues.yaml]\n");
  write_text(dir / "top/kustomization.yaml", "resources: [../base]\n");
  write_text(dir / "nodes.txt",
             "apiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: {pool: h100}}\n"
             "status: {allocatable: {nvidia.com/gpu: 4, cpu: 8, memory: 8Gi, pods: 110}}\n");
  for (const std::string& path : {dir.path().string(), dir.path().string() + "/./", dir.path().string() + "/base/.."}) {
    INFO(path);
    const Ran ran =
        run_gpol({"verify", path, "--serving", "chat", "--nodes", (dir / "nodes.txt").string(), "--format", "json"});
    const json all = json::parse(ran.out);
    CHECK_FALSE(all.contains("bundles"));
    bool capacity = false;  // 8 of quota on 4 devices
    for (const json& o : all["obligations"])
      capacity = capacity || (o["family"] == "capacity" && o["verdict"] == "refuted");
    CHECK(capacity);
  }
  CHECK(run_gpol({"verify", dir.path().string(), "--serving", "chat"}).out.find("1 file that no kustomization names") !=
        std::string::npos);
}

TEST_CASE("folders: what kubectl reads is never left out for want of a reader") {
  const Scratch dir;
  write_text(dir / "queues.yaml", queue("chat", 8));
  const auto verdict = [&] { return report(dir.path())["verdict"].get<std::string>(); };
  CHECK(verdict() == "proven");
  const auto with = [&](const std::string& name, const std::string& text) {
    write_text(dir / name, text);
    const std::string found = verdict();
    std::filesystem::remove(dir / name);
    return found;
  };
  CHECK(with("wide.yaml", std::string("\xFF\xFE"
                                      "a\0:\0",
                                      6)) == "error");
  CHECK(with("kindless.yaml", "apiVersion: kueue.x-k8s.io/v1beta2\nmetadata: {name: train}\n") == "error");
  CHECK(with("values.yaml", "config: |\n  apiVersion: config.kueue.x-k8s.io/v1beta2\n  kind: Configuration\n") ==
        "undecided");
  // Flux's own kind in a patch makes no kustomization of Flux.
  CHECK(with("kustomization.yaml",
             "resources: [queues.yaml]\npatches:\n- target: {kind: ClusterQueue}\n  patch: |\n"
             "    - {op: add, path: /metadata/annotations, value: {kustomize.toolkit.fluxcd.io/prune: x}}\n"
             "helmCharts: [{name: x}]\n") == "undecided");
}

TEST_CASE("verify: of a queue that covers several devices each obligation says its tenant") {
  const Ran ran = run_gpol({"verify", GPOL_ROOT "/tests/bundles/devices-that-are-asked-for-in-turn", "--format", "json"});
  std::size_t count = 0;
  const json all = json::parse(ran.out);
  for (const json& o : all["obligations"])
    if (o["family"] == "reclaim") {
      CHECK(o["subject"]["tenant"] == o["subject"]["name"]);
      ++count;
    }
  CHECK(count == 4);
}
