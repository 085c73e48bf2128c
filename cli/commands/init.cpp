// init: a first policy from three answers, proven before it is written.
#include <fmt/format.h>

#include <filesystem>
#include <istream>
#include <ostream>

#include "cli/commands/commands.h"
#include "cli/commands/first_policy.h"
#include "cli/render/render.h"
#include "cli/render/text.h"
#include "compiler/format/format.h"
#include "emit/rewrite.h"

namespace gpol {

namespace {

// The flag's word, or the answer to the question.
std::string answer(const std::string& given, const char* question, const char* otherwise, const World& world) {
  if (!given.empty()) return given;
  world.err << question << " [" << otherwise << "] " << std::flush;
  std::string line;
  std::getline(world.in, line);
  const auto first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
  return first == std::string::npos ? otherwise : line.substr(first, last - first + 1);
}

}  // namespace

int init(const InitOptions& given, const World& world) {
  InitOptions options = given;
  std::error_code unknown;
  if (options.path != "-" && std::filesystem::is_directory(options.path, unknown))
    options.path = (std::filesystem::path(options.path) / "policy.gpol").string();
  const std::string nodes = answer(options.nodes, "Nodes, and GPUs of each?", "4x8", world);
  const std::string serving = answer(options.serving, "GPUs that serving must always get?", "16", world);
  const std::string back =
      answer(options.back, "May batch borrow them? Within what time are they back and warm (as in 8min), or never?",
             "never", world);
  const auto understood = first_policy(nodes, serving, back);
  if (const auto* mistake = std::get_if<UsageError>(&understood)) return usage_error(*mistake, world);
  const std::string text = in_one_style(text_of(std::get<FirstPolicy>(understood)));

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
    if (!parent.empty() && !std::filesystem::exists(parent, unknown))
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
