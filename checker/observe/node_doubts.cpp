#include "checker/observe/node_doubts.h"

#include <algorithm>

#include "checker/observe/problems.h"
#include "compiler/source/text.h"

namespace gpol::manifest {
namespace {

// Of an item of a List: its own field.
std::string own(const std::string& field) {
  if (!field.starts_with("items[")) return field;
  const auto dot = field.find("].");
  return dot == std::string::npos ? std::string() : field.substr(dot + 2);
}

std::string names(const std::vector<std::string>& nodes) {
  constexpr std::size_t kMost = 3;
  return listed_up_to(kMost, nodes, [](const std::string& node) { return shown(node); });
}

}  // namespace

void NodeDoubts::add(const std::string& node, const std::vector<NotUnderstood>& problems) {
  for (const NotUnderstood& problem : problems) {
    const auto same = std::ranges::find_if(doubts_, [&](const Doubt& d) {
      return own(d.first.field) == own(problem.field) && d.first.what == problem.what;
    });
    if (same == doubts_.end())
      doubts_.push_back({problem, {node}});
    else if (same->nodes.back() != node)
      same->nodes.push_back(node);
  }
}

void NodeDoubts::settle(Existing& out) const {
  for (const auto& [first, nodes] : doubts_) {
    const std::string field = own(first.field);
    const bool lands = field.starts_with("spec") || field.starts_with("metadata.labels");
    const std::string more = nodes.size() == 1   ? ""
                             : nodes.size() == 2 ? ", likewise of one more Node"
                                                 : ", likewise of " + std::to_string(nodes.size() - 1) + " more Nodes";
    if (lands)
      out.unmodelled.push_back({first.span, first.field, first.what + more, "Node", nodes.front()});
    else
      out.passed_over.push_back((nodes.size() == 1 ? "Node " : "Nodes ") + names(nodes) + ": " + field + " " +
                                first.what + ", " + (nodes.size() == 1 ? "" : "first ") + "at " +
                                shown(first.file + ":" + std::to_string(first.line)));
  }
}

}  // namespace gpol::manifest
