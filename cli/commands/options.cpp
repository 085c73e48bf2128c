#include "cli/commands/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "cli/commands/versions.h"
#include "compiler/policy/zones.h"
#include "compiler/source/edit_distance.h"

namespace gpol {
namespace {

// What CLI11 fills; words are checked by us, since its own messages are not for people.
struct Words {
  std::vector<std::string> paths, gaps;
  std::string format = "human", dump, out, as_of, nodes, serving, back, classes, kueue = "v0.19.2";
  std::vector<std::string> serving_queues, batch_queues, bounded_queues, node_files;
  bool timings = false, check = false, diff = false, fix = false, strict = false;
};

template <class Value>
struct Choice {
  const char* word;
  Value value;
};
constexpr Choice<Format> kFormats[] = {{"human", Format::Human}, {"json", Format::Json}};
constexpr Choice<Format> kVerifyFormats[] = {
    {"human", Format::Human}, {"json", Format::Json}, {"markdown", Format::Markdown}};
constexpr Choice<Dump> kDumps[] = {{"expanded", Dump::Expanded},       {"ast", Dump::Ast},
                                   {"policy", Dump::Policy},           {"cluster", Dump::Cluster},
                                   {"obligations", Dump::Obligations}, {"smt", Dump::Smt}};
constexpr Choice<Dump> kVerifyDumps[] = {
    {"cluster", Dump::Cluster}, {"obligations", Dump::Obligations}, {"smt", Dump::Smt}};

std::vector<Choice<Family>> families() {
  std::vector<Choice<Family>> all;
  for (int i = 0; i < kFamilies; ++i) {
    const auto family = static_cast<Family>(i);
    all.push_back({family_name(family).data(), family});
  }
  return all;
}

template <class Choices>
auto find_choice(const Choices& choices, const std::string& word, const std::string& flag, UsageError& mistake)
    -> std::optional<decltype(std::begin(choices)->value)> {
  std::vector<std::string> known;
  for (const auto& choice : choices) {
    if (word == choice.word) return choice.value;
    known.emplace_back(choice.word);
  }
  mistake.message = fmt::format("`{}` does not know `{}`", flag, word);
  mistake.hint = did_you_mean(word, known);
  if (mistake.hint.empty()) mistake.hint = fmt::format("use one of: {}", fmt::join(known, ", "));
  return std::nullopt;
}

void path_option(CLI::App& app, Words& words) {
  app.add_option("PATH", words.paths,
                 "a .gpol file, a directory (every .gpol below it, hidden directories and links to "
                 "directories left out), or - for standard input");
  app.allow_extras();
}

void gap_option(CLI::App& app, Words& words) {
  app.add_option("--allow-gap", words.gaps, "go on although this family could not be decided (repeatable)")
      ->allow_extra_args(false)
      ->take_all()
      ->type_name("FAMILY");
}

void common_options(CLI::App& app, Words& words) {
  path_option(app, words);
  app.add_option("--format", words.format, "human (default) or json");
  gap_option(app, words);
  app.add_option("--as-of", words.as_of,
                 "the day on which trusts that end are looked at, as in 2026-11-21; without it none has ended")
      ->type_name("DATE");
  app.add_flag("--timings", words.timings, "print what each stage took, on standard error");
}

// Each command's words and their help, in one place for parsing, `--help`, completions and the man page.
void check_words(CLI::App& app, Words& words) {
  app.description("Proves each policy given, or found in a directory: every serving reserve comes back in time.");
  common_options(app, words);
  app.add_flag("--fix", words.fix,
               "first make, in the files themselves, the changes that warnings and slips of the pen ask for and that "
               "change nothing of what is proven");
  app.add_option("--dump", words.dump,
                 "print a stage instead of the report: expanded, ast, policy, cluster, obligations or smt");
}
void build_words(CLI::App& app, Words& words) {
  app.description("Proves one policy and writes its manifests; writes nothing unless everything is proven.");
  common_options(app, words);
  app.add_option("-o,--out", words.out, "the directory to write, replaced as a whole");
}
void verify_words(CLI::App& app, Words& words) {
  app.description(
      "Proves or refutes the Kueue manifests that are there, with no policy: what each queue owns, and how much of it "
      "others can hold.");
  app.add_option("PATH", words.paths,
                 "a file of YAML or JSON, a directory (every .yaml, .yml and .json below it, hidden directories and "
                 "links to directories left out), or - for standard input");
  app.allow_extras();
  app.add_option("--format", words.format, "human (default), json or markdown");
  gap_option(app, words);
  const auto list = [](CLI::Option* option, const char* type) {
    option->delimiter(',')->allow_extra_args(false)->take_all()->type_name(type);
    option->transform(
        [](std::string word) { return word.erase(0, std::min(word.find_first_not_of(' '), word.size())); });
  };
  list(app.add_option("--serving", words.serving_queues,
                      "ClusterQueues that serve, and their class: A (default; nobody else may ever hold their quota) "
                      "or B (it comes back); before labels and --classes"),
       "QUEUE[=A|B],...");
  list(app.add_option("--batch", words.batch_queues, "ClusterQueues of batch: as soon as one serves, so are all without a role"),
       "QUEUE,...");
  list(app.add_option("--bounded", words.bounded_queues,
                      "ClusterQueues that are known to keep within their own quota; before labels and --classes"),
       "QUEUE,...");
  app.add_option("--classes", words.classes,
                 "a YAML file of roles: QUEUE: {role: serving|batch|bounded, class: A|B|C, deadline: 4min}; before labels")
      ->type_name("FILE");
  list(app.add_option("--nodes", words.node_files, "a file of Nodes, as `kubectl get nodes -o yaml` prints them"),
       "FILE");
  app.add_option("--kueue", words.kueue, "the version of Kueue, whose defaults absent fields take (v0.19.2)")
      ->type_name("VERSION");
  app.add_option("--dump", words.dump, "print a stage instead of the report: cluster, obligations or smt");
  app.add_flag("--strict", words.strict, "a premise that nothing in the input enforces is open, not trusted");
  app.add_flag("--timings", words.timings, "print what each stage took, on standard error");
}
void fmt_words(CLI::App& app, Words& words) {
  app.description(
      "Writes each policy given, or found in a directory, in the one style, and prints the paths of those that "
      "changed; "
      "- is read from standard input and written to standard output.");
  path_option(app, words);
  app.add_flag("--check", words.check,
               "write nothing, print the paths of those that would change; exit 1 if any would");
  app.add_flag("--diff", words.diff,
               "write nothing, print what would change as a unified diff; exit 1 if anything would");
}

void init_words(CLI::App& app, Words& words) {
  app.description(
      "Writes a first policy for one group of nodes, a serving tenant and a batch tenant, and proves it. What no "
      "option says is asked; an empty answer takes what stands in brackets.");
  app.add_option(
      "PATH", words.paths,
      "the file to write, which must not be there yet (policy.gpol), a directory to write policy.gpol in, or - for "
      "standard output");
  app.allow_extras();
  app.add_option("--nodes", words.nodes, "how many nodes there are, and how many GPUs each has, as in 4x8")
      ->type_name("NODESxGPUS");
  app.add_option("--serving", words.serving, "how many GPUs serving must always get")->type_name("GPUS");
  app.add_option("--back", words.back,
                 "batch may borrow them, and they are back and warm within this time, as in 8min; or never: nobody "
                 "else uses them")
      ->type_name("TIME");
}

template <class Choices>
std::vector<std::string> words_of(const Choices& choices) {
  std::vector<std::string> words;
  for (const auto& choice : choices) words.emplace_back(choice.word);
  return words;
}

CommandInfo described(const char* name, const char* arguments, const char* summary,
                      void (*configure)(CLI::App&, Words&)) {
  CLI::App app;
  Words words;
  configure(app, words);
  CommandInfo info{name, arguments, app.get_description(), summary, {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_lnames().empty() || option->get_lnames().front() == "help") continue;
    OptionInfo made;
    made.name = "--" + option->get_lnames().front();
    if (!option->get_snames().empty()) made.short_name = "-" + option->get_snames().front();
    made.help = option->get_description();
    const bool takes = option->get_items_expected_max() > 0;
    if (made.name == "--format")
      made.choices = std::string_view(name) == "verify" ? words_of(kVerifyFormats) : words_of(kFormats);
    if (made.name == "--dump")
      made.choices = std::string_view(name) == "verify" ? words_of(kVerifyDumps) : words_of(kDumps);
    if (made.name == "--allow-gap") made.choices = words_of(families());
    if (takes) made.value = made.name == "--out" ? "DIR" : !made.choices.empty() ? "WORD" : option->get_type_name();
    info.options.push_back(std::move(made));
  }
  return info;
}

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// Runs CLI11. Empty: understood.
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

// The PATHs, each once; empty: the mistake is set.
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

template <class Dumps>
bool settle_dump(const Words& words, const Dumps& dumps, Dump& dump, UsageError& mistake) {
  if (words.dump.empty()) return true;
  const auto found = find_choice(dumps, words.dump, "--dump", mistake);
  dump = found.value_or(Dump::None);
  if (found && words.format != "human") mistake = {"`--dump` has its own format", "leave out `--format`"};
  return found && words.format == "human";
}

std::variant<VerifyOptions, UsageError, HelpText> settle_verify(const Words& words) {
  VerifyOptions options;
  UsageError mistake;
  const auto format = find_choice(kVerifyFormats, words.format, "--format", mistake);
  if (!format || !settle_gaps(words, options.allowed_gaps, mistake)) return mistake;
  if (!settle_dump(words, kVerifyDumps, options.dump, mistake)) return mistake;
  options.format = *format;
  options.paths = settle_paths(words, "verify", "manifests/", mistake);
  if (options.paths.empty()) return mistake;
  for (const std::string& word : words.serving_queues) {
    const std::size_t at = word.find('=');
    VerifyOptions::Serving serving{word.substr(0, at), at == std::string::npos ? "" : word.substr(at + 1)};
    if (serving.queue.empty() || (at != std::string::npos && serving.isolation != "A" && serving.isolation != "B"))
      return UsageError{fmt::format("`--serving` takes queues and their class, A or B, and `{}` is none", word),
                        "write it as `--serving chat,search=B`"};
    for (const auto& before : options.serving)
      if (before.queue == serving.queue && before.letter() != serving.letter())
        return UsageError{fmt::format("`--serving` gives `{}` two classes, {} and {}", serving.queue, before.letter(),
                                      serving.letter()),
                          "name it once"};
    options.serving.push_back(std::move(serving));
  }
  options.batch = words.batch_queues;
  options.bounded = words.bounded_queues;
  options.kueue = plain_version(words.kueue);
  if (options.kueue.empty())
    return UsageError{fmt::format("`--kueue` takes a version, and `{}` is none", words.kueue), "write it as `v0.19.2`"};
  options.classes = words.classes;
  options.nodes = words.node_files;
  options.strict = words.strict;
  options.timings = words.timings;
  return options;
}

std::variant<CheckOptions, UsageError, HelpText> settle(const Words& words, const std::string& command) {
  CheckOptions options;
  UsageError mistake;
  const auto format = find_choice(kFormats, words.format, "--format", mistake);
  if (!format) return mistake;
  options.format = *format;
  if (!settle_dump(words, kDumps, options.dump, mistake)) return mistake;
  if (!settle_gaps(words, options.allowed_gaps, mistake)) return mistake;
  options.paths =
      settle_paths(words, command, command == "build" ? "policies/cluster.gpol -o manifests" : "policies/", mistake);
  if (options.paths.empty()) return mistake;
  if (!words.as_of.empty() && !is_date(words.as_of))
    return UsageError{fmt::format("`--as-of` takes a day, and `{}` is none", words.as_of), "write it as `2026-11-21`"};
  options.as_of = words.as_of;
  options.timings = words.timings;
  options.fix = words.fix;
  options.out = words.out;
  return options;
}

}  // namespace

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  const auto near = nearest(word, candidates);
  return near ? fmt::format("did you mean `{}`?", *near) : std::string();
}

std::variant<CheckOptions, UsageError, HelpText> check_options(std::span<const std::string> args) {
  CLI::App app("", "gpol check");
  Words words;
  check_words(app, words);
  if (const auto stop = parse_words(app, args, "check"))
    return std::visit([](const auto& s) -> std::variant<CheckOptions, UsageError, HelpText> { return s; }, *stop);
  auto settled = settle(words, "check");
  if (const auto* options = std::get_if<CheckOptions>(&settled); options && options->dump != Dump::None) {
    if (options->paths.size() != 1) return UsageError{"`--dump` takes one policy", "give a single .gpol file"};
    if (options->fix) return UsageError{"`--dump` only looks", "leave out `--fix`"};
  }
  if (const auto* options = std::get_if<CheckOptions>(&settled); options && options->fix)
    if (std::count(options->paths.begin(), options->paths.end(), "-") > 0)
      return UsageError{"`--fix` writes files, and standard input is none", "give the file itself"};
  return settled;
}

std::variant<CheckOptions, UsageError, HelpText> build_options(std::span<const std::string> args) {
  CLI::App app("", "gpol build");
  Words words;
  build_words(app, words);
  if (const auto stop = parse_words(app, args, "build"))
    return std::visit([](const auto& s) -> std::variant<CheckOptions, UsageError, HelpText> { return s; }, *stop);
  auto settled = settle(words, "build");
  if (const auto* options = std::get_if<CheckOptions>(&settled)) {
    if (options->paths.size() != 1)
      return UsageError{"gpol build takes one policy", "build each policy into its own directory"};
    if (options->out.empty())
      return UsageError{"gpol build needs `-o DIR`", "name the directory to write: `-o manifests`"};
  }
  return settled;
}

std::variant<VerifyOptions, UsageError, HelpText> verify_options(std::span<const std::string> args) {
  CLI::App app("", "gpol verify");
  Words words;
  verify_words(app, words);
  if (const auto stop = parse_words(app, args, "verify"))
    return std::visit([](const auto& s) -> std::variant<VerifyOptions, UsageError, HelpText> { return s; }, *stop);
  return settle_verify(words);
}

std::variant<FmtOptions, UsageError, HelpText> fmt_options(std::span<const std::string> args) {
  CLI::App app("", "gpol fmt");
  Words words;
  fmt_words(app, words);
  if (const auto stop = parse_words(app, args, "fmt"))
    return std::visit([](const auto& s) -> std::variant<FmtOptions, UsageError, HelpText> { return s; }, *stop);
  UsageError mistake;
  FmtOptions options;
  options.paths = settle_paths(words, "fmt", "policies/", mistake);
  if (options.paths.empty()) return mistake;
  if (options.paths.size() > 1 && std::count(options.paths.begin(), options.paths.end(), "-") > 0)
    return UsageError{"gpol fmt takes `-` alone", "give files and directories in a run of their own"};
  // A diff says what a check says, and more.
  options.action = words.diff ? FmtAction::Diff : words.check ? FmtAction::Check : FmtAction::Write;
  return options;
}

std::variant<InitOptions, UsageError, HelpText> init_options(std::span<const std::string> args) {
  CLI::App app("", "gpol init");
  Words words;
  init_words(app, words);
  if (const auto stop = parse_words(app, args, "init"))
    return std::visit([](const auto& s) -> std::variant<InitOptions, UsageError, HelpText> { return s; }, *stop);
  if (words.paths.size() > 1) return UsageError{"gpol init writes one policy", "give one PATH"};
  return InitOptions{words.paths.empty() ? "policy.gpol" : words.paths.front(), words.nodes, words.serving, words.back};
}

std::vector<CommandInfo> commands() {
  return {
      described("check", "PATH...", "prove each policy; the command for pre-commit and CI", check_words),
      described("build", "PATH -o DIR", "prove one policy and write its manifests", build_words),
      described("verify", "PATH...", "prove or refute Kueue manifests that are there, with no policy", verify_words),
      described("fmt", "PATH...", "write policies in the one style; --check and --diff only look", fmt_words),
      described("init", "[PATH]", "write a first policy, from three questions or flags", init_words),
      {"explain",
       "[CODE]",
       "Says what a code means, with an example of it and of its cure.",
       "what a code means, with an example of it and of its cure",
       {}},
      {"completions", "SHELL", "Prints completions for bash, zsh or fish.", "for bash, zsh or fish", {}},
      {"man", "", "Prints this program's man page.", "the man page", {}}};
}

}  // namespace gpol
