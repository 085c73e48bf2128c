// Ways round quota that releases of Kueue leave open: what is admitted by them is charged less than it uses. In: the
// version, the Configuration, guards, and what objects show. Out: which are open, which of them an object uses. One row
// each; docs/quota-ways.md is made of the table. Sources: Kueue's CHANGELOG and the issues that a row names; where it
// was seen in the real code, tests/conformance says how.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "compiler/cluster/cluster.h"
#include "compiler/cluster/pod_facts.h"

namespace gpol {

struct QuotaWay {
  std::string_view key, text;    // "elastic-jobs"; what somebody does, and what comes of it
  std::string_view issue;        // of Kueue
  std::uint32_t since = 0;       // minor version of 0.x; 0: before 0.15
  std::string_view closed = {};  // the first releases without it, a minor version each: "0.18.6 0.19.2"
  std::string_view gate = {};    // feature gate without which it is shut
  // Of the kinds that it takes any: names in integrations.frameworks, a blank between them; `others`: all but Jobs,
  // Pods, Deployments and StatefulSets. Empty: any kind.
  std::string_view frameworks = {};
  bool guarded = false;  // demands of the premise `admission-only` deny it, those with its key of Jobs and pods
  bool alpha = false;    // the gate is off where nobody sets it
};

std::span<const QuotaWay> quota_ways();
// For `gpol explain quota-ways`.
std::string quota_way_list();

// `guarded`: of Jobs and pods guards deny it. `configured`: a Configuration says which kinds Kueue admits.
bool is_open(const QuotaWay& way, const KueueConfig& config, bool configured, bool guarded);
// Nobody is seen to use it, and it is open all the same: not where a gate is off by default, and nobody sets it.
bool is_open_unused(const QuotaWay& way, const KueueConfig& config);

// Where the object uses one that is open; nothing: it does not, as far as manifests show. As above.
const PodFacts::Ask* uses(const QuotaWay& way, const PodFacts& pods, const KueueConfig& config, bool configured,
                          bool guarded);

}  // namespace gpol
