// What `verify` says beside its findings: what serving asks for, what was left out, what was not analysed.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "checker/observe/bundles.h"
#include "checker/observe/existing.h"
#include "checker/report/report.h"

namespace gpol {

// What the cluster would refuse, as mistakes.
void tell_rejections(const std::vector<Rejection>& rejections, Report& report);
std::string words_of(const Unmodelled& found);
// A field that the controller acts on and no family knows: nothing is proven beside it.
void tell_unmodelled(const std::vector<Unmodelled>& unmodelled, Report& report);
// What of a kustomization is not known, or wrong, is added.
void tell_not_built(const Bundle& bundle, std::vector<Rejection>& rejections, std::vector<Unmodelled>& unmodelled);
// What "the reserve comes back" speaks of: pods, of one unit of everything each (compiler/cluster/roles.h). A line for
// each queue; the figure is set in the report.
std::vector<std::string> tell_demands(const Planned& planned, const Existing& existing, Report& report);
// The queues that probably serve, each with the reason.
std::vector<std::pair<std::string, std::string>> likely_servers(const Existing& existing);
// Where nobody is said to serve: the queues that probably do, with the reason, and the flag that says so; empty: none.
std::string likely_serving(const Existing& existing);
// What is taken for granted beyond the premises: no other members of cohorts, what charts and releases say elsewhere.
void tell_assumed(const Planned& planned, const Existing& existing, const Bundle& bundle, Report& report);
// Of that, what charts and bundles of other clusters say.
void tell_trusted(const Existing& existing, Report& report);
// Of resources that are nearly named as the device plugin names its own: warnings.
void tell_misspelt_devices(const Existing& existing, Report& report);
// `each`: every file by its name.
std::vector<std::string> left_out_texts(const Existing& existing, bool each);
// `limits`: of pods that do not serve. `daemons`: whose requests were taken off the Nodes.
std::vector<std::string> notes_of(const Existing& existing, std::span<const PodLimits> limits,
                                  std::span<const PodFacts* const> daemons);

}  // namespace gpol
