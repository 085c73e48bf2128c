#include "tests/shapes/expect.h"

#include <sstream>
#include <stdexcept>

namespace gpol::test {

namespace {

// `8`, `64Gi`, `500m` is not needed: devices, cores and whole binary units are.
double amount(const std::string& text) {
  std::size_t end = 0;
  const double number = std::stod(text, &end);
  const std::string unit = text.substr(end);
  if (unit.empty()) return number;
  if (unit == "Gi") return number * 1024 * 1024 * 1024;
  throw std::runtime_error("an amount is a number or one of Gi, not " + text);
}

ExpectedClaim claim_of(std::istringstream& words) {
  ExpectedClaim claim;
  std::string held, of, owned, more;
  if (!(words >> claim.queue >> claim.flavor >> claim.resource >> held >> of >> owned) || of != "of" || words >> more)
    throw std::runtime_error("claim QUEUE FLAVOR RESOURCE HELD of OWNED");
  claim.claimable = amount(held);
  claim.reserve = amount(owned);
  return claim;
}

std::string rest_of(std::istringstream& words) {
  std::string rest;
  std::getline(words >> std::ws, rest);
  if (rest.empty()) throw std::runtime_error("text is missing");
  return rest;
}

void read_line(const std::string& line, Expected& all) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  if (word == "$") {
    words >> word;
    if (word != "gpol") throw std::runtime_error("$ gpol ARGS");
    all.runs.push_back({{}, {}, 0, {ExpectedBundle{}}, {}, {}, {}, {}, {}, {}});
    while (words >> word) all.runs.back().args.push_back(word);
    return;
  }
  if (word == "rare") {
    all.rare = true;
    return;
  }
  if (all.runs.empty()) throw std::runtime_error("`$ gpol ARGS` comes first");
  ExpectedRun& run = all.runs.back();
  if (word == "proven" || word == "refuted" || word == "undecided" || word == "error") {
    run.verdict = word;
    if (!(words >> run.exit)) throw std::runtime_error("VERDICT EXIT");
  } else if (word == "in") {
    ExpectedBundle bundle;
    words >> bundle.path >> bundle.verdict;
    run.bundles.push_back(bundle);
  } else if (word == "claim") {
    run.bundles.back().claims.push_back(claim_of(words));
  } else if (word == "refutes") {
    run.refuted.push_back(rest_of(words));
  } else if (word == "assumes") {
    run.assumes.push_back(rest_of(words));
  } else if (word == "says") {
    run.words.push_back(rest_of(words));
  } else if (word == "lacks") {
    run.lacking.push_back(rest_of(words));
  } else if (word == "today") {
    words >> run.known_verdict;
    run.known = rest_of(words);
  } else {
    throw std::runtime_error("no line begins with " + word);
  }
}

}  // namespace

Expected read_expected(const std::string& text) {
  Expected all;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (number == 1 && line.starts_with("# ")) all.shape = line.substr(2);
    if (line.empty() || line.front() == '#') continue;
    try {
      read_line(line, all);
    } catch (const std::exception& e) {
      throw std::runtime_error("line " + std::to_string(number) + ": " + e.what());
    }
  }
  if (all.shape.empty()) throw std::runtime_error("the first line is `# ` and the shape");
  for (const ExpectedRun& run : all.runs)
    if (run.verdict.empty()) throw std::runtime_error("a run without a verdict");
  return all;
}

}  // namespace gpol::test
