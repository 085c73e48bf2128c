#include "cli/commands/diff_approvals.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>

#include "cli/commands/commands.h"
#include "cli/commands/inputs.h"
#include "compiler/cluster/normal_form.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

// What a policy says and plans, a fact a line. Null: it is gone.
std::set<std::string> facts_of(const Session* session) {
  std::set<std::string> facts;
  if (session == nullptr || !session->policy) return facts;
  std::string all = dump_policy(*session->policy);
  if (session->planned) all += normal_form(session->planned->cluster);
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

// A class, and the tenants that are or were of it; a pool and its nodes.
std::set<std::string> meant_by(const std::string& what, const Policy& before, const Policy* after) {
  std::set<std::string> names{what};
  for (const Policy* side : {&before, after}) {
    if (side == nullptr) continue;
    for (const Tenant& tenant : side->tenants)
      if (side->classes[tenant.latency_class].name == what) names.insert(tenant.name);
    for (const Pool& pool : side->pools)
      if (const std::string& group = side->groups[pool.group].name; pool.name == what || group == what)
        names.insert({pool.name, group});
  }
  return names;
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

// Something that got worse, or whose worth is not known: it asks for somebody's approval.
struct Concern {
  std::set<std::string> names;  // whom and what it is about; besides, what is quoted in `why`
  std::string why;
  bool counts = true;  // else its owner is asked, and it needs nobody's approval where there is none
  const DiffRow* row = nullptr;

  bool is_about(const std::string& name) const { return names.contains(name) || is_quoted(why, name); }
};

bool counts(const Removed& one) { return one.exposes || one.holds == false; }

// One of each tenant and pool; devices tell it where they can.
void add_rows(const Diff& diff, std::vector<Concern>& out) {
  std::vector<const DiffRow*> rows;
  for (const DiffRow& row : diff.rows)
    if (row.means != DiffRow::Means::Safer && row.means != DiffRow::Means::Same && row.means != DiffRow::Means::Added)
      rows.push_back(&row);
  std::ranges::stable_partition(rows, [](const DiffRow* row) {
    const Unit unit = (row->after ? row->after : row->before)->figures.unit;
    return unit == Unit::Devices || unit == Unit::Slices;
  });
  std::map<std::pair<std::string, std::string>, std::size_t> told;
  for (const DiffRow* row : rows) {
    const auto [at, fresh] = told.try_emplace({row->name, row->flavor}, out.size());
    if (fresh)
      out.push_back({{row->name, row->flavor},
                     row->means == DiffRow::Means::Removed
                         ? fmt::format("nothing is promised to `{}` of `{}` on `{}` any more", row->name, row->resource,
                                       row->flavor)
                         : fmt::format("`{}` is {} on `{}`", row->name, means_word(row->means), row->flavor),
                     false,
                     row});
    out[at->second].counts = out[at->second].counts || row->exposed > 0;
  }
}

// `serving`: tenants by the pools on which they reserve: what is said of a pool is about them.
void add_obligation(const Obligation& o, std::string_view says,
                    const std::set<std::pair<std::string, std::string>>& serving, std::vector<Concern>& out) {
  Concern one;
  for (const std::string_view name : {o.subject.name, o.subject.tenant, o.subject.flavor})
    if (!name.empty()) one.names.emplace(name);
  for (const auto& [pool, tenant] : serving)
    if (o.subject.tenant.empty() && one.names.contains(pool)) one.names.insert(tenant);
  one.why = fmt::format("a statement of family {}{} {}", family_name(o.family),
                        o.subject.name.empty() ? "" : fmt::format(" of `{}`", o.subject.name), says);
  out.push_back(std::move(one));
}

// `undecided`: what is not known counts, too.
std::vector<Concern> concerns_of(const Diff& diff, const Policy* policy, bool undecided) {
  std::vector<Concern> found;
  add_rows(diff, found);
  std::set<std::pair<std::string, std::string>> serving;
  if (policy != nullptr)
    for (const Tenant& tenant : policy->tenants)
      for (const PoolAmount& reserve : tenant.reserves) serving.emplace(policy->pools[reserve.pool].name, tenant.name);
  for (const Obligation* o : diff.lost) add_obligation(*o, "does not hold", serving, found);
  for (const Removed& one : diff.removed)
    if (counts(one) || one.holds) found.push_back({{}, one.text, counts(one)});
  if (!undecided) return found;
  for (const Obligation* o : diff.unknown) add_obligation(*o, "is undecided", serving, found);
  if (diff.undecided && diff.unknown.empty()) found.push_back({{}, "a figure that was known is not known any more"});
  return found;
}

bool is_of_batch(const Policy& policy, const Tenant& tenant) {
  return policy.classes[tenant.latency_class].isolation == Isolation::C;
}

DiffApproval asked(const std::string& by, std::string why, const SignOffs& signed_off) {
  return {by, std::move(why),
          signed_off.given.contains(by)     ? DiffApproval::State::Approved
          : signed_off.claimed.contains(by) ? DiffApproval::State::Claimed
                                            : DiffApproval::State::Missing};
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

std::vector<DiffApproval> approvals_of(const Session& before, const Session* after, const Diff& diff,
                                       const SignOffs& signed_off) {
  std::vector<DiffApproval> needed;
  if (!before.policy) return needed;
  const Policy& policy = *before.policy;
  const Policy* now = after != nullptr && after->policy ? &*after->policy : nullptr;
  const auto was = facts_of(&before), is = facts_of(after);
  std::vector<std::string> facts;
  std::ranges::set_symmetric_difference(was, is, std::back_inserter(facts));
  const auto concerns = concerns_of(diff, &policy, true);
  // In words, what of these names changed; empty: nothing.
  const auto changed = [&](const std::set<std::string>& names) -> std::string {
    for (const DiffRow& row : diff.rows)
      if (names.contains(row.name) || names.contains(row.flavor))
        return fmt::format("what is promised to `{}` on `{}` changes", row.name, row.flavor);
    for (const std::string& name : names) {
      if (std::ranges::any_of(facts, [&](const std::string& fact) { return has_word(fact, name); }))
        return fmt::format("what is said of `{}` changes", name);
      for (const Concern& one : concerns)
        if (one.is_about(name)) return one.why;
    }
    return {};
  };
  for (const Approval& approval : policy.approvals) {
    const bool dropped = now == nullptr || std::ranges::none_of(now->approvals, [&](const Approval& kept) {
                           return kept.what == approval.what && kept.by == approval.by;
                         });
    const bool whole = approval.what == kApproveAll, any = !facts.empty() || !concerns.empty();
    const auto names = meant_by(approval.what, policy, now);
    const std::string what = dropped        ? "the clause itself is dropped"
                             : whole && any ? "something changes"
                                            : changed(names);
    if (what.empty()) continue;
    needed.push_back(
        asked(approval.by, fmt::format("`approve changes to {}`, and {}", approval.what, what), signed_off));
    needed.back().covers = names;
    needed.back().whole = whole;
  }
  for (const Tenant& tenant : policy.tenants) {
    if (tenant.owner.empty()) continue;
    // Batch owns nothing that is promised: of it only what begins with its name is about it, and not of whom it
    // borrows.
    const auto own = fmt::format("`{}` ", tenant.name);
    const auto found = std::ranges::find_if(concerns, [&](const Concern& one) {
      return one.is_about(tenant.name) && (!is_of_batch(policy, tenant) || one.why.starts_with(own));
    });
    if (found == concerns.end()) continue;
    const bool row = found->row != nullptr && found->row->means != DiffRow::Means::Removed;
    needed.push_back(
        asked(tenant.owner,
              row ? fmt::format("owner of `{}`, which is {} on `{}`", tenant.name, means_word(found->row->means),
                                found->row->flavor)
                  : fmt::format("owner of `{}`: {}", tenant.name, found->why.substr(0, found->why.find("; "))),
              signed_off));
    needed.back().covers = {tenant.name};
  }
  return needed;
}

std::vector<DiffApproval> approvals_of_the_rest(const DiffReport& report, const std::set<std::string>& whole,
                                                const SignOffs& signed_off, bool undecided) {
  std::vector<std::string> left;
  const auto leave = [&](const Concern& one) {
    const bool covered = std::ranges::any_of(report.approvals, [&](const DiffApproval& approval) {
      return approval.whole ||
             std::ranges::any_of(approval.covers, [&](const auto& name) { return one.is_about(name); });
    });
    if (one.counts && !covered && !contains(left, one.why)) left.push_back(one.why);
  };
  for (const DiffBundle& bundle : report.bundles)
    for (const Concern& one : concerns_of(bundle.diff, nullptr, undecided)) leave(one);
  for (const Removed& one : report.removed)
    if (counts(one)) leave({{}, one.text});
  if (undecided)
    for (const Removed& one : report.not_compared) leave({{}, one.text});
  if (undecided && report.nobody_serves()) leave({{}, "no queue serves on either side"});
  // Somebody else must have looked at it, and nobody says who.
  std::vector<DiffApproval> rest;
  for (const std::string& why : left)
    if (whole.empty()) {
      rest.push_back({"anyone", fmt::format("no clause or owner says whom to ask: {}", why),
                      !signed_off.claimed.empty() ? DiffApproval::State::Claimed : DiffApproval::State::Missing});
      if (!signed_off.given.empty())
        rest.back().by = *signed_off.given.begin(), rest.back().state = DiffApproval::State::Approved;
    } else {
      for (const std::string& by : whole)
        rest.push_back(asked(by, fmt::format("`approve changes to {}`: {}", kApproveAll, why), signed_off));
    }
  return rest;
}

}  // namespace gpol
