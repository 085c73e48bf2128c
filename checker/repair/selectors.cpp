#include "checker/repair/selectors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/given.h"

namespace gpol {

std::set<std::string> namespaces_meant(const Proof& proof, std::string_view queue) {
  std::set<std::string> mine;
  for (const LocalQueue& local : proof.cluster.local_queues)
    if (local.cluster_queue == queue) mine.insert(local.ns);
  for (const std::string& ns : namespaces_of_batch(proof.cluster, proof.intent)) mine.erase(ns);
  // None that the selector keeps out by its name today; whom another label lets in is known of one alone.
  bool unknown = false;
  for (const Queue& q : proof.cluster.queues) {
    if (q.name != queue) continue;
    unknown = !q.namespaces.match_labels.empty();
    for (const auto& e : q.namespaces.expressions) {
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
