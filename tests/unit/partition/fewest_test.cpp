// The fewest devices, and the fewest that change, against a search that tries everything: of the catalogue's models and
// of some that nobody makes, for many counts.
#include <random>

#include "tests/unit/partition/own_search.h"

namespace gpol {

namespace {

using test::answered, test::by_node, test::checked, test::Counts, test::model, test::only, test::refused;

struct Random {
  std::mt19937_64 engine;

  std::int64_t upto(std::int64_t most) {  // the same on every platform, unlike a distribution
    return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(most + 1));
  }
  Counts counts(const Hardware& hardware, std::int64_t most) {
    Counts out;
    for (std::size_t i = 0; i < hardware.profiles.size(); ++i) out.push_back(upto(2) == 0 ? 0 : upto(most));
    return out;
  }
  std::vector<NodeLayout> some_layouts(const std::vector<DeviceLayout>& all, std::int64_t nodes, std::int64_t each) {
    std::vector<NodeLayout> out(static_cast<std::size_t>(nodes));
    for (NodeLayout& node : out)
      for (std::int64_t i = 0; i < each; ++i)
        node.push_back(upto(3) == 0 ? DeviceLayout{} : all[static_cast<std::size_t>(upto(std::ssize(all) - 1))]);
    return out;
  }
};

// The fewest devices that change, with every subset of those that are cut kept.
std::int64_t fewest_changes(const Hardware& hardware, const LayoutQuestion& question, const test::Fewest& fewest,
                            const Counts& asked) {
  std::vector<Counts> cut;
  for (const NodeLayout& node : question.previous)
    for (const DeviceLayout& device : node)
      if (!device.empty()) cut.push_back(*counts_of(hardware, device));
  const std::int64_t devices = fewest.at(asked), were = std::ssize(cut);
  std::int64_t best = INT64_MAX;
  for (std::uint32_t kept = 0; kept < std::uint32_t{1} << cut.size(); ++kept) {
    Counts left = asked;
    std::int64_t stay = 0;
    for (std::size_t k = 0; k < cut.size(); ++k)
      if ((kept >> k & 1) != 0) {
        ++stay;
        for (std::size_t i = 0; i < left.size(); ++i) left[i] -= cut[k][i];
      }
    if (std::any_of(left.begin(), left.end(), [](std::int64_t n) { return n < 0; })) continue;
    if (stay + fewest.at(left) > devices) continue;
    best = std::min(best, were - stay + std::max<std::int64_t>(0, devices - were));
  }
  return best;
}

void compare(const Hardware& hardware, std::int64_t most, int rounds, Random& random) {
  const auto layouts = device_layouts(hardware, 100'000);
  REQUIRE(layouts);
  const auto held = test::held_by_one(hardware);
  CHECK(held.size() == device_multisets(hardware, 100'000)->size() + 1);
  const auto fewest = test::fewest_of_all(held, hardware.profiles.size(), most);
  for (int round = 0; round < rounds; ++round) {
    const Counts counts = random.counts(hardware, most);
    LayoutQuestion question{test::slices_of(hardware, counts), 3, 3, random.some_layouts(*layouts, 3, 3)};
    CAPTURE(hardware.name, counts);
    const std::int64_t needed = fewest.at(counts);
    if (needed > 9) {
      const NoLayouts no = refused(hardware, question);
      CHECK(no.why == NoLayouts::Why::TooFewDevices);
      CHECK(no.exactly);
      CHECK(no.needed == needed);
      continue;
    }
    const Layouts found = answered(hardware, question);
    CHECK(found.devices_cut == needed);
    CHECK(found.devices_changed == fewest_changes(hardware, question, fewest, counts));
    const auto nodes = checked(hardware, question, found);
    question.previous = nodes;
    const Layouts again = answered(hardware, question);
    CHECK(again.devices_changed == 0);
    CHECK(by_node(again, 3) == nodes);
  }
}

TEST_CASE("no search finds fewer devices, and none changes fewer") {
  Random random{std::mt19937_64{20260101}};
  compare(only(model("H100-80GB"), {0, 3, 4, 5, 6}), 7, 150, random);
  compare(only(model("A100-40GB"), {0, 1, 2, 3, 4}), 7, 150, random);
  compare(model("H200-141GB"), 3, 100, random);
  compare(model("A30-24GB"), 6, 150, random);
  compare(only(model("RTX-PRO-6000-96GB"), {0, 1, 3, 4, 5, 8}), 4, 150, random);
  compare(only(model("RTX-PRO-6000-96GB"), {2, 4, 6, 7, 9, 10}), 4, 150, random);
}

// Sizes, starts and budgets that no vendor has: gaps between a fraction's bound and the truth are more frequent there.
TEST_CASE("no search finds fewer devices on models that nobody makes") {
  Random random{std::mt19937_64{7}};
  for (int made = 0; made < 60; ++made) {
    Hardware hardware;
    hardware.name = fmt::format("made {}", made);
    hardware.memory_slices = 5 + random.upto(5);
    hardware.compute_slices = 4 + random.upto(8);
    hardware.engines = {{"e", 2 + random.upto(3)}};
    for (int i = 0; i < 4; ++i) {
      MigProfile profile{fmt::format("p{}", i), 1 + random.upto(3), 1 + random.upto(3), {}, std::nullopt, {}};
      for (std::int64_t start = 0; start + *profile.memory <= hardware.memory_slices; ++start)
        if (random.upto(2) != 0 || start == 0) profile.starts.push_back(start);
      if (random.upto(1) == 0) profile.most = 1 + random.upto(3);
      if (random.upto(1) == 0) profile.engines = {{"e", 1 + random.upto(1)}};
      hardware.profiles.push_back(std::move(profile));
    }
    compare(hardware, 7, 15, random);
  }
}

}  // namespace

}  // namespace gpol
