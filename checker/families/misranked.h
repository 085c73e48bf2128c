// Workloads among the manifests whose priority, to Kueue, is not the one that is taken for granted of their role: batch
// that is not below serving, serving that is not above batch. In: what labels, PriorityClasses and Workloads say. Out:
// each that breaks the order that proofs rest on, or may.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "checker/families/families.h"
#include "checker/families/outranked.h"
#include "compiler/cluster/pod_facts.h"

namespace gpol {

struct Misranked {
  QueueRole::Kind role = QueueRole::Kind::None;
  Outranking found;
};

// Of batch in a queue that serves nothing is said: mixed_roles.h does.
std::vector<Misranked> misranked(const Proof& proof, std::span<const PodFacts> pods);

// By pkg/util/priority; nothing: the class that it names is not among the manifests, or what names it was not read.
std::optional<std::int64_t> priority_in_kueue(const Cluster& cluster, std::span<const PodFacts> all,
                                              const PodFacts& pods);

}  // namespace gpol
