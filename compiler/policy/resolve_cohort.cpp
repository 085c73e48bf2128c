// Cohorts: the tree they form, the quota they hold for all below, and the limits between them and their parents.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/syntax/codes.h"

namespace gpol {

namespace {

void add_quotas(Resolver& r, const ast::Cohort& written, std::map<std::uint32_t, Cohort::Entry>& entries) {
  std::map<std::uint32_t, std::optional<Span>> first;
  for (const auto& quota : written.quotas) {
    const auto share = share_of_pool(r, quota.amounts, quota.pool, quota.span, "quota", Zero::Allowed);
    const std::uint32_t pool = r.pools.look_up(quota.pool.text);
    if (pool == kNone || !first_time(r, first[pool], quota.span, "quota ... of " + quota.pool.text) || !share) continue;
    Cohort::Entry& entry = entries[pool];
    entry.pool = pool;
    entry.quota = share->amount.amount;
    entry.span = quota.span;
  }
}

void add_limits(Resolver& r, const ast::Cohort& written, std::map<std::uint32_t, Cohort::Entry>& entries) {
  LimitsSaid said[2];
  for (const auto& limit : written.limits) {
    const bool lend = limit.kind == ast::Limit::Kind::Lend;
    const std::string_view word = lend ? "lend" : "borrow";
    LimitsSaid& here = said[lend ? 0 : 1];
    // `without limit` and `at most` say two things about one number.
    if (!here.take(r, limit) || !limit.at_most) continue;
    // Kueue's webhook refuses limits on a cohort without a parent.
    if (!written.parent)
      error(r, code::BadValue, limit.span,
            fmt::format("cohort `{}` has no parent to {} {}", written.name.text, word, lend ? "to" : "from"),
            fmt::format("put it into another, `cohort {} in PARENT`, or remove the limit", written.name.text));
    const auto share = here.share(r, limit);
    if (!share) continue;
    const auto [entry, fresh] = entries.try_emplace(share->amount.pool);
    if (fresh) {
      entry->second.pool = share->amount.pool;
      entry->second.span = limit.span;
    }
    (lend ? entry->second.lend_at_most : entry->second.borrow_at_most) = share->amount.amount;
  }
}

// One diagnostic for each cycle, at the member that comes first in the text.
void report_cycles(Resolver& r) {
  const auto& cohorts = r.policy.cohorts;
  enum class Mark : std::uint8_t { New, OnPath, Done };
  std::vector<Mark> marks(cohorts.size(), Mark::New);
  for (std::uint32_t start = 0; start < cohorts.size(); ++start) {
    std::vector<std::uint32_t> path;
    std::uint32_t at = start;
    for (; at != kNone && marks[at] == Mark::New; at = cohorts[at].parent) {
      marks[at] = Mark::OnPath;
      path.push_back(at);
    }
    if (at != kNone && marks[at] == Mark::OnPath) {
      std::vector<std::uint32_t> cycle(std::ranges::find(path, at), path.end());
      std::rotate(cycle.begin(),
                  std::ranges::min_element(cycle, [&](auto a, auto b) { return cohorts[a].span < cohorts[b].span; }),
                  cycle.end());
      auto& d = error(r, code::CohortCycle, cohorts[cycle.front()].span,
                      fmt::format("cohort `{}` contains itself", cohorts[cycle.front()].name),
                      "remove one `in`: a tree has a root");
      constexpr std::size_t kShown = 16;
      for (std::size_t i = 0; i < cycle.size() && i < kShown; ++i)
        d.labels.push_back(
            {r.declared.cohorts[cycle[i]]->parent->span,
             fmt::format("`{}` is in `{}`", cohorts[cycle[i]].name, cohorts[cohorts[cycle[i]].parent].name)});
    }
    for (const auto member : path) marks[member] = Mark::Done;
  }
}

}  // namespace

void resolve_cohorts(Resolver& r) {
  for (std::size_t i = 0; i < r.policy.cohorts.size(); ++i) {
    const ast::Cohort& written = *r.declared.cohorts[i];
    Cohort& cohort = r.policy.cohorts[i];
    if (!r.is_module() && written.name.text == r.policy.cluster)
      error(r, code::DuplicateName, written.name.span,
            fmt::format("cohort `{}` has the name of the cluster", written.name.text),
            "give it another name: this one is the cohort of all tenants that name none")
          .labels.push_back({r.policy.cluster_span, "the cluster"});
    if (written.parent) cohort.parent = r.cohorts.find(*written.parent);
    std::map<std::uint32_t, Cohort::Entry> entries;
    add_quotas(r, written, entries);
    add_limits(r, written, entries);
    for (auto& [pool, entry] : entries) cohort.entries.push_back(std::move(entry));
  }
  report_cycles(r);
}

}  // namespace gpol
