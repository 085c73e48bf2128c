// Kustomizations built in process. What is built is compared with kustomize's own code in tests/conformance/kustomize;
// here: where things come from, what is said of mistakes, and limits.
#include <algorithm>
#include <chrono>

#include "checker/observe/kustomize/patterns.h"
#include "checker/observe/kustomize/selectors.h"
#include "checker/observe/problems.h"
#include "checker/observe/view.h"
#include "tests/support/catch.h"
#include "tests/support/kustomize_case.h"

namespace gpol::manifest {
namespace {

using test::KustomizeCase;

const Node* at(const Node& node, const std::vector<std::string>& path) {
  const Node* now = &node;
  for (const std::string& part : path) {
    const Node* next = nullptr;
    if (now->kind == Node::Kind::List) next = &now->items.at(std::stoul(part));
    for (const Entry& entry : now->entries)
      if (entry.key == part) next = &entry.value;
    if (next == nullptr) return nullptr;
    now = next;
  }
  return now;
}

Span span(const Node* node) { return Place{}.span(*node); }

constexpr const char* kQueue = R"(apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata:
  name: chat
spec:
  cohort: main
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - name: h100
      resources:
      - name: cpu
        nominalQuota: 16
)";

const KustomizeCase& layers() {
  static const KustomizeCase text(std::string(R"(
entry overlay
>>> overlay/kustomization.yaml
namespace: prod
namePrefix: big-
resources:
- ../base
patches:
- path: quota.yaml
- target: {kind: ClusterQueue}
  patch: |-
    - op: add
      path: /spec/stopPolicy
      value: Hold
>>> overlay/quota.yaml
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: chat}
spec:
  cohort: 17
>>> base/kustomization.yaml
resources: [queue.yaml]
commonLabels:
  team: chat
>>> base/queue.yaml
# one line above
)") + kQueue);
  return text;
}

TEST_CASE("a node of a built object knows the file and the line that it comes from") {
  KustomizeCase one = layers();
  const Built built = one.build();
  REQUIRE(built.errors.empty());
  REQUIRE(built.not_built.empty());
  REQUIRE(built.objects.size() == 1);
  const Node& queue = built.objects[0];
  const auto where = [&](const std::vector<std::string>& path) { return one.at(span(at(queue, path))); };
  CHECK(where({"spec", "resourceGroups", "0", "flavors", "0", "resources", "0", "nominalQuota"}) ==
        "base/queue.yaml:14");
  CHECK(where({"spec", "cohort"}) == "overlay/quota.yaml:5");
  CHECK(where({"spec", "stopPolicy"}) == "overlay/kustomization.yaml:11");
  CHECK(where({"metadata", "namespace"}) == "overlay/kustomization.yaml:1");
  CHECK(where({"metadata", "name"}) == "overlay/kustomization.yaml:2");
  CHECK(where({"metadata", "labels", "team"}) == "base/kustomization.yaml:3");
  CHECK(at(queue, {"metadata", "name"})->text == "big-chat");
  CHECK(built.used == std::set<std::string>{"overlay", "overlay/kustomization.yaml", "overlay/quota.yaml", "base",
                                            "base/kustomization.yaml", "base/queue.yaml"});
}

TEST_CASE("a problem with a patched value names the patch") {
  KustomizeCase one = layers();
  const Built built = one.build();
  REQUIRE(built.objects.size() == 1);
  Problems problems;
  problems.enter({"base/queue.yaml", 0, 1, 99, 0});
  const View view(built.objects[0], problems);
  const auto spec = view.map("spec");
  REQUIRE(spec);
  CHECK(!spec->text("cohort"));
  const auto found = problems.take();
  REQUIRE(found.size() == 1);
  CHECK(found[0].field == "spec.cohort");
  CHECK(found[0].line == 5);
  CHECK(one.at(found[0].span) == "overlay/quota.yaml:5");
}

TEST_CASE("a LocalQueue goes on naming the queue by the name that it had") {
  KustomizeCase one(R"(
>>> kustomization.yaml
namePrefix: a-
resources: [all.yaml]
>>> all.yaml
apiVersion: kueue.x-k8s.io/v1beta1
kind: LocalQueue
metadata: {name: l, namespace: n}
spec: {clusterQueue: chat}
---
)" + std::string(kQueue));
  const Built built = one.build();
  REQUIRE(built.objects.size() == 2);
  CHECK(at(built.objects[0], {"metadata", "name"})->text == "a-chat");
  CHECK(at(built.objects[1], {"spec", "clusterQueue"})->text == "chat");
}

TEST_CASE("a patched list of a custom resource is another list") {
  KustomizeCase one(R"(
>>> kustomization.yaml
resources: [all.yaml]
patches:
- patch: |-
    apiVersion: kueue.x-k8s.io/v1beta1
    kind: ClusterQueue
    metadata: {name: chat}
    spec: {resourceGroups: [{coveredResources: [memory]}]}
>>> all.yaml
)" + std::string(kQueue));
  const Built built = one.build();
  REQUIRE(built.objects.size() == 1);
  const Node* groups = at(built.objects[0], {"spec", "resourceGroups"});
  REQUIRE(groups->items.size() == 1);
  CHECK(at(*groups, {"0", "flavors"}) == nullptr);
  CHECK(one.at(span(at(*groups, {"0", "coveredResources", "0"}))) == "kustomization.yaml:7");
}

TEST_CASE("mistakes are said where they are, all of one kind at once, and nothing is built") {
  KustomizeCase one(R"(
>>> kustomization.yaml
resources:
- nothing.yaml
- neither.yaml
- bad.yaml
patches:
- path: no-patch.yaml
>>> bad.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a
)");
  const Built built = one.build();
  CHECK(built.objects.empty());
  std::vector<std::string> said;
  for (const auto& error : built.errors) said.push_back(one.at(error.span) + " " + error.what);
  REQUIRE(said.size() == 4);
  CHECK(said[0] == "kustomization.yaml:2 there is no file or directory `nothing.yaml`");
  CHECK(said[1] == "kustomization.yaml:3 there is no file or directory `neither.yaml`");
  CHECK(said[2].rfind("bad.yaml:3 ", 0) == 0);
  CHECK(said[3] == "kustomization.yaml:6 there is no file `no-patch.yaml`");
}

TEST_CASE("what is not built is named, with the command that builds it") {
  for (const char* field : {"replacements: [{path: r.yaml}]", "vars: [{name: A}]", "transformers: [t.yaml]",
                            "generators: [g.yaml]", "openapi: {path: s.json}", "configurations: [c.yaml]",
                            "crds: [c.json]", "buildMetadata: [originAnnotations]"}) {
    KustomizeCase one(">>> kustomization.yaml\nnamePrefix: a-\n" + std::string(field) + "\n");
    const Built built = one.build();
    INFO(field);
    REQUIRE(built.not_built.size() == 1);
    CHECK(built.not_built[0].hint == "build it and pipe it: `kustomize build . | gpol verify -`");
    CHECK(one.at(built.not_built[0].span).rfind("kustomization.yaml:2", 0) == 0);
    CHECK(built.errors.empty());
  }
}

TEST_CASE("what is to be downloaded is told, and the rest is built") {
  using What = Built::NotRead::What;
  for (const auto& [field, what] : std::vector<std::pair<const char*, What>>{
           {"helmCharts: [{name: a}]", What::Anything},
           {"helmCharts: [{name: kueue}]", What::KueueSettings},
           {"bases: [\"https://example.com/a.yaml\"]", What::Anything},
           {"bases: [\"github.com/example/a?ref=v1\"]", What::Anything},
           {"bases: [\"git@example.com:a.git\"]", What::Anything},
           {"bases: [\"https://raw.githubusercontent.com/kubernetes-sigs/kueue/main/examples/a.yaml\"]",
            What::Anything},
           {"bases: [\"https://github.com/kubernetes-sigs/kueue/releases/download/v0.19.2/manifests.yaml\"]",
            What::KueueInstall}}) {
    KustomizeCase one(">>> kustomization.yaml\nnamePrefix: a-\nresources: [x.yaml]\n" + std::string(field) +
                      "\n>>> x.yaml\napiVersion: v1\nkind: Service\nmetadata: {name: b}\n");
    const Built built = one.build();
    INFO(field);
    REQUIRE(built.not_read.size() == 1);
    CHECK(built.not_read[0].what == what);
    CHECK(built.not_read[0].hint == "build it and pipe it: `kustomize build . | gpol verify -`");
    CHECK(built.objects.size() == 1);
    CHECK(built.not_built.empty());
    CHECK(built.errors.empty());
  }
  // A patch of what was not read is no mistake.
  KustomizeCase one(
      ">>> kustomization.yaml\nresources: [\"https://github.com/kubernetes-sigs/kueue/releases/download/v0.19.2/"
      "manifests.yaml\"]\npatches: [{path: p.yaml}]\n>>> p.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: "
      "{name: kueue-manager-config, namespace: kueue-system}\ndata: {a: b}\n");
  const Built built = one.build();
  CHECK(built.errors.empty());
  REQUIRE(built.not_read.size() == 2);
  CHECK(built.not_read[1].what == What::KueueSettings);
}

TEST_CASE("a base that holds its overlay is refused") {
  for (const char* base : {"..", ".", "../overlay", "../../.."}) {
    KustomizeCase one(">>> kustomization.yaml\nnamePrefix: a-\n>>> overlay/kustomization.yaml\nresources: [" +
                      std::string(base) + "]\nentry\n");
    one.entry = "overlay";
    CHECK(one.build().errors.size() == 1);
  }
}

// Each kustomization takes the one below it twice, under two names: the copies double with every layer.
TEST_CASE("kustomizations that double are given up") {
  std::string text = "entry 30\n>>> 0/kustomization.yaml\nconfigMapGenerator: [{name: c}]\n";
  for (int i = 1; i <= 30; ++i) {
    const std::string n = std::to_string(i), below = std::to_string(i - 1);
    for (const char* side : {"a", "b"})
      text += ">>> " + n + side + "/kustomization.yaml\nnamePrefix: " + side + "\nresources: [../" + below + "]\n";
    text += ">>> " + n + "/kustomization.yaml\nresources: [../" + n + "a, ../" + n + "b]\n";
  }
  KustomizeCase one(text);
  const auto begin = std::chrono::steady_clock::now();
  const Built built = one.build();
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
  REQUIRE(built.not_built.size() == 1);
  CHECK(built.not_built[0].what == "reads more than 10,000 files");
  CHECK(built.objects.empty());
}

TEST_CASE("a patch that copies and copies is given up") {
  std::string text =
      ">>> kustomization.yaml\nresources: [a.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: |-\n";
  for (int i = 0; i < 40; ++i) text += "    - {op: copy, from: /data, path: /data/k" + std::to_string(i) + "}\n";
  text += ">>> a.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n";
  KustomizeCase one(text);
  const Built built = one.build();
  REQUIRE(built.not_built.size() == 1);
  CHECK(built.not_built[0].what == "makes trees of more than 64 MiB");
}

TEST_CASE("patterns match whole texts") {
  using kustomize::Pattern;
  const auto matches = [](const char* pattern, const char* text) {
    const Pattern read(pattern);
    REQUIRE(read.fault() == Pattern::Fault::None);
    return read.matches(text);
  };
  CHECK(matches("chat", "chat"));
  CHECK(!matches("chat", "chats"));
  CHECK(matches("ch.*", "chats"));
  CHECK(!matches("a.c", "ab"));
  CHECK(matches("(a|bc)+d?", "abcbcd"));
  CHECK(!matches("(a|bc)+d?", "abcbd"));
  CHECK(matches("[a-c0-9_.-]{2,3}", "b-9"));
  CHECK(!matches("[a-c0-9_.-]{2,3}", "b-9a"));
  CHECK(matches("[^x]*", "abc"));
  CHECK(!matches("[^x]*", "abxc"));
  CHECK(matches("^chat$", "chat"));
  CHECK(matches("a|b|", ""));
  CHECK(matches("\\w+\\.v\\d", "apps.v1"));
  CHECK(matches("(?:x)(?P<name>y)", "xy"));
  CHECK(matches("x{,2}", "x{,2}"));
  CHECK(matches("(a*)*b", "aaaab"));
  CHECK(matches("(?i)chat", "Chat"));
  CHECK(matches("\\bx[[:alpha:]]", "xy"));
  for (const char* wrong : {"a(", "a)", "[a", "*", "a**", "a{3,2}", "[b-a]", "\\", "(a{100}){100}"})
    CHECK(Pattern(wrong).fault() == Pattern::Fault::Wrong);
  CHECK(Pattern(std::string(300, '(')).fault() == Pattern::Fault::NotKnown);
}

TEST_CASE("patterns cost no more than pattern times text") {
  const kustomize::Pattern pattern("(((a*)*)*)*(a|a|aa)*b");
  REQUIRE(pattern.fault() == kustomize::Pattern::Fault::None);
  const auto begin = std::chrono::steady_clock::now();
  CHECK(!pattern.matches(std::string(1000, 'a')));
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(2));
  CHECK(kustomize::Pattern("((((((((((){9}){9}){9}){9}){9}){9}){9}){9}){9}){9}").fault() !=
        kustomize::Pattern::Fault::None);
  CHECK(kustomize::Pattern("[[:word:]]{900}[[:word:]]{900}[[:word:]]{900}\\pL{900}\\pL{900}").fault() ==
        kustomize::Pattern::Fault::NotKnown);
}

TEST_CASE("selectors of labels") {
  CHECK(kustomize::read_requirements("a=b, c==d,e!=f , g in (h, i), j notin (k), l, !m")->size() == 7);
  CHECK(kustomize::read_requirements("  ")->empty());
  for (const char* wrong : {"a=b c=d", "a in b", "a in (b", ",", "=", "a>1"})
    CHECK(!kustomize::read_requirements(wrong));
}

}  // namespace
}  // namespace gpol::manifest
