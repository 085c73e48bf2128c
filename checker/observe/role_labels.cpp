#include "checker/observe/role_labels.h"

#include "checker/observe/fields.h"

namespace gpol::manifest {

void note_role_labels(const Node& object, const std::string& kind, const Place& place, std::vector<RoleLabel>& labels) {
  const Node* metadata = field(object, "metadata");
  const Node* all = metadata == nullptr ? nullptr : field(*metadata, "labels");
  if (all == nullptr) return;
  const std::string ns = text_at(*metadata, "namespace"), name = text_at(*metadata, "name");
  for (const Entry& label : all->entries)
    if (label.key.starts_with("gpol.dev/"))
      labels.push_back(
          {kind, ns.empty() ? name : ns + "/" + name, label.key, label.value.text, place.span(label.value)});
}

}  // namespace gpol::manifest
