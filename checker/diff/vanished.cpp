#include "checker/diff/vanished.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "checker/diff/configuration.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

using Of = Subjects::Of;

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

std::vector<Removed> vanished_from(const DiffSide& before, const DiffSide& after, const Subjects& subjects) {
  std::vector<Removed> out;
  if (before.report == nullptr || after.report == nullptr || before.planned == nullptr || after.planned == nullptr)
    return out;
  if (!different_doors(before, after) && !is_incomplete(after)) compare_statements(before, after, subjects, out);
  compare_flavors(before, after, subjects, out);
  return out;
}

}  // namespace gpol
