#include "cli/render/findings.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace gpol {

namespace {

using Cause = std::tuple<Family, Code, Verdict, std::string_view, std::string_view, std::string_view>;

Cause cause_of(const Obligation& o) {
  // Reclaim speaks of the queue's whole demand; a claim of each flavor.
  const std::string_view flavor = o.family == Family::Reclaim ? std::string_view() : o.subject.flavor;
  const std::string_view reason = o.detail ? std::string_view(o.detail->reason) : std::string_view();
  return {o.family, o.code, o.verdict, o.subject.name, flavor, reason};
}

bool gpus(const Obligation& o) { return o.subject.resource == "nvidia.com/gpu"; }

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
      list.push_back({&o, {}});
      continue;
    }
    Finding& finding = list[at->second];
    if (gpus(o) && !gpus(*finding.told)) {
      finding.also.push_back(finding.told->subject.resource);
      finding.told = &o;
    } else {
      finding.also.push_back(o.subject.resource);
    }
  }
  for (Finding& finding : list) {
    std::sort(finding.also.begin(), finding.also.end());
    finding.also.erase(std::unique(finding.also.begin(), finding.also.end()), finding.also.end());
    std::erase(finding.also, finding.told->subject.resource);
  }
  return list;
}

}  // namespace

std::vector<Finding> findings(const PolicyReport& policy, const std::vector<Family>& allowed_gaps) {
  return folded(policy, [&](const Obligation& o) { return stands_in_the_way(o, allowed_gaps); });
}

std::vector<Finding> side_findings(const PolicyReport& policy) {
  return folded(policy, [](const Obligation& o) {
    return !o.required && o.verdict == Verdict::Refuted && o.family != Family::Claim && o.family != Family::Reclaim;
  });
}

}  // namespace gpol
