#include "checker/observe/runtime_classes.h"

#include "checker/observe/fields.h"

namespace gpol::manifest {

void RuntimeClasses::read(const Node& object) {
  const Node *kind = field(object, "kind"), *api = field(object, "apiVersion"), *metadata = field(object, "metadata");
  if (kind == nullptr || kind->text != "RuntimeClass" || api == nullptr || !api->text.starts_with("node.k8s.io/"))
    return;
  const Node* name = metadata == nullptr ? nullptr : field(*metadata, "name");
  if (name == nullptr) return;
  const Node* overhead = field(object, "overhead");
  if (overhead == nullptr && field(object, "scheduling") == nullptr) plain_.insert(name->text);
  if (overhead != nullptr) overheads_[name->text] = amounts_at(*overhead, "podFixed");
}

void RuntimeClasses::settle(std::vector<PodFacts>& pods) const {
  for (PodFacts& one : pods)
    if (const auto found = overheads_.find(one.runtime_class); found != overheads_.end())
      for (const auto& [resource, amount] : found->second)
        if (__builtin_add_overflow(one.room[resource], amount, &one.room[resource])) one.room[resource] = INT64_MAX;
}

}  // namespace gpol::manifest
