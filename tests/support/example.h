// A policy of the repository in full, as `--dump=expanded` prints it: for tests that look at single stages.
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "cli/commands/session.h"

namespace gpol::test {

// `path`: in the repository. Throws where the file cannot be read or has mistakes.
inline std::string expanded_policy(const std::string& path) {
  const std::string whole = std::string(GPOL_ROOT) + "/" + path;
  std::ifstream in(whole);
  std::stringstream text;
  text << in.rdbuf();
  const auto session = check_policy({whole, text.str()}, {.until = Phase::Parsed, .keep_expanded = true});
  if (session->expanded.empty() || !session->report.diagnostics.empty())
    throw std::runtime_error("cannot read " + path);
  return session->expanded;
}

}  // namespace gpol::test
