#include "checker/observe/kustomize/order.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>

#include "compiler/source/lookup.h"

namespace gpol::manifest::kustomize {
namespace {

using Ranks = std::map<std::string, int>;

constexpr const char* kFirst =
    "Namespace ResourceQuota StorageClass CustomResourceDefinition ServiceAccount PodSecurityPolicy Role ClusterRole "
    "RoleBinding ClusterRoleBinding ConfigMap Secret Endpoints Service LimitRange PriorityClass PersistentVolume "
    "PersistentVolumeClaim Deployment StatefulSet CronJob PodDisruptionBudget";
constexpr const char* kLast = "MutatingWebhookConfiguration ValidatingWebhookConfiguration";

std::vector<std::string> words_of(const char* text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

Ranks ranks_of(const std::vector<std::string>& first, const std::vector<std::string>& last) {
  Ranks ranks;
  for (std::size_t i = 0; i < first.size(); ++i) ranks[first[i]] = static_cast<int>(i) - static_cast<int>(first.size());
  for (std::size_t i = 0; i < last.size(); ++i) ranks[last[i]] = static_cast<int>(i) + 1;
  return ranks;
}

std::string or_else(const std::string& text, const char* other) { return text.empty() ? other : text; }

struct Place {
  int rank = 0;
  std::string kind, name;
  bool backwards = false;  // namespaces
};

Place place_of(const Resource& resource, const Ranks& ranks) {
  const Kind kind = resource.kind();
  return {value_or(ranks, kind.kind, 0),
          or_else(kind.group, "~G") + "_" + or_else(kind.version, "~V") + "_" + or_else(kind.kind, "~K"),
          or_else(resource.ns(), "~X") + "|" + or_else(resource.name(), "~N"), kind.kind == "Namespace"};
}

void sort_by(const Ranks& ranks, std::vector<Resource>& resources) {
  std::vector<std::pair<Place, Resource>> sorted;
  for (Resource& resource : resources) sorted.emplace_back(place_of(resource, ranks), std::move(resource));
  std::ranges::stable_sort(sorted, [](const auto& one, const auto& other) {
    const Place &a = one.first, &b = other.first;
    if (a.rank != b.rank) return a.rank < b.rank;
    if (a.kind != b.kind) return a.backwards && b.backwards ? a.kind > b.kind : a.kind < b.kind;
    return a.name < b.name;
  });
  std::ranges::transform(sorted, resources.begin(), [](auto& one) { return std::move(one.second); });
}

}  // namespace

bool put_in_order(Context& context, const Plan& plan, std::vector<Resource>& resources) {
  std::vector<std::string> first = words_of(kFirst), last = words_of(kLast);
  const Node* options = map_at(context, plan.root, "sortOptions");
  if (options != nullptr) {
    only_keys(context, *options, " order legacySortOptions");
    const Node* legacy = map_at(context, *options, "legacySortOptions");
    const std::string order = text_at(*options, "order");
    if (order != "fifo" && order != "legacy") return context.fail(*options, "`order` must be fifo or legacy");
    if (legacy != nullptr) {
      only_keys(context, *legacy, " orderFirst orderLast");
      first.clear(), last.clear();
      for (const Node* kind : words_at(context, *legacy, "orderFirst")) first.push_back(kind->text);
      for (const Node* kind : words_at(context, *legacy, "orderLast")) last.push_back(kind->text);
    }
    if (order == "fifo") {
      if (legacy != nullptr) context.error(*legacy, "`legacySortOptions` are for the order legacy");
      return !context.failed();
    }
  }
  sort_by(ranks_of(first, last), resources);
  return !context.failed();
}

}  // namespace gpol::manifest::kustomize
