// What Kueue's validating webhooks say to a ClusterQueue, a Cohort or a ResourceFlavor that the CRD let through
// (pkg/webhooks/clusterqueue_webhook.go, cohort_webhook.go, resourceflavor_webhook.go, common.go). They do not look at
// whether what is named exists. Rules of the gate ConcurrentAdmission, off by default, are left out.
#include <set>

#include "checker/observe/schema/shared_rules.h"
#include "checker/observe/schema/syntax.h"

namespace gpol::manifest::schema {
namespace {

bool has_parent(const Look& spec) {
  return spec.get("cohortName").present() || spec.get("cohort").present() || spec.get("parentName").present();
}

// Calls `visit` with the quota of every resource that its group covers, and with the covered name at its place.
template <class Visit>
void each_quota(const Look& group, Visit visit) {
  const Look covered = group.get("coveredResources");
  each(group, "flavors[].resources", [&](const Look& resources) {
    for (std::size_t r = 0; r < resources.size() && r < covered.size(); ++r) {
      const Look quota = resources.at(r), name = covered.at(r);
      visit(quota, name);
    }
  });
}

void resource_name(const Look& name, const Report& report) {
  if (name.is(Json::Text) && !is_label_key(name.text()))
    report(name, shown(name.text()) + " is not the name of a resource: it is spelt like a label key");
}

void resource_in_one_group(const Look& spec, const Report& report) {
  std::set<std::string_view> seen;
  each(spec, "resourceGroups[].coveredResources[]", [&](const Look& name) {
    if (name.is(Json::Text) && !seen.insert(name.text()).second)
      report(name, shown(name.text()) + " is covered already: a resource has one place in one group");
  });
}

void flavor_in_one_group(const Look& spec, const Report& report) {
  std::set<std::string_view> seen;
  each(spec, "resourceGroups[].flavors[].name", [&](const Look& name) {
    if (name.is(Json::Text) && !seen.insert(name.text()).second)
      report(name, shown(name.text()) + " is in another place already: a flavor is in one group, once");
  });
}

void resources_in_order(const Look& group, const Report& report) {
  each_quota(group, [&](const Look& quota, const Look& covered) {
    const Look name = quota.get("name");
    if (name.is(Json::Text) && covered.is(Json::Text) && name.text() != covered.text())
      report(name, shown(name.text()) + " must be " + shown(covered.text()) +
                       ": resources stand in the order of coveredResources");
  });
}

void quota_quantities(const Look& group, const Report& report) {
  each_quota(group, [&](const Look& quota, const Look&) {
    for (const auto key : {"nominalQuota", "borrowingLimit", "lendingLimit"})
      if (const Look amount = quota.get(key); amount.present()) check_quantity(amount, report);
  });
}

void quota_not_negative(const Look& group, const Report& report) {
  each_quota(group, [&](const Look& quota, const Look&) {
    for (const auto key : {"nominalQuota", "borrowingLimit", "lendingLimit"}) {
      const Look amount = quota.get(key);
      const auto text = amount.quantity();
      if (text && is_quantity(*text) && is_negative(amount)) report(amount, "must not be negative");
    }
  });
}

void limits_need_parent(const Look& spec, const Report& report) {
  if (has_parent(spec)) return;
  each(spec, "resourceGroups[]", [&](const Look& group) {
    each_quota(group, [&](const Look& quota, const Look&) {
      for (const auto key : {"borrowingLimit", "lendingLimit"})
        if (const Look limit = quota.get(key); limit.present())
          report(limit, "needs a cohort above: there is nobody to borrow from or lend to");
    });
  });
}

void lending_within_nominal(const Look& group, const Report& report) {
  each_quota(group, [&](const Look& quota, const Look&) {
    const Look lending = quota.get("lendingLimit"), nominal = quota.get("nominalQuota");
    const auto limit = lending.quantity(), own = nominal.quantity();
    if (limit && own && is_quantity(*limit) && is_quantity(*own) && compare_quantities(*limit, *own) > 0)
      report(lending, "must be at most nominalQuota, which is " + shown(*own));
  });
}

void count_totals(const Look& spec, const Report& report) {
  const Look groups = spec.get("resourceGroups");
  std::size_t flavors = 0, resources = 0;
  for (const Look group : groups.items()) {
    const Look listed = group.get("flavors");
    flavors += listed.size();
    resources += group.get("coveredResources").size();
    std::size_t pairs = 0;
    for (const Look flavor : listed.items()) pairs += flavor.get("resources").size();
    if (pairs > 512) report(group, "holds " + std::to_string(pairs) + " quotas; a group may hold 512");
  }
  if (flavors > 256) report(groups, "hold " + std::to_string(flavors) + " flavors in all; 256 are allowed");
  if (resources > 256) report(groups, "cover " + std::to_string(resources) + " resources in all; 256 are allowed");
}

void weight(const Look& sharing, const Report& report) {
  const Look weight = sharing.get("weight");
  if (!weight.present() || !check_quantity(weight, report)) return;
  const auto text = *weight.quantity();
  if (is_negative(weight)) report(weight, "must not be negative");
  if (compare_quantities(text, "0") > 0 && compare_quantities(text, "1n") <= 0)
    report(weight, "is so small that it would count as 0: more than 1n, or 0");
}

void on_flavors(const Look& spec, const Report& report) {
  std::set<std::string_view> own;
  each(spec, "resourceGroups[].flavors[]", [&](const Look& flavor) { own.insert(flavor.get("name").text()); });
  each(spec, "admissionChecksStrategy.admissionChecks[].onFlavors[]", [&](const Look& name) {
    if (name.is(Json::Text) && !own.contains(name.text()))
      report(name, shown(name.text()) + " is not a flavor of this queue");
  });
}

void taints(const Look& list, const Report& report) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const Look taint : list.items()) {
    const Look key = taint.get("key"), value = taint.get("value"), effect = taint.get("effect");
    if (key.is(Json::Text) && !is_label_key(key.text())) report(key, shown(key.text()) + " is not a label key");
    if (!is_label_value(value.text())) report(value, shown(value.text()) + " is not a label value");
    if (key.is(Json::Text) && !seen.insert({key.text(), effect.text()}).second)
      report(taint, "has the key and effect of another taint");
  }
}

void toleration_key(const Look& key, const Report& report) {
  if (!key.text().empty() && !is_label_key(key.text())) report(key, shown(key.text()) + " is not a label key");
}

constexpr std::string_view kBoth = "ClusterQueue Cohort";
constexpr Rule kRules[] = {
    {"webhook:resource-name", kBoth, "spec.resourceGroups[].coveredResources[]", resource_name},
    {"webhook:resource-in-one-group", kBoth, "spec", resource_in_one_group},
    {"webhook:flavor-in-one-group", kBoth, "spec", flavor_in_one_group},
    {"webhook:resources-in-order", kBoth, "spec.resourceGroups[]", resources_in_order},
    {"webhook:quantity", kBoth, "spec.resourceGroups[]", quota_quantities},
    {"webhook:quota-negative", kBoth, "spec.resourceGroups[]", quota_not_negative},
    {"webhook:limit-needs-cohort", kBoth, "spec", limits_need_parent},
    {"webhook:weight", kBoth, "spec.fairSharing", weight},
    {"webhook:lending-above-nominal", "ClusterQueue", "spec.resourceGroups[]", lending_within_nominal},
    {"webhook:total-size", "ClusterQueue", "spec", count_totals},
    {"webhook:label-selector", "ClusterQueue", "spec.namespaceSelector", check_selector},
    {"webhook:on-flavors", "ClusterQueue", "spec", on_flavors},
    {"webhook:node-labels", "ResourceFlavor", "spec.nodeLabels", check_labels},
    {"webhook:taint", "ResourceFlavor", "spec.nodeTaints", taints},
    {"webhook:toleration-key", "ResourceFlavor", "spec.tolerations[].key", toleration_key},
};

}  // namespace

std::span<const Rule> webhook_rules() { return kRules; }

}  // namespace gpol::manifest::schema
