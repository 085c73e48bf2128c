#include "checker/nodes/standing.h"

#include <algorithm>

#include "checker/nodes/placement_model.h"
#include "compiler/source/lookup.h"
#include "compiler/source/number.h"

namespace gpol::nodes {

namespace {

// apimachinery labels.Requirement.Matches.
bool meets(const PodFacts::NodeRequirement& wanted, const NodeFacts& node) {
  const auto label = node.labels.find(wanted.key);
  const std::string* found = wanted.of_name ? &node.name : label == node.labels.end() ? nullptr : &label->second;
  const auto listed = [&] { return contains(wanted.values, *found); };
  if (wanted.op == "In") return found != nullptr && listed();
  if (wanted.op == "NotIn") return found == nullptr || !listed();
  if (wanted.op == "Exists") return found != nullptr;
  if (wanted.op == "DoesNotExist") return found == nullptr;
  if (wanted.op != "Gt" && wanted.op != "Lt") return true;  // the cluster would refuse it
  if (found == nullptr || wanted.values.size() != 1) return false;
  const auto has = whole_number(*found), bound = whole_number(wanted.values.front());
  return has && bound && (wanted.op == "Gt" ? *has > *bound : *has < *bound);
}

}  // namespace

bool meets_terms(const PodFacts& pods, const NodeFacts& node) {
  return !pods.node_terms || std::any_of(pods.node_terms->begin(), pods.node_terms->end(), [&](const auto& term) {
    return !term.empty() && std::ranges::all_of(term, [&](const auto& wanted) { return meets(wanted, node); });
  });
}

bool tolerates_all(const PodFacts& pods, const std::vector<Taint>& taints) {
  return (pods.unread && pods.unread->asks) || std::ranges::all_of(taints, [&](const Taint& taint) {
           return pods.asks.contains(taint.key) || taint.key.starts_with("node.kubernetes.io/") ||
                  untolerated(std::span(&taint, 1), pods.tolerations) == nullptr;
         });
}

bool may_stand_on(const PodFacts& pods, const NodeFacts& node) {
  if (!pods.node.empty()) return pods.node == node.name;
  return selects(pods.node_selector, node.labels) && meets_terms(pods, node) && tolerates_all(pods, node.taints);
}

}  // namespace gpol::nodes
