#include "checker/volcano/rules/real_capability.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "checker/volcano/rules/amounts.h"
#include "compiler/source/lookup.h"

namespace gpol::volcano {

namespace {

constexpr std::size_t kMostAncestors = 6;
constexpr std::size_t kNoQueue = SIZE_MAX;
using Vector = std::map<std::string, Limit>;

bool is_native(const std::string& resource) { return resource == "cpu" || resource == "memory"; }

// exceed(total, guarantees) + guarantee: what of `total` is nobody's, and the queue's own. A scalar of which nothing is
// left is not named any more (resource_info.go Diff), so that flat it clips no `deserved`.
Vector left_over(const Vector& total, const Amounts& guarantees, const Amounts& guarantee) {
  Vector result = total;
  for (const auto& [resource, amount] : guarantees) {
    Limit& limit = result.try_emplace(resource, 0).first->second;
    if (limit) limit = std::max<std::int64_t>(0, *limit - amount);
  }
  std::erase_if(result, [](const auto& entry) { return !is_native(entry.first) && entry.second == 0; });
  for (const auto& [resource, amount] : guarantee)
    if (Limit& limit = result.try_emplace(resource, 0).first->second; limit) limit = sum(*limit, amount);
  return result;
}

// What `limits` does not name stays unnamed: it is 0 already.
void lower(Vector& limits, const Vector& capability) {
  for (auto& [resource, limit] : limits)
    if (const auto found = capability.find(resource); found != capability.end() && found->second)
      limit = limit ? std::min(*limit, *found->second) : found->second;
}

// Cpu and memory of 0 count as not set.
Vector capability_of(const Amounts& amounts) {
  Vector result;
  for (const auto& [resource, amount] : counted(amounts))
    if (!is_native(resource) || amount > 0) result.emplace(resource, amount);
  return result;
}

void inherit(Vector& capability, const Vector& parent) { capability.insert(parent.begin(), parent.end()); }

struct Tree {
  std::vector<Queue> queues;
  std::vector<std::size_t> parent;  // kNoQueue: of root, and where it names no queue
  std::vector<std::vector<std::size_t>> children;
  std::size_t root = kNoQueue;
};

Tree tree_of(const Setup& setup) {
  Tree tree;
  tree.queues = setup.queues;
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < tree.queues.size(); ++i) index.try_emplace(tree.queues[i].name, i);
  for (const char* made : {kRootQueue, kDefaultQueue})
    if (index.try_emplace(made, tree.queues.size()).second) {
      tree.queues.emplace_back();
      tree.queues.back().name = made;
    }
  tree.root = index.at(kRootQueue);
  tree.parent.assign(tree.queues.size(), kNoQueue);
  tree.children.resize(tree.queues.size());
  for (std::size_t i = 0; i < tree.queues.size(); ++i) {
    if (i == tree.root) continue;
    const std::string& name = tree.queues[i].parent;
    const auto found = index.find(name.empty() ? kRootQueue : name);
    if (found == index.end()) continue;
    tree.parent[i] = found->second;
    tree.children[found->second].push_back(i);
  }
  return tree;
}

// Itself and its ancestors; ends where the path ends or comes back to a queue that it has.
std::vector<std::size_t> path_of(const Tree& tree, std::size_t queue) {
  std::vector<std::size_t> path;
  std::set<std::size_t> seen;
  for (std::size_t i = queue; i != kNoQueue && seen.insert(i).second; i = tree.parent[i]) path.push_back(i);
  return path;
}

std::string what_breaks(const Tree& tree) {
  for (std::size_t i = 0; i < tree.queues.size(); ++i) {
    const auto path = path_of(tree, i);
    const std::string who = "queue `" + tree.queues[i].name + "`";
    if (tree.parent[path.back()] != kNoQueue) return who + ": its parents go round in a cycle";
    if (path.back() != tree.root) return who + ": a parent is missing";
    if (path.size() > kMostAncestors + 1) return who + " lies more than 6 levels below root";
  }
  return {};
}

void limit_flat(const Tree& tree, const Vector& total, Limits& limits) {
  Amounts guarantees;  // of all queues, also of parents and their children
  for (const auto& queue : tree.queues) add(guarantees, counted(queue.guarantee));
  for (std::size_t i = 0; i < tree.queues.size(); ++i) {
    const Amounts guarantee = counted(tree.queues[i].guarantee);
    QueueLimits& out = limits.queues[i];
    out.path = {i};
    out.real_capability = left_over(total, guarantees, guarantee);
    lower(out.real_capability, capability_of(tree.queues[i].capability));
    for (auto& [resource, amount] : out.deserved)
      if (const auto found = out.real_capability.find(resource); found != out.real_capability.end() && found->second)
        amount = std::min(amount, *found->second);
    raise(out.deserved, guarantee);
  }
}

// Root: no limit on what a node has where its capability is empty or 0 throughout, else exactly its capability.
Vector capability_of_root(const Queue& root, const Vector& total) {
  const Amounts own = counted(root.capability);
  Vector result;
  if (is_empty(own)) {
    for (const auto& [resource, unused] : total) result.emplace(resource, std::nullopt);
    return result;
  }
  result.insert(own.begin(), own.end());
  for (const char* native : {"cpu", "memory"}) result.try_emplace(native, 0);
  return result;
}

void limit_tree(const Tree& tree, const Vector& total, Limits& limits) {
  for (std::size_t i = 0; i < tree.queues.size(); ++i) {
    limits.queues[i].path = path_of(tree, i);
    limits.queues[i].leaf = tree.children[i].empty();
    if (i != tree.root && tree.parent[i] == kNoQueue)
      limits.not_ready = "queue `" + tree.queues[i].name + "` has a parent that is no queue";
  }
  std::vector<Vector> capability(tree.queues.size());
  capability[tree.root] = capability_of_root(tree.queues[tree.root], total);
  limits.queues[tree.root].real_capability = capability[tree.root];
  limits.queues[tree.root].deserved.clear();
  // Root downwards. What hangs on a cycle is not reached, and keeps a limit of 0 for everything.
  std::vector<std::size_t> open{tree.root};
  while (!open.empty()) {
    const std::size_t p = open.back();
    open.pop_back();
    Amounts guarantees;
    for (const std::size_t c : tree.children[p]) add(guarantees, counted(tree.queues[c].guarantee));
    for (const std::size_t c : tree.children[p]) {
      const Amounts guarantee = counted(tree.queues[c].guarantee);
      QueueLimits& out = limits.queues[c];
      raise(out.deserved, guarantee);
      if (p == tree.root) add(limits.queues[p].deserved, out.deserved);
      capability[c] = capability_of(tree.queues[c].capability);
      inherit(capability[c], capability[p]);
      out.real_capability = left_over(limits.queues[p].real_capability, guarantees, guarantee);
      lower(out.real_capability, capability[c]);
      open.push_back(c);
    }
  }
}

}  // namespace

bool counts(std::string_view resource) {
  if (resource == "cpu" || resource == "memory" || resource == "pods" || resource == "ephemeral-storage") return true;
  if (resource.starts_with("hugepages-") || resource.starts_with("attachable-volumes-")) return true;
  if (resource.starts_with("count/")) return false;
  if (resource.find("kubernetes.io/") != std::string_view::npos) return true;
  return resource.find('/') != std::string_view::npos && !resource.starts_with("requests.");
}

Limit QueueLimits::limit(const std::string& resource) const { return value_or(real_capability, resource, Limit(0)); }

Limits limits_of(const Setup& setup, const Total& total, bool hierarchical) {
  Vector known;
  for (const auto& [resource, amount] : total)
    if (counts(resource)) known.emplace(resource, amount);
  for (const char* native : {"cpu", "memory"}) known.try_emplace(native, 0);
  const Tree tree = tree_of(setup);
  Limits limits;
  limits.broken = what_breaks(tree);
  for (const auto& queue : tree.queues) {
    limits.queues.emplace_back();
    limits.queues.back().name = queue.name;
    limits.queues.back().deserved = counted(queue.deserved);
    limits.queues.back().priority = queue.priority;
  }
  if (hierarchical)
    limit_tree(tree, known, limits);
  else
    limit_flat(tree, known, limits);
  return limits;
}

}  // namespace gpol::volcano
