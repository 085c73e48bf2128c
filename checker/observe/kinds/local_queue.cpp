#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

void read_local_queue(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "LocalQueue", Scope::Namespaced);
  const auto spec = object.required_map("spec");
  object.finish();
  if (!spec) return;
  LocalQueue queue;
  queue.cluster_queue = spec->required_text("clusterQueue");
  queue.stop = read_stop_policy(*spec);
  // Weights of admission fair sharing, which a ClusterQueue must ask for, and that is said there.
  if (draft.scale == Scale::Part)
    spec->ignore("fairSharing");
  else if (spec->has("fairSharing"))
    spec->not_modelled("fairSharing", "is not modelled yet");
  spec->finish();
  if (!metadata) return;
  queue.ns = metadata->ns;
  queue.name = metadata->name;
  queue.labels = metadata->labels;
  if (!queue.cluster_queue.empty()) draft.refer_to_queue(*spec, queue.cluster_queue);
  draft.cluster.local_queues.push_back(std::move(queue));
  draft.places.local_queues.push_back(metadata->name_span);
}

}  // namespace gpol::manifest
