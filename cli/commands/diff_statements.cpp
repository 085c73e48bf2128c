#include "cli/commands/diff_statements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "cli/commands/commands.h"

#include "compiler/policy/units.h"
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

std::string window_of(const Policy& policy, const Allow& allow) {
  return allow.window == kNone ? "at any time" : fmt::format("during `{}`", policy.windows[allow.window].name);
}

std::string hours_of(const Policy& policy, const Window& window) {
  constexpr const char* kDays[] = {"daily", "weekdays", "weekends"};
  std::string text = fmt::format("{:02}:{:02}..{:02}:{:02} {} {}", window.from / 60, window.from % 60, window.to / 60,
                                 window.to % 60, window.zone, kDays[static_cast<std::size_t>(window.days)]);
  if (window.except != kNone) text += fmt::format(" except {}", fmt::join(policy.calendars[window.except].dates, ","));
  return text;
}

// When others may borrow, and by when it must be back: figures are of the worst of all times.
void compare_loans(const Policy& before, const Policy& after, const Diff& diff, std::vector<Removed>& out) {
  using Loan = std::tuple<std::string, std::string, std::string>;  // borrower, lender, pool
  const auto loan_of = [](const Policy& policy, const Allow& allow) {
    return Loan{policy.tenants[allow.borrower].name, policy.tenants[allow.lender].name, policy.pools[allow.pool].name};
  };
  std::map<Loan, std::set<std::string>> when;
  std::map<Loan, Millis> back;
  std::set<std::string> lend;  // windows
  for (const Allow& allow : before.allows) {
    const Loan loan = loan_of(before, allow);
    when[loan].insert(window_of(before, allow));
    if (allow.back_within) back.try_emplace(loan, allow.back_within->value).first->second = allow.back_within->value;
    if (allow.window != kNone) lend.insert(before.windows[allow.window].name);
  }
  std::set<Loan> told;
  for (const Allow& allow : after.allows) {
    const Loan loan = loan_of(after, allow);
    const auto& [borrower, lender, pool] = loan;
    const std::string now = window_of(after, allow);
    if (const auto known = when.find(loan);
        known != when.end() && !known->second.contains(now) && !known->second.contains("at any time"))
      out.push_back({fmt::format("`{}` may borrow `{}` of `{}` {} now, and only {} before", borrower, pool, lender, now,
                                 fmt::join(known->second, ", "))});
    if (const auto known = back.find(loan); known != back.end() &&
                                            (!allow.back_within || allow.back_within->value > known->second) &&
                                            told.insert(loan).second) {
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
  for (const Window& was : before.windows)
    for (const Window& is : after.windows)
      if (was.name == is.name && lend.contains(was.name) && hours_of(before, was) != hours_of(after, is))
        out.push_back({fmt::format("window `{}`, in which others may borrow, is {} now, and {} before", was.name,
                                   hours_of(after, is), hours_of(before, was))});
  for (const NodeGroup& was : before.groups)
    for (const NodeGroup& is : after.groups)
      if (was.name == is.name && is.tolerate_lost < was.tolerate_lost)
        out.push_back({fmt::format("nodes `{}`: {} lost at once are tolerated, and {} before", was.name,
                                   is.tolerate_lost, was.tolerate_lost)});
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

// "4 nodes with 32 nvidia.com/gpu (pool=h100), 2 of them elastic": by their labels.
std::string in_words(const std::vector<NodeFacts>& nodes) {
  struct Alike {
    std::size_t count = 0, elastic = 0;
    std::map<std::string, std::int64_t> devices;
  };
  std::map<std::string, Alike> groups;
  for (const NodeFacts& node : nodes) {
    std::string labels;
    for (const auto& [key, value] : node.labels) add_to_list(labels, fmt::format("{}={}", key, value));
    Alike& alike = groups[labels];
    ++alike.count;
    alike.elastic += node.elastic ? 1 : 0;
    for (const auto& [resource, amount] : node.allocatable)
      if (resource.find('/') != std::string::npos) alike.devices[resource] += amount;
  }
  std::string text;
  for (const auto& [labels, alike] : groups) {
    std::string devices;
    for (const auto& [resource, amount] : alike.devices) add_to_list(devices, fmt::format("{} {}", amount, resource));
    add_to_list(text,
                fmt::format("{} nodes with {} ({}){}", alike.count, devices.empty() ? "no device" : devices,
                            labels.empty() ? "without labels" : labels,
                            alike.elastic > 0 ? fmt::format(", {} of them elastic", alike.elastic) : ""),
                "; ");
  }
  return text;
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
  const std::string was = in_words(before.nodes), is = in_words(after.nodes);
  if (was != is)
    out.push_back({fmt::format("gpol.yaml counts {} now, and {} before", is.empty() ? "no nodes" : is,
                               was.empty() ? "no nodes" : was)});
  return out;
}

}  // namespace gpol
