#include "compiler/cluster/words.h"
#include "emit/kinds/kinds.h"

namespace gpol::kinds {

yaml::Value local_queue(const LocalQueue& queue) {
  return with(
      object({.api_version = kKueueApi, .kind = "LocalQueue", .name = queue.name, .ns = queue.ns}, queue.labels),
      "spec", yaml::Map{{"clusterQueue", queue.cluster_queue}, {"stopPolicy", word(queue.stop)}});
}

}  // namespace gpol::kinds
