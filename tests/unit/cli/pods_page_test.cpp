// The examples of docs/pods.md are let in by the guards of examples/three-tiers, and refused without what the page says
// they need. What Kueue's webhooks do before a policy is asked is played here: a Job with a queue's label is suspended,
// a pod with one is gated (pkg/controller/jobframework/base_webhook.go, pkg/controller/jobs/pod/pod_webhook.go).
#include <yaml-cpp/yaml.h>

#include "checker/guards/guard.h"
#include "checker/observe/observe.h"
#include "cli/commands/session.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using namespace gpol;

namespace {

constexpr const char* kQueue = "kueue.x-k8s.io/queue-name";

cel::Value of_yaml(const YAML::Node& node) {
  if (node.IsMap()) {
    cel::Map map;
    for (const auto& entry : node) map[entry.first.as<std::string>()] = of_yaml(entry.second);
    return map;
  }
  if (node.IsSequence()) {
    cel::List list;
    for (const auto& element : node) list.push_back(of_yaml(element));
    return list;
  }
  const std::string text = node.as<std::string>();
  if (text == "true" || text == "false") return text == "true";
  if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos) return std::int64_t{std::stoll(text)};
  return text;
}

std::vector<YAML::Node> examples() {
  const std::string page = gpol::test::read_text(GPOL_ROOT "/docs/pods.md");
  std::vector<YAML::Node> found;
  for (auto at = page.find("```yaml\n"); at != std::string::npos; at = page.find("```yaml\n", at + 1))
    found.push_back(YAML::Load(page.substr(at + 8, page.find("```", at + 8) - at - 8)));
  return found;
}

// The request that guards see: of a Job itself, of a Deployment one of its pods.
YAML::Node request_of(const YAML::Node& written) {
  YAML::Node object = YAML::Clone(written);
  const bool queued = object["metadata"]["labels"] && object["metadata"]["labels"][kQueue];
  const bool job = object["kind"].as<std::string>() == "Job";
  YAML::Node request;
  if (job) {
    object["spec"]["parallelism"] = 1;
    object["spec"]["suspend"] = queued;
  } else {
    YAML::Node pod = object["spec"]["template"];
    pod["metadata"]["namespace"] = object["metadata"]["namespace"];
    if (queued) {
      pod["metadata"]["labels"][kQueue] = object["metadata"]["labels"][kQueue];
      pod["metadata"]["labels"]["kueue.x-k8s.io/managed"] = "true";
      YAML::Node gate;
      gate["name"] = "kueue.x-k8s.io/admission";
      pod["spec"]["schedulingGates"].push_back(gate);
    }
    object = pod;
  }
  request["operation"] = "CREATE";
  request["resource"]["group"] = job ? "batch" : "";
  request["resource"]["version"] = "v1";
  request["resource"]["resource"] = job ? "jobs" : "pods";
  request["name"] = "x";
  request["namespace"] = written["metadata"]["namespace"];
  request["userInfo"]["username"] = job ? "somebody" : "system:serviceaccount:kube-system:replicaset-controller";
  request["userInfo"]["groups"].push_back("system:authenticated");
  request["object"] = object;
  return request;
}

struct Guards {
  std::unique_ptr<Session> session =
      check_policy({GPOL_ROOT "/examples/three-tiers/three-tiers.gpol",
                    gpol::test::read_text(GPOL_ROOT "/examples/three-tiers/three-tiers.gpol")},
                   {.until = Phase::Planned});

  std::string decide(const YAML::Node& written) const {
    const Cluster& cluster = session->planned->cluster;
    const Decision decision = admits(cluster.admission_policies, cluster.admission_bindings, cluster.namespaces,
                                     of_yaml(request_of(written)));
    return decision.kind == Decision::Kind::Admitted ? "admitted" : decision.policy + ": " + decision.why;
  }
};

}  // namespace

TEST_CASE("pods: the examples of docs/pods.md are let in, and refused without what they need") {
  const Guards guards;
  REQUIRE(guards.session->planned);
  const auto all = examples();
  REQUIRE(all.size() == 3);
  for (const YAML::Node& example : all) CHECK(guards.decide(example) == "admitted");

  for (const std::size_t queued : {0U, 1U}) {
    YAML::Node without = YAML::Clone(all[queued]);
    without["metadata"]["labels"].remove(kQueue);
    CHECK(guards.decide(without).starts_with(queued == 0 ? "gpol-gpu-jobs-queued" : "gpol-gpu-pods-queued"));
  }
  YAML::Node no_class = YAML::Clone(all[0]);
  no_class["metadata"]["labels"].remove("kueue.x-k8s.io/priority-class");
  CHECK(guards.decide(no_class).starts_with("gpol-training-job-priority"));
  YAML::Node anywhere = YAML::Clone(all[2]);
  anywhere["spec"]["template"]["spec"].remove("nodeSelector");
  CHECK(guards.decide(anywhere).starts_with("gpol-gpu-pods-queued"));
  YAML::Node tolerant = YAML::Clone(all[1]);
  tolerant["spec"]["template"]["spec"]["tolerations"] = YAML::Clone(all[2]["spec"]["template"]["spec"]["tolerations"]);
  CHECK(guards.decide(tolerant).starts_with("gpol-gpu-pods-queued"));
}
