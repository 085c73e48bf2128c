#include <utility>

#include "compiler/cluster/words.h"
#include "emit/kinds/kinds.h"

namespace gpol::kinds {

yaml::Value local_queue(const LocalQueue& queue) {
  yaml::Map spec;
  spec.emplace_back("clusterQueue", queue.cluster_queue);
  spec.emplace_back("stopPolicy", word(queue.stop));

  yaml::Map map =
      object({.api_version = kKueueApi, .kind = "LocalQueue", .name = queue.name, .ns = queue.ns}, queue.labels);
  map.emplace_back("spec", std::move(spec));
  return map;
}

}  // namespace gpol::kinds
