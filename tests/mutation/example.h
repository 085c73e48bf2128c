// An example as the mutants are made from it: its text in full, what it plans, and the files that `build` writes for
// it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "checker/observe/observe.h"
#include "cli/commands/session.h"

namespace gpol::mutation {

struct Example {
  std::string name, text;
  std::unique_ptr<Session> session;  // planned, not proven
  std::vector<YamlFile> files;
  const Planned& planned() const { return *session->planned; }
};

inline constexpr const char* kExamples[] = {"morning-ramp", "three-tiers", "on-prem-three-classes"};

std::string file_text(const std::string& path);  // of the repository; throws where it cannot be read
Example read_example(const std::string& name, const std::string& folder = {});  // default: examples/NAME
// A policy's text as far as its plan; `planned` is empty where something in it is an error.
std::unique_ptr<Session> plan_text(const std::string& name, std::string text);

}  // namespace gpol::mutation
