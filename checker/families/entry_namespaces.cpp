#include "checker/families/entry_namespaces.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "checker/families/doors.h"
#include "checker/families/given.h"
#include "checker/families/given_words.h"
#include "checker/families/label_guards.h"

namespace gpol {

namespace {

using Kind = QueueRole::Kind;

class Entries {
 public:
  Entries(const Proof& proof, const std::set<std::string>& batch)
      : proof_(proof), cluster_(proof.cluster), batch_(batch) {
    for (const LocalQueue& local : cluster_.local_queues) locals_.emplace(local.cluster_queue, local.ns);
  }

  EntryNamespaces find() {
    second_doors();
    open_selectors();
    selectors_with_batch();
    return std::move(found_);
  }

 private:
  // A LocalQueue onto a serving queue in a namespace that runs batch, too.
  void second_doors() {
    std::map<std::string_view, std::size_t> queues;
    for (std::size_t q = 0; q < cluster_.queues.size(); ++q) queues.emplace(cluster_.queues[q].name, q);
    const auto role_behind = [&](const LocalQueue& local) {
      const auto at = queues.find(local.cluster_queue);
      return at == queues.end() ? Kind::None : proof_.intent.roles[at->second].kind;
    };
    std::map<std::string_view, const LocalQueue*> batch;  // by namespace
    for (const LocalQueue& local : cluster_.local_queues)
      if (role_behind(local) == Kind::Batch &&
          lets_in(cluster_, cluster_.queues[queues.at(local.cluster_queue)].namespaces, local.ns) != false)
        batch.emplace(local.ns, &local);
    for (std::size_t l = 0; l < cluster_.local_queues.size(); ++l) {
      const LocalQueue& local = cluster_.local_queues[l];
      const auto other = batch.find(local.ns);
      if (role_behind(local) != Kind::Serving || other == batch.end()) continue;
      const std::size_t q = queues.at(local.cluster_queue);
      if (lets_in(cluster_, cluster_.queues[q].namespaces, local.ns) == false) continue;  // the door is shut
      second_doors_.insert({local.cluster_queue, local.ns});
      found_.open.push_back(
          {q, "LocalQueue", local.ns + "/" + local.name, "",
           fmt::format("the namespace `{}` runs batch by its LocalQueue `{}`, and its LocalQueue `{}` leads to the "
                       "serving queue `{}`: batch may stand in serving's place",
                       local.ns, other->second->name, local.name, local.cluster_queue),
           fmt::format("give serving a namespace of its own, and remove LocalQueue `{}`", local.name),
           l < proof_.origins.local_queue.size() ? proof_.origins.local_queue[l] : Span{},
           fmt::format("a user of {}", local.ns),
           fmt::format("labels a batch workload with the LocalQueue `{}`", local.name)});
    }
  }

  // A serving queue that lets in a namespace of batch: a LocalQueue is soon made there.
  void selectors_with_batch() {
    for (std::size_t q = 0; q < proof_.intent.roles.size(); ++q) {
      const Queue& queue = cluster_.queues[q];
      const QueueRole& role = proof_.intent.roles[q];
      if (!promised(role)) continue;
      Doors named;  // no others can be let in
      if (lists_names(queue.namespaces)) named.add(queue.namespaces);
      const auto& candidates = named.names.empty() ? batch_ : named.names;
      const auto both = std::ranges::find_if(candidates, [&](const std::string& ns) {
        return batch_.contains(ns) && lets_in(cluster_, queue.namespaces, ns) == true &&
               !second_doors_.contains({queue.name, ns});
      });
      if (both == candidates.end() || open_.contains(queue.name)) continue;
      found_.open.push_back(
          {q, "ClusterQueue", queue.name, "spec.namespaceSelector",
           fmt::format("the namespaceSelector of `{}` lets in the namespace `{}`, which runs batch, too: batch may "
                       "stand in serving's place",
                       queue.name, *both),
           fmt::format("give batch a namespace of its own, and leave `{}` out of the selector of {}", *both,
                       batch_by_selector(proof_, *both)),
           role.name_span, fmt::format("a user of {}", *both),
           fmt::format("makes a LocalQueue for `{}` there, and labels batch with it", queue.name)});
    }
  }

  // Where an administrator made a LocalQueue for it, and it gets in by what is known of the namespace.
  std::set<std::string> meant_for(const Queue& queue) const {
    std::set<std::string> out;
    const auto [first, last] = locals_.equal_range(queue.name);
    for (auto local = first; local != last; ++local)
      if (lets_in(cluster_, queue.namespaces, local->second) != false) out.emplace(local->second);
    return out;
  }

  void open_selectors() {
    for (std::size_t q = 0; q < proof_.intent.roles.size(); ++q) {
      const Queue& queue = cluster_.queues[q];
      const QueueRole& role = proof_.intent.roles[q];
      if (!promised(role) || names_only(queue.namespaces)) continue;
      const LabelGuards guards = guards_of_labels(cluster_, queue.namespaces, meant_for(queue), batch_, proof_.solver);
      found_.label_guards.insert(guards.policies.begin(), guards.policies.end());
      if (!guards.policies.empty()) continue;
      open_.insert(queue.name);
      found_.open.push_back(
          {q, "ClusterQueue", queue.name, "spec.namespaceSelector",
           fmt::format("the namespaceSelector of `{}` {}{}{}", queue.name, selector_in_words(queue.namespaces),
                       guards.let_through.empty() ? "" : "; ", guards.let_through),
           "name the namespaces: `matchLabels: {kubernetes.io/metadata.name: ...}`", role.name_span, "a stranger",
           fmt::format("has a LocalQueue for `{}` in a namespace that its namespaceSelector lets in", queue.name)});
    }
  }

  const Proof& proof_;
  const Cluster& cluster_;
  const std::set<std::string>& batch_;
  EntryNamespaces found_;
  std::multimap<std::string_view, std::string> locals_;         // the namespaces of the LocalQueues of a queue
  std::set<std::string> open_;                                  // serving queues with an open selector
  std::set<std::pair<std::string, std::string>> second_doors_;  // serving queue and namespace
};

}  // namespace

bool names_only(const Selector& selector) { return !selector.present || lists_names(selector); }

EntryNamespaces entry_namespaces(const Proof& proof, const std::set<std::string>& batch) {
  return Entries(proof, batch).find();
}

}  // namespace gpol
