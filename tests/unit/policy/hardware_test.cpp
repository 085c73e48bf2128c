// The shipped catalogue and the search for a legal layout, held against the numbers that
// policies/hardware/mig-profiles.yaml has from an enumeration of its own.
#include <array>
#include <cstdio>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>

#include "compiler/policy/catalogue.h"
#include "compiler/policy/mig_layout.h"
#include "tests/unit/policy/policy_text.h"

namespace gpol {

namespace {

// Every model of the catalogue, declared by a policy: what the file says is what is resolved.
Policy catalogue() { return test::Resolved(std::string(shipped_hardware())).policy(); }

const Hardware& model(const Policy& policy, std::string_view name) {
  for (const Hardware& hardware : policy.hardware)
    if (hardware.name == name) return hardware;
  throw std::logic_error("no such model");
}

// How many multisets of these profiles, the empty one apart, have a legal placement.
std::size_t legal_layouts(const Hardware& hardware, const std::vector<std::string>& profiles) {
  std::size_t found = 0;
  std::vector<Slices> layout;
  const std::function<void(std::size_t)> choose = [&](std::size_t at) {
    if (at == profiles.size()) {
      std::vector<Slices> some;
      for (const Slices& slices : layout)
        if (slices.count > 0) some.push_back(slices);
      found += !some.empty() && !why_no_placement(hardware, some) ? 1 : 0;
      return;
    }
    for (std::int64_t count = 0; count <= *profile_of(hardware, profiles[at])->most; ++count) {
      layout.push_back({profiles[at], count});
      choose(at + 1);
      layout.pop_back();
    }
  };
  choose(0);
  return found;
}

std::string run(const std::string& command) {
  std::string out;
  std::FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) out.append(buffer.data(), n);
  CHECK(pclose(pipe) == 0);
  return out;
}

TEST_CASE("the catalogue is what its generator writes, and what the program carries") {
  std::ifstream file(GPOL_ROOT "/policies/hardware.gpol");
  std::stringstream text;
  text << file.rdbuf();
  CHECK(text.str() == shipped_hardware());
  CHECK(run("python3 " GPOL_ROOT "/policies/hardware/generate.py") == text.str());
}

TEST_CASE("devices are of the models that the facts say") {
  const std::string table = run("python3 " GPOL_ROOT "/policies/hardware/generate.py --pci");
  const std::regex row("\\{\"0X([0-9A-F]+)\", \"([^\"]+)\"\\}");
  int rows = 0;
  for (auto at = std::sregex_iterator(table.begin(), table.end(), row); at != std::sregex_iterator(); ++at, ++rows)
    CHECK(model_of_pci_id("0x" + (*at)[1].str()) == (*at)[2].str());
  CHECK(rows > 20);
  CHECK(model_of_pci_id("0x233010de") == "H100-80GB");
  CHECK(model_of_pci_id("0x000010DE").empty());
}

TEST_CASE("every model of the catalogue is found by its name") {
  const Policy all = catalogue();
  const auto names = catalogue_models();
  REQUIRE(names.size() == all.hardware.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    CHECK(names[i] == all.hardware[i].name);
    CHECK(catalogue_model(names[i]).has_value());
  }
  CHECK_FALSE(catalogue_model("H100").has_value());
}

TEST_CASE("the layouts that have a place are as many as were counted elsewhere") {
  const Policy all = catalogue();
  const std::vector<std::string> base{"1g.10gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"};
  for (const char* name : {"A100-80GB", "H100-80GB"}) {
    auto profiles = base;
    CHECK(legal_layouts(model(all, name), profiles) == 37);
    profiles.push_back("1g.20gb");
    CHECK(legal_layouts(model(all, name), profiles) == 77);
    profiles.push_back("1g.10gb+me");
    CHECK(legal_layouts(model(all, name), profiles) == 127);
  }
  CHECK(legal_layouts(model(all, "A30-24GB"), {"1g.6gb", "2g.12gb", "4g.24gb"}) == 9);
  CHECK(legal_layouts(model(all, "A30-24GB"), {"1g.6gb", "1g.6gb+me", "2g.12gb", "2g.12gb+me", "4g.24gb"}) == 19);
  const Hardware& rtx = model(all, "RTX-PRO-6000-96GB");
  CHECK(legal_layouts(rtx, {"1g.24gb", "2g.48gb", "4g.96gb"}) == 9);
  std::vector<std::string> each;
  for (const MigProfile& profile : rtx.profiles) each.push_back(profile.name);
  CHECK(each.size() == 11);
  CHECK(legal_layouts(rtx, each) == 114);
}

TEST_CASE("of what nobody is known to have seen nothing is said") {
  const Policy all = catalogue();
  const Hardware& unknown = model(all, "RTX-PRO-5000-48GB");
  CHECK(unknown.placements == "unsourced");
  CHECK_FALSE(why_no_placement(unknown, {{"1g.24gb", 2}, {"2g.48gb", 1}}));
  CHECK(why_no_placement(unknown, {{"2g.48gb", 2}}) == "a device holds at most 1 of `2g.48gb`");
}

TEST_CASE("a policy's own model comes before the catalogue's of the same name") {
  const std::string nodes =
      "cluster c { scheduler kueue nodes n { gpu H100-80GB count 1 each 8 gpus, 8 cpu, 1 TiB, 9 pods } "
      "pool p on n as mig { 1 x 1g.1gb } }";
  test::accepts(nodes + " hardware H100-80GB { slices 1 compute, 1 memory mig 1g.1gb { compute 1 } }");
  test::refuses(nodes, {"GP0201 1:118 [1 x 1g.1gb] `H100-80GB` cannot be cut into `1g.1gb`"});
}

TEST_CASE("slices that fit by their sums may still have no start left") {
  Hardware odd;
  odd.name = "Odd";
  odd.compute_slices = odd.memory_slices = 4;
  odd.profiles = {{"2g.8gb", 2, 2, {1}, 1, {}}, {"1g.4gb", 1, 1, {1, 2}, 2, {}}};
  CHECK(why_no_placement(odd, {{"2g.8gb", 1}, {"1g.4gb", 1}}) ==
        "no place is left for `1g.4gb`, which may start only at 1, 2");
}

TEST_CASE("what a device holds already decides what it still takes") {
  const Policy all = catalogue();
  const Hardware& h100 = model(all, "H100-80GB");
  // The compute slices are the same, the places are not: a 3g at 0 leaves three starts for 1g, at 4 four.
  CHECK_FALSE(why_no_placement(h100, {{"1g.10gb", 3}}, {{"3g.40gb", 0}}));
  CHECK(why_no_placement(h100, {{"1g.10gb", 4}}, {{"3g.40gb", 0}}));
  CHECK_FALSE(why_no_placement(h100, {{"1g.10gb", 4}}, {{"3g.40gb", 4}}));
  CHECK_FALSE(why_no_placement(h100, {{"3g.40gb", 1}, {"1g.10gb", 4}}));
}

TEST_CASE("the model of a node is what its labels say") {
  const auto named = [](std::string_view product, std::int64_t memory) {
    const auto found = hardware_of_product(product, memory);
    return found ? found->name : std::string();
  };
  CHECK(named("NVIDIA-H100-80GB-HBM3", 81559) == "H100-80GB");
  CHECK(named("NVIDIA-H100-80GB-HBM3-MIG-3g.40gb", 0) == "H100-80GB");
  CHECK(named("NVIDIA-H100-NVL", 95830) == "H100-94GB");  // and not that of 96 GB, which is near, too
  CHECK(named("NVIDIA-H100-NVL", 0).empty());
  CHECK(named("NVIDIA-H800", 81559) == "H100-80GB");
  CHECK(named("NVIDIA-H20", 97871) == "H100-96GB");
  CHECK(named("NVIDIA-GH200-480GB", 97871) == "H100-96GB");
  CHECK(named("NVIDIA-A800-SXM4-80GB", 81920) == "A100-80GB");
  CHECK(named("NVIDIA-A100-SXM4-40GB", 40960) == "A100-40GB");
  CHECK(named("Tesla-V100-SXM2-16GB", 16384).empty());
}

}  // namespace

}  // namespace gpol
