#include "cli/commands/option_words.h"

#include <algorithm>

#include "compiler/policy/zones.h"
#include "compiler/source/edit_distance.h"
#include "compiler/source/lookup.h"
#include "compiler/source/number.h"

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

void solve_all_option(CLI::App& app, Words& words) {
  app.add_flag("--solve-all", words.solve_all,
               "ask the solver every question, also those that were answered when gpol was built");
}

void as_of_option(CLI::App& app, Words& words) {
  app.add_option(
         "--as-of", words.as_of,
         "the day on which trusts and waivers that end are looked at, as in 2026-11-21; without it none has ended")
      ->type_name("DATE");
}

bool settle_day(const Words& words, std::string& day, UsageError& mistake) {
  day = words.as_of;
  if (day.empty() || is_date(day)) return true;
  mistake = {fmt::format("`--as-of` takes a day, and `{}` is none", day), "write it as `2026-11-21`"};
  return false;
}

namespace {

constexpr Choice<FailOn> kFailOn[] = {
    {"undecided", FailOn::Undecided}, {"refuted", FailOn::Refuted}, {"never", FailOn::Never}};

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

}  // namespace

void fail_on_option(CLI::App& app, Words& words) {
  app.add_option("--fail-on", words.fail_on,
                 "exit 1 or 3 for what is refuted or undecided (undecided, the default), for what is refuted, or "
                 "never; mistakes in the input fail all the same");
}

std::vector<std::string> fail_on_words() { return words_of(kFailOn); }

bool settle_fail_on(const Words& words, FailOn& fail_on, UsageError& mistake) {
  const auto found = find_choice(kFailOn, words.fail_on, "--fail-on", mistake);
  if (found) fail_on = *found;
  return found.has_value();
}

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

std::vector<std::string> paths_of(const Words& words) {
  std::vector<std::string> paths;
  for (const std::string& path : words.paths)
    if (!contains(paths, path)) paths.push_back(path);
  return paths;
}

std::vector<std::string> settle_paths(const Words& words, const std::string& command, const char* example,
                                      UsageError& mistake) {
  std::vector<std::string> paths = paths_of(words);
  if (paths.empty())
    mistake = {fmt::format("gpol {} needs a PATH", command),
               fmt::format("give a .gpol file or a directory: `gpol {} {}`", command, example)};
  return paths;
}

bool settle_jobs(const Words& words, unsigned& jobs, UsageError& mistake) {
  constexpr unsigned kMost = 256;
  if (words.jobs.empty()) return true;
  jobs = whole_number<unsigned>(words.jobs).value_or(0);
  if (jobs >= 1 && jobs <= kMost) return true;
  mistake = {fmt::format("`--jobs` takes a number from 1 to {}, and `{}` is none", kMost, words.jobs),
             "leave it out: gpol then uses every processor"};
  return false;
}
void jobs_option(CLI::App& app, Words& words, const char* of_what) {
  app.add_option(
         "--jobs", words.jobs,
         fmt::format("how many {} are judged at the same time (default: as many as there are processors)", of_what))
      ->type_name("N");
}

bool settle_gaps(const Words& words, std::vector<Family>& gaps, UsageError& mistake) {
  for (const std::string& gap : words.gaps) {
    const auto family = find_choice(families(), gap, "--allow-gap", mistake);
    if (!family) return false;
    gaps.push_back(*family);
  }
  std::ranges::sort(gaps);
  gaps.erase(std::unique(gaps.begin(), gaps.end()), gaps.end());
  return true;
}

}  // namespace gpol
