// Pods with containers, init containers, what the pod itself requests and an overhead: random ones, as JSON.
#include <nlohmann/json.hpp>
#include <random>

#include "tests/conformance/reading/cases.h"

namespace reading_cases {
namespace {

using nlohmann::json;

class Pods {
 public:
  explicit Pods(std::uint32_t seed) : random_(seed) {}

  std::string one() {
    json spec;
    spec["containers"] = containers(1 + below(3), "c", false);
    if (const int count = below(4)) spec["initContainers"] = containers(count, "i", true);
    if (below(3) == 0) spec["resources"] = resources(false);
    if (below(4) == 0) spec["overhead"] = amounts(false);
    return spec.dump();
  }

 private:
  int below(int end) { return static_cast<int>(random_() % static_cast<std::uint32_t>(end)); }

  json amounts(bool device) {
    static const char* const kCpu[] = {"1", "500m", "1.5", "0", "2", "250m", "12", "3"};
    static const char* const kMemory[] = {"1Gi", "512Mi", "1500M", "0", "2Gi", "1e9", "100"};
    json out = json::object();
    if (below(3) != 0) out["cpu"] = kCpu[below(8)];
    if (below(3) != 0) out["memory"] = kMemory[below(7)];
    if (device && below(2) == 0) out["nvidia.com/gpu"] = std::to_string(below(5));
    return out;
  }

  json resources(bool device) {
    json out = json::object();
    if (below(4) != 0) out["requests"] = amounts(device);
    if (below(2) == 0) out["limits"] = amounts(device);
    return out;
  }

  json containers(int count, const std::string& name, bool init) {
    json out = json::array();
    for (int i = 0; i < count; ++i) {
      json container{{"name", name + std::to_string(i)}, {"image", "x"}, {"resources", resources(true)}};
      if (init && below(2) == 0) container["restartPolicy"] = "Always";
      out.push_back(std::move(container));
    }
    return out;
  }

  std::mt19937 random_;
};

}  // namespace

std::vector<std::string> pods(std::uint32_t seed, int count) {
  Pods of(seed);
  std::vector<std::string> out;
  for (int i = 0; i < count; ++i) out.push_back(of.one());
  return out;
}

}  // namespace reading_cases
