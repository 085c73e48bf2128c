// Writes histories with the model's outcomes, one a line.
//
//   histories random FIRST COUNT [VERSION]   the histories of these seeds, in Kueue VERSION ("0.18.4"; 0.19.2)
//   histories cases                 the statements of the reference, each as a history (cases.h)
//   histories case-names            what they say, a line each
//   histories play                 those of standard input, played anew (a shrunk or a saved case)
//   histories rules FIRST COUNT ENOUGH   how often each rule of the model decided something in these, a line each; no
//                                  rule is looked for once it did so ENOUGH times: that means playing every cycle once
//                                  more without it
//   histories left-out             what no history ever has, a line each
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "tests/conformance/differential/cases.h"
#include "tests/conformance/differential/history.h"

using namespace gpol::differential;

int main(int argc, char** argv) {
  const std::string_view how = argc > 1 ? argv[1] : "";
  try {
    if (how == "random" && (argc == 4 || argc == 5)) {
      const std::uint64_t first = std::strtoull(argv[2], nullptr, 10), count = std::strtoull(argv[3], nullptr, 10);
      for (std::uint64_t seed = first; seed < first + count; ++seed) {
        History history = random_history(seed);
        if (argc == 5) as_of(history, argv[4]);
        play(history);
        std::cout << to_json(history).dump() << '\n';
      }
      return 0;
    }
    if (how == "play") {
      for (std::string line; std::getline(std::cin, line);) {
        History history = from_json(nlohmann::json::parse(line));
        play(history);
        std::cout << to_json(history).dump() << std::endl;  // whoever shrinks waits for the answer
      }
      return 0;
    }
    if (how == "cases") {
      for (const Case& one : cases()) std::cout << to_json(one.history).dump() << '\n';
      return 0;
    }
    if (how == "case-names") {
      for (const Case& one : cases()) std::cout << one.name << '\n';
      return 0;
    }
    if (how == "rules" && argc == 5) {
      const std::int64_t counted = std::atoll(argv[4]);
      const std::uint64_t first = std::strtoull(argv[2], nullptr, 10), count = std::strtoull(argv[3], nullptr, 10);
      std::map<std::string, std::int64_t> sum;
      std::set<std::string> enough;
      for (std::uint64_t seed = first; seed < first + count; ++seed)
        for (const auto& [rule, times] : decided(random_history(seed), enough))
          if ((sum[rule] += times) >= counted) enough.insert(rule);
      for (const auto& [rule, times] : sum) std::cout << times << ' ' << rule << '\n';
      return 0;
    }
    if (how == "left-out") {
      for (const char* what : kLeftOut) std::cout << what << '\n';
      return 0;
    }
  } catch (const std::exception& broken) {
    std::cerr << "histories: " << broken.what() << '\n';
    return 1;
  }
  std::cerr << "usage: histories random FIRST COUNT [VERSION] | rules FIRST COUNT ENOUGH | histories cases | case-names | "
               "play | left-out\n";
  return 2;
}
