#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

void read_local_queue(const View& object, Draft& draft) {
  const auto metadata = read_metadata(object, draft, "LocalQueue", Scope::Namespaced);
  // One that leads nowhere is let in by the API server, and lets nothing in: of a part of a cluster it is no mistake.
  const bool part = draft.scale == Scale::Part;
  const auto spec = part ? object.map("spec") : object.required_map("spec");
  object.finish();
  if (!spec) return;
  LocalQueue queue;
  queue.cluster_queue = part ? spec->text("clusterQueue").value_or("") : spec->required_text("clusterQueue");
  queue.stop = read_stop_policy(*spec);
  // Weights of admission fair sharing, which a ClusterQueue must ask for, and that is said there.
  if (part)
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
