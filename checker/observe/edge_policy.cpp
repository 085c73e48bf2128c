// A BackendTrafficPolicy: what it bounds, whom it is for, and the fields that it has and Envoy Gateway does not know.
#include <algorithm>
#include <iterator>

#include "checker/observe/edge.h"
#include "checker/observe/fields.h"
#include "checker/observe/schema/tables_gateway.h"
#include "compiler/source/edit_distance.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest {
namespace {

// A field and those below it.
struct Known {
  std::string name;
  bool list = false;
  std::vector<Known> below = {};
};

std::vector<Known> read_known(std::string_view& text) {
  std::vector<Known> all;
  while (!text.empty() && text.front() != '}' && text.front() != ']') {
    const auto end = std::min(text.find_first_of(" {}[]"), text.size());
    all.push_back({std::string(text.substr(0, end))});
    text.remove_prefix(end);
    if (text.starts_with('{') || text.starts_with('[')) {
      all.back().list = text.starts_with('[');
      text.remove_prefix(1);
      all.back().below = read_known(text);
      text.remove_prefix(1);
    }
    if (text.starts_with(' ')) text.remove_prefix(1);
  }
  return all;
}

const std::vector<Known>& known_fields() {
  static const std::vector<Known> all = [] {
    std::string_view text = schema::kTrafficPolicyFields;
    return read_known(text);
  }();
  return all;
}

// Below which fields one of that name stands, not within lists.
void find_places(const std::vector<Known>& fields, std::string_view name, const std::string& path,
                 std::vector<std::string>& places) {
  for (const Known& one : fields) {
    if (one.name == name) places.push_back(path);
    if (!one.list) find_places(one.below, name, path + "." + one.name, places);
  }
}

// The one place where such a field stands, or the one right below `path`; empty: there is none, or there are several.
std::string place_of(std::string_view name, const std::string& path) {
  std::vector<std::string> all, right_below;
  find_places(known_fields(), name, "spec", all);
  std::ranges::copy_if(all, std::back_inserter(right_below), [&](const std::string& place) {
    return place.starts_with(path + ".") && place.rfind('.') == path.size();
  });
  return right_below.size() == 1 ? right_below.front() : all.size() == 1 ? all.front() : std::string();
}

void find_wrong(const Node& map, const std::vector<Known>& fields, const std::string& path, const Place& place,
                std::vector<edge::WrongField>& wrong) {
  for (const Entry& entry : map.entries) {
    const std::string at = path + "." + entry.key;
    if (const Known* known = find_by(fields, entry.key, &Known::name)) {
      if (known->below.empty()) continue;
      find_wrong(entry.value, known->below, at, place, wrong);
      for (std::size_t i = 0; i < entry.value.items.size(); ++i)
        find_wrong(entry.value.items[i], known->below, at + "[" + std::to_string(i) + "]", place, wrong);
      continue;
    }
    edge::WrongField& found =
        wrong.emplace_back(edge::WrongField{at, "", place_of(entry.key, path), place.key(entry), {}, ""});
    std::vector<std::string_view> names;
    for (const Known& one : fields) names.push_back(one.name);
    if (const auto meant = nearest(entry.key, names); meant && found.belongs.empty() && field(map, *meant) == nullptr)
      found.meant = *meant;
    if (!entry.value.items.empty() || !entry.value.entries.empty() || entry.value.text.empty()) continue;
    found.value = entry.value.text;
    found.whole = join(place.key(entry), place.span(entry.value));
  }
}

void find_scalars(const Node& node, const std::string& path, const Place& place, edge::Policy& policy) {
  if (!node.text.empty()) policy.fields.emplace(path, edge::Policy::Scalar{node.text, place.span(node)});
  for (const Entry& entry : node.entries)
    find_scalars(entry.value, path.empty() ? entry.key : path + "." + entry.key, place, policy);
  for (std::size_t i = 0; i < node.items.size(); ++i)
    find_scalars(node.items[i], path + "[" + std::to_string(i) + "]", place, policy);
}

}  // namespace

// A target has no other namespace than the policy's (LocalPolicyTargetReference).
edge::Policy read_traffic_policy(const Node& object, const Place& place, const std::string& ns) {
  edge::Policy policy{named(object, place), text_at(field(object, "metadata"), "creationTimestamp"), {}, {}, {}, {}};
  const Node* spec = field(object, "spec");
  if (spec == nullptr) return policy;
  policy.targets = refs_at(spec, "targetRefs", "spec", place, ns);
  if (const Node* one = field(*spec, "targetRef")) {
    policy.targets.push_back(read_ref(*one, place, ns));
    policy.targets.back().field = "spec.targetRef.name";
  }
  for (edge::Ref& target : policy.targets) target.ns = ns;
  for (const Entry& entry : spec->entries)
    if (!entry.key.starts_with("target") && entry.key != "mergeType") policy.blocks.insert(entry.key);
  find_scalars(*spec, "", place, policy);
  find_wrong(*spec, known_fields(), "spec", place, policy.wrong);
  return policy;
}

}  // namespace gpol::manifest
