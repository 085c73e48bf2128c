#include "tests/unit/observe/manifests.h"

namespace gpol {
namespace {

using namespace manifests;

YamlFile& file(std::vector<YamlFile>& files, const std::string& path) {
  for (auto& candidate : files)
    if (candidate.path == path) return candidate;
  FAIL("no file " << path);
  return files[0];
}

// The problems of the layout with one file's text edited.
std::string after(const std::string& path, const std::string& from, const std::string& to) {
  auto files = layout();
  auto& text = file(files, path).bytes;
  text = edited(text, from, to);
  return listed(observe(files));
}

const std::string kNight = "overlays/night/kustomization.yaml";
const Mode::Key kGpu{"search", "shared", "nvidia.com/gpu"};

TEST_CASE("a flat set of files has one mode in which nothing changes") {
  const std::vector<YamlFile> files{{"a.yaml", kFlavor}, {"b.yaml", kQueue}};
  const auto observed = observe(files);
  CHECK(listed(observed) == "");
  REQUIRE(observed.cluster.modes.size() == 1);
  CHECK(observed.cluster.modes[0].name == "default");
  CHECK(observed.cluster.modes[0].changed.empty());
}

TEST_CASE("every overlay is a mode, by name, with the quotas its patches change") {
  const auto observed = observe(layout());
  CHECK(listed(observed) == "");
  const auto& cluster = observed.cluster;
  REQUIRE(cluster.modes.size() == 2);
  CHECK(cluster.modes[0].name == "day");
  CHECK(cluster.modes[0].changed.empty());
  CHECK(cluster.modes[1].name == "night");
  CHECK(cluster.modes[1].changed == std::map<Mode::Key, Quota>{{kGpu, {8, 8, 4}}});
  CHECK(cluster.queues.at(0).groups.at(0).flavors.at(0).quotas.at(1) == Quota{8, 0, 4});
  CHECK(cluster.config.manage_jobs_without_queue_name);
}

TEST_CASE("a layout below a directory, and a base without overlays") {
  auto files = layout();
  for (auto& f : files) f.path = "out/./" + f.path;
  CHECK(listed(observe(files)) == "");
  CHECK(observe(files).cluster.modes.size() == 2);
  auto base = layout();
  base.resize(4);
  CHECK(listed(observe(base)) == "");
  CHECK(observe(base).cluster.modes.at(0).name == "default");
}

TEST_CASE("patches add, replace and remove limits") {
  const auto changed = [](const std::string& operation) {
    auto files = layout();
    file(files, kNight).bytes = night(operation);
    const auto observed = observe(files);
    INFO(listed(observed));
    CHECK(observed.problems.empty());
    return observed.cluster.modes.at(1).changed;
  };
  using Changed = std::map<Mode::Key, Quota>;
  CHECK(changed("{op: remove, path: " + limit_path("lendingLimit") + "}") == Changed{{kGpu, {8, 0, {}}}});
  CHECK(changed("{op: add, path: " + limit_path("borrowingLimit", 0) + ", value: 2500m}") ==
        Changed{{{"search", "shared", "cpu"}, {1500, 2500, {}}}});
  CHECK(changed("{op: replace, path: " + limit_path("nominalQuota") + ", value: 9}") == Changed{{kGpu, {9, 0, 4}}});
  CHECK(changed("{op: replace, path: " + limit_path("borrowingLimit") + ", value: 0}") == Changed{});
}

TEST_CASE("a patch that touches anything else, or nothing, is a problem") {
  const auto problem = [](const std::string& operation) {
    auto files = layout();
    file(files, kNight).bytes = night(operation);
    return listed(observe(files));
  };
  const std::string at = kNight + ":12[0] ";  // where it stands
  for (const auto* path : {"/spec/stopPolicy", "/spec/resourceGroups/0/flavors/0/name", "/metadata/name",
                           "/spec/resourceGroups/0/flavors/0/resources/01/nominalQuota",
                           "/spec/resourceGroups/0/flavors/-/resources/0/nominalQuota",
                           "/spec/resourceGroups/0/flavors/0/resources/0/nominalQuota/x"})
    CHECK(problem(std::string("{op: add, path: ") + path + ", value: 1}") ==
          at + "[0].path: `" + path + "` is not a quota or limit; a mode may change nothing else\n");
  const auto missing = limit_path("nominalQuota", 2);
  CHECK(problem("{op: add, path: " + missing + ", value: 1}") ==
        at + "[0].path: `" + missing + "` is not there in `search`\n");
  const auto unset = limit_path("borrowingLimit", 0);
  CHECK(problem("{op: replace, path: " + unset + ", value: 1}") ==
        at + "[0].path: `" + unset + "` is not set in the base\n");
  CHECK(problem("{op: remove, path: " + unset + "}") == at + "[0].path: `" + unset + "` is not set in the base\n");
  CHECK(problem("{op: remove, path: " + limit_path("nominalQuota") + "}") ==
        at + "[0].op: a nominalQuota cannot be removed\n");
  CHECK(problem("{op: copy, path: " + limit_path("nominalQuota") + "}") ==
        at + "[0].op: `copy` is none of add, replace, remove\n");
  CHECK(problem("{op: add, path: " + limit_path("nominalQuota") + "}") == at + "[0].value: is required\n");
  CHECK(problem("{op: add, path: " + limit_path("nominalQuota") + ", value: x}") ==
        at + "[0].value: `x` is not a quantity\n");
  CHECK(problem("{op: add, path: " + limit_path("nominalQuota") + ", value: 1, from: x}")
            .find("[0].from: is not a field") != std::string::npos);
  CHECK(problem("{op: replace, path: " + limit_path("lendingLimit") + ", value: 9}") ==
        kNight + ":1[0] : leaves search, shared, nvidia.com/gpu: lendingLimit must not exceed nominalQuota\n");
}

TEST_CASE("an overlay is the base and patches of queues, each once") {
  const std::string at = kNight + ":";
  CHECK(after(kNight, "../../base", "../day") == at + "1[0] resources: must be the base and nothing else\n");
  CHECK(after(kNight, "group: kueue.x-k8s.io", "group: x") ==
        at + "7[0] patches[0].target.group: `x` must be `kueue.x-k8s.io`: only ClusterQueues may be patched\n");
  CHECK(after(kNight, "    version: v1beta2\n", "") == at + "7[0] patches[0].target.version: is required\n");
  CHECK(after(kNight, "kind: ClusterQueue", "kind: Cohort") ==
        at + "9[0] patches[0].target.kind: `Cohort` must be `ClusterQueue`: only ClusterQueues may be patched\n");
  CHECK(after(kNight, "name: search", "name: s.*").find("is a pattern to kustomize") != std::string::npos);
  CHECK(after(kNight, "name: search", "name: chat").find("patches[0].target.name: there is no ClusterQueue `chat`\n") !=
        std::string::npos);
  CHECK(after(kNight, "  patch: |\n", "  path: gone.yaml\n  patch: |\n") ==
        at + "11[0] patches[0].path: is not a field that is understood\n");
  CHECK(after(kNight, "    - {", "    {").find("must be a list") != std::string::npos);
  CHECK(after(kNight, "kind: Kustomization", "kind: Component") ==
        at + "2[0] kind: `Component` is not Kustomization\n");
  CHECK(after(kNight, "patches:", "namePrefix: x\npatches:") ==
        at + "5[0] namePrefix: is not a field that is understood\n");
}

TEST_CASE("above the base stands what applies it, and nothing more") {
  const std::string root = "kustomization.yaml";
  CHECK(after(root, "- base\n", "- overlays/night\n") == root + ":1[0] resources: must be the base and nothing else\n");
  CHECK(after(root, "- base\n", "- base\n- rbac\n") == root + ":1[0] resources: must be the base and nothing else\n");
  CHECK(after(root, "resources:", "namePrefix: x\nresources:") ==
        root + ":6[0] namePrefix: is not a field that is understood\n");
  auto files = layout();
  files.erase(files.begin());
  CHECK(listed(observe(files)).find("there is no kustomization.yaml above the base") != std::string::npos);
}

TEST_CASE("the base lists exactly the files that are there") {
  const std::string base = "base/kustomization.yaml";
  CHECK(after(base, "- flavor.yaml\n", "")
            .find("base/flavor.yaml:1[0] : is not applied: the kustomization beside it does not name it\n") !=
        std::string::npos);
  CHECK(after(base, "- flavor.yaml\n", "- flavor.yaml\n- gone.yaml\n") ==
        base + ":1[0] resources[1]: there is no file `gone.yaml`\n");
  CHECK(after(base, "- flavor.yaml\n", "- flavor.yaml\n- flavor.yaml\n") ==
        base + ":1[0] resources[1]: names the file `flavor.yaml` a second time\n");
  CHECK(after(base, "- flavor.yaml\n", "- flavor.yaml\n- ../controller/controller_manager_config.yaml\n") ==
        base + ":1[0] resources[1]: `../controller/controller_manager_config.yaml` lies outside the base\n");
}

TEST_CASE("files that nothing applies, or that are there twice, are problems") {
  auto files = layout();
  files.push_back({"extra.yaml", kLocalQueue});
  CHECK(listed(observe(files)) ==
        "extra.yaml:2[0] kind: this object is never applied: no kustomization names its file\n");
  files.back() = {"base/../base/flavor.yaml", kFlavor};
  CHECK(listed(observe(files)).find("base/../base/flavor.yaml:1[0] : is there twice\n") == 0);
  files.back() = {"notes.txt", ""};
  CHECK(listed(observe(files)).find("notes.txt:1[0] : is not a manifest") == 0);
  files.back() = {"other/kustomization.yaml", kBaseKustomization};
  CHECK(listed(observe(files)).find("is a second kustomization besides `.`") != std::string::npos);
  files.back() = {"other/base/kustomization.yaml", kBaseKustomization};
  CHECK(listed(observe(files)).find("is a second base besides `base`") != std::string::npos);
  files = layout();
  files.erase(files.begin() + 1);
  CHECK(listed(observe(files)).find("there is no base") != std::string::npos);
}

TEST_CASE("the controller's configuration is no object of the cluster") {
  auto files = layout();
  file(files, "base/flavor.yaml").bytes += "---\n" + files.back().bytes;
  CHECK(listed(observe(files))
            .find("base/flavor.yaml:10[1] kind: stands beside the base: who applies that need not be allowed to write "
                  "this\n") == 0);
}

}  // namespace
}  // namespace gpol
