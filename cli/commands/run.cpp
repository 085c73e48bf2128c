#include "cli/commands/run.h"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <ostream>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/render/text.h"

namespace gpol {

namespace {

std::string help() {
  std::string out = "gpol: policy as code for shared GPU clusters, with proof\n\nUsage: gpol COMMAND ...\n\n";
  for (const CommandInfo& command : commands())
    out += fmt::format("  {:<27} {}\n", command.name + " " + command.arguments, command.summary);
  return out +
         "  --version, --help\n"
         "\n"
         "`gpol COMMAND --help` lists the options of a command.\n"
         "Exit codes: 0 proven, 1 refuted or an error in the input, 2 could not run, 3 undecided, 4 internal error.\n";
}

template <class Options>
int with_options(const std::variant<Options, UsageError, HelpText>& parsed,
                 int (*command)(const Options&, const World&), const World& world) {
  if (const auto* help = std::get_if<HelpText>(&parsed)) {
    world.out << help->text;
    return 0;
  }
  if (const auto* error = std::get_if<UsageError>(&parsed)) return usage_error(*error, world);
  return command(std::get<Options>(parsed), world);
}

int dispatch(std::span<const std::string> args, const World& world) {
  if (args.empty()) return usage_error({"gpol needs a command", "`gpol --help` lists them"}, world);
  const std::string& command = args[0];
  const auto rest = args.subspan(1);
  if (command == "--version" || command == "-V") {
    world.out << "gpol " << GPOL_VERSION << "\n";
    return 0;
  }
  if (command == "--help" || command == "-h" || command == "help") {
    world.out << help();
    return 0;
  }
  if (command == "check") return with_options(check_options(rest), check, world);
  if (command == "build") return with_options(build_options(rest), build, world);
  if (command == "verify") return with_options(verify_options(rest), verify, world);
  if (command == "diff") return with_options(diff_options(rest), diff, world);
  if (command == "why") return with_options(why_options(rest), why, world);
  if (command == "fmt") return with_options(fmt_options(rest), format_policies, world);
  if (command == "init") return with_options(init_options(rest), init, world);
  if (command == "explain") return explain(rest, world);
  if (command == "completions") return completions(rest, world);
  if (command == "man") return man(rest, world);
  std::vector<std::string> known{"--version", "--help"};
  for (const CommandInfo& one : commands()) known.push_back(one.name);
  std::string hint = did_you_mean(command, known);
  if (hint.empty()) hint = "`gpol --help` lists the commands";
  const bool flag = command.starts_with('-');
  return usage_error({fmt::format("gpol has no {} `{}`", flag ? "option" : "command", command), hint}, world);
}

}  // namespace

int usage_error(const UsageError& error, const World& world) {
  world.err << "error: " << printable(error.message) << "\n";
  if (!error.hint.empty()) world.err << "  help: " << printable(error.hint) << "\n";
  return 2;
}

int run(std::span<const std::string> args, const World& world) {
  try {
    const int code = dispatch(args, world);
    world.out.flush();
    if (!world.out)
      return usage_error({"the output could not be written", "is the disk full or the pipe closed?"}, world);
    return code;
  } catch (const std::bad_alloc&) {
    return usage_error({"there is not enough memory", "allow the process more, or split the policy"}, world);
  } catch (const std::exception& error) {
    world.err << "internal error: " << printable(error.what())
              << "\n  help: this is a mistake in gpol, not in the policy; please report it with the policy\n";
  } catch (...) {
    world.err << "internal error\n";
  }
  return 4;
}

}  // namespace gpol
