// Layouts of a pool's devices: how few, how alike, what stays, and why there are none.
#include "compiler/plan/partition/layouts.h"

#include "tests/unit/partition/own_search.h"

namespace gpol {

namespace {

using test::answered, test::by_node, test::checked, test::model, test::only, test::refused, test::slices_of;

TEST_CASE("twelve of a half and twenty of a seventh take nine cards, of two kinds of node") {
  const Hardware& h100 = model("H100-80GB");
  const LayoutQuestion question{{{"3g.40gb", 12}, {"1g.10gb", 20}}, 2, 8, {}};
  const Layouts found = answered(h100, question);
  checked(h100, question, found);
  CHECK(found.devices_cut == 9);
  CHECK(found.devices_changed == 9);
  REQUIRE(found.kinds.size() == 2);
  CHECK(found.kinds[0].nodes == std::vector<std::int64_t>{0});
  CHECK(found.kinds[1].nodes == std::vector<std::int64_t>{1});
  for (std::size_t i = 1; i < 8; ++i) CHECK(found.kinds[1].devices[i].empty());
}

TEST_CASE("alike nodes are of one kind, and devices that are not needed stay whole") {
  const Hardware& h100 = model("H100-80GB");
  const LayoutQuestion question{{{"3g.40gb", 40}, {"2g.20gb", 20}, {"1g.10gb", 40}, {"7g.80gb", 10}}, 7, 8, {}};
  const Layouts found = answered(h100, question);
  checked(h100, question, found);
  CHECK(found.devices_cut == 40);
  REQUIRE(found.kinds.size() == 2);
  CHECK(found.kinds[0].nodes == std::vector<std::int64_t>{0, 1, 2, 3, 4});
  CHECK(found.kinds[1].nodes == std::vector<std::int64_t>{5, 6});
  CHECK(found.kinds[1].devices == NodeLayout(8));
}

TEST_CASE("only the devices that must change do, where they are") {
  const Hardware& h100 = model("H100-80GB");
  LayoutQuestion question{{{"3g.40gb", 12}, {"1g.10gb", 20}}, 2, 8, {}};
  const auto before = checked(h100, question, answered(h100, question));
  question.previous = before;
  CHECK(checked(h100, question, answered(h100, question)) == before);
  question.counts[1].count = 18;
  const Layouts fewer = answered(h100, question);
  CHECK(fewer.devices_cut == 9);
  CHECK(fewer.devices_changed == 1);
  const auto after = checked(h100, question, fewer);
  std::size_t same = 0;
  for (std::size_t n = 0; n < 2; ++n)
    for (std::size_t i = 0; i < 8; ++i) same += after[n][i] == before[n][i] ? 1 : 0;
  CHECK(same == 15);
  question.counts[1].count = 13;  // a card less is enough
  CHECK(answered(h100, question).devices_cut == 8);
  CHECK(answered(h100, question).devices_changed == 1);
  question.previous.push_back(NodeLayout(8, DeviceLayout{{"1g.10gb", 0}}));  // a node that there is no longer
  CHECK(answered(h100, question).devices_changed == 1);
  question.counts.clear();
  CHECK(answered(h100, question).devices_changed == 9);
}

TEST_CASE("a device keeps its starts, and gets legal ones where it had none") {
  const Hardware& h100 = model("H100-80GB");
  LayoutQuestion question{{{"3g.40gb", 1}, {"1g.10gb", 2}}, 1, 2, {}};
  question.previous = {{{}, {{"1g.10gb", 1}, {"1g.10gb", 3}, {"3g.40gb", 4}}}};
  CHECK(by_node(answered(h100, question), 1) == question.previous);
  question.previous = {{{}, {{"1g.10gb", 0}, {"1g.10gb", 1}, {"3g.40gb", 2}}}};
  const Layouts found = answered(h100, question);
  CHECK(found.devices_changed == 0);
  CHECK(checked(h100, question, found)[0][0].empty());
  question.previous = {{{{"9g.90gb", 0}}, {{"3g.40gb", 0}, {"3g.40gb", 4}}}};
  CHECK(answered(h100, question).devices_changed == 2);
}

TEST_CASE("why there are no layouts") {
  const Hardware& h100 = model("H100-80GB");
  using Why = NoLayouts::Why;
  NoLayouts no = refused(h100, {{{"3g.40gb", 4}, {"4g.40gb", 2}}, 1, 2, {}});
  CHECK(no.why == Why::TooFewDevices);
  CHECK(no.needed == 3);
  CHECK(no.devices == 2);
  CHECK(no.exactly);
  CHECK(no.each_fits_alone);
  REQUIRE(no.alone.size() == 2);
  CHECK(no.alone[0].profile == "3g.40gb");
  CHECK(no.alone[0].count == 2);
  CHECK(no.alone[1].count == 2);
  no = refused(h100, {{{"1g.10gb+me", 3}, {"1g.10gb", 3}}, 1, 2, {}});
  CHECK(no.why == Why::TooFewDevices);
  CHECK(no.needed == 3);
  CHECK_FALSE(no.each_fits_alone);
  no = refused(h100, {{{"1g.5gb", 3}}, 1, 2, {}});
  CHECK(no.why == Why::UnknownPlace);
  CHECK(no.profile == "1g.5gb");
  no = refused(model("RTX-PRO-5000-48GB"), {{{"1g.24gb", 1}}, 1, 2, {}});
  CHECK(no.why == Why::UnknownPlace);
  CHECK(no.profile == "1g.24gb");
  Hardware small = only(h100, {0, 6});
  small.compute_slices = 6;
  no = refused(small, {{{"1g.10gb", 1}, {"7g.80gb", 1}}, 1, 2, {}});
  CHECK(no.why == Why::NeverFits);
  CHECK(no.profile == "7g.80gb");
}

TEST_CASE("a limit is said, and what is known without it is said too") {
  const Hardware& h100 = model("H100-80GB");
  using Why = NoLayouts::Why;
  NoLayouts no = refused(h100, {{{"3g.40gb", 11}, {"2g.20gb", 9}}, 2, 8, {}}, 20);
  CHECK(no.why == Why::Undecided);
  CHECK_FALSE(no.exactly);
  no = refused(h100, {{{"3g.40gb", 11}, {"2g.20gb", 9}}, 1, 5, {}}, 20);
  CHECK(no.why == Why::TooFewDevices);
  CHECK(no.needed >= 6);
  CHECK_FALSE(no.exactly);
  no = refused(h100, {{{"1g.10gb", std::int64_t{1} << 60}, {"3g.40gb", INT64_MAX}}, 1 << 20, 8, {}});
  CHECK(no.why == Why::TooFewDevices);
  CHECK(no.needed == std::int64_t{1} << 62);
  CHECK(refused(h100, {{{"1g.10gb", 1}}, 1 << 20, 8, {}}).why == Why::Undecided);
}

TEST_CASE("no slices cut nothing, and of no devices there is nothing to say") {
  const Hardware& h100 = model("H100-80GB");
  const Layouts none = answered(h100, {{{"1g.10gb", 0}}, 3, 4, {}});
  CHECK(none.devices_cut == 0);
  REQUIRE(none.kinds.size() == 1);
  CHECK(none.kinds[0].nodes.size() == 3);
  CHECK(none.kinds[0].devices == NodeLayout(4));
  CHECK(answered(h100, {{}, 0, 8, {}}).kinds.empty());
  CHECK(refused(h100, {{{"1g.10gb", 1}}, 0, 8, {}}).devices == 0);
}

// A thousand cards; what it takes is measured elsewhere.
TEST_CASE("a thousand cards of seven profiles, and a little more and less of each") {
  const Hardware& h100 = model("H100-80GB");
  LayoutQuestion question{slices_of(h100, {1503, 97, 411, 655, 590, 203, 101}), 125, 8, {}};
  const Layouts found = answered(h100, question);
  question.previous = checked(h100, question, found);
  CHECK(found.devices_cut > 800);
  CHECK(found.kinds.size() <= 8);
  for (const std::size_t i : {0, 1, 2, 3, 4, 5, 6})
    for (const std::int64_t more : {-3, 2}) {
      LayoutQuestion other = question;
      other.counts[i].count += more;
      const Layouts changed = answered(h100, other);
      checked(h100, other, changed);
      CAPTURE(i, more);
      CHECK(changed.devices_changed <= 4);
    }
}

}  // namespace

}  // namespace gpol
