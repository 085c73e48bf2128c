// Every planted bug is switched on, one after another, and every check of planted_checks that can see it is run: each
// bug must be noticed by some, none without a bug. Which is the table caught.txt, generated (GPOL_UPDATE_GOLDEN=1).
//
//   planted CHECKS     CHECKS: the program with the checks, in which bugs can be switched on (switch.cpp)
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "tests/planted/bugs.h"

namespace {

using gpol::planted_bugs::About;
using gpol::planted_bugs::Entry;
using gpol::planted_bugs::kHazardNames;
using gpol::planted_bugs::kHazards;

// In three stages, the quickest checks first: a bug that is noticed in one is not played in the next.
constexpr int kStages = 3;
struct Check {
  int stage;
  About about;
  std::string name;      // for the table
  std::string tests;     // as Catch selects them
  bool of_model = true;  // what the model decides shows in it
};

const std::vector<Check>& checks() {
  static const std::vector<Check> all = {
      {0, About::Queues, "states", "states that are reached fit the facts of the lemmas about claim"},
      {0, About::Queues, "foretold", "the formula of reclaim foretells what the model does"},
      {0, About::Queues, "cases", "the cases that the real Kueue code was held to"},
      {1, About::Queues, "scenes", "a scene in which reclaim is proven gives serving its place"},
      {0, About::Queues, "facts", "the solver and the closed form agree about facts of every kind", false},
      {1, About::Queues, "trees", "*closed form and solver agree on random trees"},
      {1, About::Queues, "windows", "what is held from one window to the next is never more than was proven"},
      {1, About::Queues, "time", "the terms of the time add up to what the solver says*", false},
      {1, About::Queues, "rounds", "no demand takes more rounds in the model than its turns count"},
      {0, About::Queues, "histories", "histories end as model and real code agreed"},
      {2, About::Queues, "verdicts", "random manifests*"},
      {0, About::Nodes, "pools", "placement: every pod of everybody tried on every pool"},
      {0, About::Nodes, "findings", "every finding of placement is one of the solver's"},
      {0, About::Nodes, "questions", "the search and the solver agree on how many nodes can be closed"},
      {0, About::Nodes, "taints", "taints keep a pod away alike in Kueue and on a node"},
      {0, About::Nodes, "places", "fragmentation: what is proven nobody finds*"},
      {0, About::Guards, "values", "comparisons: no request of a small world gets past*"},
      {0, About::Guards, "forms", "questions about guards: of one form*"},
      {0, About::Guards, "guards", "what is said to be denied is denied*"},
  };
  return all;
}

struct Job {
  const Entry* bug;
  const Check* check;
  int status = -1;
  double seconds = 0;
  std::chrono::steady_clock::time_point start = {};
};

pid_t start(const char* program, const Job& job) {
  constexpr unsigned kMostSeconds = 300;  // of a machine on which other suites run, too
  const pid_t child = fork();
  if (child != 0) return child;
  if (job.bug != nullptr)
    setenv("GPOL_BUG", job.bug->name.c_str(), 1);
  else
    unsetenv("GPOL_BUG");
  setenv("GPOL_TREES", "60", 1);
  setenv("GPOL_POOLS", "80", 1);
  alarm(kMostSeconds);
  const int nowhere = open("/dev/null", O_WRONLY);
  if (job.bug != nullptr) dup2(nowhere, STDOUT_FILENO), dup2(nowhere, STDERR_FILENO);
  execl(program, program, job.check->tests.c_str(), "--abort", static_cast<char*>(nullptr));
  _exit(127);
}

void run(const char* program, std::vector<Job>& jobs) {
  const unsigned most = std::max(1U, std::min(4U, std::thread::hardware_concurrency()));
  std::map<pid_t, Job*> running;
  std::size_t next = 0;
  while (next < jobs.size() || !running.empty()) {
    while (next < jobs.size() && running.size() < most) {
      Job& job = jobs[next++];
      job.start = std::chrono::steady_clock::now();
      running[start(program, job)] = &job;
    }
    int status = 0;
    const pid_t done = wait(&status);
    Job& job = *running.at(done);
    running.erase(done);
    job.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    job.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - job.start).count();
  }
}

// A check that notices exits with the number of what failed; one that is ended from outside says nothing.
bool noticed(const Job& job) { return job.status > 0 && job.status < 127; }

std::string read(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: planted CHECKS\n"), 2;
  bool good = true;
  std::map<const Entry*, std::string> caught;
  std::map<std::string, double> took;
  for (int stage = 0; stage < kStages; ++stage) {
    std::vector<Job> jobs;
    for (const Check& check : checks()) {
      if (check.stage != stage) continue;
      jobs.push_back({nullptr, &check});
      for (const Entry& bug : gpol::planted_bugs::all())
        if (check.about == bug.about && !caught.contains(&bug) && (check.of_model || bug.place != "model"))
          jobs.push_back({&bug, &check});
    }
    run(argv[1], jobs);
    for (const Job& job : jobs) {
      took[job.check->name] += job.seconds;
      if (job.bug == nullptr && job.status != 0) {
        std::fprintf(stderr, "planted: without any bug %s is not content (%d)\n", job.check->name.c_str(), job.status);
        good = false;
      }
      if (job.bug == nullptr || !noticed(job)) continue;
      std::string& by = caught[job.bug];
      by += (by.empty() ? "" : " ") + job.check->name;
    }
  }
  for (const auto& [check, seconds] : took)
    if (std::getenv("GPOL_TIMES") != nullptr) std::fprintf(stderr, "planted: %6.1f s %s\n", seconds, check.c_str());
  std::string table = "# Planted bug (bugs.cpp), the checks that notice it. Generated.\n";
  std::map<std::string, int> places;
  std::set<std::pair<int, std::string>> noticed_hazards;
  for (const Entry& bug : gpol::planted_bugs::all()) {
    ++places[bug.place];
    const std::string& by = caught[&bug];
    if (by.empty()) std::fprintf(stderr, "planted: nobody notices %s (%s)\n", bug.name.c_str(), bug.wrong.c_str());
    good = good && !by.empty();
    for (const int hazard : bug.hazards)
      if (!by.empty()) noticed_hazards.emplace(hazard, bug.place);
    table += fmt::format("{:40} {}\n", bug.name, by.empty() ? "nobody" : by);
  }
  for (const char* place : {"walk", "encoding", "model"}) {
    std::printf("planted: %d bugs in %s\n", places[place], place);
    good = good && places[place] >= 8;
  }
  for (int hazard = 1; hazard <= kHazards; ++hazard)
    for (const char* place : {"walk", "encoding", "model"}) {
      if (noticed_hazards.contains({hazard, place})) continue;
      std::fprintf(stderr, "planted: no bug of hazard %d (%s) in the %s is noticed\n", hazard,
                   kHazardNames[static_cast<std::size_t>(hazard) - 1], place);
      good = false;
    }
  const std::string golden = GPOL_ROOT "/tests/planted/caught.txt";
  if (read(golden) != table) {
    if (std::getenv("GPOL_UPDATE_GOLDEN") != nullptr) {
      std::ofstream(golden) << table;
      std::fprintf(stderr, "planted: caught.txt updated\n");
    } else {
      std::fprintf(stderr, "planted: caught.txt is not what was caught; GPOL_UPDATE_GOLDEN=1 writes it\n");
    }
    good = false;
  }
  return good ? 0 : 1;
}
