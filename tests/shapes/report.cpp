#include "tests/shapes/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace {

using nlohmann::json;

std::string text_of(const json& value) { return value.is_string() ? value.get<std::string>() : std::string(); }

// A place of the folder's own, while gpol runs as its owner runs it.
class Standing {
 public:
  explicit Standing(const std::filesystem::path& where) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(where);
  }
  ~Standing() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
  }
  Standing(const Standing&) = delete;
  Standing& operator=(const Standing&) = delete;

 private:
  std::filesystem::path before_;
};

class Differences {
 public:
  // `words`: of the document and of the first screen.
  Differences(const json& report, std::string words, const ExpectedRun& expected)
      : report_(report), words_(std::move(words)), expected_(expected) {}

  std::vector<std::string> of(int code) {
    const std::string verdict = text_of(report_["verdict"]);
    if (verdict != expected_.verdict || code != expected_.exit)
      tell("{} with exit code {}, expected {} {}", verdict, code, expected_.verdict, expected_.exit);
    for (const ExpectedBundle& bundle : expected_.bundles) in(bundle);
    for (const std::string& family : expected_.refuted) refuted(family);
    for (const std::string& text : expected_.assumes) assumed(text);
    for (const std::string& text : expected_.words)
      if (words_.find(text) == std::string::npos) tell("nowhere says {}", text);
    for (const std::string& text : expected_.lacking)
      if (words_.find(text) != std::string::npos) tell("says {}", text);
    return std::move(told_);
  }

 private:
  template <typename... Args>
  void tell(fmt::format_string<Args...> text, Args&&... args) {
    told_.push_back(fmt::format(text, std::forward<Args>(args)...));
  }

  bool belongs(const json& item, const ExpectedBundle& bundle) const {
    const std::string path = item.contains("bundle") ? text_of(item["bundle"]) : std::string();
    if (!bundle.path.empty()) return path == bundle.path;
    return std::none_of(expected_.bundles.begin(), expected_.bundles.end(),
                        [&](const ExpectedBundle& other) { return !other.path.empty() && other.path == path; });
  }

  void in(const ExpectedBundle& bundle) {
    if (!bundle.path.empty()) {
      std::string verdict = "no such bundle";
      for (const json& each : report_.value("bundles", json::array()))
        if (each["path"] == bundle.path) verdict = text_of(each["verdict"]);
      if (verdict != bundle.verdict) tell("{}: {}, expected {}", bundle.path, verdict, bundle.verdict);
    }
    claims(bundle);
  }

  // The serving queues' rows: those of the queues that are expected, and every required one.
  void claims(const ExpectedBundle& bundle) {
    using Row = std::pair<json, json>;
    std::map<std::string, Row> rows;
    std::set<std::string> queues;
    for (const ExpectedClaim& claim : bundle.claims) queues.insert(claim.queue);
    for (const json& each : report_["obligations"]) {
      if (each["family"] != "claim" || !belongs(each, bundle)) continue;
      const json& of = each["subject"];
      if (!each["required"].get<bool>() && !queues.contains(text_of(of["name"]))) continue;
      if (each["figures"]["claimable"].is_null() && !queues.contains(text_of(of["name"]))) continue;
      rows[fmt::format("{} {} {}", text_of(of["name"]), text_of(of["flavor"]), text_of(of["resource"]))] = {
          each["figures"]["claimable"], each["figures"]["reserve"]};
    }
    for (const ExpectedClaim& claim : bundle.claims) {
      const std::string name = fmt::format("{} {} {}", claim.queue, claim.flavor, claim.resource);
      const auto row = rows.extract(name);
      if (row.empty())
        tell("{} claim {}: no such row", bundle.path, name);
      else if (row.mapped() != Row(json(claim.claimable), json(claim.reserve)))
        tell("{} claim {}: {} of {}, expected {} of {}", bundle.path, name, row.mapped().first.dump(),
             row.mapped().second.dump(), claim.claimable, claim.reserve);
    }
    for (const auto& [name, row] : rows)
      tell("{} claim {}: {} of {}, not expected", bundle.path, name, row.first.dump(), row.second.dump());
  }

  void refuted(const std::string& family) {
    for (const json& each : report_["obligations"])
      if (each["family"] == family && each["required"] == true && each["verdict"] == "refuted") return;
    tell("{} is not refuted", family);
  }

  void assumed(const std::string& text) {
    for (const json& each : report_["assumptions"])
      if (text_of(each["text"]).find(text) != std::string::npos) return;
    tell("no assumption says {}", text);
  }

  const json& report_;
  const std::string words_;
  const ExpectedRun& expected_;
  std::vector<std::string> told_;
};

}  // namespace

Answered answer(const std::filesystem::path& folder, const ExpectedRun& expected) {
  Answered out;
  std::vector<std::string> args = expected.args;
  args.insert(args.end(), {"--format", "json"});
  const Standing here(folder);
  const std::clock_t start = std::clock();
  const Ran ran = run_gpol(args);
  out.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const json report = json::parse(ran.out, nullptr, false);
  if (!report.is_object()) {
    out.differences.push_back("no document: " + ran.out + ran.err);
    return out;
  }
  out.verdict = text_of(report["verdict"]);
  const std::string words = report.dump() + run_gpol(expected.args).out;
  out.differences = Differences(report, words, expected).of(ran.code);
  return out;
}

}  // namespace gpol::test
