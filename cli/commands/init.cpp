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

struct Question {
  const std::string& given;  // by a flag
  const char* text;
  const char* otherwise;
  std::optional<UsageError> (*take)(FirstPolicy&, const std::string&);
};

// What cannot be is asked again, as long as there is somebody who answers.
std::optional<UsageError> ask(const Question& question, FirstPolicy& policy, const World& world) {
  if (!question.given.empty()) return question.take(policy, question.given);
  for (;;) {
    world.err << question.text << " [" << question.otherwise << "] " << std::flush;
    std::string line;
    const bool answered = static_cast<bool>(std::getline(world.in, line));
    const auto first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
    auto mistake =
        question.take(policy, first == std::string::npos ? question.otherwise : line.substr(first, last - first + 1));
    if (!mistake || !answered) return mistake;
    usage_error(*mistake, world);
  }
}

}  // namespace

int init(const InitOptions& given, const World& world) {
  InitOptions options = given;
  std::error_code unknown;
  if (options.path != "-" && std::filesystem::is_directory(options.path, unknown))
    options.path = (std::filesystem::path(options.path) / "policy.gpol").string();
  FirstPolicy policy;
  for (const Question& question :
       {Question{options.nodes, "Nodes, and GPUs of each?", "4x8", take_nodes},
        Question{options.serving, "GPUs that serving must always get?", "16", take_serving},
        Question{options.back, "May batch borrow them? Within what time are they back and warm (as in 8min), or never?",
                 "never", take_back}})
    if (const auto mistake = ask(question, policy, world)) return usage_error(*mistake, world);
  const std::string text = in_one_style(text_of(policy));

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
    if (!parent.empty() && !std::filesystem::exists(std::filesystem::symlink_status(parent, unknown)))
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
