#include "checker/observe/draft.h"

namespace gpol::manifest {

std::uint32_t Draft::resource(const std::string& name) {
  const auto [at, fresh] = resources_.emplace(name, static_cast<std::uint32_t>(cluster.resources.size()));
  if (fresh) cluster.resources.push_back(name);
  return at->second;
}

std::uint32_t Draft::flavor(const View& at, const std::string& name) {
  const auto [found, fresh] = flavors_.emplace(name, static_cast<std::uint32_t>(cluster.flavors.size()));
  if (fresh) {
    cluster.flavors.push_back({});
    cluster.flavors.back().name = name;
    undefined_flavors_.emplace(found->second, Reference{problems.place(), at.field(), name, at.line(), at.span()});
  }
  return found->second;
}

Flavor& Draft::define_flavor(const std::string& name) {
  const auto [found, fresh] = flavors_.emplace(name, static_cast<std::uint32_t>(cluster.flavors.size()));
  if (fresh) cluster.flavors.push_back({});
  undefined_flavors_.erase(found->second);
  Flavor& flavor = cluster.flavors[found->second];
  flavor.name = name;
  return flavor;
}

void Draft::define_queue(const std::string& name) {
  queues_.emplace(name, static_cast<std::uint32_t>(cluster.queues.size() - 1));
}

Queue* Draft::find_queue(const std::string& name) {
  const auto found = queues_.find(name);
  return found == queues_.end() ? nullptr : &cluster.queues[found->second];
}

void Draft::refer_to_queue(const View& at, const std::string& name) {
  queue_references_.push_back({problems.place(), at.field(), name, at.line(), at.span()});
}

bool Draft::define_object(const View& metadata, const std::string& kind, const std::string& ns,
                          const std::string& name) {
  if (objects_.insert(kind + "/" + ns + "/" + name).second) return true;
  if (scale == Scale::Part && kind == "LocalQueue") return true;  // two ways in, until one of them goes
  metadata.problem("name", kind + " " + shown(ns.empty() ? name : ns + "/" + name) + " is there twice");
  return false;
}

void Draft::note_namespace_label(const View& at, const std::string& key) {
  namespace_labels_.push_back({problems.place(), at.field(), key, at.line()});
}

void Draft::note_selector(const Selector& selector) {
  for (const auto& [key, value] : selector.match_labels) selector_keys_.insert(key);
  for (const auto& expression : selector.expressions) selector_keys_.insert(expression.key);
}

void Draft::finish() {
  if (scale == Scale::Part) {
    for (const auto& [index, reference] : undefined_flavors_) absent_flavors.push_back(reference);
    for (const auto& reference : queue_references_)
      if (!queues_.contains(reference.name)) absent_queues.push_back(reference);
    return;
  }
  for (const auto& [index, reference] : undefined_flavors_)
    problems.add_at(reference.place, reference.field, "there is no ResourceFlavor " + shown(reference.name),
                    reference.line);
  for (const auto& reference : queue_references_)
    if (!queues_.contains(reference.name))
      problems.add_at(reference.place, reference.field, "there is no ClusterQueue " + shown(reference.name),
                      reference.line);
  for (const auto& reference : namespace_labels_)
    if (selector_keys_.contains(reference.name))
      problems.add_at(reference.place, reference.field,
                      "a selector asks for the label " + shown(reference.name) + ", which is not understood",
                      reference.line);
}

}  // namespace gpol::manifest
