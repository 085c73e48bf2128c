#include "checker/diff/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "checker/diff/configuration.h"
#include "checker/diff/removed.h"
#include "checker/diff/subjects.h"
#include "compiler/cluster/listed.h"
#include "compiler/cluster/normal_form.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

using Of = Subjects::Of;

std::map<SubjectKey, Promise> promises_of(const DiffSide& side, const Subjects& subjects, Of which,
                                          std::vector<SubjectKey>& order) {
  std::map<SubjectKey, Promise> promises;
  if (side.report == nullptr) return promises;
  const auto classes = classes_of(side, subjects, which);
  for (const Obligation& o : side.report->obligations) {
    if (o.family != Family::Claim && o.family != Family::Reclaim) continue;
    const auto serves = classes.find(subjects.name(std::string(o.subject.name), which));
    if (serves == classes.end()) continue;
    const auto [at, fresh] = promises.try_emplace(subjects.key(o, which));
    if (fresh) order.push_back(at->first);
    Promise& promise = at->second;
    promise.isolation = serves->second;
    if (o.family == Family::Claim) {
      promise.figures = o.figures;
    } else {
      promise.figures.back_within_ms = o.figures.back_within_ms;
      promise.returns = o.verdict;
      if (o.detail) promise.ready_in_ms = o.detail->ready_in_ms;
    }
    if ((o.family == Family::Claim) == (promise.isolation == 'A')) promise.verdict = o.verdict;
  }
  // Where nobody can hold anything nothing has to come back.
  for (auto& [key, promise] : promises)
    if (promise.isolation == 'A' && promise.figures.claimable == 0) promise.returns = Verdict::Proven;
  return promises;
}

// The later, the worse; what is not known is worse than what is.
int rank(Verdict verdict) { return verdict == Verdict::Proven ? 0 : verdict == Verdict::Refuted ? 2 : 1; }

DiffRow row_of(const SubjectKey& key, const Promise* before, const Promise* after) {
  DiffRow row;
  std::tie(row.kind, row.name, row.flavor, row.resource) = key;
  if (before != nullptr) row.before = *before;
  if (after != nullptr) row.after = *after;
  if (before == nullptr || after == nullptr) {
    row.means = before == nullptr ? DiffRow::Means::Added : DiffRow::Means::Removed;
    if (after == nullptr) row.exposed = before->figures.reserve.value_or(0);
    return row;
  }
  const Figures &was = before->figures, &is = after->figures;
  // What is not known counts as all of it.
  const auto held = [](const Figures& f) { return f.claimable.value_or(f.reserve.value_or(0)); };
  const auto ending = [&](const Figures& f) { return std::max(held(f), f.claimable_ending.value_or(0)); };
  const std::int64_t less = was.reserve.value_or(0) - is.reserve.value_or(0);
  // What nobody else can hold: how much less it is.
  const std::int64_t fall = less + held(is) - held(was);
  // Of a smaller reserve less can be held: that is nothing safer.
  const std::int64_t lingering = less > 0 ? 0 : less + ending(is) - ending(was);
  const bool weaker = rank(after->returns) > rank(before->returns) && is.claimable.value_or(0) > 0;
  const int later = rank(after->verdict) - rank(before->verdict);
  const auto sooner = was.back_within_ms && is.back_within_ms ? *is.back_within_ms - *was.back_within_ms : 0;
  // Where the figure after is not known, it is not said that others hold it.
  row.exposed =
      std::max<std::int64_t>({0, is.claimable || after->verdict == Verdict::Refuted ? std::max(fall, lingering) : 0,
                              weaker ? *is.claimable : 0});
  row.smaller = less > 0 && (row.exposed == 0 || (row.exposed == less && held(is) == 0));
  if (row.smaller) row.exposed = less;
  const auto warm = before->ready_in_ms && after->ready_in_ms ? *after->ready_in_ms - *before->ready_in_ms : 0;
  const bool riskier = row.exposed > 0 || fall > 0 || lingering > 0 || warm > 0 || later > 0 || sooner > 0 ||
                       after->isolation > before->isolation;
  const bool safer = fall < 0 || lingering < 0 || less < 0 || warm < 0 || later < 0 || sooner < 0 ||
                     after->isolation < before->isolation;
  row.means = riskier && safer ? DiffRow::Means::Mixed
              : riskier        ? DiffRow::Means::Riskier
              : safer          ? DiffRow::Means::Safer
                               : DiffRow::Means::Same;
  return row;
}

bool same(const Promise& a, const Promise& b) {
  return a.figures.reserve == b.figures.reserve && a.figures.claimable == b.figures.claimable &&
         a.figures.claimable_ending == b.figures.claimable_ending &&
         a.figures.back_within_ms == b.figures.back_within_ms && a.ready_in_ms == b.ready_in_ms &&
         a.verdict == b.verdict && a.returns == b.returns && a.isolation == b.isolation;
}

// Claim and reclaim are one statement for each (queue, flavor, resource), whatever code tells why one fails; of the
// other families each finding is one.
using Name = std::tuple<Family, SubjectKey, Code>;
Name name_of(const Obligation& o, const Subjects& subjects, Of which) {
  const bool of_quota = o.family == Family::Claim || o.family == Family::Reclaim;
  return {o.family, subjects.key(o, which), of_quota ? Code{} : o.code};
}

void compare_obligations(const DiffSide& before, const DiffSide& after, const Subjects& subjects, Diff& diff) {
  std::map<Name, Verdict> was;  // the worst of each
  std::map<Name, std::size_t> refuted;
  if (before.report != nullptr)
    for (const Obligation& o : before.report->obligations) {
      if (!o.required) continue;
      const Name name = name_of(o, subjects, Of::Before);
      const auto [at, fresh] = was.try_emplace(name, o.verdict);
      if (!fresh && rank(o.verdict) > rank(at->second)) at->second = o.verdict;
      if (o.verdict == Verdict::Refuted) ++refuted[name];
    }
  if (after.report == nullptr) return;
  std::set<Family> whole;  // stated of all, which gives way to what is found
  for (const auto& [name, verdict] : was)
    if (std::get<1>(std::get<1>(name)).empty()) whole.insert(std::get<0>(name));
  std::set<Name> found;
  for (const Obligation& o : after.report->obligations) {
    if (!o.required) continue;
    const Name name = name_of(o, subjects, Of::After);
    found.insert(name);
    const auto known = was.find(name);
    const bool new_one = known == was.end();
    if (o.verdict == Verdict::Refuted) {
      if (auto left = refuted.find(name); left != refuted.end() && left->second > 0)
        --left->second;
      else
        diff.lost.push_back(&o);
      if (new_one && !whole.contains(o.family)) diff.fresh.push_back(&o);
    } else if (o.verdict == Verdict::Proven) {
      if (!new_one && known->second == Verdict::Proven) ++diff.kept;
      if (!new_one && known->second != Verdict::Proven) diff.gained.push_back(&o);
    } else if (new_one || known->second == Verdict::Proven) {
      diff.undecided = true;
      diff.unknown.push_back(&o);
    }
  }
  if (before.report == nullptr) return;
  for (const Obligation& o : before.report->obligations)
    if (o.required && o.verdict == Verdict::Refuted && o.family != Family::Claim && o.family != Family::Reclaim &&
        !found.contains(name_of(o, subjects, Of::Before)))
      diff.closed.push_back(&o);
}

}  // namespace

bool Diff::loses() const { return !lost.empty() || contains(removed, false, &Removed::holds); }

bool Diff::exposes() const {
  return std::ranges::any_of(removed, &Removed::exposes) ||
         std::ranges::any_of(rows, [](const DiffRow& row) { return row.exposed > 0; });
}

bool Diff::says_nothing() const {
  return rows.empty() && lost.empty() && gained.empty() && closed.empty() && removed.empty() && renamed.empty() &&
         windows.empty() && configuration.empty() && !undecided;
}

namespace {

// Nominal quota of those to whom nothing is promised.
std::int64_t quota_of_others(const DiffSide& side, const std::string& flavor, const std::string& resource) {
  std::int64_t sum = 0;
  if (side.planned == nullptr) return sum;
  const Cluster& cluster = side.planned->cluster;
  for (std::size_t q = 0; q < cluster.queues.size(); ++q) {
    if (promised(side.planned->intent.roles[q])) continue;
    for (const ListedQuota& one : listed_quotas(cluster.queues[q].groups))
      if (cluster.flavors[one.flavor].name == flavor && cluster.resources[one.resource] == resource)
        sum += one.quota.nominal;
  }
  return sum;
}

// Where a queue's flavor is replaced by others, what it keeps of those is not lost to it: only what is missing counts.
void take_moved(std::vector<DiffRow>& rows, const DiffSide& before, const DiffSide& after) {
  std::map<std::pair<std::string, std::string>, std::int64_t> kept;  // by queue and resource, on flavors that are new
  for (const DiffRow& row : rows)
    if (row.means == DiffRow::Means::Added)
      kept[{row.name, row.resource}] += row.after->figures.reserve.value_or(0) -
                                        row.after->figures.claimable.value_or(row.after->figures.reserve.value_or(0));
  for (DiffRow& row : rows) {
    if (row.means != DiffRow::Means::Removed) continue;
    // What serving leaves must not be what others take.
    if (quota_of_others(after, row.flavor, row.resource) > quota_of_others(before, row.flavor, row.resource)) continue;
    std::int64_t& left = kept[{row.name, row.resource}];
    const std::int64_t lent = std::min(row.exposed, row.before->figures.claimable.value_or(0));
    const std::int64_t moved = std::min(left, row.exposed - lent);
    left -= moved;
    // What others could hold before they can hold still: nothing of that is newly theirs where the rest has moved.
    row.exposed = row.exposed - lent == moved ? 0 : row.exposed - moved;
  }
}

bool is_unknown(const Promise& promise) {
  return !promise.figures.claimable || (promise.verdict != Verdict::Proven && promise.verdict != Verdict::Refuted);
}

// What quotas rest on, and no guards: of those the premises tell.
std::string quotas_in_normal_form(const Cluster& cluster) {
  Cluster alone;
  alone.resources = cluster.resources;
  alone.flavors = cluster.flavors;
  alone.queues = cluster.queues;
  alone.cohorts = cluster.cohorts;
  alone.priority_classes = cluster.priority_classes;
  alone.config = cluster.config;
  alone.volcano = cluster.volcano;
  return normal_form(alone);
}

// Of what is known on neither side a change may still make it worse.
void take_unknown(const DiffSide& before, const DiffSide& after, Diff& diff) {
  if (before.planned == nullptr || after.planned == nullptr) return;
  std::set<std::string> names;
  for (const auto* rows : {&diff.rows, &diff.unchanged})
    for (const DiffRow& row : *rows)
      if (row.before && row.after && is_unknown(*row.before) && is_unknown(*row.after)) names.insert(row.name);
  if (names.empty() || quotas_in_normal_form(before.planned->cluster) == quotas_in_normal_form(after.planned->cluster))
    return;
  diff.undecided = true;
  constexpr const char* kUndecided =
      "is undecided on both sides, and queues, cohorts, flavors or the Configuration differ";
  for (const std::string& name : names)
    diff.removed.push_back({fmt::format("what is promised to `{}` {}", name, kUndecided), {}, false, "not compared"});
}

}  // namespace

Diff compare(const DiffSide& before, const DiffSide& after) {
  Diff diff;
  const Subjects subjects(before, after);
  std::vector<SubjectKey> gone, order;
  auto was = promises_of(before, subjects, Of::Before, gone), is = promises_of(after, subjects, Of::After, order);
  if (different_doors(before, after))
    for (auto* side : {&was, &is})
      for (auto& [key, promise] : *side) promise.figures.back_within_ms = promise.ready_in_ms = std::nullopt;
  for (const SubjectKey& key : order) {
    const auto known = was.find(key);
    const Promise& now = is.at(key);
    // A promise of nothing changes nothing.
    const bool of_nothing = now.figures.reserve == 0 && (known == was.end() || known->second.figures.reserve == 0);
    const bool changed = !of_nothing && (known == was.end() || !same(known->second, now));
    (changed ? diff.rows : diff.unchanged).push_back(row_of(key, known == was.end() ? nullptr : &known->second, &now));
  }
  for (const SubjectKey& key : gone)
    if (!is.contains(key) && was.at(key).figures.reserve != 0) {
      diff.rows.push_back(row_of(key, &was.at(key), nullptr));
      if (is_incomplete(after)) diff.rows.back().exposed = 0, diff.undecided = true;
    }
  take_moved(diff.rows, before, after);
  compare_obligations(before, after, subjects, diff);
  diff.removed = removed_from(before, after, subjects);
  for (Removed& one : vanished_from(before, after, subjects)) diff.removed.push_back(std::move(one));
  for (const DiffRow& row : diff.rows)
    diff.undecided =
        diff.undecided || (row.after && row.before && row.before->figures.claimable && !row.after->figures.claimable);
  take_unknown(before, after, diff);
  diff.configuration = configuration_rows(before, after);
  for (const ConfigurationRow& row : diff.configuration)
    if (row.means == "riskier") diff.removed.push_back({row.what});
  diff.renamed = subjects.renamed();
  diff.same_meaning = before.planned != nullptr && after.planned != nullptr &&
                      normal_form(before.planned->cluster) == normal_form(after.planned->cluster);
  return diff;
}

}  // namespace gpol
