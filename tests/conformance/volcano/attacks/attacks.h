// Random clusters in which one queue of Volcano serves and all others are batch, and floods that try to take its
// reserve. Only one resource matters, in pods of one unit each: nodes are full or not, and nothing is lost in pieces.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/volcano/rules/real_capability.h"
#include "tests/conformance/volcano/histories/history.h"

namespace gpol::volcano::attacks {

inline constexpr const char* kGpu = "nvidia.com/gpu";

struct Cluster {
  std::string name;
  bool hierarchical = true;
  Setup setup;
  std::vector<Node> nodes;
  Amounts requests;                // of every pod
  std::int64_t total = 0;          // of kGpu on all nodes
  std::size_t serving = 0;         // into setup.queues
  std::int64_t reserve = 0;        // its guarantee
  Limits limits;                   // of setup
  std::vector<std::string> batch;  // the queues that can hold pods, without the serving one
};

// All that is random comes from the seed.
Cluster draw(std::uint64_t seed);

// In each one batch asks for more than there is, then serving for its reserve. What serving holds at the end is what
// the flood left it.
std::vector<histories::History> floods(const Cluster& cluster, std::uint64_t seed);

}  // namespace gpol::volcano::attacks
