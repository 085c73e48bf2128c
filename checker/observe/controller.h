// Kueue's own Deployment: which version of Kueue runs, with which feature gates, and whether it looks at a
// Configuration (cmd/kueue/main.go). In: objects' nodes. Out: the gates, and what of it is not modelled.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "checker/observe/existing.h"
#include "checker/observe/problems.h"
#include "checker/observe/tree.h"

namespace gpol::manifest {

class Controllers {
 public:
  // False: the object is not Kueue's Deployment.
  // `path`: of the object in its document.
  bool read(const Node& object, const std::string& path, const Place& place, std::vector<Unmodelled>& unmodelled);
  // Once everything is read. `configured`: a Configuration is there.
  // `runs`: the version, "0.19.2"; empty: none is said. The chart of a HelmRelease, an Application or a HelmChart of
  // k3s says it, too: Kueue's chart has the version of Kueue.
  void settle(bool configured, KueueConfig& config, std::string& runs, std::vector<Unmodelled>& unmodelled) const;

 private:
  struct Controller {
    std::string kind = "Deployment", name;  // "ns/name"
    std::string version;                    // "0.19.2"; empty: the image does not say
    Span image, gates;
    std::string image_field, gates_field;
    std::map<std::string, bool> on;  // gates that an argument names
    bool names_configuration = false;

    Unmodelled about(Span at, std::string field, std::string what) const;
  };
  void flags(const Node& container, const std::string& path, const Place& place, Controller& controller,
             std::vector<Unmodelled>& unmodelled) const;

  std::vector<Controller> list_;
};

}  // namespace gpol::manifest
