// What is left when nodes are lost, against a search that tries every way to hold the slices on as few devices.
#include "compiler/plan/partition/loss_spread.h"

#include <random>

#include "tests/unit/partition/own_search.h"

namespace gpol {

namespace {

using test::answered, test::by_node, test::Counts, test::model, test::only, test::slices_of;

Counts of_node(const Hardware& hardware, const NodeLayout& node) {
  Counts out(hardware.profiles.size());
  for (const DeviceLayout& device : node)
    for (const Instance& instance : device)
      for (std::size_t i = 0; i < out.size(); ++i) out[i] += hardware.profiles[i].name == instance.profile ? 1 : 0;
  return out;
}

bool enough_left(std::vector<Counts> nodes, const Counts& relied_on, std::int64_t lost) {
  for (std::size_t i = 0; i < relied_on.size(); ++i) {
    std::sort(nodes.begin(), nodes.end(), [&](const Counts& a, const Counts& b) { return a[i] > b[i]; });
    std::int64_t left = 0;
    for (std::size_t n = static_cast<std::size_t>(lost); n < nodes.size(); ++n) left += nodes[n][i];
    if (left < relied_on[i]) return false;
  }
  return true;
}

// Node after node, everything that its devices can hold.
class EveryWay {
 public:
  EveryWay(const Hardware& hardware, const LayoutQuestion& question, Counts relied_on)
      : question_(question), relied_on_(std::move(relied_on)) {
    std::map<Counts, std::int64_t> of_node{{Counts(hardware.profiles.size()), 0}};
    const auto held = test::held_by_one(hardware);
    for (std::int64_t devices = 1; devices <= question.devices_per_node; ++devices)
      for (const auto& [counts, used] : std::map(of_node))
        for (const Counts& one : held) {
          Counts sum = counts;
          for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one[i];
          of_node.emplace(std::move(sum), devices);
        }
    nodes_.assign(of_node.begin(), of_node.end());
  }

  bool any(const Counts& left, std::int64_t devices, std::size_t from = 0) {
    if (std::ssize(chosen_) == question_.nodes)
      return std::all_of(left.begin(), left.end(), [](std::int64_t n) { return n == 0; }) &&
             enough_left(chosen_, relied_on_, question_.lost);
    for (std::size_t n = from; n < nodes_.size(); ++n) {
      const auto& [counts, used] = nodes_[n];
      if (used > devices || !std::equal(counts.begin(), counts.end(), left.begin(), std::less_equal<>())) continue;
      Counts rest = left;
      for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= counts[i];
      chosen_.push_back(counts);
      const bool found = any(rest, devices - used, n);
      chosen_.pop_back();
      if (found) return true;
    }
    return false;
  }

 private:
  const LayoutQuestion& question_;
  Counts relied_on_;
  std::vector<std::pair<Counts, std::int64_t>> nodes_;  // what one can hold, and on how many devices
  std::vector<Counts> chosen_;
};

struct Outcome {
  int held = 0, impossible = 0;
};

Outcome compare(const Hardware& hardware, int rounds, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  const auto from_to = [&](std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(most - least + 1));
  };
  Outcome out;
  for (int round = 0; round < rounds; ++round) {
    LayoutQuestion question{{}, from_to(2, 3), from_to(1, 2), {}};
    question.lost = from_to(1, question.nodes - 1);
    Counts counts, relied_on;
    for (std::size_t i = 0; i < hardware.profiles.size(); ++i) {
      counts.push_back(from_to(1, question.nodes * question.devices_per_node * 2));
      const std::int64_t gone = (counts.back() * question.lost + question.nodes - 1) / question.nodes;
      relied_on.push_back(std::max<std::int64_t>(0, counts.back() - gone - from_to(-1, 1)));
    }
    question.counts = slices_of(hardware, counts);
    question.relied_on = slices_of(hardware, relied_on);
    const LayoutAnswer answer = fewest_devices(hardware, question);
    if (!std::holds_alternative<Layouts>(answer)) continue;
    const auto& layouts = std::get<Layouts>(answer);
    std::vector<Counts> nodes;
    Counts all(counts.size());
    std::int64_t cut = 0;
    for (const NodeLayout& node : by_node(layouts, question.nodes)) {
      nodes.push_back(of_node(hardware, node));
      for (std::size_t i = 0; i < all.size(); ++i) all[i] += nodes.back()[i];
      for (const DeviceLayout& device : node) {
        CHECK(test::legal(hardware, device));
        cut += device.empty() ? 0 : 1;
      }
    }
    CAPTURE(hardware.name, question.nodes, question.devices_per_node, question.lost, counts, relied_on);
    CHECK(all == counts);
    CHECK(cut == layouts.devices_cut);
    LayoutQuestion without = question;
    without.lost = 0;
    CHECK(cut == answered(hardware, without).devices_cut);
    const bool can = EveryWay(hardware, question, relied_on).any(counts, cut);
    CHECK(enough_left(nodes, relied_on, question.lost) == can);
    ++(can ? out.held : out.impossible);
  }
  return out;
}

TEST_CASE("what can be left when nodes are lost is left", "[slow]") {
  const Outcome halves = compare(only(model("H100-80GB"), {0, 4}), 300, 20261127);
  CHECK(halves.held > 60);
  CHECK(halves.impossible > 60);
  const Outcome thirds = compare(only(model("H100-80GB"), {0, 3, 4}), 200, 3);
  CHECK(thirds.held > 15);
  CHECK(thirds.impossible > 15);
  CHECK(compare(only(model("A30-24GB"), {0, 2}), 200, 5).held > 20);
}

TEST_CASE("a layout that leaves enough stays, and one that does not gives way") {
  const Hardware& h100 = model("H100-80GB");
  LayoutQuestion question{{{"3g.40gb", 2}, {"1g.10gb", 2}}, 2, 1, {}};
  question.previous = {{{{"3g.40gb", 0}, {"3g.40gb", 4}}}, {{{"1g.10gb", 0}, {"1g.10gb", 1}}}};
  CHECK(answered(h100, question).devices_changed == 0);
  question.lost = 1;
  question.relied_on = {{"3g.40gb", 1}, {"1g.10gb", 1}};
  const Layouts spread = answered(h100, question);
  CHECK(spread.devices_cut == 2);
  CHECK(spread.devices_changed == 2);
  REQUIRE(spread.kinds.size() == 1);
  CHECK(spread.kinds[0].devices.size() == 1);
  CHECK(spread.kinds[0].devices[0].size() == 2);
  question.previous = by_node(spread, 2);
  CHECK(answered(h100, question).devices_changed == 0);
}

TEST_CASE("a thousand devices of which a few nodes may be lost") {
  LayoutQuestion question{{{"3g.40gb", 1000}, {"1g.10gb", 2000}, {"2g.20gb", 250}}, 125, 8, {}};
  question.lost = 3;
  question.relied_on = {{"3g.40gb", 970}, {"1g.10gb", 1940}, {"2g.20gb", 240}};
  const Hardware& h100 = model("H100-80GB");
  const Layouts found = answered(h100, question);
  std::vector<Counts> nodes;
  for (const NodeLayout& node : by_node(found, 125)) nodes.push_back(of_node(only(h100, {4, 0, 3}), node));
  CHECK(enough_left(nodes, {970, 1940, 240}, 3));
}

}  // namespace

}  // namespace gpol
