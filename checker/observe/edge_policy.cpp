// A BackendTrafficPolicy: what it bounds, whom it is for, and the fields that it has and Envoy Gateway does not know.
#include <algorithm>

#include "checker/observe/edge.h"
#include "checker/observe/fields.h"
#include "checker/observe/schema/findings.h"
#include "checker/observe/schema/tables_gateway.h"
#include "compiler/source/edit_distance.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol::manifest {
namespace {

using schema::is_among;
using schema::kTrafficPolicyFields;

const schema::FieldsBelow* below(std::string_view path) {
  return find_where(kTrafficPolicyFields, [&](const schema::FieldsBelow& row) { return is_among(row.path, path); });
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (;;) {
    const auto end = text.find(' ');
    words.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return words;
    text.remove_prefix(end + 1);
  }
}

// The one place where a field of that name is one, or the one right below `path`; empty: there is none, or there are
// several.
std::string place_of(std::string_view name, const std::string& path) {
  std::vector<std::string> all, right_below;
  for (const schema::FieldsBelow& row : kTrafficPolicyFields) {
    if (!is_among(row.fields, name)) continue;
    for (const std::string_view at : words_of(row.path)) {
      if (at.find("[]") != std::string_view::npos) continue;
      all.emplace_back(at);
      if (at.starts_with(path + ".") && at.find('.', path.size() + 1) == std::string_view::npos)
        right_below.emplace_back(at);
    }
  }
  return right_below.size() == 1 ? right_below.front() : all.size() == 1 ? all.front() : std::string();
}

// `kind`: the path without indices.
void find_wrong(const Node& map, const std::string& path, const std::string& kind, const Place& place,
                std::vector<edge::WrongField>& wrong) {
  const schema::FieldsBelow* row = below(kind);
  if (row == nullptr) return;
  for (const Entry& entry : map.entries) {
    const std::string at = path + "." + entry.key, kind_at = kind + "." + entry.key;
    if (!is_among(row->fields, entry.key)) {
      edge::WrongField found{at, "", "", place.key(entry), "", {}};
      const auto words = words_of(row->fields);
      found.belongs = place_of(entry.key, kind);
      if (const auto meant = nearest(entry.key, words); meant && field(map, *meant) == nullptr && found.belongs.empty())
        found.meant = *meant;
      const bool scalar = entry.value.items.empty() && entry.value.entries.empty() && !entry.value.text.empty();
      if (scalar) {
        found.value = entry.value.text;
        found.whole = join(place.key(entry), place.span(entry.value));
      }
      wrong.push_back(std::move(found));
      continue;
    }
    find_wrong(entry.value, at, kind_at, place, wrong);
    for (std::size_t i = 0; i < entry.value.items.size(); ++i)
      find_wrong(entry.value.items[i], at + "[" + std::to_string(i) + "]", kind_at + "[]", place, wrong);
  }
}

// The scalar at a path of words with a dot between, noted in `fields`.
std::string noted(const Node* node, std::string_view path, const Place& place, edge::Policy& policy) {
  std::string_view rest = path;
  while (node != nullptr && !rest.empty()) {
    const auto dot = rest.find('.');
    node = at(node, rest.substr(0, dot));
    rest.remove_prefix(dot == std::string_view::npos ? rest.size() : dot + 1);
  }
  if (node == nullptr) return {};
  policy.fields.emplace("spec." + std::string(path), place.span(*node));
  return node->text;
}

std::optional<std::int64_t> bound(const Node* spec, std::string_view name, const Place& place, edge::Policy& policy) {
  if (noted(spec, "circuitBreaker." + std::string(name), place, policy).empty()) return std::nullopt;
  const auto number = whole_at(at(spec, "circuitBreaker"), name);
  policy.bounds_odd = policy.bounds_odd || !number;
  return number;
}

std::optional<std::string> time_at(const Node* spec, std::string_view path, const Place& place, edge::Policy& policy) {
  std::string text = noted(spec, path, place, policy);
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

}  // namespace

edge::Policy read_traffic_policy(const Node& object, const Place& place) {
  edge::Policy policy;
  static_cast<edge::Named&>(policy) = named(object, place);
  policy.created = text_at(field(object, "metadata"), "creationTimestamp");
  const Node* spec = field(object, "spec");
  if (spec == nullptr) return policy;
  if (const Node* one = field(*spec, "targetRef"))
    policy.targets.push_back(read_ref(*one, place, policy.ns, "spec.targetRef"));
  if (const Node* list = field(*spec, "targetRefs"))
    for (std::size_t i = 0; i < list->items.size(); ++i)
      policy.targets.push_back(
          read_ref(list->items[i], place, policy.ns, "spec.targetRefs[" + std::to_string(i) + "]"));
  for (edge::Ref& target : policy.targets) target.ns = policy.ns;  // it has no other (LocalPolicyTargetReference)
  policy.selects = field(*spec, "targetSelectors") != nullptr;
  policy.merges = !noted(spec, "mergeType", place, policy).empty();
  for (const Entry& entry : spec->entries)
    if (!entry.key.starts_with("target") && entry.key != "mergeType") policy.blocks.insert(entry.key);
  policy.parallel = bound(spec, "maxParallelRequests", place, policy);
  policy.pending = bound(spec, "maxPendingRequests", place, policy);
  policy.connections = bound(spec, "maxConnections", place, policy);
  policy.bounds_odd = policy.bounds_odd || at(at(spec, "circuitBreaker"), "perEndpoint") != nullptr;
  policy.limits_rate = policy.blocks.contains("rateLimit");
  if (const Node* retry = field(*spec, "retry")) {
    policy.retries = whole_at(retry, "numRetries").value_or(edge::kRetriesByDefault);
    policy.fields.emplace("spec.retry", place.span(*retry));
    if (const Node* triggers = at(field(*retry, "retryOn"), "triggers"))
      for (const Node& trigger : triggers->items)
        policy.retries_when_slow =
            policy.retries_when_slow || contains({"5xx", "gateway-error", "reset"}, std::string_view(trigger.text));
  }
  policy.retry_timeout = time_at(spec, "retry.perRetry.timeout", place, policy);
  policy.retries_when_slow = policy.retries_when_slow || policy.retry_timeout;
  policy.request_timeout = time_at(spec, "timeout.http.requestTimeout", place, policy);
  policy.idle_timeout = time_at(spec, "timeout.http.streamIdleTimeout", place, policy);
  find_wrong(*spec, "spec", "spec", place, policy.wrong);
  return policy;
}

}  // namespace gpol::manifest
