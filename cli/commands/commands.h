// The commands, one file each. In: options and the world. Out: the exit code (run.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/commands/options.h"
#include "cli/commands/run.h"
#include "cli/commands/session.h"

namespace gpol {

int check(const CheckOptions& options, const World& world);
int build(const CheckOptions& options, const World& world);
int verify(const VerifyOptions& options, const World& world);
int diff(const DiffOptions& options, const World& world);
int why(const WhyOptions& options, const World& world);
int format_policies(const FmtOptions& options, const World& world);
int init(const InitOptions& options, const World& world);
int explain(std::span<const std::string> args, const World& world);
int completions(std::span<const std::string> args, const World& world);
int man(std::span<const std::string> args, const World& world);
// --dump: one stage of one policy.
int dump(const CheckOptions& options, const World& world);

// What every command does at its end: prints the report in the format asked for, and the timings; the exit code.
struct Shown {
  Format format = Format::Human;
  bool timings = false;
  bool summary = false;  // the short human form
};
int finish(const RunReport& run, const std::vector<std::unique_ptr<Session>>& sessions, const Shown& shown,
           const World& world);

// Prints "gpol: message" and a hint on standard error; the exit code of a usage error.
int usage_error(const UsageError& error, const World& world);

// One fact per line (dump_fields.cpp).
std::string dump_ast(const ast::File& file);
std::string dump_policy(const Policy& policy);
// Of a stage that the session has reached.
std::string dump_text(const Session& session, Dump dump);
std::string dump_obligations(const Session& session);
std::string dump_smt(const std::vector<Formula>& formulas);

}  // namespace gpol
