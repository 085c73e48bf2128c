// `gpol completions SHELL`, from the table that `--help` is made of.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>

#include "checker/families/premises.h"
#include "cli/commands/commands.h"
#include "compiler/source/explain_pages.h"

namespace gpol {

namespace {

std::vector<std::string> names_of(const std::vector<CommandInfo>& all) {
  std::vector<std::string> names;
  for (const CommandInfo& command : all) names.push_back(command.name);
  return names;
}

std::vector<std::string> flags_of(const CommandInfo& command) {
  std::vector<std::string> flags{"--help"};
  for (const OptionInfo& option : command.options) {
    flags.push_back(option.name);
    if (!option.short_name.empty()) flags.push_back(option.short_name);
  }
  return flags;
}

// Of `explain` and `completions`: the words that stand where others have a PATH.
std::vector<std::string> arguments_of(const CommandInfo& command) {
  if (command.name == "completions") return {"bash", "zsh", "fish"};
  if (command.name != "explain") return {};
  std::vector<std::string> codes{"preamble", "constructs", "premises"};
  for (const Premise& premise : premises()) codes.emplace_back(premise.key);
  for (const CodeInfo& info : all_codes()) codes.push_back(to_string(info.code));
  return codes;
}

std::string bash() {
  const auto all = commands();
  std::string out = "# bash completions of gpol: source <(gpol completions bash)\n_gpol() {\n";
  out += "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n  COMPREPLY=()\n";
  out += fmt::format(
      "  if [ \"$COMP_CWORD\" = 1 ]; then\n    COMPREPLY=($(compgen -W '{} --help --version' -- \"$word\"))\n    "
      "return\n  fi\n",
      fmt::join(names_of(all), " "));
  out += "  case \"${COMP_WORDS[1]} $before\" in\n";
  for (const CommandInfo& command : all)
    for (const OptionInfo& option : command.options) {
      if (option.value.empty()) continue;
      const std::string reply = !option.choices.empty()
                                    ? fmt::format("$(compgen -W '{}' -- \"$word\")", fmt::join(option.choices, " "))
                                : option.value == "DIR" ? "$(compgen -d -- \"$word\")"
                                                        : "";
      out += fmt::format("    '{0} {1}'{2}) COMPREPLY=({3}); return ;;\n", command.name, option.name,
                         option.short_name.empty() ? "" : fmt::format(" | '{} {}'", command.name, option.short_name),
                         reply);
    }
  out += "  esac\n  case \"${COMP_WORDS[1]}\" in\n";
  for (const CommandInfo& command : all) {
    const auto words = arguments_of(command);
    out += fmt::format(
        "    {}) if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '{}' -- \"$word\")); else COMPREPLY=({}); fi ;;\n",
        command.name, fmt::join(flags_of(command), " "),
        !words.empty()          ? fmt::format("$(compgen -W '{}' -- \"$word\")", fmt::join(words, " "))
        : command.name == "man" ? ""
                                : "$(compgen -d -- \"$word\") $(compgen -f -X '!*.gpol' -- \"$word\")");
  }
  return out + "  esac\n}\ncomplete -o filenames -F _gpol gpol\n";
}

// A text between single quotes, for zsh's and fish's descriptions.
std::string plain(std::string text) {
  for (char& c : text)
    if (c == '\'' || c == '[' || c == ']' || c == ':') c = ' ';
  return text;
}

std::string zsh() {
  const auto all = commands();
  std::string out =
      "#compdef gpol\n# zsh completions of gpol: gpol completions zsh > \"${fpath[1]}/_gpol\"\n_gpol() {\n";
  out += "  if (( CURRENT == 2 )); then\n    local -a commands=(\n";
  for (const CommandInfo& command : all) out += fmt::format("      '{}:{}'\n", command.name, plain(command.help));
  out += "    )\n    _describe command commands\n    return\n  fi\n  case $words[2] in\n";
  for (const CommandInfo& command : all) {
    out += fmt::format("    {})\n      shift words; (( CURRENT-- ))\n      _arguments '--help[print the options]'",
                       command.name);
    for (const OptionInfo& option : command.options) {
      const std::string action = option.value.empty()      ? ""
                                 : !option.choices.empty() ? fmt::format(":word:({})", fmt::join(option.choices, " "))
                                 : option.value == "DIR"   ? ":directory:_directories"
                                                           : ":" + option.value + ": ";
      for (const std::string& name : {option.name, option.short_name})
        if (!name.empty()) out += fmt::format(" \\\n        '{}[{}]{}'", name, plain(option.help), action);
    }
    if (const auto words = arguments_of(command); !words.empty())
      out += fmt::format(" \\\n        '1:word:({})'", fmt::join(words, " "));
    else if (command.name != "man")
      out += " \\\n        '*:policy:_files -g \"*.gpol(-.)\"'";
    out += " ;;\n";
  }
  return out + "  esac\n}\n_gpol \"$@\"\n";
}

std::string fish() {
  std::string out = "# fish completions of gpol: gpol completions fish > ~/.config/fish/completions/gpol.fish\n";
  for (const CommandInfo& command : commands()) {
    out +=
        fmt::format("complete -c gpol -f -n __fish_use_subcommand -a {} -d '{}'\n", command.name, plain(command.help));
    const std::string here = fmt::format("complete -c gpol -n '__fish_seen_subcommand_from {}'", command.name);
    out += fmt::format("{} -s h -l help -d 'print the options'\n", here);
    for (const OptionInfo& option : command.options)
      out += fmt::format("{} -l {}{}{}{} -d '{}'\n", here, option.name.substr(2),
                         option.short_name.empty() ? "" : " -s " + option.short_name.substr(1),
                         option.value.empty()    ? ""
                         : option.value == "DIR" ? " -r"
                                                 : " -x",
                         option.choices.empty() ? "" : fmt::format(" -a '{}'", fmt::join(option.choices, " ")),
                         plain(option.help));
    if (const auto words = arguments_of(command); !words.empty())
      out += fmt::format("{} -f -a '{}'\n", here, fmt::join(words, " "));
  }
  return out;
}

}  // namespace

std::string plain_help(std::string_view command) {
  for (const CommandInfo& info : commands())
    if (info.name == command)
      return fmt::format("{}\nUsage: gpol {}{}{}\n", info.help, info.name, info.arguments.empty() ? "" : " ",
                         info.arguments);
  return {};
}

int completions(std::span<const std::string> args, const World& world) {
  if (args.size() == 1 && (args[0] == "--help" || args[0] == "-h")) return world.out << plain_help("completions"), 0;
  const std::vector<std::string> shells{"bash", "zsh", "fish"};
  if (args.size() == 1 && args[0] == "bash") return world.out << bash(), 0;
  if (args.size() == 1 && args[0] == "zsh") return world.out << zsh(), 0;
  if (args.size() == 1 && args[0] == "fish") return world.out << fish(), 0;
  const std::string near = args.size() == 1 ? did_you_mean(args[0], shells) : "";
  return usage_error({"gpol completions takes one shell: bash, zsh or fish",
                      near.empty() ? "as in `source <(gpol completions bash)`" : near},
                     world);
}

}  // namespace gpol
