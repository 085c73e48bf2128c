#include "tests/conformance/differential/config_json.h"

namespace gpol::differential {

using nlohmann::json;

namespace {

constexpr const char* kFinalShare = "LessThanOrEqualToFinalShare";
constexpr const char* kInitialShare = "LessThanInitialShare";

// The preemption strategies; none: no fair sharing.
json strategies_json(const KueueConfig& config) {
  using Strategies = KueueConfig::FairStrategies;
  json out = json::array();
  if (config.fair_sharing && config.fair_strategies != Strategies::LessThanInitialShare) out.push_back(kFinalShare);
  if (config.fair_sharing && config.fair_strategies != Strategies::LessThanOrEqualToFinalShare)
    out.push_back(kInitialShare);
  return out;
}

void read_strategies(const json& in, KueueConfig& config) {
  using Strategies = KueueConfig::FairStrategies;
  config.fair_sharing = !in.empty();
  if (in.size() == 1)
    config.fair_strategies =
        in[0] == kFinalShare ? Strategies::LessThanOrEqualToFinalShare : Strategies::LessThanInitialShare;
}

// What of waitForPodsReady decides anything.
json pods_ready_json(const KueueConfig& config) {
  const auto wait = config.wait_for_pods_ready.value_or(KueueConfig::WaitForPodsReady{});
  return {{"block", wait.block_admission}, {"creation", wait.requeue_at_creation}};
}

void read_pods_ready(const json& in, KueueConfig& config) {
  config.wait_for_pods_ready = KueueConfig::WaitForPodsReady{};
  config.wait_for_pods_ready->block_admission = in.at("block");
  config.wait_for_pods_ready->requeue_at_creation = in.at("creation");
}

json transformations_json(const KueueConfig& config) {
  json out = json::array();
  for (const Transformation& t : config.transformations)
    out.push_back({{"input", t.input},
                   {"strategy", t.replace ? "Replace" : "Retain"},
                   {"multiplyBy", t.multiply_by},
                   {"outputs", t.outputs}});
  return out;
}

// The judge writes "0.5" as "500m".
std::string plain_decimal(const std::string& quantity) {
  if (!quantity.ends_with('m')) return quantity;
  const bool negative = quantity.starts_with('-');
  std::string digits = quantity.substr(negative ? 1 : 0, quantity.size() - (negative ? 2 : 1));
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  digits.insert(digits.size() - 3, ".");
  return (negative ? "-" : "") + digits;
}

void read_transformations(const json& in, KueueConfig& config) {
  for (const json& t : in) {
    auto outputs = t.value("outputs", std::map<std::string, std::string>());
    for (auto& [resource, factor] : outputs) factor = plain_decimal(factor);
    config.transformations.push_back(
        {t.at("input"), t.at("strategy") == "Replace", t.value("multiplyBy", ""), std::move(outputs)});
  }
}

}  // namespace

void put_config(json& history, const KueueConfig& config) {
  history["version"] = config.version;
  history["fairSharing"] = strategies_json(config);
  history["quotaCheck"] = config.quota_check_strategy;
  history["gates"] = config.gates;
  history["podsReady"] = pods_ready_json(config);
  history["transformations"] = transformations_json(config);
  history["exclude"] = config.excluded_prefixes;
}

void read_config(const json& history, KueueConfig& config) {
  if (history.contains("version")) config.version = history.at("version");
  read_strategies(history.at("fairSharing"), config);
  if (history.contains("quotaCheck")) config.quota_check_strategy = history.at("quotaCheck");
  if (history.contains("transformations")) read_transformations(history.at("transformations"), config);
  if (history.contains("exclude")) config.excluded_prefixes = history.at("exclude").get<std::vector<std::string>>();
  if (history.contains("gates")) config.gates = history.at("gates").get<std::map<std::string, bool>>();
  if (history.contains("podsReady")) read_pods_ready(history.at("podsReady"), config);
}

}  // namespace gpol::differential
