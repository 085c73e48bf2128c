// Is what the one judge says of Volcano's queues and nodes right and exact? Floods of random clusters, in the real
// scheduler.
//
//   attacks JUDGE FIRST COUNT     the clusters of these seeds, played by JUDGE (../judge)
//
// A story that is told of what can be taken must go so in the real scheduler. Never may serving be left with less than
// its reserve less what is claimable: such a history is printed, exit 1. And of the clusters in which no flood took
// anything, 70 % at least must be proven, and in 95 % some flood must take all that is claimable, or the bound is too
// coarse: exit 1.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <regex>
#include <set>
#include <stdexcept>

#include "checker/proof/prove.h"
#include "tests/conformance/volcano/attacks/judged.h"

namespace gpol::volcano::attacks {

// As `gpol verify` judges it of manifests.
Judged judged(const Cluster& cluster) {
  Planned planned;
  planned.cluster.volcano = cluster.setup;
  planned.cluster.resources = {kGpu, "cpu", "memory"};
  planned.intent.of_policy = false;
  planned.intent.volcano_roles.resize(cluster.setup.queues.size());
  for (std::size_t q = 0; q < cluster.setup.queues.size(); ++q)
    planned.intent.volcano_roles[q].kind =
        cluster.limits.queues[q].leaf ? QueueRole::Kind::Batch : QueueRole::Kind::Inner;
  QueueRole& serving = planned.intent.volcano_roles[cluster.serving];
  serving.kind = QueueRole::Kind::Serving;
  serving.isolation = Isolation::A;
  serving.reserve[kGpu] = cluster.reserve;
  std::vector<NodeFacts> nodes;
  for (const Node& node : cluster.nodes) nodes.emplace_back().allocatable = node.allocatable;
  Evidence evidence;
  evidence.given.nodes = nodes;
  const Report report = prove(planned, evidence, {.unenforced = true});
  for (const Obligation& o : report.obligations) {
    if (o.family != Family::Claim || !o.required || o.subject.resource != kGpu) continue;
    if (!o.figures.claimable || (o.verdict == Verdict::Proven) != (*o.figures.claimable == 0) ||
        (o.verdict == Verdict::Refuted) != (*o.figures.claimable > 0))
      throw std::runtime_error(cluster.name + ": neither proven nor refuted by a story: " + o.detail->reason);
    return {*o.figures.claimable, o.detail ? o.detail->story : std::vector<StoryStep>()};
  }
  throw std::runtime_error(cluster.name + ": nothing is said of the serving queue");
}

histories::History as_told(const Cluster& cluster, const std::vector<StoryStep>& story) {
  using histories::Step;
  histories::History history;
  history.name = cluster.name + "-told";
  history.scheduler = cluster.setup.scheduler;
  const auto add = [&](Step::Do action) -> Step& {
    history.steps.emplace_back().action = action;
    return history.steps.back();
  };
  Node all = cluster.nodes.front();
  all.name = "a-node";
  all.allocatable[kGpu] = cluster.total;
  add(Step::Do::PutNode).node = all;
  for (const Queue& queue : cluster.setup.queues) add(Step::Do::PutQueue).queue = queue;
  const std::regex words("(?:has|asks for) ([0-9]+) GPUs? (?:allocated )?in queue `([^`]+)`.*");
  for (std::size_t i = 0; i < story.size(); ++i) {
    std::smatch found;
    if (!std::regex_match(story[i].does, found, words))
      throw std::runtime_error("a step of another kind: " + story[i].does);
    Job job;
    job.name = "ns/j" + std::to_string(i);
    job.queue = found[2];
    Pod pod;
    pod.name = "ns/p" + std::to_string(i);
    pod.requests = {{kGpu, std::stoll(found[1])}};
    job.pods.push_back(std::move(pod));
    add(Step::Do::PutJob).job = std::move(job);
    add(Step::Do::Session);
  }
  add(Step::Do::Session);
  return history;
}

namespace {

using histories::Answer;
using histories::History;

constexpr std::uint64_t kAtOnce = 50;                         // clusters
constexpr std::uint64_t kLeastProven = 70, kLeastExact = 95;  // percent

std::vector<Answer> ask(const std::string& judge, const std::vector<History>& histories) {
  const std::string at = "/tmp/volcano-attacks-" + std::to_string(getpid());
  {
    std::ofstream in(at + ".in");
    for (const History& history : histories) in << to_json(history);
  }
  const std::string command = "'" + judge + "' play -limit 20s < " + at + ".in > " + at + ".out 2> " + at + ".err";
  const int code = std::system(command.c_str());
  std::vector<Answer> answers;
  {
    std::ifstream out(at + ".out");
    for (std::string line; std::getline(out, line);) answers.push_back(histories::read_answer(line));
  }
  for (const char* part : {".in", ".out", ".err"}) unlink((at + part).c_str());
  if (code != 0 || answers.size() != histories.size()) throw std::runtime_error("the judge did not answer");
  return answers;
}

// What serving holds at the end.
std::int64_t got(const Cluster& cluster, const Answer& answer) {
  if (!answer.error.empty()) throw std::runtime_error(answer.name + ": the judge: " + answer.error);
  const auto& held = answer.runs.at(0).back().held;
  const auto queue = held.find(cluster.setup.queues[cluster.serving].name);
  if (queue == held.end()) return 0;
  const auto amount = queue->second.find(kGpu);
  return amount == queue->second.end() ? 0 : amount->second;
}

struct Counts {
  std::uint64_t clusters = 0, hierarchical = 0, proven = 0, partly = 0, floods = 0, sessions = 0, escapes = 0;
  std::uint64_t untouched = 0, untouched_proven = 0;  // no flood took anything
  std::uint64_t exact = 0;                            // a flood took all that is claimable
  std::uint64_t stories = 0, untrue = 0;              // that were told, and went otherwise
};

// Each step but the last is bound, and the last one waits.
void judge_story(const Judged& judged, const History& told, const Answer& answer, Counts& counts) {
  if (!answer.error.empty()) throw std::runtime_error(answer.name + ": the judge: " + answer.error);
  std::set<std::string> bound;
  for (const histories::Seen& seen : answer.runs.at(0))
    for (const auto& [pod, node] : seen.bound) bound.insert(pod);
  ++counts.stories;
  bool as_told = bound.size() + 1 == judged.story.size();
  for (std::size_t i = 0; i + 1 < judged.story.size(); ++i)
    as_told = as_told && bound.contains("ns/p" + std::to_string(i));
  if (as_told) return;
  ++counts.untrue;
  std::cout << told.name << ": the story goes otherwise\n" << to_json(told);
}

// One cluster; answers from `at` on are of its floods.
void judge_one(const Cluster& cluster, const std::vector<History>& played, const std::vector<Answer>& answers,
               std::size_t at, Counts& counts) {
  const Judged said = judged(cluster);
  const std::int64_t claim = said.claimable, kept = cluster.reserve - claim;
  std::int64_t least = cluster.reserve;
  if (claim > 0) judge_story(said, played[at], answers[at], counts), ++at;
  for (std::size_t i = at; i < played.size() && played[i].name.starts_with(cluster.name + "-"); ++i) {
    const std::int64_t left = got(cluster, answers[i]);
    ++counts.floods;
    counts.sessions += answers[i].runs[0].size();
    least = std::min(least, left);
    if (left >= kept) continue;
    ++counts.escapes;
    std::cout << played[i].name << ": " << cluster.setup.queues[cluster.serving].name << " got " << left << " of "
              << cluster.reserve << ", where others can claim " << claim << "\n"
              << to_json(played[i]);
  }
  ++counts.clusters;
  if (cluster.hierarchical) ++counts.hierarchical;
  if (claim == 0) ++counts.proven;
  if (claim > 0 && kept > 0) ++counts.partly;
  if (least == cluster.reserve) {
    ++counts.untouched;
    if (claim == 0) ++counts.untouched_proven;
  }
  if (least == kept)
    ++counts.exact;
  else if (least > kept)
    std::cout << cluster.name << ": others can claim " << claim << " of " << cluster.reserve
              << ", and no flood took more than " << cluster.reserve - least << "\n";
}

int run(const std::string& judge, std::uint64_t first, std::uint64_t count) {
  Counts counts;
  for (std::uint64_t done = 0; done < count;) {
    std::vector<Cluster> clusters;
    std::vector<History> played;
    std::vector<std::size_t> starts;
    for (; clusters.size() < kAtOnce && done < count; ++done) {
      clusters.push_back(draw(first + done));
      starts.push_back(played.size());
      if (const Judged said = judged(clusters.back()); said.claimable > 0)
        played.push_back(as_told(clusters.back(), said.story));
      for (History& flood : floods(clusters.back(), first + done)) played.push_back(std::move(flood));
    }
    const auto answers = ask(judge, played);
    for (std::size_t i = 0; i < clusters.size(); ++i) judge_one(clusters[i], played, answers, starts[i], counts);
    if (counts.escapes + counts.untrue > 0) break;
  }
  const std::uint64_t percent = counts.untouched == 0 ? 0 : counts.untouched_proven * 100 / counts.untouched;
  std::cout << counts.clusters << " clusters (" << counts.hierarchical << " hierarchical), " << counts.proven
            << " proven, " << counts.partly << " kept in part, " << counts.floods << " floods, " << counts.sessions
            << " sessions, " << counts.escapes << " escapes; " << counts.stories << " stories, " << counts.untrue
            << " of which went otherwise; no flood took anything of " << counts.untouched << ", of which " << percent
            << " % are proven; exact in " << counts.exact << "\n";
  const bool exact = counts.exact * 100 >= counts.clusters * kLeastExact;
  return counts.escapes == 0 && counts.untrue == 0 && percent >= kLeastProven && exact ? 0 : 1;
}

}  // namespace

}  // namespace gpol::volcano::attacks

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: attacks JUDGE FIRST COUNT\n";
    return 2;
  }
  try {
    return gpol::volcano::attacks::run(argv[1], std::strtoull(argv[2], nullptr, 10),
                                       std::strtoull(argv[3], nullptr, 10));
  } catch (const std::exception& failed) {
    std::cerr << "attacks: " << failed.what() << "\n";
    return 2;
  }
}
