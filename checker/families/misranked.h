// Workloads among the manifests whose priority, to Kueue, is not the one that is taken for granted of their role: batch
// that is not below serving, serving that is not above batch. In: what labels, PriorityClasses and Workloads say. Out:
// each that breaks the order that proofs rest on, or may.
#pragma once

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

std::vector<Misranked> misranked(const Proof& proof, std::span<const PodFacts> pods);

}  // namespace gpol
