#include "tests/second_solver/cvc5.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>

#include "tests/support/run_gpol.h"

namespace gpol::second {

std::optional<std::string> cvc5() {
  const char* given = std::getenv("GPOL_CVC5");
  std::string program = given != nullptr ? given : "/usr/bin/cvc5";
  if (access(program.c_str(), X_OK) != 0) return std::nullopt;
  return program;
}

std::vector<Answer::Kind> ask_cvc5(const std::string& program, const std::vector<Formula>& formulas) {
  using Kind = Answer::Kind;
  const test::Scratch scratch;
  const auto input = scratch / "questions.smt2";
  test::write_text(input, smtlib(formulas));
  const std::string command =
      fmt::format("{} --lang=smt2.6 --incremental --rlimit-per={} '{}' 2>&1", program, kSteps, input.string());
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no process");
  std::vector<Kind> answers;
  std::string complaint;
  std::array<char, 4096> line{};
  while (fgets(line.data(), line.size(), pipe) != nullptr) {
    const std::string said = line.data();
    if (said == "sat\n" || said == "unsat\n" || said == "unknown\n")
      answers.push_back(said == "sat\n" ? Kind::Sat : said == "unsat\n" ? Kind::Unsat : Kind::Unknown);
    else
      complaint += said;
  }
  if (pclose(pipe) != 0 || !complaint.empty()) throw std::runtime_error("cvc5: " + complaint);
  return answers;
}

}  // namespace gpol::second
