// Which layouts of devices give the slices that a pool offers, on the fewest devices. In: what is known of the model,
// how many instances of which profile, the devices that there are, and how they were cut before. Out: the nodes by
// kind, each with what every device of it holds; or why there is no such layout. Exactly the counts are given: what of
// a device is then left over stays empty, and the devices that are not needed stay whole. The number of devices is the
// least there can be (an integer programme over the multisets that a device can hold); among those answers it is one
// that changes the fewest devices; nodes of few kinds are looked for beyond that. Where nodes may be lost, what is
// relied on goes before what was: devices exchange instances (loss_spread.h) until enough is left, if a way is found;
// the number of devices stays the least. The starts are a witness: where only counts can be written, the driver chooses
// them, and from an empty device it reaches every multiset that has some.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "compiler/plan/partition/device_layouts.h"
#include "compiler/policy/vocabulary.h"

namespace gpol {

using NodeLayout = std::vector<DeviceLayout>;  // by index of the device

struct LayoutQuestion {
  std::vector<Slices> counts;  // of the whole pool
  std::int64_t nodes = 0, devices_per_node = 0;
  std::vector<NodeLayout> previous;  // by node; may be empty, and of fewer or more nodes and devices than there are
  std::int64_t lost = 0;  // nodes that may be lost, whichever; then devices that are cut alike go to many nodes
  std::vector<Slices> relied_on = {};  // how many of each profile should be left then
};

struct LaidOutNodes {
  std::vector<std::int64_t> nodes;  // their numbers from 0, ascending, as in `previous`; how many: size()
  NodeLayout devices;               // as many as a node has
};
struct Layouts {
  std::vector<LaidOutNodes> kinds;  // by their first node; every node is of one
  std::int64_t devices_cut = 0;     // the fewest with which the counts can be given
  std::int64_t devices_changed = 0;
  bool fewest_changes = true;  // false: the limit was reached before that was proven, or nodes may be lost
};

struct NoLayouts {
  enum class Why : std::uint8_t {
    UnknownPlace,   // `profile` is none of the model, or nobody is known to have seen its size or its starts
    NeverFits,      // not even one of `profile` fits on a device
    TooFewDevices,  // `needed` of `devices`
    Undecided       // a limit was reached: of steps, of ways to cut a device, of a million devices in the pool
  } why = Why::Undecided;
  std::string profile;
  std::int64_t needed = 0;       // the fewest devices that give the counts
  bool exactly = true;           // false: it may be more than `needed`
  std::int64_t devices = 0;      // that there are
  std::vector<Slices> alone;     // TooFewDevices: how many devices each profile would need if it were the only one
  bool each_fits_alone = false;  // so it is only together that they do not fit
};
using LayoutAnswer = std::variant<Layouts, NoLayouts>;

// Half a second to a second (integer_program.h says what a step is). Thousands of devices of any model of the catalogue
// take a thousandth of it; models of dozens of profiles and sixteen memory slices may need more than there are.
inline constexpr std::int64_t kLayoutSteps = 400'000'000;

LayoutAnswer fewest_devices(const Hardware& hardware, const LayoutQuestion& question,
                            std::int64_t most_steps = kLayoutSteps);

}  // namespace gpol
