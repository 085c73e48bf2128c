// The bundles of a folder and what was read in each. In: bundles, files of Nodes that all of them get. Out: bundles
// that say different things of one object are parted by their directories; what configures Kueue and the GPU Operator
// stands by the queues.
#pragma once

#include <vector>

#include "checker/observe/bundles.h"
#include "checker/observe/existing.h"

namespace gpol {

struct ObservedBundle {
  Bundle bundle;
  Existing existing;
};

// `as_one`: all is one cluster.
std::vector<ObservedBundle> observe_bundles(std::vector<Bundle> bundles, const std::vector<YamlFile>& nodes,
                                            bool as_one);
// What is there of Volcano is a bundle of its own where something else is said, too.
void part_schedulers(std::vector<ObservedBundle>& observed);
// What changes only the objects of a directory (Flux's `path`) decides nothing where files of that directory were read
// and no verdict rests on any of them.
void drop_changes_elsewhere(std::vector<ObservedBundle>& observed);
// No queue, nothing that serves, and nothing wrong, or a kustomization that cannot be built and names nothing of Kueue:
// beside other bundles no verdict is asked of it.
bool says_nothing(const ObservedBundle& one);
// Nothing of the folder was passed over that may hold any object.
bool whole_edge(const Existing& existing, const Bundle& bundle);
// What gateways let in is refuted, or what their policies say: that is told of a bundle that says nothing else.
bool finds_at_gateways(const ObservedBundle& one);
// A cluster has one Kueue and one GPU Operator: what configures them stands by the only bundle that has queues. Where
// that cannot be read so, or there are several, it is another cluster's: told as taken for granted.
void join_configurations(std::vector<ObservedBundle>& observed, const std::vector<YamlFile>& files,
                         const ReadMore& more, const std::vector<YamlFile>& nodes);
// Where one bundle alone says what version of Kueue runs, it runs the others, too.
void share_running(std::vector<ObservedBundle>& observed);

}  // namespace gpol
