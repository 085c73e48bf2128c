#include "cli/commands/versions.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <cstdint>
#include <map>
#include <vector>

#include "compiler/cluster/kueue_version.h"

namespace gpol {

namespace {

// The first queue or cohort with which the quotas of a resource add up to more than a number holds; null: none.
const std::string* runs_over(const Cluster& cluster) {
  std::map<std::uint32_t, std::int64_t> sums;
  const auto over = [&](const std::vector<ResourceGroup>& groups) {
    for (const ResourceGroup& group : groups)
      for (const auto& row : group.flavors)
        for (std::size_t i = 0; i < row.quotas.size(); ++i) {
          const Quota& quota = row.quotas[i];
          std::int64_t& sum = sums[group.covered[i]];
          for (const std::int64_t one : {quota.nominal, quota.borrowing.value_or(0), quota.lending.value_or(0)})
            if (__builtin_add_overflow(sum, one, &sum)) return true;
        }
    return false;
  };
  for (const Queue& queue : cluster.queues)
    if (over(queue.groups)) return &queue.name;
  for (const CohortNode& cohort : cluster.cohorts)
    if (over(cohort.groups)) return &cohort.name;
  return nullptr;
}

}  // namespace

std::string plain_version(std::string_view word) {
  static const re2::RE2 kForm("v?((?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*))(\\.(?:0|[1-9][0-9]*))?");
  std::string minor, patch;
  if (!re2::RE2::FullMatch(word, kForm, &minor, &patch)) return {};
  return minor + (patch.empty() ? ".0" : patch);
}

void take_version(const std::string& said, Existing& existing) {
  KueueConfig& config = existing.cluster.config;
  const auto tell = [&](std::string what, bool no_figures = false) {
    existing.unmodelled.push_back({{}, "", std::move(what), "Kueue", "v" + config.version, no_figures});
  };
  if (const std::string& version = said.empty() ? existing.runs : said; !version.empty()) config.version = version;
  if (!said.empty() && !existing.runs.empty() && said != existing.runs)
    tell(fmt::format("is what is said (`--kueue`, gpol.yaml), and its Deployment runs v{}", existing.runs));
  if (!serves_v1beta1(config.version))
    for (const QuotaWayUse& old : existing.v1beta1)
      existing.rejections.push_back({old.at.span, old.at.field, "schema:version",
                                     fmt::format("v1beta1 is not served by Kueue v{}", config.version),
                                     "write it in kueue.x-k8s.io/v1beta2"});
  if (rules_known(config.version) == RulesKnown::None)
    tell(fmt::format("is not modelled: the rules of {} are", kKnownVersions));
  if (rules_known(config.version) == RulesKnown::Quotas && !config.transformations.empty())
    tell("counts `resources.transformations` in another way than the one that is modelled", true);
  if (const std::string* big = amounts_saturate(config.version) ? nullptr : runs_over(existing.cluster); big != nullptr)
    tell(fmt::format("adds quotas up beyond the largest number, and then is wrong: see the quota of `{}`", *big), true);
  for (const auto& [gate, on] : config.gates)
    if (gate_came_later(gate, config.version))
      tell(fmt::format("has no feature gate `{}`, and does not start with it", gate));
}

std::string old_versions(const Existing& existing) {
  if (existing.v1beta1.empty() || !serves_v1beta1(existing.cluster.config.version)) return {};
  const QuotaWayUse& first = existing.v1beta1.front();
  return fmt::format("of kueue.x-k8s.io/v1beta1, which Kueue v0.20 refuses: {} `{}`{}", first.kind, first.name,
                     existing.v1beta1.size() == 1 ? "" : fmt::format(" and {} more", existing.v1beta1.size() - 1));
}

std::string rules_of_reading(const Existing& existing) {
  const std::string& version = existing.cluster.config.version;
  if (rules_known(version) != RulesKnown::Quotas) return {};
  return fmt::format("read by the rules of Kueue v{}: v{} may refuse a field or a feature gate that came later",
                     KueueConfig().version, version);
}

}  // namespace gpol
