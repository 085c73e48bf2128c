// gpol verify: who serves, what is assumed, exit codes, formats (docs/verify.md).
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol;
using gpol::test::Ran;
using gpol::test::run_gpol;
using nlohmann::json;

namespace {

// Two queues of one cohort; chat owns 8 GPUs and lends them without limit.
std::string queues(const std::string& chat_labels = "", const std::string& train_labels = "",
                   const std::string& chat_spec = "") {
  const auto queue = [](const std::string& name, const std::string& labels, int gpus, const std::string& more) {
    return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata:\n  name: " + name + "\n  labels: {" +
           labels + "}\nspec:\n  cohortName: gpu\n" +
           "  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: " + name + "}}\n" + more +
           "  resourceGroups:\n  - coveredResources: [nvidia.com/gpu]\n    flavors:\n    - name: h100\n      "
           "resources:\n"
           "      - name: nvidia.com/gpu\n        nominalQuota: " +
           std::to_string(gpus) + "\n";
  };
  return queue("chat", chat_labels, 8, chat_spec) + "---\n" + queue("train", train_labels, 0, "");
}

constexpr const char* kServing = "gpol.dev/role: serving";
constexpr const char* kBatch = "gpol.dev/role: batch";

json report(std::vector<std::string> args, const std::string& input) {
  args.insert(args.begin(), "verify");
  args.insert(args.end(), {"--format", "json"});
  return json::parse(run_gpol(args, input).out);
}

const json& obligation(const json& report, const char* family, const char* queue) {
  for (const json& o : report["obligations"])
    if (o["family"] == family && o["subject"]["name"] == queue) return o;
  FAIL("no " << family << " of " << queue);
  return report;
}

}  // namespace

TEST_CASE("verify: no queue has a role: nothing is required, and who could hold what is told") {
  const Ran ran = run_gpol({"verify", "-"}, queues());
  CHECK(ran.code == 3);
  CHECK(ran.out.find("undecided: no serving queue named") != std::string::npos);
  const json all = report({"-"}, queues());
  const json& claim = obligation(all, "claim", "chat");
  CHECK_FALSE(claim["required"].get<bool>());
  CHECK(claim["figures"]["reserve"] == 8);
  CHECK(claim["figures"]["claimable"] == 8);
  CHECK(claim["figures"]["claimable_alone"] == 8);
}

TEST_CASE("verify: the pods of a demand that no policy says are counted") {
  const json all = report({"-"}, queues(kServing, kBatch));
  const json& figures = obligation(all, "claim", "chat")["figures"];
  CHECK(figures["demand_pods"] == 8);  // one pod of one GPU for each that chat owns
}

TEST_CASE("verify: of nothing nothing is said but that nothing was read") {
  const Ran empty = run_gpol({"verify", "-"}, "");
  CHECK(empty.code == 3);
  CHECK(empty.out.find("undecided: nothing was read") != std::string::npos);
  const Ran other = run_gpol({"verify", "-"}, "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n");
  CHECK(other.code == 3);
  CHECK(other.out.find("undecided: no ClusterQueue was read, but 1 object of other kinds") != std::string::npos);
}

TEST_CASE("verify: a stage is printed instead of the report, what is wrong with it on standard error") {
  const Ran smt = run_gpol({"verify", "-", "--dump=smt"}, queues(kServing, kBatch));
  CHECK(smt.code == 0);
  CHECK(smt.out.find("(check-sat") != std::string::npos);
  const Ran obligations = run_gpol({"verify", "-", "--dump=obligations"}, queues(kServing, kBatch));
  CHECK(obligations.out.starts_with("claim GP1001 required refuted ClusterQueue/chat"));
  CHECK(run_gpol({"verify", "-", "--dump=cluster"}, queues()).out.find("chat") != std::string::npos);
  const Ran wrong = run_gpol({"verify", "-", "--dump=cluster"}, queues("gpol.dev/role: servng"));
  CHECK(wrong.code == 1);
  CHECK(wrong.out.empty());
  CHECK(wrong.err.find("GP0603") != std::string::npos);
  CHECK(run_gpol({"verify", "-", "--dump=ast"}, queues()).code == 2);
  CHECK(run_gpol({"verify", "-", "--dump=smt", "--format", "json"}, queues()).code == 2);
}

TEST_CASE("verify: a label that nobody reads is told, and changes nothing") {
  const std::string local =
      "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata:\n  name: chat\n  namespace: chat\n"
      "  labels: {gpol.dev/role: serving}\nspec: {clusterQueue: chat}\n";
  const json door = report({"-", "--serving", "chat", "--bounded", "train"}, queues() + local);
  CHECK(door["verdict"] == "proven");
  REQUIRE(door["diagnostics"].size() == 2);
  CHECK(door["diagnostics"][0]["severity"] == "warning");
  CHECK(door["diagnostics"][0]["location"]["field"] == "metadata.labels[gpol.dev/role]");
  // A class beside a role that a flag gives does say something.
  CHECK(report({"-", "--serving", "chat"}, queues("gpol.dev/class: B"))["diagnostics"].size() == 1);
  CHECK(report({"-"}, queues("gpol.dev/class: B"))["diagnostics"].size() == 2);
}

TEST_CASE("verify: markdown says each edit once") {
  // Of several resources of one cause, too.
  std::string pods = queues("gpol.dev/role: serving, gpol.dev/class: B", kBatch);
  for (std::size_t at = 0; (at = pods.find("[nvidia.com/gpu]", at)) != std::string::npos;)
    pods.replace(at, 16, "[nvidia.com/gpu, pods]");
  for (std::size_t at = 0; (at = pods.find("        nominalQuota:", at)) != std::string::npos; at += 60) {
    const auto end = pods.find(char(10), at) + 1;
    pods.insert(end, "      - {name: pods, nominalQuota: 8}\n");
  }
  const Ran ran = run_gpol({"verify", "-", "--format", "markdown"}, pods);
  std::set<std::string> bullets;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("- set")) CHECK(bullets.insert(line).second);
  CHECK_FALSE(bullets.empty());
}

TEST_CASE("verify: markdown keeps a file's name in one piece, whatever is in it") {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("gpol-markdown-{}", getpid());
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "a`b``c|d.yaml").string();
  std::ofstream(path) << queues(kServing, kBatch);
  const Ran ran = run_gpol({"verify", path, "--format", "markdown"});
  std::filesystem::remove_all(folder);
  CHECK(ran.out.find("at ``` " + path + ":") != std::string::npos);
}

TEST_CASE("verify: markdown calls nobody, and a backtick alone opens no code") {
  const auto with_value = [](std::string_view value) {
    std::string pods = queues(kServing, kBatch);
    const auto at = pods.find("nominalQuota:");
    pods.replace(at, pods.find_first_of("\n,}", at) - at, fmt::format("nominalQuota: \"{}\"", value));
    return run_gpol({"verify", "-", "--format", "markdown"}, pods).out;
  };
  const std::string called = with_value("4 @platform/oncall");
  CHECK(called.find("@platform/oncall") != std::string::npos);
  for (std::size_t at = 0; (at = called.find("@platform", at)) != std::string::npos; ++at) {
    const auto line = called.substr(called.rfind('\n', at) + 1, at - called.rfind('\n', at) - 1);
    const auto ticks = std::count(line.begin(), line.end(), '`');
    CHECK((ticks % 2 == 1 || line.rfind("<code>") != std::string::npos));
  }
  const std::string odd = with_value("4` [x](y)");
  std::istringstream lines(odd);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("<details>")) continue;
    std::size_t ticks = 0;
    for (std::size_t i = 0; i < line.size(); ++i) ticks += line[i] == '`' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
    INFO(line);
    CHECK(ticks % 2 == 0);
  }
}

TEST_CASE("verify: one claim and one reclaim for each pair of each queue, whatever its role") {
  for (const auto& [chat, train] : {std::pair{"", ""}, std::pair{kServing, kBatch}, std::pair{kServing, ""}}) {
    const json all = report({"-"}, queues(chat, train));
    for (const char* family : {"claim", "reclaim"}) {
      std::size_t count = 0;
      for (const json& o : all["obligations"]) count += o["family"] == family ? 1 : 0;
      CHECK(count == 2);
    }
  }
}

TEST_CASE("verify: labels, flags and the file say who serves; flags beat the file, the file beats labels") {
  CHECK(report({"-"}, queues(kServing, kBatch))["verdict"] == "refuted");
  CHECK(report({"-", "--serving", "chat", "--batch", "train"}, queues())["verdict"] == "refuted");
  CHECK(report({"-", "--serving", "chat"}, queues())["verdict"] == "refuted");  // train is batch: nobody says otherwise
  CHECK(report({"-", "--serving", "chat", "--bounded", "train"}, queues())["verdict"] == "proven");
  CHECK(report({"-"}, queues(kServing, "gpol.dev/role: bounded"))["verdict"] == "proven");
  const test::Scratch scratch;
  const std::string file = (scratch.path() / "classes.yaml").string();
  test::write_text(file, "chat: {role: serving, class: B}\ntrain: {role: batch}\n");
  const json by_file = report({"-", "--classes", file}, queues(kBatch, kServing));
  CHECK_FALSE(obligation(by_file, "claim", "chat")["required"].get<bool>());  // class B: reclaim is
  CHECK(obligation(by_file, "reclaim", "chat")["required"].get<bool>());
  const json by_flag = report({"-", "--classes", file, "--serving", "chat=A"}, queues());
  CHECK(obligation(by_flag, "claim", "chat")["required"].get<bool>());
  const json other = report({"-", "--classes", file, "--batch", "chat"}, queues());
  CHECK(other["verdict"] == "undecided");  // nobody serves
}

TEST_CASE("verify: roles that cannot be meant are errors") {
  const auto code_of = [](const json& all) {
    return all["diagnostics"].empty() ? json() : all["diagnostics"][0]["code"];
  };
  CHECK(code_of(report({"-", "--serving", "chat", "--batch", "chat"}, queues())) == "GP0603");
  CHECK(code_of(report({"-", "--batch", "train", "--bounded", "train"}, queues())) == "GP0603");
  CHECK(code_of(report({"-", "--serving", "chatt"}, queues())) == "GP0603");
  CHECK(code_of(report({"-"}, queues("gpol.dev/role: servng"))) == "GP0603");
  CHECK(run_gpol({"verify", "-", "--serving", "chatt"}, queues()).out.find("did you mean `chat`?") !=
        std::string::npos);
  CHECK(run_gpol({"verify", "-", "--serving", "chat=D"}, queues()).code == 2);
  CHECK(run_gpol({"verify", "-", "--kueue", "newest"}, queues()).code == 2);
  CHECK(report({"-", "--serving", "chat, train=B"}, queues())["verdict"] == "refuted");  // a blank is no name
}

TEST_CASE("verify: what is no manifest is left out and counted, and silences nothing") {
  const test::Scratch scratch;
  const std::string root = scratch.path().string();
  const auto verified = [&](std::vector<std::string> more = {}) {
    std::vector<std::string> args{"verify", root, "--serving", "chat"};
    args.insert(args.end(), more.begin(), more.end());
    return run_gpol(args, "");
  };
  test::write_text(scratch.path() / "queues.yaml", queues());
  const Ran alone = verified();
  CHECK(alone.code == 1);
  CHECK(alone.out.find("left out") == std::string::npos);
  const std::pair<const char*, const char*> others[] = {
      {"Chart.yaml", "apiVersion: v2\nname: queues\n"},
      {"values-prod.yaml", "gpus: 8\n"},
      {"package.json", "{\"name\": \"x\"}"},
      {"list.json", "[1, 2]"},
      {"broken.json", "{\"name\": "},
      {"_helpers.tpl", "{{ define \"x\" }}{{ end }}"},
      {"cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\n"}};
  for (const auto& [name, text] : others) test::write_text(scratch.path() / name, text);
  const Ran with = verified({"--full"});
  CHECK(with.code == alone.code);
  CHECK(with.out.find("error[GP1001]") != std::string::npos);
  CHECK(
      with.out.find("left out: 3 files that are no Kubernetes objects, 2 templates that were not rendered, 2 files of "
                    "Helm charts (`--list-skipped` names them)") != std::string::npos);
  const Ran listed = verified({"--list-skipped"});
  for (const auto& [name, text] : others) CHECK(listed.out.find(std::string("/") + name + ", a ") != std::string::npos);
  // A template of Kueue's objects may hold anything.
  test::write_text(scratch.path() / "cq.yaml",
                   "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: {{ .Values.name }}}\n");
  const json template_ = report({root, "--serving", "chat"}, "");
  CHECK(template_["verdict"] == "refuted");  // what others can hold already they can hold whatever it is
  const json whole = report({root, "--serving", "chat=B"}, "");
  CHECK(whole["verdict"] == "undecided");
  CHECK(whole["headline"].get<std::string>().find("holds objects of Kueue") != std::string::npos);
  std::filesystem::remove(scratch.path() / "cq.yaml");
  // Beside an object a document that is none, or cannot be read, is a mistake where it names what a verdict rests on.
  for (const auto& [document, mistake] :
       {std::pair{"name: x\n", false}, std::pair{"kind: ConfigMap\nmetadata: {name: x\n", false},
        std::pair{"kind: ClusterQueue\nname: x\n", true}, std::pair{"kind: Node\nmetadata: {name: x\n", true},
        std::pair{"kind: Job\nmetadata: {labels: {kueue.x-k8s.io/queue-name: x\n", false},
        std::pair{"kind: Job\nmetadata: {labels: {kueue.x-k8s.io/priority-class: x\n", true}}) {
    test::write_text(scratch.path() / "beside.yaml",
                     std::string("apiVersion: v1\nkind: Service\nmetadata: {name: x}\n---\n") + document);
    INFO(document);
    CHECK((report({root, "--serving", "chat"}, "")["diagnostics"][0]["code"] == "GP0601") == mistake);
    CHECK((verified().out.find("1 mistake that decides nothing") == std::string::npos) == mistake);
  }
}

TEST_CASE("verify: --nodes without a Node is an error, not a check that was left out") {
  const test::Scratch scratch;
  const std::string file = (scratch.path() / "nodes.yaml").string();
  test::write_text(file, "apiVersion: v1\nkind: NodeList\nitems: []\n");
  const Ran ran = run_gpol({"verify", "-", "--nodes", file}, queues(kServing, kBatch));
  CHECK(ran.code == 1);
  CHECK(ran.out.find("gives no Node") != std::string::npos);
}

TEST_CASE("verify: a variable of a shell is a template, and a ClusterQueue without a spec owns nothing") {
  std::string shell = queues(kServing, kBatch);
  shell.replace(shell.find("nominalQuota: 8"), 15, "nominalQuota: $GPUS");
  CHECK(run_gpol({"verify", "-"}, shell).out.find("is left to a template that was not rendered: `$GPUS`") !=
        std::string::npos);
  const json empty = report({"-"}, "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: x}\n");
  CHECK(empty["diagnostics"].empty());
  CHECK(empty["verdict"] == "undecided");  // nobody serves
}

TEST_CASE("verify: a deadline without the times that it needs is undecided") {
  const test::Scratch scratch;
  const std::string file = (scratch.path() / "classes.yaml").string();
  const auto with = [&](const std::string& deadline) {
    test::write_text(file, "chat: {role: serving, class: B, deadline: " + deadline + "}\ntrain: {role: batch}\n");
    return report({"-", "--classes", file}, queues("", "", "  preemption: {reclaimWithinCohort: Any}\n"));
  };
  CHECK(with("4min")["verdict"] == "undecided");
  CHECK(with("soon")["verdict"] == "error");
  test::write_text(file, "chat: {role: serving, class: B}\ntrain: {role: batch}\n");
  const json untimed = report({"-", "--classes", file}, queues("", "", "  preemption: {reclaimWithinCohort: Any}\n"));
  CHECK(untimed["verdict"] == "proven");
  CHECK(untimed["headline"].get<std::string>().find("untimed") != std::string::npos);
}

TEST_CASE("verify: --strict turns what is trusted into findings") {
  const std::string safe = queues(kServing, kBatch, "  preemption: {reclaimWithinCohort: Any}\n");
  std::string never = safe;
  never.replace(never.find("nominalQuota: 8"), 15, "nominalQuota: 8\n        lendingLimit: 0");
  CHECK(run_gpol({"verify", "-"}, never).code == 0);
  const Ran strict = run_gpol({"verify", "-", "--strict", "--full"}, never);
  CHECK(strict.code == 1);
  CHECK(strict.out.find("[GP1301]") != std::string::npos);
}

TEST_CASE("verify: claims of Kueue v0.15 to v0.19 are judged, reclaim of the newest alone, nothing of another") {
  const std::string alone = queues(kServing, kBatch).substr(0, queues(kServing, kBatch).find("---"));
  CHECK(run_gpol({"verify", "-"}, alone).code == 0);
  for (const char* version : {"v0.14.9", "v0.20.0", "v1.19.2"}) {
    const Ran other = run_gpol({"verify", "-", "--kueue", version}, alone);
    CHECK(other.code == 3);
    CHECK(other.out.find(std::string("Kueue ") + version + " is not modelled") != std::string::npos);
  }
  for (const char* version : {"v0.15.0", "v0.16.7", "v0.17.3", "v0.18.4", "v0.19.1"}) {
    const Ran older = run_gpol({"verify", "-", "--kueue", version}, alone);
    CHECK(older.code == 0);  // class A: nobody can hold any
    CHECK(older.out.find("is not modelled") == std::string::npos);
    const Ran lends = run_gpol({"verify", "-", "--kueue", version, "--serving", "chat=B"}, queues(kServing, kBatch));
    CHECK(lends.out.find(std::string("how Kueue ") + version + " takes quota back has not been compared") !=
          std::string::npos);
  }
}

TEST_CASE("verify: a feature gate that came after the version that runs is told") {
  const std::string text = queues(kServing, kBatch) +
                           "---\napiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
                           "featureGates: {PriorityBoost: true}\n";
  const auto told = [&](const char* version) {
    return run_gpol({"verify", "-", "--full", "--kueue", version}, text)
               .out.find("has no feature gate `PriorityBoost`") != std::string::npos;
  };
  CHECK(told("v0.16.1"));
  CHECK(!told("v0.17.0"));
}

TEST_CASE("verify: objects of other kinds are counted, never an error; a part of a cluster is enough") {
  const Ran ran = run_gpol({"verify", "-"}, "apiVersion: v1\nkind: Service\nmetadata: {name: x}\n");
  CHECK(ran.code == 3);
  CHECK(ran.out.find("1 Service (v1)") != std::string::npos);
}

TEST_CASE("verify: what the cluster would reject names rule, field and place") {
  const json all = report({"-"}, queues(kServing, kBatch, "  queueingStrategy: Fifo\n"));
  CHECK(all["verdict"] == "error");
  const json& d = all["diagnostics"][0];
  CHECK(d["code"] == "GP0602");
  CHECK(d["location"]["field"] == "spec.queueingStrategy");
  CHECK(d["location"]["line"] == 9);
  CHECK(d["location"]["document"] == 0);
  CHECK(d["message"].get<std::string>().find("schema:enum") != std::string::npos);
  CHECK(run_gpol({"verify", "-"}, queues("", "", "  queueingStrategy: Fifo\n")).code == 1);
}
