// gpol verify of what gpol build wrote: which premises its guards enforce, and of which other kinds they say nothing.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

namespace fs = std::filesystem;
using gpol::test::run_gpol;
using nlohmann::json;

namespace {

// All YAML that is written for the example, by file.
std::map<std::string, std::string> written() {
  static const auto files = [] {
    const fs::path out = fs::temp_directory_path() / ("gpol-verify-guards-" + std::to_string(getpid()));
    const std::string policy = std::string(GPOL_ROOT) + "/examples/morning-ramp/morning-ramp.gpol";
    REQUIRE(run_gpol({"build", policy, "-o", out.string()}).code == 0);
    std::map<std::string, std::string> all;
    for (const char* part : {"base", "controller"})
      for (const auto& file : fs::directory_iterator(out / part))
        if (file.path().filename() != "kustomization.yaml") {
          std::ostringstream text;
          text << std::ifstream(file.path()).rdbuf();
          all[file.path().filename()] = text.str();
        }
    fs::remove_all(out);
    // By day batch borrows nothing, and nobody has to leave: let it.
    std::string& batch = all.at("queues.yaml");
    const std::string limit = "borrowingLimit: \"0\"";
    const std::size_t queue = batch.find("kind: ClusterQueue\nmetadata:\n  name: finetune\n");
    REQUIRE(batch.find(limit, queue) != std::string::npos);
    for (std::size_t at = queue; (at = batch.find(limit, at)) != std::string::npos;)
      batch.replace(at, limit.size(), "borrowingLimit: \"1000\"");
    return all;
  }();
  return files;
}

// The status of the premise that begins so, with some files changed.
std::string status_of(const std::string& premise,
                      const std::function<void(std::map<std::string, std::string>&)>& edit) {
  auto files = written();
  edit(files);
  std::string input;
  for (const auto& [name, text] : files) input += "---\n" + text + "\n";
  const auto report = json::parse(run_gpol({"verify", "-", "--format", "json"}, input).out);
  for (const json& one : report["assumptions"])
    if (one["text"].get<std::string>().starts_with(premise)) return one["status"];
  return "absent";
}

const char* const kLeaves = "what is evicted leaves";
const char* const kPriority = "workloads of batch queues have priority";
const char* const kConfiguration = "controller_manager_config.yaml";

}  // namespace

TEST_CASE("verify: the guards that are written enforce that batch leaves, and its priority", "[slow]") {
  const auto nothing = [](auto&) {};
  CHECK(status_of(kLeaves, nothing) == "enforced");
  CHECK(status_of(kPriority, nothing) == "enforced");
}

TEST_CASE("verify: guards of Jobs and pods enforce nothing of other kinds that Kueue manages", "[slow]") {
  for (const char* framework :
       {"jobset.x-k8s.io/jobset", "leaderworkerset.x-k8s.io/leaderworkerset", "ray.io/rayjob"}) {
    INFO(framework);
    const auto manages = [&](auto& files) {
      files.at(kConfiguration) += fmt::format("integrations: {{frameworks: [batch/job, {}]}}\n", framework);
    };
    CHECK(status_of(kLeaves, manages) == "trusted");
    CHECK(status_of(kPriority, manages) == "trusted");
  }
  const auto without = [](auto& files) { files.erase(kConfiguration); };  // Kueue is shipped with more of them
  CHECK(status_of(kLeaves, without) == "trusted");
  CHECK(status_of(kPriority, without) == "trusted");
}

TEST_CASE("verify: a StatefulSet of batch has its priority before it has pods") {
  const auto allowed = [](auto& files) {
    std::string& guards = files.at("guards.yaml");
    for (std::size_t at = 0; (at = guards.find("name: gpol-batch-runs-no-statefulsets\n")) != std::string::npos;) {
      const std::size_t begin = guards.rfind("---\n", at), end = guards.find("\n---\n", at);
      guards.erase(begin, end + 1 - begin);
    }
  };
  CHECK(status_of(kLeaves, allowed) == "trusted");
  CHECK(status_of(kPriority, allowed) == "trusted");
}
