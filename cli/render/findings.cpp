#include "cli/render/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "checker/families/codes.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

using Cause = std::tuple<Family, Code, Verdict, std::string_view, std::string_view, std::string_view>;

Cause cause_of(const Obligation& o) {
  // Reclaim speaks of the queue's whole demand; a claim of each flavor.
  const std::string_view flavor = o.family == Family::Reclaim ? std::string_view() : o.subject.flavor;
  const std::string_view reason = o.detail ? std::string_view(o.detail->reason) : std::string_view();
  return {o.family, o.code, o.verdict, o.subject.name, flavor, reason};
}

template <class Told>
std::vector<Finding> folded(const PolicyReport& policy, Told told) {
  std::vector<Finding> list;
  std::map<Cause, std::size_t> known;
  for (const Obligation& o : policy.report->obligations) {
    if (!told(o)) continue;
    const bool folds = !o.subject.resource.empty() &&
                       (o.family == Family::Claim || o.family == Family::Reclaim || o.family == Family::Capacity);
    const auto [at, fresh] = known.emplace(cause_of(o), list.size());
    if (fresh || !folds) {
      list.push_back({&o});
      continue;
    }
    Finding& finding = list[at->second];
    const Obligation* other = &o;
    if (is_device(o.subject.resource) && !is_device(finding.told->subject.resource)) std::swap(other, finding.told);
    finding.also.push_back(other->subject.resource);
    finding.folded.push_back(other);
  }
  for (Finding& finding : list) {
    std::ranges::sort(finding.also);
    finding.also.erase(std::unique(finding.also.begin(), finding.also.end()), finding.also.end());
    std::erase(finding.also, finding.told->subject.resource);
  }
  return list;
}

// Nothing is wrong with a use of a construct whose proof is planned: one line for each is enough.
std::vector<Finding> with_planned_together(std::vector<Finding> list) {
  std::map<Family, std::size_t> first;
  std::vector<Finding> out;
  for (Finding& finding : list) {
    const Obligation& o = *finding.told;
    if (o.code != code::Planned) {
      out.push_back(std::move(finding));
    } else if (const auto [at, fresh] = first.emplace(o.family, out.size()); fresh) {
      out.push_back(std::move(finding));
    } else {
      out[at->second].same.push_back(&o);
    }
  }
  return out;
}

// A story that the cause does not have is not left out.
bool causes(const Finding& cause, const Obligation& o) {
  const Obligation& told = *cause.told;
  if (told.detail == nullptr || (told.detail->story.empty() && !o.detail->story.empty())) return false;
  if (const std::string_view premise = o.detail->follows_premise; !premise.empty())
    return &told != &o && told.subject.kind == "Premise" && told.subject.name == premise;
  return &told != &o && told.family == o.detail->follows && told.subject.flavor == o.subject.flavor &&
         (told.family == Family::Capacity || told.family == Family::Partition || o.family == Family::Capacity ||
          told.subject.name == o.subject.name) &&
         !told.detail->follows;
}

std::vector<Finding> with_consequences(std::vector<Finding> list) {
  std::vector<const Obligation*> followers;
  for (const Finding& finding : list) {
    const Obligation& o = *finding.told;
    if (!o.detail || (!o.detail->follows && o.detail->follows_premise.empty())) continue;
    const auto cause = std::ranges::find_if(list, [&](const Finding& f) { return causes(f, o); });
    if (cause == list.end()) continue;
    cause->consequences.push_back(&o);
    followers.push_back(&o);
  }
  std::erase_if(list, [&](const Finding& finding) { return contains(followers, finding.told); });
  return list;
}

}  // namespace

std::vector<Finding> findings(const PolicyReport& policy, const std::vector<Family>& allowed_gaps) {
  return with_planned_together(
      with_consequences(folded(policy, [&](const Obligation& o) { return stands_in_the_way(o, allowed_gaps); })));
}

std::vector<Finding> allowed_findings(const PolicyReport& policy, const std::vector<Family>& allowed_gaps) {
  return folded(policy, [&](const Obligation& o) {
    return o.required && o.verdict != Verdict::Proven && o.code != code::Planned && !stands_in_the_way(o, allowed_gaps);
  });
}

std::vector<Finding> side_findings(const PolicyReport& policy) {
  return folded(policy, [](const Obligation& o) {
    return !o.required && o.verdict == Verdict::Refuted && o.family != Family::Claim && o.family != Family::Reclaim;
  });
}

std::vector<std::string_view> fixes_of(const Finding& finding) {
  std::vector<std::string_view> fixes;
  for (const Obligation* o : finding.all()) {
    if (!o->detail || !o->detail->fix || (o != finding.told && o->detail->fix->edits.empty())) continue;
    if (const std::string_view text = o->detail->fix->text; !contains(fixes, text)) fixes.push_back(text);
  }
  return fixes;
}

std::vector<StoryStep> told_once(const std::vector<StoryStep>& story) {
  std::vector<StoryStep> out;
  const auto same = [](const StoryStep& a, const StoryStep& b) {
    return a.at == b.at && a.actor == b.actor && a.does == b.does;
  };
  for (std::size_t i = 0; i < story.size();) {
    std::size_t end = i + 1;
    while (end < story.size() && same(story[i], story[end])) ++end;
    out.push_back(story[i]);
    if (end - i > 1) out.back().does += fmt::format(", {} times", end - i);
    i = end;
  }
  return out;
}

}  // namespace gpol
