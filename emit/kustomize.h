// The kustomize side of the output: what is applied as it stands, the base's list of files in order of application, and
// one overlay per mode that patches the limits in which the mode differs from the base (JSON 6902, by position in the
// base's lists).
// The list's order reaches the cluster where files are applied in it; `kustomize build` sorts its output by kind and
// name unless a top-level kustomization has `sortOptions: {order: fifo}`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/cluster/cluster.h"
#include "emit/emit.h"

namespace gpol {

// At the top, for a pipeline that is given the directory: the base, without any window. It alone tells the revision.
Artefact root_kustomization(const std::string& revision);

Artefact base_kustomization(const std::vector<std::string>& file_names);

// Into Cluster::queues, by name.
using QueueIndex = std::map<std::string, std::size_t, std::less<>>;

// The kustomization of a mode, with a patch for each queue with a changed limit. Limits of a queue without a cohort
// are not emitted and do not change. Throws std::logic_error when the mode names what the cluster does not have.
Artefact overlay(const Cluster& cluster, const QueueIndex& queues, const Mode& mode, std::vector<std::string> comments);

}  // namespace gpol
