// What others say of Kueue or ask of it, and gpol does not read: objects of kinds whose own controllers make Workloads
// (`integrations.externalFrameworks` of its Configuration), and OpenShift's object `Kueue` (kueue.openshift.io, of the
// Red Hat build of Kueue), which is the Configuration there.
#pragma once

#include <string>
#include <vector>

#include "checker/observe/existing.h"
#include "checker/observe/problems.h"

namespace gpol::manifest {

class Externals {
 public:
  // An object of a kind that gpol does not know; one that names no queue is nothing.
  void add(const Node& object, const Place& place);
  // Told: those of the kinds that the Configuration lists; OpenShift's where a verdict rests on what it says.
  void settle(const std::vector<std::string>& frameworks, const std::vector<PodFacts>& pods,
              std::vector<Unmodelled>& unmodelled) const;

 private:
  struct Named {
    std::string framework;  // as the Configuration would name it: Kind.version.group
    Unmodelled told;
  };
  struct OpenShift {
    Span span;
    std::string name, preemption, gangs;
    std::vector<std::string> frameworks;  // "BatchJob"
  };
  std::vector<Named> named_;
  std::vector<OpenShift> openshift_;
};

}  // namespace gpol::manifest
