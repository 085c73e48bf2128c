#include "cli/commands/option_words.h"

#include <CLI/CLI.hpp>

#include "compiler/source/edit_distance.h"

namespace gpol {

std::vector<Choice<Family>> families() {
  std::vector<Choice<Family>> all;
  for (int i = 0; i < kFamilies; ++i) {
    const auto family = static_cast<Family>(i);
    all.push_back({family_name(family).data(), family});
  }
  return all;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  const auto near = nearest(word, candidates);
  return near ? fmt::format("did you mean `{}`?", *near) : std::string();
}

void gap_option(CLI::App& app, Words& words) {
  app.add_option("--allow-gap", words.gaps, "go on although this family could not be decided (repeatable)")
      ->allow_extra_args(false)
      ->take_all()
      ->type_name("FAMILY");
}

namespace {

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

}  // namespace

std::optional<std::variant<UsageError, HelpText>> parse_words(CLI::App& app, std::span<const std::string> args,
                                                              const std::string& command) {
  std::vector<std::string> reversed(args.rbegin(), args.rend());  // CLI11 takes them from the back
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    return HelpText{app.help()};
  } catch (const CLI::ParseError& error) {
    return UsageError{fmt::format("gpol {}: {}", command, error.what()), fmt::format("see `gpol {} --help`", command)};
  }
  for (const std::string& extra : app.remaining()) {
    if (extra == "--") continue;  // CLI11 leaves it there; what follows are PATHs
    const std::string flag = extra.substr(0, extra.find('='));
    std::string hint = did_you_mean(flag, flags_of(app));
    if (hint.empty()) hint = fmt::format("see `gpol {} --help`", command);
    return UsageError{fmt::format("gpol {} has no option `{}`", command, flag), hint};
  }
  return std::nullopt;
}

std::vector<std::string> settle_paths(const Words& words, const std::string& command, const char* example,
                                      UsageError& mistake) {
  std::vector<std::string> paths;
  for (const std::string& path : words.paths)
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  if (paths.empty())
    mistake = {fmt::format("gpol {} needs a PATH", command),
               fmt::format("give a {} or a directory: `gpol {} {}`",
                           command == "verify" ? "file of manifests" : ".gpol file", command, example)};
  return paths;
}

bool settle_gaps(const Words& words, std::vector<Family>& gaps, UsageError& mistake) {
  for (const std::string& gap : words.gaps) {
    const auto family = find_choice(families(), gap, "--allow-gap", mistake);
    if (!family) return false;
    gaps.push_back(*family);
  }
  std::sort(gaps.begin(), gaps.end());
  gaps.erase(std::unique(gaps.begin(), gaps.end()), gaps.end());
  return true;
}

}  // namespace gpol
