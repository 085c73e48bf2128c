#include "cli/render/ownership.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cli/render/text.h"

namespace gpol {

namespace {

std::string amount(const std::optional<std::int64_t>& value, Unit unit) {
  return value ? figure_text(*value, unit) : "-";
}

std::string role_of(const QueueRole& role) {
  if (role.kind == QueueRole::Kind::Batch) return "batch";
  if (role.kind == QueueRole::Kind::None) return "-";
  return role.isolation == Isolation::A ? "serving A" : role.isolation == Isolation::B ? "serving B" : "serving C";
}

}  // namespace

OwnershipTable ownership_table(const RunReport& run) {
  OwnershipTable table;
  for (const PolicyReport& policy : run.policies) {
    if (!policy.verified || policy.planned == nullptr) continue;
    const auto& roles = policy.planned->intent.roles;
    const auto& queues = policy.planned->cluster.queues;
    std::map<std::string_view, const QueueRole*> of;
    for (std::size_t q = 0; q < roles.size(); ++q) of.emplace(queues[q].name, &roles[q]);
    const bool any = std::any_of(roles.begin(), roles.end(),
                                 [](const QueueRole& role) { return role.kind != QueueRole::Kind::None; });
    using Key = std::tuple<std::string_view, std::string_view, std::string_view>;
    std::map<Key, const Obligation*> reclaim;
    for (const Obligation& o : policy.report->obligations)
      if (o.family == Family::Reclaim) reclaim.emplace(Key{o.subject.name, o.subject.flavor, o.subject.resource}, &o);
    table.rows = {any ? std::vector<std::string>{"queue", "role", "flavor", "resource", "owns", "others can hold",
                                                 "comes back", "slack", "verdict"}
                      : std::vector<std::string>{"queue", "flavor", "resource", "owns", "one other can hold",
                                                 "all others can hold"}};
    for (const Obligation& o : policy.report->obligations) {
      if (o.family != Family::Claim || o.figures.reserve.value_or(0) == 0) continue;
      const auto role = of.find(o.subject.name);
      if (role == of.end() || (any && role->second->kind != QueueRole::Kind::Serving)) continue;
      if (table.rows.size() > kMostOwnershipRows) {
        ++table.left_out;
        continue;
      }
      const Unit unit = o.figures.unit;
      std::vector<std::string> row{std::string(o.subject.name)};
      if (any) row.push_back(role_of(*role->second));
      for (const std::string_view word : {o.subject.flavor, o.subject.resource}) row.emplace_back(word);
      row.push_back(amount(o.figures.reserve, unit));
      if (!any) row.push_back(amount(o.figures.claimable_alone, unit));
      row.push_back(amount(o.figures.claimable, unit));
      if (any) {
        const auto back = reclaim.find(Key{o.subject.name, o.subject.flavor, o.subject.resource});
        const Obligation* r = back == reclaim.end() ? nullptr : back->second;
        row.push_back(o.figures.claimable == 0 && (r == nullptr || r->verdict != Verdict::Refuted) ? "never gone"
                      : r == nullptr                                                               ? "-"
                                     : std::string(verdict_name(r->verdict)));
        const Obligation& bound = r != nullptr && r->required ? *r : o;
        row.push_back(bound.verdict == Verdict::Proven ? amount(bound.figures.slack, unit) : "-");
        row.push_back(bound.required ? std::string(verdict_name(bound.verdict)) : "-");
      }
      for (std::string& cell : row) cell = printable(cell);
      table.rows.push_back(std::move(row));
    }
  }
  if (table.rows.size() < 2) table.rows.clear();
  return table;
}

}  // namespace gpol
