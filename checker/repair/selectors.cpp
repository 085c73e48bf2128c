#include "checker/repair/selectors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/given.h"

namespace gpol {

NamespacesMeant::NamespacesMeant(const Proof& proof) : batch_(namespaces_of_batch(proof.cluster, proof.intent)) {
  for (const LocalQueue& local : proof.cluster.local_queues) locals_.emplace(local.cluster_queue, local.ns);
  for (const Queue& queue : proof.cluster.queues) selectors_.emplace(queue.name, &queue.namespaces);
}

std::set<std::string> NamespacesMeant::of(std::string_view queue) const {
  std::set<std::string> mine;
  const auto [first, last] = locals_.equal_range(queue);
  for (auto local = first; local != last; ++local)
    if (std::string ns(local->second); !batch_.contains(ns)) mine.insert(std::move(ns));
  // None that the selector keeps out by its name today; whom another label lets in is known of one alone.
  bool unknown = false;
  if (const auto at = selectors_.find(queue); at != selectors_.end()) {
    unknown = !at->second->match_labels.empty();
    for (const auto& e : at->second->expressions) {
      const bool by_name = e.key == "kubernetes.io/metadata.name";
      unknown = unknown || !by_name;
      if (by_name && e.op == "NotIn")
        for (const std::string& ns : e.values) mine.erase(ns);
    }
  }
  if (unknown && mine.size() > 1) mine.clear();
  return mine;
}

std::string selector_of(const std::set<std::string>& names) {
  const std::string key = "kubernetes.io/metadata.name";
  return names.size() == 1 ? fmt::format("{{matchLabels: {{{}: {}}}}}", key, *names.begin())
                           : fmt::format("{{matchExpressions: [{{key: {}, operator: In, values: [{}]}}]}}", key,
                                         fmt::join(names, ", "));
}

}  // namespace gpol
