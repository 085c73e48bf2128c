// gpol build --kueue-config FILE: what somebody keeps as Kueue's Configuration is written with the lines that the proof
// needs, and not at all where it contradicts the proof.
#include <algorithm>

#include "checker/observe/given_configuration.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol;
using namespace gpol::test;
namespace fs = std::filesystem;

namespace {

const std::string kHead = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n";
// As Kueue is shipped, in short, with comments of somebody's own.
const std::string kShipped = kHead +
                             "# ours: do not touch\n"
                             "health:\n"
                             "  healthProbeBindAddress: :8081   # probes\n"
                             "leaderElection: {leaderElect: true, resourceName: c1f6bfd2.kueue.x-k8s.io}\n"
                             "integrations:\n"
                             "  frameworks:\n"
                             "  - \"batch/job\"\n"
                             "  - pod\n"
                             "  - deployment   # chat\n"
                             "  - statefulset\n"
                             "  - jobset.x-k8s.io/jobset\n"
                             "\n"
                             "#fairSharing:\n"
                             "#  preemptionStrategies: [LessThanOrEqualToFinalShare]\n";
const std::string kElastic =
    "  # gpol: an elastic Job is charged by its number of pods, whatever each asks for by then.\n"
    "  ElasticJobsViaWorkloadSlices: false\n";
const std::string kReclaimable =
    "  # gpol: the quota of a Job's pods that are no longer to come is free while others of it still run.\n"
    "  ReclaimablePods: false\n";
const std::string kGates = "featureGates:\n" + kElastic + kReclaimable;

std::string indented(const std::string& text, const std::string& by) {
  std::string out;
  for (const std::string_view line : lines_of(text)) out += line.empty() ? "\n" : by + std::string(line) + "\n";
  return out;
}
std::string config_map(const std::string& text) {
  return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kueue-manager-config # here\n  namespace: "
         "kueue-system\ndata:\n  controller_manager_config.yaml: |\n" +
         indented(text, "    ") + "  other: |\n    text\n";
}
std::string values(const std::string& text) {
  return "controllerManager: {replicas: 2}\nmanagerConfig:\n  controllerManagerConfigYaml: |-\n" +
         indented(text, "    ") + "# behind it\nenablePrometheus: true\n";
}
std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

// One policy, built with one Configuration after the other.
class Bench {
 public:
  explicit Bench(const std::string& policy = {}) {
    write_text(
        dir_ / "p.gpol",
        policy.empty() ? run_gpol({"init", "-", "--nodes", "4x8", "--serving", "16", "--back", "never"}).out : policy);
  }
  Ran build(const std::string& given) {
    write_text(dir_ / "kueue.yaml", given);
    return run_gpol(
        {"build", (dir_ / "p.gpol").string(), "-o", out(), "--kueue-config", (dir_ / "kueue.yaml").string()});
  }
  // What is written of it; empty, with the report checked to be all right, where nothing is.
  std::string written(const std::string& given) {
    const Ran ran = build(given);
    INFO(ran.out << ran.err);
    CHECK(ran.code == 0);
    return ran.code == 0 ? read_text(dir_ / "out/controller/controller_manager_config.yaml") : "";
  }
  std::string out() const { return (dir_ / "out").string(); }
  Ran verify() const { return run_gpol({"verify", out(), "--full"}); }
  std::string read(const std::string& file) const { return read_text(dir_ / ("out/" + file)); }

 private:
  Scratch dir_;
};

bool says(const Ran& ran, const std::string& words) { return (ran.out + ran.err).find(words) != std::string::npos; }

}  // namespace

TEST_CASE("kueue-config: lines are added in each form, all others stay byte for byte", "[slow]") {
  Bench bench;
  using Wrap = std::string (*)(const std::string&);
  const Wrap kWraps[] = {[](const std::string& text) { return text; }, config_map, values};
  for (const Wrap wrap : kWraps)
    for (const auto& [given, expected] :
         {std::pair{kShipped, kShipped + kGates},
          // Into what is there, behind it.
          {kShipped + "featureGates: # mine\n    TopologyAwareScheduling: true # yes\n",
           kShipped + "featureGates: # mine\n    TopologyAwareScheduling: true # yes\n" + indented(kElastic, "  ") +
               indented(kReclaimable, "  ")},
          {replaced(kShipped, "health:", "featureGates:\n  ReclaimablePods: false\nhealth:"),
           replaced(kShipped, "health:", "featureGates:\n  ReclaimablePods: false\n" + kElastic + "health:")},
          {kShipped + "featureGates:\n# none yet\n", kShipped + kGates + "# none yet\n"}}) {
      INFO(wrap(given));
      const std::string merged = bench.written(wrap(given));
      CHECK(merged == wrap(expected));
      CHECK(bench.written(merged) == merged);  // nothing is left to add
      const Ran verified = bench.verify();
      INFO(verified.out << verified.err);
      CHECK(verified.code == 0);
      CHECK_FALSE(says(verified, "cannot be read"));
    }
}

TEST_CASE("kueue-config: line breaks of the file, a last line without one, indented and old files", "[slow]") {
  Bench bench;
  const auto returns = [](const std::string& text) {
    std::string out;
    for (const std::string_view line : lines_of(text)) out.append(line).append("\r\n");
    return out;
  };
  CHECK(bench.written(returns(kShipped)) == returns(kShipped + kGates));
  CHECK(bench.written(returns(values(kShipped))) == returns(values(kShipped + kGates)));
  const std::string cut = kShipped + "pprofBindAddress: :1";
  CHECK(bench.written(cut) == cut + "\n" + kGates);
  CHECK(bench.written(indented(kShipped, " ")) == indented(kShipped + kGates, " "));
  CHECK(bench.written("---\n" + kShipped + "---\n") == "---\n" + kShipped + kGates + "---\n");
  const std::string older = replaced(kShipped, "v1beta2", "v1beta1") + "waitForPodsReady: {enable: false}\n";
  CHECK(bench.written(older) == older + kGates);
  CHECK(bench.verify().code == 0);
}

TEST_CASE("kueue-config: a time that a policy needs for pods to get ready", "[slow]") {
  std::string policy = read_text(GPOL_ROOT "/tests/golden/build/two_classes_one_loan.gpol");
  policy = replaced(policy, "grace 60s (saved in 45s)", "grace 40min (saved in 45s)");
  policy =
      replaced(replaced(policy, "back within 2min", "back within 50min"), "ready within 4min", "ready within 60min");
  Bench bench(policy);
  const std::string wait =
      "# gpol: a replica may take longer to start than Kueue's 30 min, and would be evicted.\n"
      "waitForPodsReady:\n";
  const std::string merged = bench.written(kShipped);
  const auto at = merged.find("  timeout: ");
  REQUIRE(at != std::string::npos);
  const std::string time = merged.substr(at + 11, merged.find('\n', at) - at - 11);
  const std::string block = "  timeout: " + time + "\n  recoveryTimeout: " + time + "\n  blockAdmission: false\n";
  CHECK(merged == kShipped + wait + block + kGates);
  CHECK(bench.written(merged) == merged);
  const std::string older = replaced(kShipped, "v1beta2", "v1beta1");
  CHECK(bench.written(older) == older + wait + "  enable: true\n" + block + kGates);
  CHECK(bench.verify().code == 0);
  const std::string mine = kShipped + "waitForPodsReady:\n  blockAdmission: false\n";
  CHECK(bench.written(mine) == mine +
                                   "  # gpol: a replica may take longer to start than Kueue's 30 min, and would be "
                                   "evicted.\n  timeout: " +
                                   time + "\n" + kGates);
  CHECK(bench.written(kShipped + "waitForPodsReady: {timeout: 10h}\n").find("timeout: 10h}\n" + kGates) !=
        std::string::npos);
  for (const std::string& given : {kShipped + "waitForPodsReady: {timeout: 31m}\n",
                                   kShipped + "waitForPodsReady: {timeout: 10h, recoveryTimeout: 5m}\n",
                                   older + "waitForPodsReady: {enable: false}\n"}) {
    const Ran ran = bench.build(given);
    CHECK(ran.code == 1);
    CHECK(says(ran, "error[GP0507]"));
    CHECK(says(ran, "at least " + time));
  }
}

TEST_CASE("kueue-config: what contradicts the proof is told with its line, and what the hint says mends it", "[slow]") {
  Bench bench;
  REQUIRE(bench.build(kShipped).code == 0);
  const std::string before = bench.read("controller/controller_manager_config.yaml");
  const std::string older = replaced(kShipped, "v1beta2", "v1beta1");
  const std::string ready = "waitForPodsReady:\n  ";
  const struct {
    std::string given, message, hint, mended;
  } table[] = {
      {kShipped + "fairSharing: {preemptionStrategies: [LessThanInitialShare]}\n", "`fairSharing` lets shares decide",
       "leave `fairSharing` out", kShipped},
      {kShipped + ready + "blockAdmission: true\n", "`waitForPodsReady.blockAdmission` is on",
       "`blockAdmission: false`", kShipped + ready + "blockAdmission: false\n"},
      {older + ready + "enable: true\n  timeout: 30m\n",
       "`waitForPodsReady.blockAdmission` is not given, and on in v1beta1", "`blockAdmission: false`",
       older + ready + "enable: true\n  timeout: 30m\n  blockAdmission: false\n"},
      {older + ready + "enable: true\n  blockAdmission: false\n", "`waitForPodsReady.timeout` is 5m",
       "`timeout: 30m`, or more", older + ready + "enable: true\n  blockAdmission: false\n  timeout: 30m\n"},
      {kShipped + ready + "timeout: 5m\n", "`waitForPodsReady.timeout` is 5m", "`timeout: 30m`, or more",
       kShipped + ready + "timeout: 30m\n"},
      {kShipped + ready + "requeuingStrategy: {timestamp: Creation}\n", "timestamp` is Creation",
       "`timestamp: Eviction`", kShipped + ready + "requeuingStrategy: {timestamp: Eviction}\n"},
      {kShipped + ready + "requeuingStrategy: {backoffLimitCount: 3}\n", "backoffLimitCount` ends workloads",
       "leave `backoffLimitCount` out", kShipped + ready + "requeuingStrategy: {backoffBaseSeconds: 3}\n"},
      {kShipped + "resources:\n  transformations:\n  - {input: a.b/c, outputs: {a.b/d: 1}}\n",
       "`resources.transformations` counts something else", "leave `transformations` out", kShipped},
      {kShipped + "resources: {excludeResourcePrefixes: [a.b/]}\n", "`resources.excludeResourcePrefixes` leaves",
       "leave `excludeResourcePrefixes` out", kShipped + "resources: {excludeResourcePrefixes: []}\n"},
      {kShipped + "resources: {quotaCheckStrategy: IgnoreUndeclared}\n", "`resources.quotaCheckStrategy` leaves",
       "leave `quotaCheckStrategy` out", kShipped + "resources: {}\n"},
      {kShipped + "resources:\n  deviceClassMappings:\n  - {name: a.b/c, deviceClassNames: [c]}\n",
       "`resources.deviceClassMappings` is not modelled", "leave `resources.deviceClassMappings` out", kShipped},
      {kShipped + "featureGates: {ReclaimablePods: true}\n",
       "`featureGates.ReclaimablePods` is on, and the proof needs it off", "`ReclaimablePods: false`",
       kShipped + "featureGates:\n  ReclaimablePods: false\n"},
      {kShipped + "featureGates: {PrioritySortingWithinCohort: false}\n",
       "`featureGates.PrioritySortingWithinCohort` is off, and the proof is about Kueue with it on",
       "leave `PrioritySortingWithinCohort` out", kShipped},
      {kShipped + "featureGates: {ConcurrentAdmission: true}\n", "`featureGates.ConcurrentAdmission` is on",
       "leave `ConcurrentAdmission` out", kShipped},
      {kShipped + "featureGates: {FailureRecoveryPolicy: true}\n", "`featureGates.FailureRecoveryPolicy` changes what",
       "leave `featureGates.FailureRecoveryPolicy` out", kShipped},
      {kShipped + "featureGates: {ElasticJobsViaWorkloadSlicesWithTAS: true}\n",
       "`featureGates.ElasticJobsViaWorkloadSlicesWithTAS` is on and needs",
       "leave `ElasticJobsViaWorkloadSlicesWithTAS`", kShipped},
      {replaced(kShipped, "  - pod\n", ""), "`integrations.frameworks` is without `pod`", "list them in", kShipped},
      {kHead, "`integrations.frameworks` is not given", "`batch/job`, `pod`, `deployment`, `statefulset`", kShipped},
      {kShipped + "managedJobsNamespaceSelector: {matchLabels: {mine: \"1\"}}\n",
       "`managedJobsNamespaceSelector` leaves out ", "let the selector take in", kShipped},
      {kShipped + "namespace: elsewhere\n", "`namespace` is `elsewhere`", "run Kueue in `kueue-system`",
       kShipped + "namespace: kueue-system\n"},
      {replaced(config_map(kShipped), "namespace: kueue-system", "namespace: elsewhere"),
       "`metadata.namespace` is `elsewhere`", "run Kueue in `kueue-system`", config_map(kShipped)},
      {replaced(values(kShipped), "{replicas: 2}", "{featureGates: [{name: TopologyAwareScheduling, enabled: true}]}"),
       "`controllerManager.featureGates` sets a feature gate by an argument",
       "leave `controllerManager.featureGates` out", values(kShipped)},
      {kShipped + "admissionFairSharing: {usageHalfLifeTime: 1h}\n", "`admissionFairSharing` is not modelled",
       "leave `admissionFairSharing` out", kShipped},
  };
  for (const auto& row : table) {
    INFO(row.given);
    const Ran ran = bench.build(row.given);
    INFO(ran.out << ran.err);
    CHECK(ran.code == 1);
    CHECK(says(ran, "error[GP0507]"));
    CHECK(says(ran, row.message));
    CHECK(says(ran, row.hint));
    CHECK(says(ran, "kueue.yaml:"));
    CHECK(says(ran, "nothing is written"));
    CHECK(bench.read("controller/controller_manager_config.yaml") == before);
  }
  for (const auto& row : table) {
    INFO(row.mended);
    CHECK(bench.build(row.mended).code == 0);
  }
}

TEST_CASE("kueue-config: what is of no consequence stays as it is", "[slow]") {
  Bench bench;
  for (const std::string& more :
       {std::string(
            "featureGates: {ReclaimablePods: false, ElasticJobsViaWorkloadSlices: false, LocalQueueMetrics: false}\n"),
        std::string(
            "manageJobsWithoutQueueName: true\nfeatureGates: {ReclaimablePods: null, ElasticJobsViaWorkloadSlices: "
            "false}\n"),
        "managedJobsNamespaceSelector:\n  matchExpressions:\n  - {key: kubernetes.io/metadata.name, operator: NotIn, "
        "values: [kube-system, kueue-system, monitoring]}\n" +
            kGates}) {
    CHECK(bench.written(kShipped + more) == kShipped + more);
    CHECK(bench.written(config_map(kShipped + more)) == config_map(kShipped + more));
  }
}

TEST_CASE("kueue-config: a tenant outside the queue and jobs that name no queue", "[slow]") {
  Bench bench(
      "language 1\n"
      "cluster one {\n"
      "  scheduler kueue 0.19.2\n"
      "  nodes h100 { gpu H100-80GB; count 3; each 8 gpus, 192 cpu, 2 TiB, 110 pods; tolerate 1 lost }\n"
      "  pool live on h100\n"
      "  writers user \"flux\"\n"
      "}\n"
      "class realtime : A { }\n"
      "tenant chat { namespace chat-prod; class realtime; outside the queue; reserve 16 gpus of live; replica 8 gpus "
      "}\n"
      "trust nodes-as-declared because \"counted\" by @p\n"
      "trust controller-as-emitted because \"reviewed\" by @p\n");
  CHECK(bench.build(kHead).code == 0);  // no tenant needs a framework
  const Ran held = bench.build(kHead + "manageJobsWithoutQueueName: true\n");
  CHECK(held.code == 1);
  CHECK(says(held, "`chat` serves outside the queue in `chat-prod`"));
  CHECK(says(held, "write `manageJobsWithoutQueueName: false`"));
  CHECK(bench.build(kHead + "manageJobsWithoutQueueName: false\n").code == 0);
  CHECK(
      bench.build(kHead + "manageJobsWithoutQueueName: true\nmanagedJobsNamespaceSelector: {matchLabels: {mine: x}}\n")
          .code == 0);
}

TEST_CASE("kueue-config: what cannot be read, or not extended, is an error and nothing is written", "[slow]") {
  Bench bench;
  const std::string by_hand =
      "write `ElasticJobsViaWorkloadSlices: false` and `ReclaimablePods: false` below `featureGates` by hand";
  std::string quoted = "managerConfig:\n  controllerManagerConfigYaml: \"";
  for (const char c : kShipped) quoted += c == '\n' ? "\\n" : c == '"' ? "\\\"" : std::string(1, c);
  quoted += "\"\n";
  const std::pair<std::string, std::string> table[] = {
      {"a: [\n", "is not read as Kueue's Configuration"},
      {"replicas: 1\n", "holds no text that is Kueue's Configuration"},
      {"apiVersion: v1\nkind: Secret\n", "the file is of kind `Secret`"},
      {replaced(kShipped, "v1beta2", "v9"), "must be config.kueue.x-k8s.io/v1beta2 or v1beta1"},
      {kShipped + "typo: 1\n", "`typo` "},
      {kShipped + "featureGates: {NoSuchGate: true}\n", "Kueue v0.19.2, which does not start with it"},
      {kShipped + "featureGates: {LocalQueueMetrics: false}\n", by_hand},
      {kShipped + "featureGates: {}\n", by_hand},
      {kShipped + "featureGates: &g\n  LocalQueueMetrics: false\n", by_hand},
      {"{\"apiVersion\": \"config.kueue.x-k8s.io/v1beta2\", \"kind\": \"Configuration\", \"integrations\": "
       "{\"frameworks\": "
       "[\"batch/job\", \"pod\", \"deployment\", \"statefulset\"]}}\n",
       by_hand},
      {quoted, by_hand},
  };
  for (const auto& [given, words] : table) {
    INFO(given);
    const Ran ran = bench.build(given);
    INFO(ran.out << ran.err);
    CHECK(ran.code == 1);
    CHECK(says(ran, "error[GP0508]"));
    CHECK(says(ran, words));
    CHECK_FALSE(fs::exists(bench.out()));
  }
  const std::string added = "featureGates: {ElasticJobsViaWorkloadSlices: false, ReclaimablePods: false}\n";
  CHECK(bench.written(kShipped + added) == kShipped + added);
}

TEST_CASE("kueue-config: a file that is not there, --check, and README.md's words", "[slow]") {
  Bench bench;
  const Scratch dir;
  write_text(dir / "p.gpol", run_gpol({"init", "-", "--nodes", "4x8", "--serving", "16", "--back", "never"}).out);
  const std::string policy = (dir / "p.gpol").string();
  const Ran absent = run_gpol({"build", policy, "-o", bench.out(), "--kueue-config", (dir / "no.yaml").string()});
  CHECK(absent.code == 2);
  CHECK(says(absent, "error[GP0501]"));
  CHECK_FALSE(fs::exists(bench.out()));
  for (const auto& [given, words] : {std::pair{kShipped, "create configmap kueue-manager-config"},
                                     {config_map(kShipped), "-f controller/controller_manager_config.yaml\n"},
                                     {values(kShipped), "helm upgrade"}}) {
    REQUIRE(bench.build(given).code == 0);
    CHECK(bench.read("README.md").find(words) != std::string::npos);
    CHECK(bench.read("README.md").find("merge the lines") == std::string::npos);
  }
  write_text(dir / "kueue.yaml", values(kShipped));
  const std::vector<std::string> same{
      "build", policy, "-o", bench.out(), "--check", "--kueue-config", (dir / "kueue.yaml").string()};
  CHECK(run_gpol(same).code == 0);
  CHECK(run_gpol({"build", policy, "-o", bench.out(), "--check"}).code == 1);
}
