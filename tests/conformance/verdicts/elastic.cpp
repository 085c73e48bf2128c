#include "tests/conformance/verdicts/elastic.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands/verify.h"
#include "compiler/cluster/roles.h"
#include "tests/conformance/verdicts/bundle.h"
#include "tests/support/random_tree.h"

namespace gpol::verdicts {

namespace {

using nlohmann::json;
using testing::Dice;

constexpr const char* kWay = "elastic-jobs";

// "used" by an object of the input, "assumed" that nobody does, or "shut": read from what is reported, and not from
// what was drawn.
std::string says(const Report& report) {
  for (const Obligation& o : report.obligations)
    if (o.family == Family::Bypass && o.verdict == Verdict::Refuted && o.detail &&
        o.detail->message.find(fmt::format("`{}`", kWay)) != std::string::npos)
      return "used";
  return std::any_of(report.assumptions.begin(), report.assumptions.end(),
                     [](const Assumption& a) {
                       return a.status != Assumption::Status::Enforced && a.text.find(kWay) != std::string::npos;
                     })
             ? "assumed"
             : "shut";
}

// What each serving queue can have at once, whatever others do, and however late victims end.
json claims(const Session& session) {
  json out = json::array();
  const Planned& planned = *session.planned;
  for (const Obligation& o : session.report.obligations) {
    if (o.family != Family::Claim || o.subject.kind != "ClusterQueue" || !o.figures.reserve || !o.figures.claimable)
      continue;
    const auto queue = std::find_if(planned.cluster.queues.begin(), planned.cluster.queues.end(),
                                    [&](const Queue& one) { return one.name == o.subject.name; });
    const auto at = static_cast<std::size_t>(queue - planned.cluster.queues.begin());
    const std::int64_t least = *o.figures.reserve - *o.figures.claimable;
    if (planned.intent.roles[at].kind == QueueRole::Kind::Serving && least > 0)
      out.push_back({{"queue", o.subject.name},
                     {"flavor", o.subject.flavor},
                     {"resource", o.subject.resource},
                     {"least", least},
                     {"late", *o.figures.reserve - o.figures.claimable_ending.value_or(*o.figures.claimable)}});
  }
  return out;
}

class Attacker {
 public:
  Attacker(const Planned& planned, Dice& dice) : planned_(planned), dice_(dice) {
    for (std::uint32_t q = 0; q < planned.cluster.queues.size(); ++q)
      if (planned.intent.roles[q].kind == QueueRole::Kind::Batch && !planned.cluster.queues[q].groups.empty())
        batch_.push_back(q);
  }

  // The first of them is the elastic Job of the bundle, where it has one.
  json make(const json& first) {
    steps_ = json::array(), names_.clear(), pods_.clear();
    if (batch_.empty()) return steps_;
    late_ = dice_.one_in(4);
    if (!first.is_null()) submit(first);
    for (std::int64_t rounds = 2 + dice_.upto(1); rounds > 0; --rounds) {
      for (const auto queue : batch_)
        for (std::int64_t n = dice_.upto(2); n > 0; --n) submit(job(queue));
      cycles();
    }
    // Then, where all is taken: one shrinks and another grows by as much, beside those that wait, in one cycle.
    for (std::int64_t rounds = 3 + dice_.upto(2); rounds > 0 && !names_.empty(); --rounds) {
      const std::size_t one = early(), other = early();
      const std::int64_t freed = pods_[one] == 0 ? 0 : 1 + dice_.upto(std::min<std::int64_t>(pods_[one], 4) - 1);
      if (!dice_.one_in(4)) scale(one, -freed);
      scale(other, std::max<std::int64_t>(dice_.one_in(4) ? 1 : freed, 1));
      if (dice_.one_in(2)) submit(job(batch_[any(batch_.size())]));
      cycles();
    }
    return steps_;
  }

  bool any_batch() const { return !batch_.empty(); }

  json job() { return job(batch_[any(batch_.size())]); }

 private:
  json job(std::uint32_t q) {
    const Cluster& cluster = planned_.cluster;
    const auto& groups = cluster.queues[q].groups;
    json each = json::object();
    for (const auto& group : groups)
      for (const auto resource : group.covered)
        if (const auto& name = cluster.resources[resource]; name != "pods" && (name != "cpu" || dice_.one_in(3)))
          each[name] = (dice_.one_in(8) ? 2 : 1) * one_unit(name);
    const auto& flavors = groups.front().flavors;
    const auto flavor = flavors[any(flavors.size())].flavor;
    return {{"do", "submit"},
            {"job", fmt::format("job-{}", names_.size())},
            {"queue", cluster.queues[q].name},
            {"pods", dice_.one_in(2) ? 1 : 1 + dice_.upto(3)},
            {"each", each},
            {"flavor", dice_.one_in(4) ? cluster.flavors[flavor].name : ""},
            {"priority", planned_.intent.roles[q].priority.value_or(dice_.one_in(2) ? 0 : 50)}};
  }

  void scale(std::size_t at, std::int64_t by) {
    pods_[at] += by;
    steps_.push_back({{"do", "scale"}, {"job", names_[at]}, {"pods", pods_[at]}});
  }

  std::size_t any(std::size_t count) {
    return static_cast<std::size_t>(dice_.upto(static_cast<std::int64_t>(count) - 1));
  }

  // One that came early more often than not, since it runs more often than not.
  std::size_t early() { return std::min(any(names_.size()), any(names_.size())); }

  void cycles() {
    for (std::int64_t n = 1 + dice_.upto(1); n > 0; --n) {
      if (late_) steps_.push_back({{"do", "run"}});
      steps_.push_back({{"do", "cycle"}});
    }
    if (late_ && dice_.one_in(3)) steps_.push_back({{"do", "end"}});
  }

  void submit(json what) {
    names_.push_back(what.at("job"));
    pods_.push_back(what.at("pods"));
    steps_.push_back(std::move(what));
  }

  const Planned& planned_;
  Dice& dice_;
  std::vector<std::uint32_t> batch_;
  std::vector<std::string> names_;  // of Jobs so far, and how many pods each was last said to have
  std::vector<std::int64_t> pods_;
  json steps_;
  bool late_ = false;
};

std::string object(std::string_view kind, std::string_view metadata, std::string_view spec) {
  return fmt::format("apiVersion: kueue.x-k8s.io/v1beta2\nkind: {}\nmetadata: {{{}}}\nspec:\n{}---\n", kind, metadata,
                     spec);
}

// A small cluster in which a service keeps something from two or more queues of batch that share the rest: what it
// takes, since one head must be given what another one that grows is not counted in. In what bundle.h draws it is rare.
std::string shared(Dice& dice) {
  const bool nested = dice.one_in(3), two = dice.one_in(5);
  std::string out = object("Cohort", "name: research", "  parentName: company\n");
  for (const char* flavor : {"h100", "a100"})
    out +=
        object("ResourceFlavor", fmt::format("name: {}", flavor), fmt::format("  nodeLabels: {{pool: {}}}\n", flavor));
  const std::int64_t queues = 3 + dice.upto(1);
  for (std::int64_t q = 0; q < queues; ++q) {
    const bool serves = q == 0;
    std::string spec = fmt::format(
        "  namespaceSelector: {{}}\n  cohortName: {}\n  resourceGroups:\n  - coveredResources: [nvidia.com/gpu]\n"
        "    flavors:\n",
        nested && dice.one_in(2) ? "research" : "company");
    for (const char* flavor : {"h100", "a100"}) {
      if (flavor == std::string_view("a100") && (!two || serves)) continue;
      spec += fmt::format("    - name: {}\n      resources:\n      - name: nvidia.com/gpu\n        nominalQuota: {}\n",
                          flavor, serves ? 1 + dice.upto(3) : dice.upto(4));
      if (serves) spec += fmt::format("        lendingLimit: {}\n", dice.one_in(3) ? 1 : 0);
      if (!serves && dice.one_in(10)) spec += fmt::format("        borrowingLimit: {}\n", dice.upto(4));
    }
    if (dice.one_in(6))
      spec += fmt::format("  preemption: {{reclaimWithinCohort: {}}}\n", dice.one_in(2) ? "Any" : "LowerPriority");
    out += object("ClusterQueue",
                  fmt::format("name: team-{}, labels: {{gpol.dev/role: {}}}", static_cast<char>('a' + q),
                              serves ? "serving, gpol.dev/class: B" : "batch"),
                  spec);
  }
  return out;
}

std::string manifest(const json& job) {
  std::string asked;
  for (const auto& [name, amount] : job.at("each").items())
    asked += fmt::format("{}{}: {}{}", asked.empty() ? "" : ", ", name, amount.get<std::int64_t>(),
                         name == "cpu" ? "m" : "");
  return fmt::format(
      "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {}\n  labels: {{kueue.x-k8s.io/queue-name: {}}}\n"
      "  annotations: {{kueue.x-k8s.io/elastic-job: \"true\"}}\nspec:\n  parallelism: {}\n  suspend: true\n"
      "  template:\n    spec:\n      restartPolicy: Never\n      containers:\n"
      "      - {{name: c, image: x, resources: {{requests: {{{}}}, limits: {{{}}}}}}}\n---\n",
      job.at("job").get<std::string>(), job.at("queue").get<std::string>(), job.at("pods").get<int>(), asked, asked);
}

// The gate in the bundle's Configuration, which need not be there yet.
void set_gate(std::string& yaml, bool on) {
  const std::string gate = fmt::format("featureGates: {{ElasticJobsViaWorkloadSlices: {}}}\n", on);
  const std::string kind = "kind: Configuration\n";
  if (const auto at = yaml.find(kind); at != std::string::npos)
    yaml.insert(at + kind.size(), gate);
  else
    yaml += "apiVersion: config.kueue.x-k8s.io/v1beta2\n" + kind + gate + "---\n";
}

std::unique_ptr<Session> verify(const std::string& yaml, const std::string& version) {
  VerifyOptions options;
  options.kueue = version;
  std::vector<std::string> notes;
  auto session = verify_manifests({{"bundle.yaml", yaml}}, "", options, notes);
  if (session->reached != Phase::Proven) throw std::runtime_error(session->report.diagnostics.front().message);
  return session;
}

}  // namespace

bool elastic(std::uint64_t first, std::uint64_t count, std::int64_t attacks) {
  bool good = true;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Dice dice(seed * 32'452'843 + 17);
    std::string yaml = seed % 4 == 0 ? random_bundle(seed) + "---\n" : shared(dice);
    const std::string version = dice.one_in(4) ? "0.17.3" : dice.one_in(4) ? "0.18.4" : "0.19.2";
    if (dice.one_in(3)) set_gate(yaml, dice.one_in(4));
    auto session = verify(yaml, version);
    json job;
    if (Attacker attacker(*session->planned, dice); attacker.any_batch() && dice.one_in(2)) {
      job = attacker.job();
      yaml += manifest(job);
      session = verify(yaml, version);
    }
    const std::string said = says(session->report);
    if (said == "used" ? overall(session->report) == Overall::Proven : said == "assumed" && !job.is_null()) {
      good = false;
      std::cerr << fmt::format("elastic: escape: seed {}: the elastic Job of the bundle is not what breaks the proof\n",
                               seed);
    }
    json out{{"seed", seed}, {"version", version}, {"yaml", yaml}, {"says", said}, {"claims", claims(*session)}};
    out["attacks"] = json::array();
    Attacker attacker(*session->planned, dice);
    for (std::int64_t i = 0; i < attacks && !out["claims"].empty() && attacker.any_batch(); ++i)
      out["attacks"].push_back(attacker.make(job));
    std::cout << out.dump() << '\n';
  }
  return good;
}

}  // namespace gpol::verdicts
