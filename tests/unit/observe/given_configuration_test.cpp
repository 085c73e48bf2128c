// Kueue's Configuration in the three forms in which people keep it: what it says, and where that stands in the file.
#include "checker/observe/given_configuration.h"
#include "tests/support/catch.h"

namespace gpol {
namespace {

const std::string kText =
    "apiVersion: config.kueue.x-k8s.io/v1beta2\n"
    "kind: Configuration\n"
    "\n"
    "# é, which is two bytes\n"
    "featureGates: # ours\n"
    "  ReclaimablePods: true\n";

std::string indented(const std::string& text, const std::string& by) {
  std::string out;
  for (const std::string_view line : lines_of(text)) out += line.empty() ? "\n" : by + std::string(line) + "\n";
  return out;
}

std::string config_map(const std::string& text) {
  return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kueue-manager-config\n  namespace: kueue-system\ndata:\n"
         "  controller_manager_config.yaml: |\n" +
         indented(text, "    ");
}

std::string values(const std::string& text) {
  return "# values\nkueue:\n  managerConfig:\n    controllerManagerConfigYaml: |-\n" + indented(text, "      ") +
         "  enablePrometheus: false\n";
}

GivenConfiguration read(const std::string& bytes) {
  auto found = read_given_configuration({"f.yaml", bytes}, 7);
  if (const auto* unread = std::get_if<UnreadFile>(&found)) FAIL(unread->what);
  return std::get<GivenConfiguration>(std::move(found));
}

std::string unread(const std::string& bytes) {
  const auto found = read_given_configuration({"f.yaml", bytes}, 7);
  const auto* why = std::get_if<UnreadFile>(&found);
  return why == nullptr ? "" : why->what;
}

// What stands in the file where the only gate's value does.
std::string gate_in(const std::string& bytes) {
  const GivenConfiguration given = read(bytes);
  for (const auto& entry : given.root.entries)
    if (entry.key == "featureGates") {
      const Span span = given.place(entry.value.entries.front().value);
      CHECK(span.file == 7);
      return bytes.substr(span.begin, span.end - span.begin);
    }
  return "";
}

TEST_CASE("a Configuration is found in each form, and its fields where they stand") {
  using Form = GivenConfiguration::Form;
  for (const auto& [bytes, form] : {std::pair{kText, Form::Itself},
                                    {config_map(kText), Form::ConfigMap},
                                    {values(kText), Form::Values},
                                    {"---\n" + kText + "---\n", Form::Itself},
                                    {"\xEF\xBB\xBF" + kText, Form::Itself}}) {
    INFO(bytes);
    const GivenConfiguration given = read(bytes);
    CHECK(given.form == form);
    CHECK(given.says.gates == std::map<std::string, bool>{{"ReclaimablePods", true}});
    CHECK(given.block);
    CHECK(given.refused.empty());
    CHECK(given.not_understood.empty());
    CHECK(gate_in(bytes) == "true");
  }
  CHECK(read(config_map(kText)).block->indentation == "    ");
  CHECK(read(config_map(kText)).namespaces.at(0).what == "kueue-system");
  CHECK(read(values(kText)).block->first_line == 4);
}

TEST_CASE("a text that does not stand line by line is read, and has no lines") {
  const std::string quoted =
      "managerConfig: {controllerManagerConfigYaml: \"apiVersion: config.kueue.x-k8s.io/v1beta2\\nkind: "
      "Configuration\\nfeatureGates: {ReclaimablePods: true}\\n\"}\n";
  const GivenConfiguration given = read(quoted);
  CHECK_FALSE(given.block);
  CHECK(given.says.gates.contains("ReclaimablePods"));
  CHECK(gate_in(quoted).starts_with("\"apiVersion"));
}

TEST_CASE("v1beta1 is read as the newest version") {
  const GivenConfiguration given =
      read("apiVersion: config.kueue.x-k8s.io/v1beta1\nkind: Configuration\nwaitForPodsReady: {enable: true}\n");
  CHECK(given.older);
  REQUIRE(given.says.wait_for_pods_ready);
  CHECK(given.says.wait_for_pods_ready->block_admission);
}

TEST_CASE("what is none of the three is not read, and it is said why") {
  CHECK(unread("") == "the file holds nothing");
  CHECK(unread("a: [\n").find("ends inside") != std::string::npos);
  CHECK(unread("replicas: 2\n") == "the file holds no text that is Kueue's Configuration");
  CHECK(unread("apiVersion: v1\nkind: Secret\nstringData: {a: b}\n") == "the file is of kind `Secret`");
  CHECK(unread(kText + "---\n" + kText) == "the file holds a second document");
  CHECK(unread("apiVersion: v1\nkind: Configuration\n") == "holds no Configuration of config.kueue.x-k8s.io");
  CHECK(unread(values(kText) + "other:\n  controllerManagerConfigYaml: |\n" + indented(kText, "    ")) ==
        "the file holds a second text that is Kueue's Configuration");
  CHECK(unread(config_map(kText + "x: [\n")).starts_with("the Configuration "));
  CHECK(unread("\xFF\xFE").find("UTF-16") != std::string::npos);
}

TEST_CASE("what Kueue does not start with, and what nobody knows, is told apart") {
  const GivenConfiguration wrong = read(kText + "fairSharing: {preemptionStrategies: [Mine]}\n");
  REQUIRE(wrong.refused.size() == 1);
  CHECK(wrong.refused.front().field == "fairSharing.preemptionStrategies");
  const GivenConfiguration unknown = read(kText + "admissionFairSharing: {usageHalfLifeTime: 1h}\n");
  CHECK(unknown.refused.empty());
  REQUIRE(unknown.not_understood.size() == 1);
  CHECK(unknown.not_understood.front().field == "admissionFairSharing");
}

}  // namespace
}  // namespace gpol
