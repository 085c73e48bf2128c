// On how many nodes can pods stand so that a replica finds no place on any of them? The closed form of the
// fragmentation family; no solver. Nodes are alike, the pods are of a few kinds, each kind has its limits, and an
// adversary chooses how many of each there are and where they stand.
//
// A node is closed to the replica when of some resource that it asks for too little is free. What closes a node, and no
// longer does with any pod less or any number lower, is a filling; a state closes so many nodes just when fillings for
// them fit within the limits together (every closed node holds a filling, and states are closed under taking pods
// away). So the question is how often the fillings can be repeated.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "checker/nodes/placement_model.h"

namespace gpol::nodes {

inline constexpr std::int64_t kNoLimit = INT64_MAX;

// Pods that the adversary has. Serving's are all alike; a pod of batch asks for `each` and, of the resources marked
// `beyond`, for as much more as it likes.
struct PodKind {
  bool serving = false;
  Amounts each;              // by resource; its pod is counted in `pods`
  std::vector<bool> beyond;  // by resource
  Amounts counted;           // what of `each` its queue's quota sees (serving)
  // Serving: how many there can be in queues that batch shares no quota with, and in queues that it does.
  std::int64_t alone = 0, beside = 0;
  Amounts at_most;                          // batch: what all of the kind can use together, by resource
  std::optional<std::uint32_t> owner = {};  // serving: whose pods come in several kinds, into Question::owned
};

struct Question {
  Amounts node;     // what one node has for pods
  Amounts replica;  // of these resources must be free: its pod is counted in `pods`
  std::vector<PodKind> kinds;
  // What batch of all kinds can use together, and what batch and the serving pods beside it can, by resource.
  Amounts batch, together;
  std::vector<Amounts> owned = {};  // per owner: what all its kinds can use together, as `counted` counts
};

struct Filling {
  std::vector<std::int64_t> pods;  // per kind
  std::uint32_t resource = 0;      // of which too little is left
  std::int64_t beyond = 0;         // so much of it is asked for beyond what every pod takes,
  std::vector<std::uint32_t> by;   // by pods of these kinds, split among them as it may be
};

std::int64_t size_of(const Filling& filling);  // its pods

// All of them; nothing where there are too many kinds of pods to list them.
std::optional<std::vector<Filling>> fillings(const Question& question);

// What pods of a kind take of a resource, without what they ask beyond, in so many nodes of each filling.
std::int64_t taken(const Question& question, const std::vector<Filling>& fillings,
                   const std::vector<std::int64_t>& nodes, std::uint32_t kind, std::uint32_t resource);
// Whether so many nodes of each filling fit within the limits together.
bool within_limits(const Question& question, const std::vector<Filling>& fillings,
                   const std::vector<std::int64_t>& nodes);

// By resource: how many of `wanted` nodes can be closed at most by fillings that leave too little of that one. Where
// the sum is below `wanted` no search is needed.
std::vector<std::int64_t> most_closed_by(const Question& question, const std::vector<Filling>& fillings,
                                         std::int64_t wanted);

struct Closed {
  std::int64_t at_least = 0, at_most = 0;  // equal where the search came to its end
  std::vector<std::int64_t> nodes;         // of each filling, `at_least` in all
};
// How many of `wanted` nodes can be closed. Where that is all of them, `accept` is asked of each way that is found, up
// to a few, until it takes one: `nodes` is then that one. (Without one it stays empty.)
Closed most_closed(const Question& question, const std::vector<Filling>& fillings, std::int64_t wanted,
                   const std::function<bool(const std::vector<std::int64_t>&)>& accept);

}  // namespace gpol::nodes
