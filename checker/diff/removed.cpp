#include "checker/diff/removed.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "checker/diff/configuration.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

using Of = Subjects::Of;

// Of a promise that was proven and is not made any more: does it hold, of a reserve as large? Absent: it did not
// before, or that is not known. In class B what others can hold is the less of it: whether it comes back nobody asked.
std::optional<bool> holds_still(const DiffSide& before, const DiffSide& after, const Subjects& subjects,
                                const std::string& name, char letter) {
  const Family family = letter == 'A' ? Family::Claim : Family::Reclaim;
  std::map<SubjectKey, const Obligation*> now;
  for (const Obligation& o : after.report->obligations)
    if (o.family == family) now.emplace(subjects.key(o, Of::After), &o);
  bool any = false, known = letter == 'A';
  for (const Obligation& o : before.report->obligations) {
    if (o.family != family || o.figures.reserve.value_or(0) == 0) continue;
    if (subjects.name(std::string(o.subject.name), Of::Before) != name) continue;
    if (o.verdict != Verdict::Proven) return std::nullopt;
    any = true;
    const auto found = now.find(subjects.key(o, Of::Before));
    if (found == now.end() || found->second->figures.reserve < o.figures.reserve) {
      known = false;
      continue;
    }
    const Obligation& is = *found->second;
    if (letter == 'A' ? is.figures.claimable.value_or(0) > 0 : is.verdict == Verdict::Refuted) return false;
    known = known && is.figures.claimable.has_value();
  }
  return any && known ? std::optional(true) : std::nullopt;
}

void compare_classes(const DiffSide& before, const DiffSide& after, const Subjects& subjects,
                     std::vector<Removed>& out) {
  const auto was = classes_of(before, subjects, Of::Before), is = classes_of(after, subjects, Of::After);
  std::set<std::string> opportunistic;
  for (std::size_t q = 0; after.planned != nullptr && q < after.planned->intent.roles.size(); ++q)
    if (after.planned->intent.roles[q].kind == QueueRole::Kind::Serving)
      opportunistic.insert(subjects.name(after.planned->cluster.queues[q].name, Of::After));
  for (const auto& [name, letter] : was) {
    const auto now = is.find(name);
    if (now != is.end() && now->second <= letter) continue;
    const auto holds = after.report == nullptr ? std::nullopt : holds_still(before, after, subjects, name, letter);
    if (now != is.end())
      out.push_back({fmt::format("`{}` is of class {}, and was of class {}", name, now->second, letter), holds});
    else if (opportunistic.contains(name))
      out.push_back(
          {fmt::format("`{}` is of class C, and was of class {}: nothing is promised to it", name, letter), holds});
    else if (!is_incomplete(after))
      out.push_back({fmt::format("`{}` does not serve any more (class {} before)", name, letter), holds});
  }
}

// The tightest of each that serves, in milliseconds.
std::map<std::string, std::int64_t> deadlines_of(const DiffSide& side, const Subjects& subjects, Of which) {
  std::map<std::string, std::int64_t> found;
  if (side.planned == nullptr) return found;
  const Intent& intent = side.planned->intent;
  for (std::size_t q = 0; q < intent.roles.size(); ++q)
    if (promised(intent.roles[q]) && intent.roles[q].deadline)
      found.emplace(subjects.name(side.planned->cluster.queues[q].name, which), intent.roles[q].deadline->value);
  for (const OutsideReserve& tenant : intent.outside)
    if (promised(tenant) && tenant.deadline) found.emplace(tenant.tenant, tenant.deadline->value);
  return found;
}

void compare_deadlines(const DiffSide& before, const DiffSide& after, const Subjects& subjects,
                       std::vector<Removed>& out) {
  const auto was = deadlines_of(before, subjects, Of::Before), is = deadlines_of(after, subjects, Of::After);
  const auto serve = classes_of(after, subjects, Of::After);
  for (const auto& [name, deadline] : was) {
    const auto now = is.find(name);
    if (now != is.end() && now->second > deadline)
      out.push_back({fmt::format("`{}` must be ready within {}, and had to be within {}", name,
                                 human_duration(now->second), human_duration(deadline))});
    else if (const auto served = serve.find(name); now == is.end() && served != serve.end() && served->second == 'B')
      out.push_back({fmt::format("`{}` has no deadline any more, and had to be ready within {}", name,
                                 human_duration(deadline))});
  }
}

void compare_bounded(const DiffSide& before, const DiffSide& after, const Subjects& subjects,
                     std::vector<Removed>& out) {
  const auto bounded = [&](const DiffSide& side, Of which) {
    std::set<std::string> names;
    for (std::size_t q = 0; side.planned != nullptr && q < side.planned->intent.roles.size(); ++q)
      if (side.planned->intent.roles[q].kind == QueueRole::Kind::Bounded)
        names.insert(subjects.name(side.planned->cluster.queues[q].name, which));
    return names;
  };
  const auto trusted = bounded(before, Of::Before);
  for (const std::string& name : bounded(after, Of::After))
    if (!trusted.contains(name))
      out.push_back({fmt::format("`{}` is called bounded now: nothing is proven of what it takes", name)});
}

// Round quota: opened and shut by a gate, a guard, a version, a kind that Kueue admits.
void compare_ways(const DiffSide& before, const DiffSide& after, std::vector<Removed>& out) {
  const std::string &was = before.planned->cluster.config.version, &is = after.planned->cluster.config.version;
  const std::string versions = was == is ? "" : fmt::format("; Kueue v{} -> v{}", was, is);
  const auto tell = [&](const Report& with, const Report& without, const char* how, bool opens) {
    std::string names;
    for (const std::string_view way : with.open_ways)
      if (!contains(without.open_ways, way)) add_to_list(names, std::string(way));
    if (!names.empty())
      out.push_back({fmt::format("ways round quota that {} (`gpol explain quota-ways`): {}{}", how, names, versions),
                     {},
                     opens,
                     opens ? "opened" : "safer"});
  };
  tell(*after.report, *before.report, "are open, and were shut before", true);
  if (!is_incomplete(after)) tell(*before.report, *after.report, "are shut, and were open before", false);
}

// The closed list of premises has keys; what `verify` takes for granted besides has none, and is told without counting.
void compare_premises(const DiffSide& before, const DiffSide& after, bool nobody_served, std::vector<Removed>& out) {
  // Where nobody served before, nothing was taken for granted either.
  if (before.report == nullptr || after.report == nullptr || nobody_served) return;
  using Status = Assumption::Status;
  compare_ways(before, after, out);
  std::map<std::string, Status> was;
  for (const Assumption& a : before.report->assumptions)
    was.emplace(a.key.empty() ? a.text : std::string(a.key), a.status);
  for (const Assumption& a : after.report->assumptions) {
    if (a.text.starts_with("nobody goes round quota in ")) continue;  // told above, and by figures
    const auto known = was.find(a.key.empty() ? a.text : std::string(a.key));
    if (known != was.end() && known->second == Status::Enforced && a.status != Status::Enforced)
      out.push_back({fmt::format("no guard keeps any more what is {}: {}",
                                 a.status == Status::Trusted ? "taken for granted now" : "open now", a.text),
                     {},
                     true,
                     {},
                     a.key});
    else if (known != was.end() && known->second == Status::Trusted && a.status == Status::Open)
      out.push_back({fmt::format("nobody vouches any more for what is open now: {}", a.text), {}, true, {}, a.key});
    else if (known == was.end() && a.status != Status::Enforced)
      out.push_back({fmt::format("newly taken for granted: {}", a.text), {}, false});
  }
}

void compare_trusts(const DiffSide& before, const DiffSide& after, std::vector<Removed>& out) {
  if (before.planned == nullptr || after.planned == nullptr) return;
  std::map<std::string, const Trust*> was;
  for (const Trust& trust : before.planned->intent.trusts) was.emplace(trust.premise, &trust);
  for (const Trust& trust : after.planned->intent.trusts) {
    const auto known = was.find(trust.premise);
    const std::string until = trust.until.empty() ? " without an end" : " until " + trust.until;
    if (known == was.end())
      out.push_back(
          {fmt::format("`trust {}` is new,{}, by {}", trust.premise, until, trust.by), {}, true, {}, trust.premise});
    else if (known->second->until != trust.until)
      out.push_back({fmt::format("`trust {}` counts{}, and counted{}", trust.premise, until,
                                 known->second->until.empty() ? " without an end" : " until " + known->second->until),
                     {},
                     trust.until.empty() || (!known->second->until.empty() && trust.until > known->second->until),
                     {},
                     trust.premise});
  }
  std::set<std::string> over;
  for (const Trust& trust : before.planned->intent.ended) over.insert(trust.premise);
  for (const Trust& trust : after.planned->intent.ended)
    if (!over.contains(trust.premise))
      out.push_back({fmt::format("`trust {}` has ended on {}", trust.premise, trust.until), {}, false});
}

// Namespaces that a selector names one by one; nothing: it names them otherwise.
std::optional<std::set<std::string>> named_by(const Selector& selector) {
  constexpr const char* kName = "kubernetes.io/metadata.name";
  std::set<std::string> names;
  for (const auto& [key, value] : selector.match_labels)
    if (key != kName || !names.insert(value).second) return std::nullopt;
  for (const auto& one : selector.expressions)
    if (one.key != kName || one.op != "In" || !names.empty())
      return std::nullopt;
    else
      names.insert(one.values.begin(), one.values.end());
  return names;
}

// Who else may use what a serving queue owns, write what carries the policy out, or is seen by no guard.
void compare_who(const DiffSide& before, const DiffSide& after, const Subjects& subjects, std::vector<Removed>& out) {
  const Planned &was = *before.planned, &is = *after.planned;
  const auto tell = [&](const std::set<std::string>& old, const std::set<std::string>& now, const std::string& what,
                        std::string_view before_names = "") {
    std::vector<std::string> fresh;
    std::ranges::set_difference(now, old, std::back_inserter(fresh));
    if (!fresh.empty())
      out.push_back({fmt::format("{}{} {}", before_names,
                                 listed_up_to(3, fresh, [](const auto& name) { return "`" + name + "`"; }), what)});
  };
  for (std::size_t q = 0; q < is.cluster.queues.size(); ++q)
    for (std::size_t p = 0; p < was.cluster.queues.size(); ++p) {
      const Queue &now = is.cluster.queues[q], &old = was.cluster.queues[p];
      const std::string name = subjects.name(now.name, Of::After);
      if (!promised(was.intent.roles[p]) || !promised(is.intent.roles[q]) ||
          subjects.name(old.name, Of::Before) != name)
        continue;
      const auto let_in = named_by(old.namespaces), lets_in = named_by(now.namespaces);
      if (let_in && lets_in && !let_in->empty())
        tell(*let_in, *lets_in, fmt::format("may use what `{}` owns, and could not before", name), "namespace ");
    }
  if (!was.intent.of_policy || !is.intent.of_policy) return;
  const auto writers = [](const Intent& intent) {
    std::set<std::string> names;
    for (const Writer& writer : intent.writers) names.insert((writer.group ? "group " : "user ") + writer.name);
    return names;
  };
  tell(writers(was.intent), writers(is.intent), "may write what gpol emits, and could not before");
  tell(was.intent.exempt, is.intent.exempt, "any more", "no guard looks into ");
}

std::string shown(const Obligation& o) {
  std::string subject(o.subject.kind);
  for (const std::string_view part : {o.subject.name, o.subject.resource})
    if (!part.empty() && part != o.subject.kind) subject += fmt::format(" `{}`", part);
  return fmt::format("{}{}{}", family_name(o.family), subject.empty() ? "" : " of ", subject);
}

// What it speaks of is there, and somebody can have some of it.
bool stands(const DiffSide& side, const Obligation& o) {
  if (o.subject.kind != "ResourceFlavor") return true;
  const Cluster& cluster = side.planned->cluster;
  const auto flavor = flavor_of(cluster, o.subject.name);
  const auto reserves = [&](const OutsideReserve& outside) {
    const auto at =
        static_cast<std::size_t>(std::ranges::find(cluster.resources, o.subject.resource) - cluster.resources.begin());
    return outside.flavor == flavor && at < outside.reserve.size() && outside.reserve[at] > 0;
  };
  return flavor && (o.subject.resource.empty() || std::ranges::any_of(side.planned->intent.outside, reserves) ||
                    std::ranges::any_of(cluster.queues, [&](const Queue& queue) {
                      return can_have(cluster, queue, std::string(o.subject.resource), flavor);
                    }));
}

// Of claim and reclaim rows tell it. A statement of the same family and kind that is new stands for one that is gone: a
// name changed.
void compare_statements(const DiffSide& before, const DiffSide& after, const Subjects& subjects,
                        std::vector<Removed>& out) {
  using Kind = std::pair<Family, std::string>;
  std::set<std::pair<Family, SubjectKey>> was, is;
  std::map<Kind, std::size_t> fresh;
  std::set<Family> families;
  const auto counts = [](const Obligation& o) {
    return o.required && o.family != Family::Claim && o.family != Family::Reclaim;
  };
  for (const Obligation& o : before.report->obligations)
    if (counts(o)) was.emplace(o.family, subjects.key(o, Of::Before));
  for (const Obligation& o : after.report->obligations) {
    if (!counts(o)) continue;
    families.insert(o.family);
    const auto key = subjects.key(o, Of::After);
    is.emplace(o.family, key);
    if (!was.contains({o.family, key})) ++fresh[{o.family, std::string(o.subject.kind)}];
  }
  std::set<std::string> told;
  for (const Obligation& o : before.report->obligations) {
    if (!counts(o) || o.verdict != Verdict::Proven || is.contains({o.family, subjects.key(o, Of::Before)})) continue;
    const bool whole = o.subject.name.empty();  // of all: it gives way to what is found
    if (whole ? families.contains(o.family) : !stands(after, o)) continue;
    if (auto& others = fresh[{o.family, std::string(o.subject.kind)}]; others > 0) {
      --others;
      continue;
    }
    if (const std::string text = shown(o); told.insert(text).second)
      out.push_back({fmt::format("what was proven is not stated any more: {}", text)});
  }
}

constexpr const char* kAny = "any";
std::string nodes_of(const Flavor& flavor) {
  std::string text;
  for (const auto& [key, value] : flavor.node_labels) add_to_list(text, key + "=" + value);
  for (const Taint& taint : flavor.taints)
    add_to_list(text, fmt::format("taint {}={}:{}", taint.key, taint.value, taint.effect));
  return text.empty() ? kAny : text;
}

// Of flavors on which somebody serves. One without labels, or that no manifest defines, said nothing of its nodes.
void compare_flavors(const DiffSide& before, const DiffSide& after, const Subjects& subjects,
                     std::vector<Removed>& out) {
  std::set<std::string> serving;
  const auto classes = classes_of(before, subjects, Of::Before);
  for (const Obligation& o : before.report->obligations)
    if (o.family == Family::Claim && o.figures.reserve.value_or(0) > 0 &&
        classes.contains(subjects.name(std::string(o.subject.name), Of::Before)))
      serving.emplace(o.subject.flavor);
  for (const Flavor& was : before.planned->cluster.flavors)
    for (const Flavor& is : after.planned->cluster.flavors)
      if (was.name == is.name && serving.contains(was.name) && nodes_of(was) != nodes_of(is) && nodes_of(was) != kAny)
        out.push_back({fmt::format("the nodes of flavor `{}`, on which somebody serves, are {} now, and {} before",
                                   was.name, nodes_of(is), nodes_of(was))});
}

}  // namespace

std::vector<Removed> removed_from(const DiffSide& before, const DiffSide& after, const Subjects& subjects) {
  std::vector<Removed> out;
  compare_classes(before, after, subjects, out);
  if (!different_doors(before, after)) compare_deadlines(before, after, subjects, out);
  compare_bounded(before, after, subjects, out);
  if (different_doors(before, after)) return out;
  compare_trusts(before, after, out);
  if (before.planned != nullptr && after.planned != nullptr) compare_who(before, after, subjects, out);
  compare_premises(before, after, classes_of(before, subjects, Of::Before).empty(), out);
  return out;
}

std::vector<Removed> vanished_from(const DiffSide& before, const DiffSide& after, const Subjects& subjects) {
  std::vector<Removed> out;
  if (before.report == nullptr || after.report == nullptr || before.planned == nullptr || after.planned == nullptr)
    return out;
  if (!different_doors(before, after) && !is_incomplete(after)) compare_statements(before, after, subjects, out);
  compare_flavors(before, after, subjects, out);
  return out;
}

}  // namespace gpol
