#include "cli/commands/diff_approvals.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "cli/commands/commands.h"
#include "cli/commands/inputs.h"
#include "compiler/cluster/normal_form.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

// What a policy says and plans, a fact a line.
std::set<std::string> facts_of(const Session& session) {
  std::set<std::string> facts;
  std::string all = dump_policy(*session.policy);
  if (session.planned) all += normal_form(session.planned->cluster);
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("approvals ")) facts.insert(line);
  return facts;
}

bool has_word(std::string_view line, std::string_view word) {
  const auto part_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
  };
  for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !part_of_name(line[at - 1])) && (end == line.size() || !part_of_name(line[end]))) return true;
  }
  return false;
}

// A class, and the tenants that are or were of it.
std::set<std::string> meant_by(const std::string& what, const Session& before, const Session& after) {
  std::set<std::string> names{what};
  for (const Session* side : {&before, &after}) {
    for (const Tenant& tenant : side->policy->tenants)
      if (side->policy->classes[tenant.latency_class].name == what) names.insert(tenant.name);
    for (const Pool& pool : side->policy->pools)
      if (pool.name == what) names.insert(side->policy->groups[pool.group].name);
  }
  return names;
}

// In words, what of it changed; empty: nothing.
std::string changed(const std::set<std::string>& names, const std::set<std::string>& facts, const Diff& diff) {
  for (const DiffRow& row : diff.rows)
    if (names.contains(row.name) || names.contains(row.flavor))
      return fmt::format("what is promised to `{}` on `{}` changes", row.name, row.flavor);
  for (const std::string& name : names)
    if (std::ranges::any_of(facts, [&](const std::string& fact) { return has_word(fact, name); }))
      return fmt::format("what is said of `{}` changes", name);
  return {};
}

// Is this name quoted in the text, alone or as a word of a clause of the policy? Words of a path do not count.
bool is_quoted(std::string_view text, const std::string& name) {
  for (std::size_t from = text.find('`'); from != std::string_view::npos;) {
    const std::size_t to = text.find('`', from + 1);
    if (to == std::string_view::npos) break;
    const std::string_view quoted = text.substr(from + 1, to - from - 1);
    if (quoted == name) return true;
    const bool clause = quoted.find(' ') != std::string_view::npos && quoted.find('/') == std::string_view::npos;
    if (clause && has_word(quoted, name)) return true;
    from = text.find('`', to + 1);
  }
  return false;
}
}  // namespace

std::variant<SignOffs, UsageError> read_sign_offs(const std::string& path, const std::vector<std::string>& messages) {
  SignOffs found;
  if (!path.empty()) {
    std::vector<Diagnostic> problems;
    const auto text = read_policy_file(path, problems);
    if (!text) return UsageError{problems.front().message, problems.front().hint};
    std::istringstream lines(*text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      std::istringstream words(line.substr(0, line.find('#')));
      std::string handle;
      if (!(words >> handle)) continue;
      if (!handle.starts_with('@'))
        return UsageError{fmt::format("line {} of `{}` names nobody: `{}`", number, path, handle),
                          "write a handle on each line: `@governance`"};
      found.given.insert(handle);
    }
  }
  constexpr std::string_view kTrailer = "approved-by:";
  for (const std::string& message : messages) {
    std::istringstream lines(message);
    for (std::string line; std::getline(lines, line);) {
      std::string start = line.substr(0, kTrailer.size());
      std::ranges::transform(start, start.begin(), [](unsigned char c) { return std::tolower(c); });
      if (start != kTrailer) continue;
      std::istringstream words(line.substr(kTrailer.size()));
      for (std::string word; words >> word;)
        if (word.starts_with('@')) found.claimed.insert(word);
    }
  }
  return found;
}

std::vector<DiffApproval> approvals_of(const Session& before, const Session& after, const Diff& diff,
                                       const SignOffs& signed_off) {
  std::vector<DiffApproval> needed;
  if (!before.policy || !after.policy) return needed;
  const auto ask = [&](const std::string& by, std::string why, std::set<std::string> covers) {
    needed.push_back({by, std::move(why),
                      signed_off.given.contains(by)     ? DiffApproval::State::Approved
                      : signed_off.claimed.contains(by) ? DiffApproval::State::Claimed
                                                        : DiffApproval::State::Missing,
                      std::move(covers)});
  };
  const auto was = facts_of(before), is = facts_of(after);
  std::set<std::string> facts;
  std::set_symmetric_difference(was.begin(), was.end(), is.begin(), is.end(), std::inserter(facts, facts.end()));
  for (const Approval& approval : before.policy->approvals) {
    const bool dropped = std::ranges::none_of(after.policy->approvals, [&](const Approval& now) {
      return now.what == approval.what && now.by == approval.by;
    });
    const auto names = meant_by(approval.what, before, after);
    const std::string what = dropped ? "the clause itself is dropped" : changed(names, facts, diff);
    if (!what.empty()) ask(approval.by, fmt::format("`approve changes to {}`, and {}", approval.what, what), names);
  }
  for (const Tenant& tenant : before.policy->tenants) {
    if (tenant.owner.empty()) continue;
    const auto worse = std::ranges::find_if(diff.rows, [&](const DiffRow& row) {
      return row.name == tenant.name && row.means != DiffRow::Means::Safer && row.means != DiffRow::Means::Same &&
             row.means != DiffRow::Means::Added;
    });
    const auto removed = std::ranges::find_if(
        diff.removed, [&](const Removed& one) { return one.text.find("`" + tenant.name + "`") != std::string::npos; });
    if (worse != diff.rows.end())
      ask(tenant.owner,
          fmt::format("owner of `{}`, which is {} on `{}`", tenant.name, means_word(worse->means), worse->flavor),
          {tenant.name});
    else if (removed != diff.removed.end() && before.policy->classes[tenant.latency_class].isolation != Isolation::C)
      ask(tenant.owner, fmt::format("owner of `{}`: {}", tenant.name, removed->text), {tenant.name});
  }
  return needed;
}

std::vector<DiffApproval> nobody_asked(const DiffReport& report) {
  std::vector<DiffApproval> missing;
  const auto covered = [&](auto concerns) {
    return std::ranges::any_of(report.approvals,
                               [&](const DiffApproval& one) { return std::ranges::any_of(one.covers, concerns); });
  };
  const auto miss = [&](std::string what) {
    missing.push_back({"nobody", std::move(what), DiffApproval::State::Missing, {}});
  };
  const auto counts = [](const Removed& one) { return one.exposes || one.holds == false; };
  for (const DiffBundle& bundle : report.bundles) {
    std::set<std::string> told;
    for (const DiffRow& row : bundle.diff.rows)
      if (row.exposed > 0 &&
          !covered([&](const std::string& name) { return name == row.name || name == row.flavor; }) &&
          told.insert(row.name).second)
        miss(fmt::format("`{}` is exposed on `{}`, and no clause or owner is asked for it", row.name, row.flavor));
    for (const Obligation* o : bundle.diff.lost) {
      const auto concerns = [&](const std::string& name) {
        return name == o->subject.name || name == o->subject.tenant || name == o->subject.flavor;
      };
      if (const std::string name(o->subject.name); !covered(concerns) && told.insert("lost " + name).second)
        miss(fmt::format("a statement of family {} is lost{}, and no clause or owner is asked for it",
                         family_name(o->family), name.empty() ? "" : fmt::format(" of `{}`", name)));
    }
    for (const Removed& one : bundle.diff.removed)
      if (counts(one) && !covered([&](const std::string& name) { return is_quoted(one.text, name); }))
        miss(fmt::format("no clause or owner is asked for this: {}", one.text));
  }
  for (const Removed& one : report.removed)
    if (counts(one)) miss(fmt::format("no clause or owner is asked for this: {}", one.text));
  return missing;
}

}  // namespace gpol
