// init: a first policy from three answers, proven before it is written.
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <istream>
#include <numeric>
#include <optional>
#include <ostream>
#include <regex>
#include <string>

#include "cli/commands/commands.h"
#include "cli/commands/options.h"
#include "cli/render/render.h"
#include "cli/render/text.h"
#include "compiler/format/format.h"
#include "emit/rewrite.h"

namespace gpol {

namespace {

struct FirstPolicy {
  std::int64_t nodes = 0, gpus = 0;    // of each node
  std::int64_t serving = 0;            // GPUs
  std::optional<std::int64_t> back_s;  // seconds; nothing: batch never borrows
};

// What the text says of the way back: two rounds and a release of quota for each replica, then grace and kill margin,
// then the start-up.
constexpr std::int64_t kRound = 5, kRelease = 5, kMargin = 5, kLeastGrace = 10, kMostGrace = 60;
constexpr std::int64_t kSchedule = 10, kImage = 20, kWeights = 40, kLoad = 25, kWarm = 15;
constexpr std::int64_t kMostNodes = 100'000, kMostGpus = 64;
constexpr std::int64_t kMostOfAll = 2'000'000;  // GPUs; beyond, the memory of all nodes is too much to count with
constexpr std::int64_t kLongestBack = 24 * 3600;

// A replica is as large as can be: it fits into a node and the reserve is whole replicas.
std::int64_t replica(const FirstPolicy& p) { return std::gcd(p.serving, p.gpus); }
std::int64_t without_grace(const FirstPolicy& p) {
  return p.serving / replica(p) * (2 * kRound + kRelease) + kMargin + kSchedule + kImage + kWeights + kLoad + kWarm;
}
std::int64_t nodes_of_serving(const FirstPolicy& p) { return (p.serving + p.gpus - 1) / p.gpus; }

std::string gpus(std::int64_t n) { return fmt::format("{} {}", n, n == 1 ? "gpu" : "gpus"); }

std::string in_units(std::int64_t seconds) {
  return seconds % 60 == 0 ? fmt::format("{}min", seconds / 60) : fmt::format("{}s", seconds);
}

std::string cluster(const FirstPolicy& p, const std::string& pools) {
  return fmt::format(
      R"(# Written by `gpol init`. What is marked `<-` is a guess: put in what your cluster has, and run `gpol check` again.
language 1
import gpol/classes
import gpol/guard-rails

cluster demo {{
  scheduler kueue 0.19.2 {{ round within {}s; release within {}s }} # <- the version that you run

  nodes gpu {{
    count {}
    each {}, {} cpu, {} GiB, 110 pods # <- of one node, as `kubectl describe node` says
    daemons take 4 cpu, 16 GiB, 10 pods # <- what its DaemonSets ask for
  }}
{}
  writers group "platform-admins" # <- who applies what `gpol build` writes, as the API server names them
}}
)",
      kRound, kRelease, p.nodes, gpus(p.gpus), 16 * p.gpus, 128 * p.gpus, pools);
}

constexpr const char* kTrusts = R"(
# What no guard of a cluster can keep: read what each line accepts (`gpol check` lists it), and who answers for it.
$trust-the-platform(@platform)
)";

std::string apart(const FirstPolicy& p) {
  const std::int64_t taken = nodes_of_serving(p);
  return cluster(p, fmt::format("\n  pool serving on gpu take {} nodes\n  pool batch on gpu take the rest\n", taken)) +
         fmt::format(R"(
# realtime (class A): nobody else ever holds its reserve. batch (class C): promised nothing, takes what is left.
$classes(8min, 60s, 45s)

tenant chat {{
  namespace chat
  class realtime
  reserve {} of serving
}}

tenant train {{
  namespace train
  class batch
  quota {} of batch
}}

$never-held(batch, realtime)
)",
                     gpus(p.serving), gpus((p.nodes - taken) * p.gpus)) +
         kTrusts;
}

std::string lent(const FirstPolicy& p) {
  const std::int64_t grace = std::min(kMostGrace, *p.back_s - without_grace(p));
  const std::string back = in_units(*p.back_s);
  return cluster(p, "\n  pool shared on gpu\n") +
         fmt::format(R"(
# standard (class B): its reserve may be lent out, and is back and warm in time. batch (class C): takes what is left.
$classes({0}, {1}s, {2}s)

window night = 20:00..06:00 UTC daily # <- when serving can spare GPUs, and in which time zone

tenant chat {{
  namespace chat
  class standard
  reserve {3} of shared
  replica {4}
  # <- from having a node to being warm
  start schedule {5}s, image {6}s, weights {7}s, load {8}s, warm {9}s (declared)
}}

tenant train {{
  namespace train
  class batch
  quota {10} of shared
  shape {11} of shared # each pod takes a whole node, so that none is left in pieces
}}

allow train to borrow up to {3} of shared from chat during night, back within {0}

prove standard ready within {0}
)",
                     back, grace, grace * 3 / 4, gpus(p.serving), gpus(replica(p)), kSchedule, kImage, kWeights, kLoad,
                     kWarm, gpus(p.nodes * p.gpus - p.serving), gpus(p.gpus)) +
         kTrusts +
         "trust batch-runs-on because \"jobs are ended by Kueue, for serving; whoever ends many by hand is called\" by "
         "@platform\n";
}

UsageError wrong(const char* flag, const std::string& answer, std::string why, std::string hint) {
  return {fmt::format("`{}` of {}: {}", answer, flag, why), std::move(hint)};
}

// Of whole nodes, which come back soonest.
std::string less_in_a_day(const FirstPolicy& p) {
  FirstPolicy one = p;
  one.serving = p.gpus;
  const std::int64_t each = 2 * kRound + kRelease;
  const std::int64_t most = (kLongestBack - kLeastGrace - (without_grace(one) - each)) / each;
  const std::int64_t serving = std::min(most, p.serving / p.gpus) * p.gpus;
  return fmt::format("so many are not back within `24h` either: give at most `--serving {}`{}", serving,
                     nodes_of_serving(p) < p.nodes ? ", or `--back never`" : "");
}

UsageError no_such_cluster(const std::string& nodes) {
  return wrong("--nodes", nodes, "no such cluster",
               fmt::format("1 to {} nodes have 1 to {} GPUs each", kMostNodes, kMostGpus));
}

// Each takes one answer as people write it, "4x8", "16", "4min" or "never", after the ones before it; or says what is
// wrong with it.
std::optional<UsageError> take_nodes(FirstPolicy& p, const std::string& nodes) {
  static const std::regex form("0*([0-9]+)x0*([0-9]+)");
  constexpr std::ptrdiff_t kMostDigits = 9;
  std::smatch m;
  const std::string written = nodes.substr(0, 64);  // as far as a regex is fit for
  if (!std::regex_match(written, m, form))
    return wrong("--nodes", nodes, "it is not nodes x GPUs", "four nodes of eight GPUs are `4x8`");
  if (m[1].length() > kMostDigits || m[2].length() > kMostDigits) return no_such_cluster(nodes);
  p.nodes = std::stoll(m[1]);
  p.gpus = std::stoll(m[2]);
  if (p.nodes < 1 || p.nodes > kMostNodes || p.gpus < 1 || p.gpus > kMostGpus) return no_such_cluster(nodes);
  if (p.nodes * p.gpus > kMostOfAll)
    return wrong("--nodes", nodes,
                 fmt::format("these are {} GPUs, and gpol counts with {}", p.nodes * p.gpus, kMostOfAll),
                 fmt::format("give at most {} nodes of {}", kMostOfAll / p.gpus, gpus(p.gpus)));
  return std::nullopt;
}

std::optional<UsageError> take_serving(FirstPolicy& p, const std::string& serving) {
  static const std::regex number("[0-9]{1,9}");
  const std::int64_t all = p.nodes * p.gpus;
  if (!std::regex_match(serving, number) || (p.serving = std::stoll(serving)) < 1)
    return wrong("--serving", serving, "it is not a number of GPUs", fmt::format("give 1 to {}", all));
  if (p.serving > all)
    return wrong("--serving", serving, fmt::format("there are {} GPUs", all), fmt::format("give 1 to {}", all));
  return std::nullopt;
}

std::optional<UsageError> take_back(FirstPolicy& p, const std::string& back) {
  static const std::regex time("0*([0-9]{1,18})(ms|s|min|h|d)");
  std::smatch m;
  if (back == "never") {
    if (nodes_of_serving(p) < p.nodes) return std::nullopt;
    const std::int64_t most = (p.nodes - 1) * p.gpus;
    return wrong("--serving", fmt::to_string(p.serving), "no node is left for batch, which never uses serving's",
                 most > 0 ? fmt::format("reserve at most {}, or let batch borrow: `--back 8min`", most)
                          : "let batch borrow: `--back 8min`");
  }
  if (!std::regex_match(back, m, time))
    return wrong("--back", back, "it is not a time", "write it as `4min`, or `never`");
  const std::int64_t seconds_of = m[2] == "d" ? 86'400 : m[2] == "h" ? 3600 : m[2] == "min" ? 60 : 1;
  const std::int64_t count = std::min(std::stoll(m[1]), 1'000'000'000LL);  // more is too long in any unit
  p.back_s = m[2] == "ms" ? count / 1000 : count * seconds_of;
  const std::string least = in_units((without_grace(p) + kLeastGrace + 59) / 60 * 60);
  const bool never = without_grace(p) + kLeastGrace > kLongestBack;  // in so long as `--back` may say
  const std::string range = never ? less_in_a_day(p) : fmt::format("give `{}` to `24h`", least);
  const std::int64_t replicas = p.serving / replica(p);
  if (*p.back_s < without_grace(p) + kLeastGrace)
    return wrong("--back", back,
                 fmt::format("that is too short: {} of {} {} not back and warm so soon",
                             replicas == 1 ? "a replica" : fmt::format("{} replicas", replicas), gpus(replica(p)),
                             replicas == 1 ? "is" : "are"),
                 range + (!never && p.serving % p.gpus != 0 ? "; whole nodes come back sooner" : ""));
  if (*p.back_s > kLongestBack) return wrong("--back", back, "that is too long, longer than a day", range);
  // The policy counts in seconds.
  if (m[2] == "ms" && std::stoll(m[1]) % 1000 != 0)
    return wrong("--back", back, "it is no whole number of seconds", range);
  return std::nullopt;
}

// In the one style, and proven (a test).
std::string text_of(const FirstPolicy& answers) { return answers.back_s ? lent(answers) : apart(answers); }

struct Question {
  const std::string& given;  // by a flag
  const char* text;
  const char* otherwise;
  std::optional<UsageError> (*take)(FirstPolicy&, const std::string&);
};

// What cannot be is asked again, as long as there is somebody who answers.
std::optional<UsageError> ask(const Question& question, FirstPolicy& policy, const World& world) {
  if (!question.given.empty()) return question.take(policy, question.given);
  for (;;) {
    world.err << question.text << " [" << question.otherwise << "] " << std::flush;
    std::string line;
    const bool answered = static_cast<bool>(std::getline(world.in, line));
    const auto first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
    auto mistake =
        question.take(policy, first == std::string::npos ? question.otherwise : line.substr(first, last - first + 1));
    if (!mistake || !answered) return mistake;
    usage_error(*mistake, world);
  }
}

}  // namespace

int init(const InitOptions& given, const World& world) {
  InitOptions options = given;
  std::error_code unknown;
  if (options.path != "-" && std::filesystem::is_directory(options.path, unknown))
    options.path = (std::filesystem::path(options.path) / "policy.gpol").string();
  FirstPolicy policy;
  for (const Question& question :
       {Question{options.nodes, "Nodes, and GPUs of each?", "4x8", take_nodes},
        Question{options.serving, "GPUs that serving must always get?", "16", take_serving},
        Question{options.back, "May batch borrow them? Within what time are they back and warm (as in 8min), or never?",
                 "never", take_back}})
    if (const auto mistake = ask(question, policy, world)) return usage_error(*mistake, world);
  const std::string text = in_one_style(text_of(policy));

  const auto session = check_policy({options.path, text});
  RunReport run;
  run.version = GPOL_VERSION;
  run.policies.push_back(report_of(*session));
  if (const int code = exit_code(run); code != 0) {
    render_human(run, world.colour, world.err);
    return code;
  }
  if (options.path == "-") {
    world.out << text;
    return 0;
  }
  if (auto problem = create(options.path, text)) {
    const std::filesystem::path parent = std::filesystem::path(options.path).parent_path();
    if (!parent.empty() && !std::filesystem::exists(std::filesystem::symlink_status(parent, unknown)))
      problem->hint = fmt::format("make the directory first: `mkdir -p {}`", parent.string());
    render_diagnostics(nullptr, {&*problem, 1}, world.colour, world.err);
    return 2;
  }
  const std::string path = printable(options.path);
  world.out << fmt::format(
      "wrote {0}\n{1}\n\nPut your cluster's numbers where `<-` stands, then:\n  gpol check {0}\n  gpol "
      "build {0} -o manifests\n",
      path, headline(run));
  return 0;
}

}  // namespace gpol
