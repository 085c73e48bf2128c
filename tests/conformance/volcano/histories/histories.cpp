// Compares the model of Volcano's scheduler (checker/volcano/rules) with the real one, on random histories.
//
//   histories write FIRST COUNT [REPEATS]    the histories of these seeds for `judge play`, one a line
//   histories offline ANSWERS FIRST COUNT    compares with what the judge said of them before; prints the counts
//   histories compare JUDGE FIRST COUNT [REPEATS]
//       plays them in JUDGE (../judge), prints the counts, and makes the first that disagrees smaller; exit 1 if one
//       does
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "tests/conformance/volcano/histories/play.h"

namespace gpol::volcano::histories {

namespace {

std::vector<Answer> ask(const std::string& judge, const std::vector<History>& histories) {
  const std::string at = "/tmp/volcano-histories-" + std::to_string(getpid());
  std::vector<Answer> answers;
  {
    std::ofstream in(at + ".in");
    for (const auto& history : histories) in << to_json(history);
  }
  const std::string command = "'" + judge + "' play -limit 20s < " + at + ".in > " + at + ".out 2> " + at + ".err";
  const int code = std::system(command.c_str());
  std::ifstream out(at + ".out");
  for (std::string line; std::getline(out, line);) answers.push_back(read_answer(line));
  // A scheduler that hangs ends the judge: the rest is asked again.
  if (code != 0 && !answers.empty() && answers.size() < histories.size()) {
    const auto rest = ask(judge, {histories.begin() + static_cast<std::ptrdiff_t>(answers.size()), histories.end()});
    answers.insert(answers.end(), rest.begin(), rest.end());
  }
  for (const char* part : {".in", ".out", ".err"}) unlink((at + part).c_str());
  return answers;
}

std::string disagreement(const History& history, const Answer& answer) {
  Counts unused;
  return compare(history, answer, unused);
}

// Without one step, and of a job without one pod.
std::vector<History> smaller(const History& history) {
  std::vector<History> result;
  for (std::size_t i = 0; i < history.steps.size(); ++i) {
    result.push_back(history);
    result.back().steps.erase(result.back().steps.begin() + static_cast<std::ptrdiff_t>(i));
    const auto& pods = history.steps[i].job.pods;
    for (std::size_t p = 0; pods.size() > 1 && p < pods.size(); ++p) {
      result.push_back(history);
      auto& left = result.back().steps[i].job.pods;
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(p));
    }
  }
  return result;
}

// The real scheduler breaks ties at random: each is played often.
History shrink(const std::string& judge, History history) {
  history.repeats = 8;
  for (bool shrunk = true; shrunk;) {
    shrunk = false;
    const auto candidates = smaller(history);
    const auto answers = ask(judge, candidates);
    // Steps that name what is no longer there are errors of the judge, not disagreements.
    for (std::size_t i = candidates.size(); i-- > 0 && !shrunk;)
      if (i < answers.size() && answers[i].error.empty() && !disagreement(candidates[i], answers[i]).empty()) {
        history = candidates[i];
        shrunk = true;
      }
  }
  return history;
}

void print(const Counts& counts, std::ostream& out) {
  out << counts.histories << " histories, " << counts.sessions << " sessions (" << counts.foretold
      << " without a choice, " << counts.not_ready << " not ready), " << counts.bound << " pods bound, " << counts.left
      << " left pending, " << counts.held_back << " PodGroups held back, " << counts.broken
      << " histories that break the scheduler, " << counts.searches_cut << " searches cut, " << counts.limits
      << " limits, " << counts.disagreements << " disagreements\n";
}

int compare_offline(const std::string& file, std::uint64_t first, std::uint64_t count) {
  Counts counts;
  std::ifstream answers(file);
  std::string line;
  for (std::uint64_t seed = first; seed < first + count && std::getline(answers, line); ++seed)
    if (!compare(draw(seed), read_answer(line), counts).empty()) ++counts.disagreements;
  print(counts, std::cout);
  return counts.disagreements == 0 ? 0 : 1;
}

int compare_all(const std::string& judge, std::uint64_t first, std::uint64_t count, int repeats) {
  Counts counts;
  for (std::uint64_t done = 0; done < count;) {
    std::vector<History> histories;
    for (; histories.size() < 500 && done < count; ++done) {
      histories.push_back(draw(first + done));
      histories.back().repeats = repeats;
    }
    const auto answers = ask(judge, histories);
    if (answers.size() != histories.size()) {
      std::cerr << "the judge answered " << answers.size() << " of " << histories.size() << " histories\n";
      return 2;
    }
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const std::string unequal = compare(histories[i], answers[i], counts);
      if (unequal.empty()) continue;
      std::cout << histories[i].name << ": " << unequal << "\n";
      if (++counts.disagreements > 1) continue;
      const History least = shrink(judge, histories[i]);
      const auto again = ask(judge, {least});
      std::cout << "made smaller: " << (again.empty() ? "" : disagreement(least, again[0])) << "\n" << to_json(least);
    }
  }
  print(counts, std::cout);
  return counts.disagreements == 0 ? 0 : 1;
}

}  // namespace

}  // namespace gpol::volcano::histories

int main(int argc, char** argv) {
  using namespace gpol::volcano::histories;
  const std::vector<std::string> args(argv + 1, argv + argc);
  const auto number = [&](std::size_t i, std::uint64_t otherwise) {
    return i < args.size() ? std::strtoull(args[i].c_str(), nullptr, 10) : otherwise;
  };
  if (args.size() >= 3 && args[0] == "write") {
    for (std::uint64_t seed = number(1, 1); seed < number(1, 1) + number(2, 1); ++seed) {
      History history = draw(seed);
      history.repeats = static_cast<int>(number(3, 1));
      std::cout << to_json(history);
    }
    return 0;
  }
  if (args.size() >= 4 && args[0] == "offline") return compare_offline(args[1], number(2, 1), number(3, 1));
  if (args.size() >= 4 && args[0] == "compare")
    return compare_all(args[1], number(2, 1), number(3, 1), static_cast<int>(number(4, 1)));
  std::cerr << "usage: histories write FIRST COUNT [REPEATS] | offline ANSWERS FIRST COUNT | compare JUDGE FIRST COUNT "
               "[REPEATS]\n";
  return 2;
}
