// `gpol man`: the man page, from the table that `--help` is made of.
#include <fmt/format.h>

#include <ostream>

#include "cli/commands/commands.h"

namespace gpol {

namespace {

// The escapes of roff: a `-` that stays one, and no line that begins with a control character.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '-')
      out += "\\-";
    else if (c == '\\')
      out += "\\e";
    else
      out += c;
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

}  // namespace

int man(std::span<const std::string> args, const World& world) {
  if (args.size() == 1 && (args[0] == "--help" || args[0] == "-h")) return world.out << plain_help("man"), 0;
  if (!args.empty()) return usage_error({"gpol man takes no words", "as in `gpol man | man -l -`"}, world);
  std::string out = fmt::format(".TH GPOL 1 \"\" \"gpol {}\" \"User Commands\"\n", GPOL_VERSION);
  out += ".SH NAME\ngpol \\- policy as code for shared GPU clusters, with proof\n.SH SYNOPSIS\n";
  const auto all = commands();
  for (const CommandInfo& command : all)
    out += fmt::format(".B gpol {}\n{}.br\n", command.name,
                       command.arguments.empty() ? "" : roff(command.arguments) + "\n");
  out += ".SH COMMANDS\n";
  for (const CommandInfo& command : all) {
    out += fmt::format(".SS gpol {} {}\n{}\n", command.name, roff(command.arguments), roff(command.help));
    for (const OptionInfo& option : command.options)
      out += fmt::format(".TP\n.B {}{}{}\n{}\n", option.short_name.empty() ? "" : roff(option.short_name) + ", ",
                         roff(option.name), option.value.empty() ? "" : " " + option.value, roff(option.help));
  }
  out +=
      ".SH EXIT STATUS\n0 proven, 1 refuted or an error in the input, 2 could not run, 3 undecided, 4 internal "
      "error.\n";
  out += ".SH SEE ALSO\nREADME.md, docs/language.md and\n.B gpol explain\n";
  world.out << out;
  return 0;
}

}  // namespace gpol
