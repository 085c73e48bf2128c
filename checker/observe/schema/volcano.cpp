#include "checker/observe/schema/volcano.h"

#include <charconv>

#include "checker/observe/kinds/kinds.h"
#include "checker/observe/quantity.h"
#include "checker/observe/schema/parts.h"
#include "checker/observe/schema/shared_rules.h"
#include "checker/observe/schema/syntax.h"

namespace gpol::manifest::schema {

namespace {

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
constexpr Kind kKind = {kVolcanoApi, "Queue", false, object(kQueue)};

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

constexpr Rule kRules[] = {
    {"webhook:volcano-amount", "Queue", "spec.capability", amounts},
    {"webhook:volcano-amount", "Queue", "spec.deserved", amounts},
    {"webhook:volcano-amount", "Queue", "spec.guarantee.resource", amounts},
    {"webhook:volcano-guarantee", "Queue", "spec", guarantee_within_deserved},
    {"webhook:volcano-deserved", "Queue", "spec", deserved_within_capability},
    {"webhook:volcano-hierarchy", "Queue", "metadata.annotations", hierarchy},
};

}  // namespace

const Kind* volcano_kind(std::string_view api, std::string_view name) {
  return api == kKind.api && name == kKind.name ? &kKind : nullptr;
}

std::span<const Rule> volcano_rules() { return kRules; }

}  // namespace gpol::manifest::schema
