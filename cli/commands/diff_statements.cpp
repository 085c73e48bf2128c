#include "cli/commands/diff_statements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "checker/families/premises.h"
#include "cli/commands/commands.h"
#include "cli/commands/diff_windows.h"
#include "cli/render/text.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

// As a policy would say it, by its meaning: the text that is proven again, and the words for people.
std::map<std::string, std::string> statements_of(const Policy& policy) {
  std::map<std::string, std::string> found;
  for (const ProveHolds& prove : policy.prove_holds) {
    const std::string text =
        fmt::format("prove {} never holds {}", policy.classes[prove.holder].name, policy.classes[prove.held].name);
    found.emplace(text, text);
  }
  for (const ProveReady& prove : policy.prove_ready) {
    const std::string& name = policy.classes[prove.latency_class].name;
    found.emplace(fmt::format("prove {} ready within {}ms", name, prove.within.value),
                  fmt::format("prove {} ready within {}", name, human_duration(prove.within.value)));
  }
  return found;
}

// By when what others borrow must be back: figures are of the worst of all loans.
void compare_loans(const Policy& before, const Policy& after, const Diff& diff, std::vector<Removed>& out) {
  using Loan = std::tuple<std::string, std::string, std::string>;  // borrower, lender, pool
  const auto loan_of = [](const Policy& policy, const Allow& allow) {
    return Loan{policy.tenants[allow.borrower].name, policy.tenants[allow.lender].name, policy.pools[allow.pool].name};
  };
  std::map<Loan, Millis> back;
  for (const Allow& allow : before.allows)
    if (allow.back_within) back[loan_of(before, allow)] = allow.back_within->value;
  std::set<Loan> told;
  for (const Allow& allow : after.allows) {
    const Loan loan = loan_of(after, allow);
    const auto& [borrower, lender, pool] = loan;
    const auto known = back.find(loan);
    if (known == back.end() || (allow.back_within && allow.back_within->value <= known->second) ||
        !told.insert(loan).second)
      continue;
    std::optional<bool> holds;
    for (const std::vector<DiffRow>* rows : {&diff.rows, &diff.unchanged})
      for (const DiffRow& row : *rows)
        if (row.name == lender && row.flavor == pool && row.after && row.after->figures.back_within_ms)
          holds = holds.value_or(true) && *row.after->figures.back_within_ms <= known->second;
    out.push_back({fmt::format("what `{}` borrows of `{}` must be back within {}, and had to be within {}", borrower,
                               lender, allow.back_within ? human_duration(allow.back_within->value) : "any time",
                               human_duration(known->second)),
                   holds, holds != true});
  }
}

// "16 GPUs of `chat` on `live`, 16 slices of `search` on `cards`": what tenants of these classes reserve of these
// pools.
template <class OfClass, class OfPool>
std::string reserved(const Policy& policy, OfClass of_class, OfPool of_pool) {
  using Of = ResourceRow::Unit;
  std::string text;
  for (const Tenant& tenant : policy.tenants)
    for (const PoolAmount& reserve : tenant.reserves) {
      const Pool& pool = policy.pools[reserve.pool];
      if (!of_class(policy.classes[tenant.latency_class]) || !of_pool(pool)) continue;
      for (const auto& [resource, amount] : reserve.amount) {
        const Of of = policy.resources[static_cast<std::size_t>(resource)].unit;
        const std::string_view word = of == Of::Devices ? "GPU" : of == Of::Slices ? "slice" : "share";
        if (amount > 0 && contains({Of::Devices, Of::Slices, Of::Shares}, of))
          add_to_list(text, fmt::format("{} of `{}` on `{}`", plural(static_cast<std::size_t>(amount), word),
                                        tenant.name, pool.name));
      }
    }
  return text;
}

void compare_tolerated(const Policy& before, const Policy& after, std::vector<Removed>& out) {
  const auto any = [](const LatencyClass&) { return true; };
  for (const NodeGroup& was : before.groups)
    for (const NodeGroup& is : after.groups) {
      if (was.name != is.name || is.tolerate_lost >= was.tolerate_lost) continue;
      const std::string reserves =
          reserved(before, any, [&](const Pool& pool) { return &before.groups[pool.group] == &was; });
      out.push_back({fmt::format(
          "nodes `{}`: the loss of {} at once is tolerated, and of {} before{}", was.name,
          is.tolerate_lost == 0 ? "none" : std::to_string(is.tolerate_lost), was.tolerate_lost,
          reserves.empty() ? ""
                           : fmt::format("; no longer promised with {} lost: {}",
                                         plural(static_cast<std::size_t>(was.tolerate_lost), "node"), reserves))});
    }
}

std::size_t failures(const Report& report) {
  return static_cast<std::size_t>(std::ranges::count_if(
      report.obligations, [](const Obligation& o) { return o.required && o.verdict != Verdict::Proven; }));
}

// Nothing: the policy after does not know what the statement speaks of.
std::optional<bool> holds(const std::string& statement, const Session& after, const FileTree& tree) {
  const auto with = check_policy({after.sources.path(0), std::string(after.sources.text(0)) + "\n" + statement + "\n"},
                                 {.tree = &tree});
  if (with->reached != Phase::Proven || overall(with->report) == Overall::Error) return std::nullopt;
  return failures(with->report) <= failures(after.report);
}

}  // namespace

bool same_statements(const Session& before, const Session& after) {
  if (!before.policy || !after.policy) return !before.policy && !after.policy;
  const auto lines = [](const Policy& policy) {
    std::set<std::string> found;
    std::istringstream all(dump_policy(policy));
    for (std::string line; std::getline(all, line);) found.insert(line);
    return found;
  };
  return lines(*before.policy) == lines(*after.policy);
}

std::vector<Removed> dropped_statements(const Session& before, const Session& after, const Diff& diff,
                                        const FileTree& tree) {
  std::vector<Removed> out;
  if (!before.policy || !after.policy) return out;
  const auto is = statements_of(*after.policy);
  for (const auto& [statement, words] : statements_of(*before.policy))
    if (!is.contains(statement)) {
      const auto all_the_same = holds(statement, after, tree);
      out.push_back({fmt::format("`{}`", words), all_the_same, all_the_same != true});
    }
  compare_loans(*before.policy, *after.policy, diff, out);
  compare_tolerated(*before.policy, *after.policy, out);
  if (before.planned && after.planned)
    for (Removed& one : compare_hours({*before.policy, *before.planned}, {*after.policy, *after.planned}))
      out.push_back(std::move(one));
  for (const Tenant& was : before.policy->tenants)
    for (const Tenant& now : after.policy->tenants)
      if (was.name == now.name && was.owner != now.owner && !was.owner.empty())
        out.push_back({fmt::format("`{}` is owned by {}, and was by {}", was.name,
                                   now.owner.empty() ? "nobody" : now.owner, was.owner)});
  for (const Approval& approval : before.policy->approvals)
    if (std::ranges::none_of(after.policy->approvals,
                             [&](const Approval& now) { return now.what == approval.what && now.by == approval.by; }))
      out.push_back({fmt::format("`approve changes to {} by {}`", approval.what, approval.by)});
  return out;
}

void tell_what_rests(const Policy& before, std::vector<Removed>& removed) {
  using namespace ground;
  // Of these only promises of class B rest on it, which lends or has a deadline.
  const std::vector<const Ground*> of_b{&kOnBeside,     &kOnTimes,      &kOnJobs,         &kOnEviction,
                                        &kOnPriorities, &kOnPreemption, &kOnServingWithin};
  for (Removed& one : removed) {
    const auto premise = std::ranges::find(premises(), one.premise, &Premise::key);
    if (!one.exposes || premise == premises().end()) continue;
    const bool only_b = contains(of_b, premise->ground);
    const bool only_cut = premise->ground == &kOnSlices || premise->ground == &kOnCarriedStarts;
    const std::string reserves = reserved(
        before, [&](const LatencyClass& of) { return of.isolation == Isolation::B || !only_b; },
        [&](const Pool& pool) { return !only_cut || pool.partition.mode == Partition::Mode::Mig; });
    if (!reserves.empty()) one.text += "; what can rest on it: " + reserves;
  }
}

std::vector<Removed> config_changes(const ConfigFile& before, const ConfigFile& after) {
  std::vector<Removed> out;
  const auto plain = [](std::string path) {
    while (path.ends_with('/')) path.pop_back();
    return path.starts_with("./") ? path.substr(2) : path;
  };
  std::set<std::string> excluded;
  for (const std::string& path : before.exclude) excluded.insert(plain(path));
  for (const std::string& path : after.exclude)
    if (!excluded.contains(plain(path))) out.push_back({fmt::format("gpol.yaml leaves out `{}` now", path)});
  for (const Waiver& waiver : after.waivers) {
    const auto same = std::ranges::find_if(before.waivers, [&](const Waiver& was) {
      return was.finding == waiver.finding && was.subject == waiver.subject && was.flavor == waiver.flavor &&
             was.resource == waiver.resource;
    });
    if (same == before.waivers.end())
      out.push_back({fmt::format("gpol.yaml waives {} now", waiver.text())});
    else if (waiver.until > same->until)
      out.push_back({fmt::format("gpol.yaml waives {}, and until {} before", waiver.text(), same->until)});
  }
  return out;
}

}  // namespace gpol
