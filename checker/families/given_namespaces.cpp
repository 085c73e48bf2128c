// Namespaces of what was observed: which a selector lets in, which Kueue manages, in which batch runs.
#include <map>
#include <string_view>

#include "checker/families/doors.h"
#include "checker/families/given.h"
#include "compiler/source/lookup.h"

namespace gpol {

std::optional<bool> lets_in(const Cluster& cluster, const Selector& selector, const std::string& ns) {
  if (!selector.present) return false;
  std::map<std::string, std::string> labels{{"kubernetes.io/metadata.name", ns}};
  bool known = false;
  for (const Namespace& n : cluster.namespaces)
    if (n.name == ns) labels.insert(n.labels.begin(), n.labels.end()), known = true;
  std::optional<bool> all = true;
  const auto meet = [&](const std::string& key, bool holds) {
    if (!labels.contains(key) && !known)
      all = all == false ? all : std::nullopt;
    else if (!holds)
      all = false;
  };
  for (const auto& [key, value] : selector.match_labels) meet(key, labels.contains(key) && labels.at(key) == value);
  for (const auto& e : selector.expressions) {
    const bool there = labels.contains(e.key);
    const bool listed = there && contains(e.values, labels.at(e.key));
    meet(e.key, e.op == "In" ? listed : e.op == "NotIn" ? !listed : (e.op == "Exists") == there);
  }
  return all;
}

std::set<std::string> namespaces_of_batch(const Cluster& cluster, const Intent& intent) {
  Doors doors;
  std::map<std::string_view, const Selector*> selectors;  // of the queues of batch, by name
  for (std::size_t q = 0; q < cluster.queues.size(); ++q) {
    if (intent.roles[q].kind != QueueRole::Kind::Batch) continue;
    const Selector& selector = cluster.queues[q].namespaces;
    selectors.emplace(cluster.queues[q].name, &selector);
    if (selector.present && lists_names(selector)) doors.add(selector);
  }
  for (const LocalQueue& local : cluster.local_queues)
    if (const auto at = selectors.find(local.cluster_queue);
        at != selectors.end() && lets_in(cluster, *at->second, local.ns) != false)
      doors.names.insert(local.ns);
  return doors.names;
}

std::optional<bool> managed(const Cluster& cluster, const std::string& ns) {
  for (const Selector& seen : cluster.config.webhook_namespaces)
    if (lets_in(cluster, seen, ns) == false) return false;
  const Selector& selector = cluster.config.managed_namespaces;  // absent: all but those two
  return selector.present ? lets_in(cluster, selector, ns) : ns != "kube-system" && ns != "kueue-system";
}

}  // namespace gpol
