// The heart: whether any bad request gets past a guard. Each guard of the issue, written in several ways, and each of
// its weakenings.
#include "checker/guards/reach.h"

#include "tests/support/catch.h"
#include "tests/unit/guards/support.h"

using namespace gpol;
using namespace gpol::guard_test;

namespace {

using K = Reach::Kind;

const std::string kGpu =
    "object.spec.containers.exists(c, has(c.resources.limits) && "
    "c.resources.limits.exists(k, k.startsWith('nvidia.com/')))";
const std::string kQueued =
    "('kueue.x-k8s.io/queue-name' in object.metadata.labels && "
    "object.metadata.labels['kueue.x-k8s.io/queue-name'] != '')";
const std::string kController = "request.userInfo.username == 'system:serviceaccount:kube-system:job-controller'";
const std::string kBadPod = kGpu + " && !(has(object.metadata.labels) && " + kQueued +
                            ") && !(has(request.userInfo.username) && " + kController + ")";
const std::string kGuard = "!" + kGpu + " || " + kQueued + " || " + kController;

K ask(const Cluster& cluster, const std::string& bad, const std::vector<AdmissionTarget>& targets,
      std::string* why = nullptr) {
  Solver solver;
  const Reach reach = gpol::reach(cluster, {targets, bad}, solver);
  if (why != nullptr) *why = reach.why + " " + cel::to_json(reach.request);
  if (reach.kind == K::Admitted) {
    const auto parsed = cel::parse(bad);
    const auto result = cel::evaluate(parsed.expr, activation_of(reach.request));
    REQUIRE(result.boolean() != nullptr);
    CHECK(*result.boolean());
    CHECK(admits(cluster.admission_policies, cluster.admission_bindings, cluster.namespaces, reach.request).kind ==
          Decision::Kind::Admitted);
  }
  return reach.kind;
}

const std::vector<AdmissionTarget> kPods = {target("CREATE", "", "pods"), target("UPDATE", "", "pods")};

#define DECIDED(expected, ...)                                    \
  do {                                                            \
    std::string why_;                                             \
    const K kind_ = ask(__VA_ARGS__, &why_);                      \
    INFO(why_);                                                   \
    CHECK(static_cast<int>(kind_) == static_cast<int>(expected)); \
  } while (false)

}  // namespace

TEST_CASE("the guard of queued pods denies what it says, however it is written") {
  DECIDED(K::Denied, guarded(about("", "pods"), {kGuard}), kBadPod, kPods);
  DECIDED(K::Denied,
          guarded(about("", "pods"), {"object.spec.containers.all(c, !has(c.resources.limits) || "
                                      "c.resources.limits.all(k, !k.startsWith('nvidia.com/'))) || " +
                                      kController + " || " + kQueued}),
          kBadPod, kPods);
  DECIDED(K::Denied,
          guarded(about("", "pods"), {"(" + kGpu + ") ? (has(object.metadata.labels) ? " + kQueued + " : false) || " +
                                      kController + " : true"}),
          kBadPod, kPods);
  DECIDED(K::Denied,
          guarded(about("", "pods"), {"object.metadata.?labels[?'kueue.x-k8s.io/queue-name'].orValue('') != '' || !" +
                                      kGpu + " || " + kController}),
          kBadPod, kPods);
  Cluster parts = guarded(about("", "pods"), {"variables.queue != ''"});
  AdmissionPolicy& policy = parts.admission_policies[0];
  policy.conditions = {{"gpu", kGpu}, {"user", "!(" + kController + ")"}};
  policy.variables = {{"labels", "has(object.metadata.labels) ? object.metadata.labels : {}"},
                      {"queue",
                       "'kueue.x-k8s.io/queue-name' in variables.labels ? "
                       "variables.labels['kueue.x-k8s.io/queue-name'] : ''"}};
  DECIDED(K::Denied, parts, kBadPod, kPods);
}

TEST_CASE("a guard that says something else lets a bad request in") {
  DECIDED(K::Admitted, guarded(about("", "pods"), {"true"}), kBadPod, kPods);
  DECIDED(K::Admitted,
          guarded(about("", "pods"), {"!object.spec.containers.exists(c, has(c.resources.limits) && "
                                      "'nvidia.com/gpu' in c.resources.limits) || " +
                                      kQueued}),
          kBadPod, kPods);
  DECIDED(K::Admitted, guarded(about("", "pods"), {kGuard + " || request.userInfo.groups.exists(g, g == 'platform')"}),
          kBadPod, kPods);
  DECIDED(K::Admitted,
          guarded(about("", "pods"),
                  {"!" + kGpu + " || 'kueue.x-k8s.io/queue-name' in object.metadata.labels || " + kController}),
          kBadPod, kPods);
  DECIDED(K::Admitted, guarded(about("", "pods"), {kGuard + " || object.metadata.name.startsWith('debug-')"}), kBadPod,
          kPods);
  DECIDED(K::Admitted, guarded(about("", "pods"), {"object.spec.containers.size() != 2 || " + kGuard}), kBadPod, kPods);
}

TEST_CASE("every weakening of a guard opens it") {
  const Cluster whole = guarded(about("", "pods"), {kGuard});
  DECIDED(K::Denied, whole, kBadPod, kPods);
  Cluster weak = whole;
  SECTION("no binding") { weak.admission_bindings.clear(); }
  SECTION("bound to another policy") { weak.admission_bindings[0].policy = "other"; }
  SECTION("Warn") { weak.admission_bindings[0].actions = {"Warn", "Audit"}; }
  SECTION("failurePolicy Ignore") {
    weak.admission_policies[0].fails_closed = false;  // no labels: the guard fails
    DECIDED(K::Admitted, weak, kBadPod, kPods);
  }
  SECTION("objectSelector") { weak.admission_policies[0].match.objects.match_labels.emplace("team", "a"); }
  SECTION("objectSelector of the binding") {
    weak.admission_bindings[0].match.objects.expressions.push_back({"skip", "DoesNotExist", {}});
  }
  SECTION("namespaceSelector") {
    weak.admission_policies[0].match.namespaces.expressions.push_back(
        {"kubernetes.io/metadata.name", "NotIn", std::vector<std::string>{"kube-system"}});
  }
  SECTION("excluded rules") { weak.admission_policies[0].match.excluded = about("", "*", {"UPDATE"}).rules; }
  SECTION("excluded names") {
    weak.admission_policies[0].match.excluded = about("", "pods").rules;
    weak.admission_policies[0].match.excluded[0].names = {"special"};
  }
  SECTION("narrowed operations") { weak.admission_policies[0].match = about("", "pods", {"CREATE"}); }
  SECTION("other resource") { weak.admission_policies[0].match = about("", "pods/status"); }
  SECTION("only names") { weak.admission_policies[0].match.rules[0].names = {"special"}; }
  SECTION("CEL made true") { weak.admission_policies[0].validations[0].expression += " || true"; }
  SECTION("parameters") { weak.admission_policies[0].params = true; }
  SECTION("a condition that does not hold") {
    weak.admission_policies[0].conditions = {{"off", "request.name == 'a'"}};
  }
  SECTION("an expression that the API server refuses") {
    weak.admission_policies[0].validations.push_back({"request.user == 'a'", ""});
  }
  SECTION("no boolean") { weak.admission_policies[0].validations.push_back({"object.spec", ""}); }
  SECTION("no syntax") { weak.admission_policies[0].validations.push_back({"object.spec ==", ""}); }
  DECIDED(K::Admitted, weak, kBadPod, kPods);
}

TEST_CASE("namespaces are told apart by name, and by labels where they are known") {
  Cluster cluster = guarded(about("", "pods"), {kGuard});
  cluster.admission_policies[0].match.namespaces.expressions.push_back(
      {"kubernetes.io/metadata.name", "In", std::vector<std::string>{"train", std::string("chat")}});
  const std::string in_train = "request.namespace == 'train' && " + kBadPod;
  DECIDED(K::Denied, cluster, in_train, kPods);
  DECIDED(K::Admitted, cluster, "request.namespace == 'other' && " + kBadPod, kPods);
  cluster.admission_policies[0].match.namespaces = {
      true, std::map<std::string, std::string>{{std::string("gpol.dev/role"), "batch"}}, {}};
  DECIDED(K::Admitted, cluster, in_train, kPods);
  cluster.namespaces.push_back(Namespace{"train", {{"gpol.dev/role", "batch"}}});
  DECIDED(K::Denied, cluster, in_train, kPods);
  cluster.admission_policies[0].match.namespaces = {
      true, std::map<std::string, std::string>{{std::string("team"), "x"}}, {}};
  DECIDED(K::Admitted, cluster, in_train, kPods);
}

TEST_CASE("the other guards") {
  const auto grace = guarded(about("", "pods"), {"object.spec.terminationGracePeriodSeconds <= 60"});
  const std::string long_grace =
      "has(object.spec.terminationGracePeriodSeconds) && "
      "object.spec.terminationGracePeriodSeconds > ";
  DECIDED(K::Denied, grace, long_grace + "60", kPods);
  DECIDED(K::Admitted, grace, long_grace + "59", kPods);
  DECIDED(K::Denied, grace, "!has(object.spec.terminationGracePeriodSeconds)", kPods);

  const auto jobs = std::vector<AdmissionTarget>{target("CREATE", "batch", "jobs")};
  const auto priority =
      guarded(about("batch", "jobs"), {"object.metadata.labels['kueue.x-k8s.io/priority-class'] == 'batch'"});
  DECIDED(K::Denied, priority,
          "!(has(object.metadata.labels) && 'kueue.x-k8s.io/priority-class' in object.metadata.labels && "
          "object.metadata.labels['kueue.x-k8s.io/priority-class'] == 'batch')",
          jobs);
  DECIDED(K::Admitted, priority, "object.metadata.labels['kueue.x-k8s.io/priority-class'] != 'standard'", jobs);

  const auto platform = guarded(about("batch", "jobs"), {"request.userInfo.groups.exists(g, g == 'platform')"});
  DECIDED(K::Denied, platform, "!has(request.userInfo.groups) || request.userInfo.groups.all(g, g != 'platform')",
          jobs);
  DECIDED(K::Denied, platform, "!has(request.userInfo.groups) || !('platform' in request.userInfo.groups)", jobs);
  DECIDED(K::Admitted, platform, "request.userInfo.groups.exists(g, g != 'platform')", jobs);

  const std::string only =
      "!has(object.metadata.finalizers) || object.metadata.finalizers.all(f, f == 'batch.kubernetes.io/job-tracking')";
  const auto finalizers = guarded(about("", "pods"), {only});
  DECIDED(K::Denied, finalizers,
          "has(object.metadata.finalizers) && object.metadata.finalizers.exists(f, f != "
          "'batch.kubernetes.io/job-tracking')",
          kPods);
  DECIDED(K::Denied, finalizers,
          "has(object.metadata.finalizers) && object.metadata.finalizers.filter(f, f != "
          "'batch.kubernetes.io/job-tracking').size() > 0",
          kPods);
  DECIDED(K::Admitted, finalizers, "has(object.metadata.finalizers) && object.metadata.finalizers.size() > 0", kPods);
}

TEST_CASE("labels that may not change") {
  const std::string kept =
      "object.metadata.labels.all(k, !k.startsWith('gpol.dev/') || (k in oldObject.metadata.labels && "
      "object.metadata.labels[k] == oldObject.metadata.labels[k]))";
  const std::vector<AdmissionTarget> updates = {target("UPDATE", "", "pods")};
  const auto cluster = guarded(about("", "pods"), {kept});
  const std::string changed =
      "has(object.metadata.labels) && object.metadata.labels.exists(k, k.startsWith('gpol.dev/') && "
      "(!has(oldObject.metadata.labels) || !(k in oldObject.metadata.labels) || "
      "oldObject.metadata.labels[k] != object.metadata.labels[k]))";
  DECIDED(K::Denied, cluster, changed, updates);
  const std::string lost =
      "has(oldObject.metadata.labels) && oldObject.metadata.labels.exists(k, k.startsWith('gpol.dev/') && "
      "!(k in object.metadata.labels))";
  DECIDED(K::Admitted, cluster, lost, updates);
  DECIDED(K::Denied, cluster,
          "has(object.metadata.labels) && 'gpol.dev/role' in object.metadata.labels && "
          "has(oldObject.metadata.labels) && !('gpol.dev/role' in oldObject.metadata.labels)",
          updates);
  DECIDED(K::Admitted,
          guarded(about("", "pods"),
                  {"object.metadata.labels.all(k, !k.startsWith('gpol.dev/r') || (k in "
                   "oldObject.metadata.labels && object.metadata.labels[k] == oldObject.metadata.labels[k]))"}),
          changed, updates);
}

TEST_CASE("what cannot be told is not said to be denied") {
  const auto odd = guarded(about("", "pods"), {"isURL(object.metadata.name)"});
  DECIDED(K::Unknown, odd, "true", kPods);
  const auto twice =
      guarded(about("", "pods"), {"object.spec.containers.all(c, object.spec.containers.exists(d, d.name != c.name))"});
  DECIDED(K::Unknown, twice, "object.spec.containers.size() > 0", kPods);
  DECIDED(K::Unknown, twice, "object.spec ==", kPods);
}

TEST_CASE("a key of a map is not taken for a place, or for an element without a name") {
  const auto about_pods = [](const std::string& validation) { return guarded(about("", "pods"), {validation}); };
  const std::string any = "has(object.metadata.annotations)";
  const std::string bad = any + " && object.metadata.annotations.exists(k, k == 'bad')";
  for (const char* key : {"*0", "*1", "@0", "~20", "a*"}) {
    INFO(key);
    const std::string there = any + " && '" + key + "' in object.metadata.annotations";
    DECIDED(K::Admitted, about_pods("!(" + there + ")"), bad, kPods);
    DECIDED(K::Admitted, about_pods("!(" + bad + ")"), there, kPods);
    DECIDED(K::Denied, about_pods("!" + any + " || size(object.metadata.annotations) == 0"), there, kPods);
    DECIDED(K::Denied, about_pods("!(" + any + " && object.metadata.annotations.exists(k, true))"), there, kPods);
  }
  // What begins so is how the encoder writes places: what is asked of it is not understood.
  for (const char* key : {"\\x01", "\\x010", "\\x01x"}) {
    INFO(key);
    const std::string there = any + " && '" + key + "' in object.metadata.annotations";
    DECIDED(K::Unknown, about_pods("!(" + bad + ")"), there, kPods);
    DECIDED(K::Admitted, about_pods("!(" + there + ")"), bad, kPods);
  }
}
