// Pods of tenants that kube-scheduler ranks above those of serving queues, among the manifests themselves: they break
// the premise `pods-do-not-preempt`. In: PriorityClasses, and which of them pods name. Out: each that outranks, or may.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "checker/families/families.h"
#include "compiler/cluster/pod_facts.h"

namespace gpol {

struct Outranking {
  std::string kind, name, field;
  Span span;
  std::string message, remedy;
  bool known = true;                 // false: the PriorityClass is not among the manifests
  const PodFacts* unread = nullptr;  // what names it, if anything does, was not read; message: why that matters
};

// `places`: of the values of Cluster::pod_priority_classes.
std::vector<Outranking> outranking(const Proof& proof, std::span<const PodFacts> pods, std::span<const Span> places);

}  // namespace gpol
