// What the tables of answered questions are made of: the policies of the examples and of the goldens; and the second
// solver's word on what stands in them.
#pragma once

#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cli/commands/session.h"
#include "compiler/source/sha256.h"
#include "tests/second_solver/cvc5.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

namespace gpol::answered {

inline std::set<std::string> policies_of_tests() {
  std::set<std::string> files;
  for (const char* folder : {"/examples", "/tests/golden"})
    for (const auto& file : std::filesystem::recursive_directory_iterator(std::string(GPOL_ROOT) + folder))
      if (file.path().extension() == ".gpol") files.insert(file.path().string());
  return files;
}

inline bool is_example(const std::string& file) { return file.find("/examples/") != std::string::npos; }

inline std::unique_ptr<Session> planned(const std::string& file, const std::string& text) {
  SessionOptions options;
  options.until = Phase::Planned;
  return check_policy({file, text}, options);
}
inline std::unique_ptr<Session> planned(const std::string& file) { return planned(file, test::read_text(file)); }

// One of 65,536 numbers, alike on every machine.
inline unsigned long number_of(const std::string& text) { return std::stoul(sha256(text).substr(0, 4), nullptr, 16); }

// Compares the lines with the table at `path` in the repository, or writes it: GPOL_UPDATE_GOLDEN=1.
inline void compare_table(const std::string& path, const std::string& title, const std::set<std::string>& lines) {
  std::string text = title + "\n";
  for (const std::string& line : lines) text += line + "\n";
  const std::string whole = GPOL_ROOT "/" + path;
  if (std::getenv("GPOL_UPDATE_GOLDEN") != nullptr) test::write_text(whole, text);
  CHECK(text == test::read_text(whole));
}

// Every formula is unsatisfiable: the other solver says so, where it is installed.
inline void check_by_cvc5(const std::vector<Formula>& formulas) {
  const auto program = second::cvc5();
  if (!program) return (void)(std::cout << "cvc5 is not installed: not asked\n");
  const auto answers = second::ask_cvc5(*program, formulas);
  REQUIRE(answers.size() == formulas.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    INFO(smtlib(formulas[i]));
    CHECK(answers[i] == Answer::Kind::Unsat);
  }
  std::cout << "cvc5: " << answers.size() << " formulas\n";
}

}  // namespace gpol::answered
