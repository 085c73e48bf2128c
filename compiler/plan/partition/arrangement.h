// Which new layout goes to which device, so that few nodes differ from each other. In: what each device keeps, the
// places that are to be filled, and how often each new layout is needed, as many in all as there are places. Out: the
// layout of every device. Several ways are tried and the one with the fewest kinds of nodes is taken (the fewest that
// were found: nothing is proven of them); the same question has the same answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gpol {

using LayoutId = std::uint32_t;  // 0: not cut
struct NewLayouts {
  LayoutId layout = 0;
  std::int64_t count = 0;
};
struct DevicePlaces {
  std::size_t per_node = 1;
  std::vector<LayoutId> devices;        // by node, then index; 0 where they are to be filled
  std::vector<std::size_t> to_fill;     // into them, ascending
  std::vector<NewLayouts> new_layouts;  // each once
};

std::vector<LayoutId> arranged(const DevicePlaces& places);
// Where no device keeps anything: the new layouts are dealt out to the nodes in turn, so that a node that is lost takes
// as few of each as can be. Of DevicePlaces::to_fill nothing is read.
std::vector<LayoutId> dealt(const DevicePlaces& places);

}  // namespace gpol
