// What others do in a random story: work that they submit before serving asks, and while it does. The dice are the same
// on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "checker/story/replay.h"
#include "compiler/cluster/intent.h"

namespace gpol {

struct Deeds {
  std::vector<Submit> before, beside;  // the ask
  std::int64_t already = 0;            // pods of the demand that run before
  bool last = true;                    // the queue asks after the others that serve
  std::int64_t waited = 0;             // how long that made it wait
};

class Dice {
 public:
  // `queue`: for whom the story is; `own`: its priority; `demand`: its pods.
  Dice(const Cluster& cluster, const Intent& intent, std::int64_t own, std::int64_t demand)
      : cluster_(cluster), intent_(intent), own_(own), demand_(demand) {}

  Deeds fresh();
  void change(Deeds& deeds);             // a little
  std::int64_t upto(std::int64_t most);  // from 0, SplitMix64
  std::size_t one_of(std::size_t size) { return static_cast<std::size_t>(upto(static_cast<std::int64_t>(size) - 1)); }

 private:
  void act(std::vector<Submit>& steps, std::int64_t style);
  kueue::PodSet second_podset(const ResourceGroup& group, std::uint32_t flavor);

  const Cluster& cluster_;
  const Intent& intent_;
  std::int64_t own_, demand_;
  std::uint64_t state_ = 0;
};

}  // namespace gpol
