#include "cli/render/ownership.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cli/render/text.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

std::string amount(const std::optional<std::int64_t>& value, Unit unit) {
  return value ? figure_text(*value, unit) : "-";
}

std::string_view class_of(Isolation isolation) {
  return isolation == Isolation::A ? "serving A" : isolation == Isolation::B ? "serving B" : "serving C";
}

// Who a row is about. Serving comes first: of a large cluster not every row is shown.
struct Owner {
  std::string role;
  int rank = 0;
};

Owner owner_of(const QueueRole& role) {
  if (role.kind == QueueRole::Kind::Batch) return {role.assumed ? "batch?" : "batch", 2};
  if (role.kind == QueueRole::Kind::Bounded) return {"bounded", 3};
  if (role.kind == QueueRole::Kind::None) return {"-", 3};
  return {std::string(class_of(role.isolation)), 0};
}

using Key = std::tuple<std::string_view, std::string_view, std::string_view>;  // queue, flavor, resource

// Not looked at is not known, either.
std::string word_of(Verdict verdict) {
  return std::string(verdict_name(verdict == Verdict::NotAnalysed ? Verdict::Undecided : verdict));
}

Key key_of(const Obligation& o) { return {o.subject.name, o.subject.flavor, o.subject.resource}; }

std::string comes_back(const Obligation& claim, const Obligation* reclaim) {
  if (claim.figures.claimable == 0 && (reclaim == nullptr || reclaim->verdict != Verdict::Refuted)) return "never gone";
  return reclaim == nullptr ? "-" : word_of(reclaim->verdict);
}

std::vector<std::string> row_of(const Obligation& claim, const Obligation* reclaim, const Owner& owner, bool roles,
                                bool mistakes) {
  const Unit unit = claim.figures.unit;
  std::vector<std::string> row{std::string(claim.subject.name)};
  if (roles) row.push_back(owner.role);
  for (const std::string_view word : {claim.subject.flavor, claim.subject.resource}) row.emplace_back(word);
  row.push_back(amount(claim.figures.reserve, unit));
  if (!roles) row.push_back(amount(claim.figures.claimable_alone, unit));
  // What others can hold of batch nobody asks: its neighbours are taken to keep their own.
  row.push_back(roles && owner.rank >= 2 ? "-" : amount(claim.figures.claimable, unit));
  if (const auto& ending = claim.figures.claimable_ending; roles && owner.rank < 2 && ending)
    row.back() += while_a_victim_ends(*ending, unit);
  if (roles) {
    const bool serves = owner.rank < 2 && claim.figures.reserve != 0;
    const Obligation& bound = reclaim != nullptr && reclaim->required ? *reclaim : claim;
    // Beside mistakes nothing is proven: figures are of what could be read.
    row.push_back(serves && !mistakes ? comes_back(claim, reclaim) : "-");
    const bool says = bound.required && (serves || bound.verdict != Verdict::Proven);  // of nothing all is proven
    row.push_back(says && !(mistakes && bound.verdict == Verdict::Proven) ? word_of(bound.verdict) : "-");
  }
  for (std::string& cell : row) cell = printable(cell);
  return row;
}

}  // namespace

OwnershipTable ownership_table(const RunReport& run) {
  OwnershipTable table;
  for (const PolicyReport& policy : run.policies) {
    if (!policy.verified || policy.planned == nullptr) continue;
    const Intent& intent = policy.planned->intent;
    const bool any = !intent.outside.empty() || std::ranges::any_of(intent.roles, [](const QueueRole& role) {
      return role.kind != QueueRole::Kind::None;
    });
    using Named = std::pair<std::string_view, std::string_view>;
    std::map<Named, Owner> owners;  // by kind and name
    for (std::size_t q = 0; q < intent.roles.size(); ++q)
      owners.emplace(Named("ClusterQueue", policy.planned->cluster.queues[q].name), owner_of(intent.roles[q]));
    for (const OutsideReserve& tenant : intent.outside)
      owners.emplace(Named("Tenant", tenant.tenant), Owner{fmt::format("{}, outside", class_of(tenant.isolation)), 1});
    std::map<Key, const Obligation*> reclaim;
    for (const Obligation& o : policy.report->obligations)
      if (o.family == Family::Reclaim) reclaim.emplace(key_of(o), &o);
    struct Told {
      const Obligation* claim;
      const Owner* owner;
    };
    std::vector<Told> all;
    for (const Obligation& o : policy.report->obligations) {
      const auto owner = owners.find({o.subject.kind, o.subject.name});
      // A tenant outside the queue asks for a few of all resources that the cluster knows.
      const bool nothing = o.subject.kind == "Tenant" && o.figures.reserve.value_or(0) == 0;
      if (o.family == Family::Claim && owner != owners.end() && !nothing) all.push_back({&o, &owner->second});
    }
    std::ranges::stable_sort(all, [](const Told& a, const Told& b) { return a.owner->rank < b.owner->rank; });
    table.rows = {any ? std::vector<std::string>{"queue", "role", "flavor", "resource", "owns", "others can hold",
                                                 "comes back", "verdict"}
                      : std::vector<std::string>{"queue", "flavor", "resource", "owns", "one other can hold",
                                                 "all others can hold"}};
    for (const Told& told : all) {
      if (table.rows.size() > kMostOwnershipRows) {
        ++table.left_out;
        continue;
      }
      table.rows.push_back(row_of(*told.claim, value_or(reclaim, key_of(*told.claim), nullptr), *told.owner, any,
                                  overall(*policy.report) == Overall::Error));
    }
  }
  if (table.rows.size() < 2) table.rows.clear();
  return table;
}

}  // namespace gpol
