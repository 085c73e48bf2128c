// The layouts of a device against the counts of gpu-partitioning.md (1.5), which come from another enumeration.
#include "compiler/plan/partition/device_layouts.h"

#include <set>

#include "tests/unit/partition/own_search.h"

namespace gpol {

namespace {

using test::legal, test::model, test::only;

// A row of the table in gpu-partitioning.md (1.5).
struct Regression {
  std::size_t layouts, maximal_layouts, multisets, maximal_multisets;
  friend bool operator==(const Regression&, const Regression&) = default;
};

// Whether an instance can be added without moving one.
bool can_take_more(const Hardware& hardware, const DeviceLayout& layout) {
  for (const MigProfile& profile : hardware.profiles)
    for (std::int64_t start = 0; start < hardware.memory_slices; ++start) {
      DeviceLayout more = layout;
      more.push_back({profile.name, start});
      if (has_legal_starts(hardware, more)) return true;
    }
  return false;
}

Regression counted(const Hardware& hardware) {
  const auto layouts = device_layouts(hardware, 10'000);
  const auto multisets = device_multisets(hardware, 10'000);
  REQUIRE(layouts);
  REQUIRE(multisets);
  Regression out{layouts->size(), 0, multisets->size(), maximal(*multisets).size()};
  std::set<DeviceLayout, test::InOrder> distinct;
  std::set<ProfileCounts> held;
  for (const DeviceLayout& layout : *layouts) {
    CHECK(legal(hardware, layout));
    CHECK(has_legal_starts(hardware, layout));
    distinct.insert(layout);
    held.insert(*counts_of(hardware, layout));
    out.maximal_layouts += can_take_more(hardware, layout) ? 0 : 1;
  }
  CHECK(distinct.size() == layouts->size());
  CHECK(held == std::set<ProfileCounts>(multisets->begin(), multisets->end()));
  for (const ProfileCounts& multiset : *multisets) {
    const DeviceLayout layout = placed(hardware, multiset);
    CHECK(legal(hardware, layout));
    CHECK(counts_of(hardware, layout) == multiset);
  }
  return out;
}

TEST_CASE("the layouts of a device with seven compute slices are as many as were counted elsewhere") {
  const auto name = GENERATE(as<std::string>{}, "A100-40GB", "A100-80GB", "H100-80GB", "H200-141GB", "B200-180GB");
  CAPTURE(name);
  const Hardware& all = model(name);  // 1g, 1g+me, 1g of double memory, 2g, 3g, 4g, 7g
  const Hardware base = only(all, {0, 3, 4, 5, 6});
  CHECK(counted(base) == Regression{297, 19, 37, 12});
  Hardware old_driver = base;  // no 4g beside a 3g: 2 + 3 of 4, and 2 + 2 of 4
  old_driver.engines.emplace_back("old", 4);
  old_driver.profiles[2].engines.emplace_back("old", 2);
  old_driver.profiles[3].engines.emplace_back("old", 3);
  CHECK(counted(old_driver) == Regression{296, 18, 36, 11});
  CHECK(counted(only(all, {0, 2, 3, 4, 5, 6})) == Regression{722, 78, 77, 28});
  CHECK(all.profiles.size() == 7);
  CHECK(counted(all) == Regression{2318, 239, 127, 44});
}

TEST_CASE("the layouts of a device with four compute slices are as many as were counted elsewhere") {
  const Hardware& a30 = model("A30-24GB");
  CHECK(counted(only(a30, {0, 2, 4})) == Regression{25, 5, 9, 4});
  CHECK(counted(a30) == Regression{75, 17, 19, 8});
  const Hardware& rtx = model("RTX-PRO-6000-96GB");
  CHECK(rtx.profiles.size() == 11);
  CHECK(counted(rtx) == Regression{716, 302, 114, 64});
  CHECK(counted(only(rtx, {0, 5, 9})) == Regression{25, 5, 9, 4});
}

TEST_CASE("what is too much to list is not listed") {
  const Hardware& all = model("H100-80GB");
  CHECK(device_layouts(all, 2318));
  CHECK_FALSE(device_layouts(all, 2317));
  CHECK(device_multisets(all, 127));
  CHECK_FALSE(device_multisets(all, 126));
}

}  // namespace

}  // namespace gpol
