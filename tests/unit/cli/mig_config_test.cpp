// gpol build --mig-config FILE: configurations of mig-parted that somebody keeps are written beside the policy's.
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using gpol::test::Ran;
using gpol::test::read_text;
using gpol::test::run_gpol;
using gpol::test::Scratch;
using gpol::test::write_text;

namespace {

std::string policy(const std::string& pool) {
  return "cluster demo {\n  scheduler kueue 0.19.2\n  nodes mig { gpu H100-80GB; count 3; each 8 gpus, 192 cpu, 2 TiB, "
         "110 pods; tolerate 1 lost }\n  pool live on mig " +
         pool +
         "\n  writers user \"flux\"\n}\nclass realtime : A { }\ntenant chat { namespace chat-prod; class realtime; "
         "reserve "
         "16 " +
         (pool.empty() ? "gpus" : "x 3g.40gb") +
         " of live }\n"
         "trust controller-as-emitted because \"one pipeline\" by @platform\n"
         "trust nodes-as-declared because \"reviewed\" by @platform\n";
}
const std::string kCut = "as mig { 1 x 3g.40gb, 4 x 1g.10gb }";
const std::string kNotebooks =
    "version: v1\nmig-configs:\n  # of the notebooks\n  all-1g.5gb:\n    - device-filter: [\"0x20B010DE\"]\n      "
    "devices: "
    "all\n      mig-enabled: true\n      mig-devices: { \"1g.5gb\": 7 }\n";

Ran build(const Scratch& dir, const std::string& text, const std::string& given) {
  write_text(dir / "p.gpol", text);
  write_text(dir / "mig.yaml", given);
  return run_gpol(
      {"build", (dir / "p.gpol").string(), "-o", (dir / "out").string(), "--mig-config", (dir / "mig.yaml").string()});
}

std::string config_map(const std::string& name, const std::string& text) {
  std::string block;
  for (std::size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    end = text.find('\n', begin);
    block += "    " + text.substr(begin, end - begin + 1);
  }
  return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name +
         "\n  namespace: nvidia\ndata:\n  config.yaml: |\n" + block;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("mig-config: a file of mig-parted's own, and the operator's, become gpol's ConfigMap", "[slow]") {
  for (const std::string& given : {kNotebooks, config_map("default-mig-parted-config", kNotebooks)}) {
    const Scratch dir;
    const Ran ran = build(dir, policy(kCut), given);
    INFO(ran.out);
    REQUIRE(ran.code == 0);
    const std::string written = read_text(dir / "out/partition/mig-parted.yaml");
    CHECK(holds(written, "  name: gpol-mig-parted-config\n"));
    CHECK(holds(written,
                "      all-1g.5gb:\n        - device-filter:\n            - \"0x20B010DE\"\n          devices: all\n"));
    CHECK(holds(written, "      gpol-live."));
    CHECK(holds(written, "      all-disabled:\n"));  // the default of MIG Manager, which the file does not have
    const std::string operator_says = read_text(dir / "out/partition/cluster-policy.yaml");
    CHECK(holds(operator_says, "      name: gpol-mig-parted-config\n"));
    CHECK_FALSE(holds(operator_says, "default"));  // of nodes without a label: as it is
    CHECK(holds(read_text(dir / "out/partition/README.md"), "--mig-config"));
  }
}

TEST_CASE("mig-config: a ConfigMap keeps its name", "[slow]") {
  const Scratch dir;
  const Ran ran = build(dir, policy(kCut), config_map("team-mig", kNotebooks));
  REQUIRE(ran.code == 0);
  const std::string written = read_text(dir / "out/partition/mig-parted.yaml");
  CHECK(holds(written, "  name: team-mig\n  namespace: nvidia\n"));
  CHECK(holds(read_text(dir / "out/partition/cluster-policy.yaml"), "      name: team-mig\n"));
  // What was written may not be given again: one name would have two meanings once the policy changes.
  const Ran again = build(dir, policy(kCut), written);
  CHECK(again.code == 1);
  CHECK(holds(again.out, "error[GP0512]"));
  CHECK(holds(again.out, "take `gpol-live."));
}

TEST_CASE("mig-config: a policy that cuts nothing, or leaves it to others, says that it did not look", "[slow]") {
  for (const std::string& pool : {std::string(), kCut + " unmanaged"}) {
    const Scratch dir;
    const Ran ran = build(dir, policy(pool), kNotebooks);
    INFO(ran.out);
    CHECK(ran.code == 0);
    CHECK(holds(ran.out, "is not looked at: gpol cuts no pool of this policy"));
    CHECK_FALSE(std::filesystem::exists(dir / "out/partition"));
  }
}

TEST_CASE("mig-config: what is no configuration is an error with its place, and nothing is written") {
  for (const auto& [given, part] : std::initializer_list<std::pair<std::string, std::string>>{
           {"", "holds nothing"},
           {"a: [", "nothing closes"},
           {"kind: Job\n", "holds no configuration of mig-parted"},
           {kNotebooks + "---\n" + kNotebooks, "holds a second document"},
           {"version: v1\nmig-configs:\n  one:\n    - devices: all\n", "mig-enabled is missing"},
           {"version: v2\nmig-configs: {}\n", "version must be v1"},
           {config_map("team-mig", kNotebooks) + "  other: x\n", "other` is not a field that is understood"},
           {config_map("team_mig", kNotebooks), "is not a legal name"},
           {config_map("team-mig", kNotebooks) + "immutable: true\n", "`immutable` is not a field that is understood"},
           {"version: v1\nmig-configs: {}\n", "holds no configuration"}}) {
    const Scratch dir;
    const Ran ran = build(dir, policy(kCut), given);
    INFO(ran.out);
    CHECK(ran.code == 1);
    CHECK(holds(ran.out, "error[GP0512]"));
    CHECK(holds(ran.out, part));
    CHECK(holds(ran.out, "mig.yaml:"));
    CHECK_FALSE(std::filesystem::exists(dir / "out"));
  }
}

TEST_CASE("partition: a shared pool of any name has a configuration of its own beside the default", "[slow]") {
  for (const std::string name : {"default", "none"}) {
    const Scratch dir;
    write_text(
        dir / "p.gpol",
        "cluster demo {\n  scheduler kueue 0.19.2\n  nodes a30 { gpu A30-24GB; count 4; each 4 gpus, 64 cpu, 256 "
        "GiB, 110 pods }\n  nodes own { gpu A30-24GB; count 1; each 4 gpus, 64 cpu, 256 GiB, 110 pods }\n"
        "  pool live on own\n  pool " +
            name +
            " on a30 as time-slices 4\n  writers user \"flux\"\n}\nclass realtime : A { }\n"
            "class batch : C { runs Job; grace 60s (saved in 45s); kill margin 5s }\n"
            "tenant chat { namespace chat; class realtime; reserve 4 gpus of live }\n"
            "tenant t { namespace t; class batch; quota 16 shares of " +
            name +
            " }\ntrust controller-as-emitted because \"one pipeline\" by @platform\n"
            "trust nodes-as-declared because \"reviewed\" by @platform\n");
    const Ran ran = run_gpol({"build", (dir / "p.gpol").string(), "-o", (dir / "out").string()});
    INFO(ran.out);
    REQUIRE(ran.code == 0);
    const std::string written = read_text(dir / "out/partition/device-plugin.yaml");
    CHECK(holds(written, "\n  gpol.default: |\n"));
    CHECK(holds(written, "\n  gpol-" + name + ": |\n"));
  }
}
