// Verdicts against runs: what `gpol verify` says of manifests, and histories that attack every proof and replay every
// refutation, for the judge to play in the real Kueue code.
//
//   verdicts show SEED                      the manifests of one random cluster and what is proven of them
//   verdicts random FIRST COUNT ATTACKS     the histories of these seeds; what was counted on standard error at the
//                                           end. Of the attacks on a proof every second one is judged, and all that
//                                           break a proof (an escape, named on standard error)
//   verdicts stories FIRST COUNT            of what is proven of these seeds a story of the opposite is looked for;
//                                           each that is told is an escape (by hand: a second for each proof)
//   verdicts elastic FIRST COUNT ATTACKS    clusters of these seeds, what is said of Jobs that grow, and attacks of
//   such verdicts bundles SEED ATTACKS DIR...    likewise of the manifests in each folder, told what DIR.args says
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "checker/story/stories.h"
#include "tests/conformance/verdicts/bundle.h"
#include "tests/conformance/verdicts/confirm.h"
#include "tests/conformance/verdicts/elastic.h"

using namespace gpol;
using namespace gpol::verdicts;

namespace {

std::unique_ptr<Session> random_session(std::uint64_t seed) {
  VerifyOptions options;
  options.kueue = "0.19.2";
  std::vector<std::string> notes;
  auto session = verify_manifests({{"bundle.yaml", random_bundle(seed)}}, "", options, notes);
  if (session->reached != Phase::Proven)
    throw std::runtime_error("seed " + std::to_string(seed) + ": " + session->report.diagnostics.front().message);
  return session;
}

int random(std::uint64_t first, std::uint64_t count, std::int64_t attacks) {
  Confirm confirm;
  for (std::uint64_t seed = first; seed < first + count; ++seed)
    confirm.take("seed " + std::to_string(seed), *random_session(seed), seed, attacks, 2);
  confirm.counts();
  return confirm.good_of_many(first) ? 0 : 1;
}

std::unique_ptr<Session> session_of(const std::string& folder) {
  std::vector<std::string> args{folder};
  std::ifstream told(folder + ".args");
  for (std::string word; told >> word;) args.push_back(word);
  auto options = verify_options(args);
  if (const auto* mistake = std::get_if<UsageError>(&options))
    throw std::runtime_error(folder + ": " + mistake->message);
  std::istringstream nothing;
  return std::move(verify_paths(std::get<VerifyOptions>(options), nothing).sessions.front());
}

int bundles(std::uint64_t seed, std::int64_t attacks, std::span<char*> folders) {
  Confirm confirm;
  for (std::string folder : folders) {
    while (folder.ends_with("/")) folder.pop_back();
    confirm.take(folder, *session_of(folder), seed, attacks, 1);
  }
  confirm.counts();
  return confirm.good() ? 0 : 1;
}

int show(std::uint64_t seed) {
  std::cout << random_bundle(seed) << std::flush;  // also where it breaks gpol
  const auto session = random_session(seed);
  for (const Obligation& o : session->report.obligations)
    std::cout << "# " << family_name(o.family) << ' ' << o.subject.name << ' ' << o.subject.flavor << ' '
              << o.subject.resource << ": " << verdict_name(o.verdict)
              << (o.detail ? "; " + o.detail->message : std::string()) << '\n';
  return 0;
}

int stories(std::uint64_t first, std::uint64_t count) {
  std::int64_t looked = 0, escapes = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const auto session = random_session(seed);
    const Planned& planned = *session->planned;
    const Stage stage(planned.cluster);
    std::set<std::string_view> seen;
    for (const Obligation& o : session->report.obligations) {
      if (o.family != Family::Reclaim || o.verdict != Verdict::Proven || !seen.insert(o.subject.name).second) continue;
      const auto queue = std::find_if(planned.cluster.queues.begin(), planned.cluster.queues.end(),
                                      [&](const Queue& one) { return one.name == o.subject.name; });
      const auto at = static_cast<std::uint32_t>(queue - planned.cluster.queues.begin());
      if (planned.intent.roles[at].kind != QueueRole::Kind::Serving) continue;
      ++looked;
      const auto story = tell_reclaim(stage, planned.intent, at);
      if (!story) continue;
      ++escapes;
      std::cerr << "escape: seed " << seed << ", " << o.subject.name << '\n';
      for (const StoryStep& step : story->steps) std::cerr << "  " << step.actor << ' ' << step.does << '\n';
      History history = history_of(planned.cluster, story->script, at);
      history.seed = seed;
      history.yaml = random_bundle(seed);
      std::cout << to_json(history).dump() << '\n';
    }
  }
  std::cerr << looked << " proofs, " << escapes << " escapes\n";
  return escapes == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view how = argc > 1 ? argv[1] : "";
  try {
    if (how == "random" && argc == 5)
      return random(std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10), std::atoll(argv[4]));
    if (how == "bundles" && argc > 4)
      return bundles(std::strtoull(argv[2], nullptr, 10), std::atoll(argv[3]),
                     std::span(argv + 4, static_cast<std::size_t>(argc) - 4));
    if (how == "stories" && argc == 4)
      return stories(std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10));
    if (how == "elastic" && argc == 5)
      return elastic(std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10), std::atoll(argv[4])) ? 0
                                                                                                                    : 1;
    if (how == "show" && argc == 3) return show(std::strtoull(argv[2], nullptr, 10));
  } catch (const std::exception& broken) {
    std::cerr << "verdicts: " << broken.what() << '\n';
    return 1;
  }
  std::cerr
      << "usage: verdicts show SEED | verdicts random FIRST COUNT ATTACKS | verdicts stories FIRST COUNT | verdicts "
         "elastic FIRST COUNT ATTACKS | verdicts bundles SEED ATTACKS DIR...\n";
  return 2;
}
