#include "checker/observe/schema/schema.h"

#include <charconv>

#include "checker/observe/fields.h"
#include "checker/observe/kinds/kinds.h"
#include "checker/observe/problems.h"
#include "checker/observe/quantity.h"
#include "checker/observe/schema/findings.h"
#include "checker/observe/schema/parts.h"
#include "checker/observe/schema/shared_rules.h"
#include "checker/observe/schema/structure.h"
#include "checker/observe/schema/syntax.h"
#include "checker/observe/schema/tables.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest {
namespace schema {
namespace {

// What a cluster says to one Queue of Volcano v1.15.1: the structure of its CRD (config/crd/volcano/bases/
// scheduling.volcano.sh_queues.yaml) and what its webhook asks of one alone (pkg/webhooks/admission/queues/validate).
constexpr Field kGroups[] = {
    {"requiredDuringSchedulingIgnoredDuringExecution", list_of(kText)},
    {"preferredDuringSchedulingIgnoredDuringExecution", list_of(kText)},
};
constexpr Field kAffinity[] = {{"nodeGroupAffinity", object(kGroups)}, {"nodeGroupAntiAffinity", object(kGroups)}};
constexpr Field kGuarantee[] = {{"resource", kQuantities}};
constexpr Field kCluster[] = {{"name", text()}, {"weight", int32()}, {"capacity", kQuantities}};
constexpr Field kSpec[] = {
    {"affinity", object(kAffinity)},
    {"capability", kQuantities},
    {"dequeueStrategy", words("fifo traverse").or_else("traverse")},
    {"deserved", kQuantities},
    {"extendClusters", list_of(kCluster)},
    {"guarantee", object(kGuarantee)},
    {"parent", text(253).like(Syntax::Subdomain)},
    {"priority", int32().from(0)},
    {"reclaimable", boolean()},
    {"type", text(253)},
    {"weight", int32().sized(0, 65535).or_else("1")},  // 0 becomes 1 (pkg/webhooks/admission/queues/mutate)
};
constexpr auto kQueue = with_spec(kSpec);
constexpr Kind kVolcanoQueue = {kVolcanoApi, "Queue", false, object(kQueue)};

// k8s.io/kubernetes pkg/apis/core/helper IsIntegerResourceName: pods, and names with a domain that is not Kubernetes'.
bool is_whole(std::string_view resource) {
  return resource == "pods" ||
         (resource.find('/') != std::string_view::npos && resource.find("kubernetes.io/") == std::string_view::npos);
}

void amounts(const Look& map, const Report& report) {
  for (const Entry& entry : map.entries()) {
    const Look amount = map.entry(entry);
    if (!amount.quantity() || !check_quantity(amount, report)) continue;
    if (is_negative(amount))
      report(amount, "must not be negative");
    else if (const std::string plain = plain_decimal(*amount.quantity());
             is_whole(entry.key) && plain.find('.') != std::string::npos)
      report(amount, "must be a whole number");
  }
}

// `field`: "deserved" of the spec. Reports where `less` is more than `more`.
void at_most(const Look& less, const Look& more, std::string_view name, const Report& report, bool must_be_there) {
  for (const Entry& entry : less.entries()) {
    const Look amount = less.entry(entry), limit = more.get(entry.key);
    if (!amount.quantity() || !is_quantity(*amount.quantity())) continue;
    if (!limit.present()) {
      if (must_be_there)
        report(amount, "needs `" + std::string(name) + "` to name " + shown(entry.key) + ", too, as much at least");
    } else if (limit.quantity() && is_quantity(*limit.quantity()) &&
               compare_quantities(*amount.quantity(), *limit.quantity()) > 0) {
      report(amount, "must be at most `" + std::string(name) + "`, which is " + shown(*limit.quantity()));
    }
  }
}

void guarantee_within_deserved(const Look& spec, const Report& report) {
  const Look guarantee = spec.get("guarantee"), resource = guarantee.get("resource"), deserved = spec.get("deserved");
  at_most(resource, deserved, "deserved", report, true);
}

void deserved_within_capability(const Look& spec, const Report& report) {
  const Look deserved = spec.get("deserved"), capability = spec.get("capability");
  at_most(deserved, capability, "capability", report, false);
}

std::size_t segments(std::string_view path) { return static_cast<std::size_t>(std::ranges::count(path, '/')) + 1; }

// Read by the plugin drf alone; the webhook looks at it always.
void hierarchy(const Look& annotations, const Report& report) {
  const Look path = annotations.get("volcano.sh/hierarchy"), weights = annotations.get("volcano.sh/hierarchy-weights");
  if (path.text().empty() && weights.text().empty()) return;
  const Look& at = path.present() ? path : weights;
  if (segments(path.text()) != segments(weights.text()))
    return report(at, "must have as many parts as volcano.sh/hierarchy-weights");
  std::string_view rest = weights.text();
  for (std::size_t end = 0; end != std::string_view::npos; rest.remove_prefix(end == rest.npos ? 0 : end + 1)) {
    end = rest.find('/');
    const std::string_view part = rest.substr(0, end);
    double weight = 0;
    const auto [last, error] = std::from_chars(part.data(), part.data() + part.size(), weight);
    if (error != std::errc() || last != part.data() + part.size() || weight <= 0)
      return report(weights, shown(part) + " is no weight: a number above 0");
  }
}

constexpr Rule kVolcanoRules[] = {
    {"webhook:volcano-amount", "Queue", "spec.capability", amounts},
    {"webhook:volcano-amount", "Queue", "spec.deserved", amounts},
    {"webhook:volcano-amount", "Queue", "spec.guarantee.resource", amounts},
    {"webhook:volcano-guarantee", "Queue", "spec", guarantee_within_deserved},
    {"webhook:volcano-deserved", "Queue", "spec", deserved_within_capability},
    {"webhook:volcano-hierarchy", "Queue", "metadata.annotations", hierarchy},
};

constexpr std::string_view kOfKueue[] = {
    "ClusterQueue",          "LocalQueue",        "ResourceFlavor",           "Cohort",
    "WorkloadPriorityClass", "Topology",          "AdmissionCheck",           "Workload",
    "MultiKueueConfig",      "MultiKueueCluster", "ProvisioningRequestConfig"};

bool is_kueues(std::string_view kind) { return contains(kOfKueue, kind); }

std::span<const std::span<const Rule>> families() {
  static const std::span<const Rule> kAll[] = {metadata_rules(), cel_rules(), webhook_rules(), workload_rules()};
  return kAll;
}

std::span<const std::span<const Rule>> volcano_families() {
  static const std::span<const Rule> kAll[] = {metadata_rules(), kVolcanoRules};
  return kAll;
}

}  // namespace

void each(const Look& self, std::string_view path, const std::function<void(const Look&)>& visit) {
  if (!self.present()) return;
  if (path.empty()) return visit(self);
  const auto dot = path.find('.');
  const auto rest = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  auto step = path.substr(0, dot);
  const bool list = step.ends_with("[]");
  if (list) step.remove_suffix(2);
  const Look below = self.get(step);
  if (!list) return each(below, rest, visit);
  for (const Look item : below.items()) each(item, rest, visit);
}

void ask(const Look& self, std::string_view path, const Rule& rule, const Report& report) {
  each(self, path, [&](const Look& at) {
    if (!report.full()) rule.check(at, report);
  });
}

void Findings::add(std::string_view rule, std::string field, std::string what, const Node& at) {
  if (full() || !fields_.insert(field).second) return;
  list_.push_back({std::string(rule), std::move(field), std::move(what), &at});
}

std::vector<std::string_view> rule_names() {
  const auto structure = structure_rules();
  std::vector<std::string_view> names(structure.begin(), structure.end());
  for (const auto family : families())
    for (const Rule& rule : family) names.push_back(rule.name);
  return names;
}

}  // namespace schema

std::vector<Violation> violations(const Node& object) {
  using namespace schema;
  const Look root(object);
  const Look api = root.get("apiVersion"), name = root.get("kind");
  const bool volcano = api.text() == kVolcanoQueue.api && name.text() == kVolcanoQueue.name;
  const Kind* kind = volcano ? &kVolcanoQueue : kind_of(api.text(), name.text());
  if (kind == nullptr) return {};
  Findings findings;
  check_structure(root, kind->root, findings);
  for (const auto family : volcano ? volcano_families() : families())
    for (const Rule& rule : family)
      if (is_among(rule.kinds, kind->name)) ask(root, rule.path, rule, Report(rule.name, findings));
  return findings.take();
}

std::optional<NotServed> not_served(const std::string& api, const std::string& kind) {
  const std::string group = group_of(api);
  const bool own = group == "kueue.x-k8s.io";
  if (group == "config.kueue.x-k8s.io" || (own && !schema::is_kueues(kind)))
    return NotServed{"kind", "api:kind", shown(kind) + " is no kind of " + shown(api), {}};
  const std::string newest = "write `kueue.x-k8s.io/v1beta2`";
  if (own && !api.ends_with("/v1beta1") && !api.ends_with("/v1beta2"))
    return NotServed{"apiVersion", "api:version", shown(api) + " is not served by Kueue v0.19.2", newest};
  // A group of another name is another's, unless it is meant to be this one.
  const bool meant = group.empty() || (group.find("kueue") != std::string::npos &&
                                       (group.find("k8s") != std::string::npos || group.size() < 8) &&
                                       !group.ends_with(".kueue.x-k8s.io"));
  if (!own && meant && schema::is_kueues(kind))
    return NotServed{"apiVersion", "api:group", shown(api) + " is no group of Kueue's", newest};
  return std::nullopt;
}

std::string taken_at_first(std::string_view kind, const Violation& violation) {
  const auto is = [&](std::string_view rule) { return violation.rule == rule; };
  const auto of = [&](std::string_view field) { return violation.field.ends_with(field); };
  const bool limit = of("borrowingLimit") || of("lendingLimit");
  const bool number = is("schema:type") && violation.at->kind == Node::Kind::Float && (of("nominalQuota") || limit);
  const bool absent = is("schema:required") && of("nominalQuota");
  if (kind != "ClusterQueue" || (!number && !absent)) return "";
  return "Kueue's webhook mends it in a ClusterQueue that is created, and every update with it is refused";
}

}  // namespace gpol::manifest
