// Folders as they are kept: kustomizations, directories of several clusters, and the report in few lines.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/manifests.h"
#include "tests/support/run_gpol.h"

using namespace gpol::test;
using nlohmann::json;

namespace {

std::string queue(const std::string& name, int gpus, const std::string& more = "") {
  return cluster_queue(name, "nominalQuota: " + std::to_string(gpus), more);
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
  CHECK(alone["verdict"] == "undecided");  // nothing outside of what was given, or of its repository, is read
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
  CHECK(ran.out.find("lendingLimit: 0 for nvidia.com/gpu of `h100` in ClusterQueue `chat`  [tried; others lose the "
                     "loan of 8 GPUs]") != std::string::npos);
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
  // Kueue's Configuration counts wherever it is kept; one that cannot be read leaves everything open.
  const std::string
      settings =
          "controllerManagerConfigYaml: |-\n    apiVersion: config.kueue.x-k8s.io/v1beta2\n    kind: Configuration\n",
      release = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: kueue}\nspec:\n  values:\n";
  CHECK(with("values.yaml", "x:\n  " + settings) == "proven");
  CHECK(with("values.yaml", "x:\n  " + settings + "    resources: {excludeResourcePrefixes: [nvidia.com/]}\n") !=
        "proven");
  CHECK(with("release.yaml",
             release + "    x: {controllerManagerConfigYaml: \"apiVersion: config.kueue.x-k8s.io/v1beta2\\nkind: "
                       "Configuration\\n\"}\n") == "proven");
  CHECK(with("release.yaml", release + "    x: {apiVersion: config.kueue.x-k8s.io/v1beta2}\n") == "undecided");
  write_text(dir / "values-dev.yaml", "x:\n  " + settings + "    integrations: {frameworks: [pod]}\n");
  CHECK(with("values.yaml", "x:\n  " + settings) == "undecided");
  std::filesystem::remove(dir / "values-dev.yaml");
  // Queues inside of what gpol does not know, and jobs that change queues.
  CHECK(with("task.yaml",
             "- kubernetes.core.k8s:\n    definition: {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue}\n") ==
        "undecided");
  CHECK(with("work.yaml",
             "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {name: a, namespace: "
             "b}\nspec: {workload: "
             "{manifests: [{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue}]}}\n") == "undecided");
  const std::string night =
      "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a, namespace: b}\nspec: {schedule: '0 0 * * *', "
      "jobTemplate: {spec: "
      "{template: {spec: {restartPolicy: Never, containers: [{name: a, image: kubectl, args: ";
  CHECK(with("night.yaml", night + "[kubectl patch clusterqueue chat]}]}}}}}\n") == "undecided");
  CHECK(with("night.yaml", night + "[echo]}]}}}}}\n") == "proven");
  // Flux's own kind in a patch makes no kustomization of Flux.
  CHECK(with("kustomization.yaml",
             "resources: [queues.yaml]\npatches:\n- target: {kind: ClusterQueue}\n  patch: |\n"
             "    - {op: add, path: /metadata/annotations, value: {kustomize.toolkit.fluxcd.io/prune: x}}\n"
             "helmCharts: [{name: x}]\n") == "undecided");
}

TEST_CASE("verify: of a queue that covers several devices each obligation says its tenant") {
  const Ran ran =
      run_gpol({"verify", GPOL_ROOT "/tests/bundles/devices-that-are-asked-for-in-turn", "--format", "json"});
  std::size_t count = 0;
  const json all = json::parse(ran.out);
  for (const json& o : all["obligations"])
    if (o["family"] == "reclaim") {
      CHECK(o["subject"]["tenant"] == o["subject"]["name"]);
      ++count;
    }
  CHECK(count == 4);
}

TEST_CASE("folders: hidden directories are counted; --as-one joins what kustomizations build with the rest") {
  const Scratch dir;
  write_text(dir / ".github/queues.yaml", queue("hidden", 8));
  write_text(dir / "a/queues.yaml", queue("chat", 8));
  write_text(dir / "a/kustomization.yaml", "resources: [queues.yaml]\n");
  write_text(dir / "b/queues.yaml", queue("train", 4));
  const auto parts = run_gpol({"verify", dir.path().string(), "--serving", "chat"});
  CHECK(parts.out.find("1 hidden directory") != std::string::npos);
  const json all =
      json::parse(run_gpol({"verify", dir.path().string(), "--serving", "chat", "--as-one", "--format", "json"}).out);
  CHECK(!all.contains("bundles"));
  REQUIRE(claim(all, "", "chat") != nullptr);
  CHECK((*claim(all, "", "chat"))["figures"]["claimable"] == 8);
  CHECK((*claim(all, "", "chat"))["location"]["file"].get<std::string>().ends_with("a/queues.yaml"));
  CHECK(claim(all, "", "train") != nullptr);
}

TEST_CASE("folders: Flux's Kustomizations are objects of another kind, unless they change what they apply") {
  const Scratch dir;
  const std::string flux =
      "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\nspec: {path: ./x, prune: "
      "true";
  write_text(dir / "queues.yaml", queue("chat", 8));
  write_text(dir / "apps.yaml", flux + "}\n");
  CHECK(run_gpol({"verify", dir.path().string(), "--serving", "chat"}).code == 0);
  write_text(dir / "apps.yaml", flux + ", patches: [{patch: x}]}\n");
  const auto changed = run_gpol({"verify", dir.path().string(), "--serving", "chat", "--full"});
  CHECK(changed.code == 3);
  CHECK(changed.out.find("flux build kustomization") != std::string::npos);
}

TEST_CASE("folders: a field that Kueue's version does not know leaves the figures, and proves nothing") {
  const Scratch dir;
  write_text(dir / "queues.yaml", queue("chat", 8, "  newField: 1\n") + queue("train", 0));
  const json all = report(dir.path());
  CHECK(all["verdict"] == "refuted");  // what can be held is held whatever it means
  CHECK((*claim(all, "", "chat"))["figures"]["claimable"] == 8);
  write_text(dir / "queues.yaml", queue("chat", 8, "  newField: 1\n"));
  CHECK(report(dir.path())["verdict"] == "undecided");
}

TEST_CASE("folders: what is assumed of parts, and of what is passed over with queues inside, is said") {
  const Scratch dir;
  for (const char* team : {"chat", "train"}) {
    write_text(dir / team / "queues.yaml", queue(team, 8));
    write_text(dir / team / "kustomization.yaml", "resources: [queues.yaml]\n");
  }
  const auto parts = run_gpol({"verify", dir.path().string(), "--serving", "chat"});
  CHECK(parts.code == 3);
  CHECK(parts.out.find("takes for granted that cohort `all` of") != std::string::npos);
  CHECK(parts.out.find("undecided: no serving queue named in `") != std::string::npos);
  CHECK(run_gpol({"verify", dir.path().string(), "--serving", "chat", "--as-one"}).code == 1);

  const Scratch apart;
  write_text(apart / "serving/queues.yaml", queue("chat", 8));
  write_text(apart / "batch/queues.yaml", queue("train", 8));
  write_text(apart / ".tool/queues.yaml", queue("tune", 8));
  write_text(apart / "gpol.yaml", "exclude: [batch]\nqueues: {chat: {role: serving}}\n");
  const auto without = run_gpol({"verify", apart.path().string(), "--full"});
  CHECK(without.out.find("left out, with queues of Kueue: `" + (apart / ".tool").string() + "`, `" +
                         (apart / "batch").string() + "`") != std::string::npos);
  CHECK(without.out.find("what is left out with queues of Kueue is no part of the cluster") != std::string::npos);

  // A template between objects may render to more of them.
  const Scratch mixed;
  write_text(mixed / "queues.yaml",
             queue("chat", 8, "") + "{{ include \"more.queues\" . }}\n---\n" + queue("train", 0));
  CHECK(run_gpol({"verify", mixed.path().string(), "--serving", "chat=B"}).code != 0);
}

TEST_CASE("folders: kustomizations in a circle are a mistake, and what none of them names is told") {
  const Scratch circle;
  write_text(circle / "queues.yaml", queue("chat", 8));
  write_text(circle / "a/queues.yaml", queue("train", 8));
  write_text(circle / "a/kustomization.yaml", "resources: [../b, queues.yaml]\n");
  write_text(circle / "b/kustomization.yaml", "resources: [../a]\n");
  CHECK(report(circle.path())["verdict"] == "error");

  const Scratch empty;
  write_text(empty / "queues.yaml", queue("chat", 8));
  write_text(empty / "a/queues.yaml", queue("train", 8));
  write_text(empty / "a/kustomization.yaml", "resources: []\n");
  const auto ran = run_gpol({"verify", empty.path().string(), "--serving", "chat", "--list-skipped"});
  CHECK(ran.out.find("a/queues.yaml, a file that no kustomization names") != std::string::npos);
  CHECK(ran.out.find("left out, with queues of Kueue: `") != std::string::npos);
}

TEST_CASE("folders: Kueue's release says which version runs; what is not built and names nothing of Kueue is told") {
  const Scratch dir;
  const auto release = [&](const std::string& version) {
    write_text(dir / "queues/kustomization.yaml",
               "resources:\n- https://github.com/kubernetes-sigs/kueue/releases/download/" + version +
                   "/manifests.yaml\n- queues.yaml\n");
    return run_gpol({"verify", dir.path().string(), "--serving", "chat", "--full"});
  };
  write_text(dir / "queues/queues.yaml", queue("chat", 8));
  const auto newest = release("v0.19.2");
  CHECK(newest.code == 0);
  CHECK(newest.out.find("is Kueue v0.19.2 with the Configuration that it is shipped with") != std::string::npos);
  const auto older = release("v0.14.0");
  CHECK(older.code == 3);
  CHECK(older.out.find("Kueue v0.14.0") != std::string::npos);
  release("v0.19.2");
  write_text(dir / "other/kustomization.yaml", "resources: [\"https://example.com/a.yaml\"]\n");
  CHECK(release("v0.19.2").out.find("a kustomization that is not built as a whole and names nothing of Kueue") !=
        std::string::npos);
}

TEST_CASE("folders: a kustomization that is a template is a mistake where queues lie with it, else left out") {
  const Scratch dir;
  write_text(dir / "queues.yaml", queue("chat", 8));
  write_text(dir / "app/kustomization.yaml", "resources:\n{% if x %}\n- a.yaml\n{% endif %}\n");
  write_text(dir / "app/a.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n");
  CHECK(report(dir.path())["verdict"] == "proven");
  write_text(dir / "app/a.yaml", queue("train", 8));
  CHECK(report(dir.path())["verdict"] == "error");
}

TEST_CASE("folders: a value's name of an Application that is a long path is no deep tree") {
  const Scratch dir;
  write_text(dir / "queues.yaml", queue("chat", 8));
  std::string name = "a";
  for (int i = 0; i < 400'000; ++i) name += ".a";
  write_text(dir / "app.yaml",
             "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: x}\nspec: {source: {chart: "
             "gpu-operator, helm: {parameters: [{name: " +
                 name + ", value: x}]}}}\n");
  CHECK(report(dir.path())["verdict"] == "proven");
}
