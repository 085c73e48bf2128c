#include "cli/commands/options.h"

#include <fmt/format.h>

#include "cli/commands/option_words.h"
#include "compiler/source/lookup.h"

namespace gpol {
namespace {

constexpr Choice<Dump> kDumps[] = {{"expanded", Dump::Expanded},       {"ast", Dump::Ast},
                                   {"policy", Dump::Policy},           {"cluster", Dump::Cluster},
                                   {"obligations", Dump::Obligations}, {"smt", Dump::Smt}};
void path_option(CLI::App& app, Words& words) {
  app.add_option("PATH", words.paths,
                 "a .gpol file, a directory (every .gpol below it, hidden directories and links to "
                 "directories left out), or - for standard input");
  app.allow_extras();
}

void common_options(CLI::App& app, Words& words) {
  path_option(app, words);
  app.add_option("--format", words.format, "human (default), json, markdown, sarif, junit or github");
  gap_option(app, words);
  as_of_option(app, words);
  solve_all_option(app, words);
  app.add_flag("--timings", words.timings, "print what each stage took, on standard error");
}

// Each command's words and their help, in one place for parsing, `--help`, completions and the man page.
void check_words(CLI::App& app, Words& words) {
  app.description("Proves each policy given, or found in a directory: every serving reserve comes back in time.");
  common_options(app, words);
  fail_on_option(app, words);
  jobs_option(app, words, "policies");
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
  app.add_option("--kueue-config", words.kueue_config,
                 "Kueue's own Configuration as you keep it: it is written with the lines that the proof needs, all "
                 "others of it kept; itself, its ConfigMap, or values of Kueue's Helm chart")
      ->type_name("FILE");
  app.add_option("--mig-config", words.mig_config,
                 "the configurations of mig-parted as you keep them, as a file of its own or the ConfigMap that MIG "
                 "Manager reads: those of the policy are written beside them")
      ->type_name("FILE");
  app.add_option("--volcano-config", words.volcano_config,
                 "the configuration of Volcano's scheduler as you keep it, a file of its own or its ConfigMap: it is "
                 "written with what the proof needs, all else of it kept")
      ->type_name("FILE");
  app.add_flag("--check", words.check,
               "write nothing, name the files of the directory that differ; exit 1 if any does");
  app.add_option("--from", words.from,
                 "what an earlier build wrote: a tenant of it that left the policy keeps its ClusterQueues, and its "
                 "LocalQueues are on Hold, while its work may still run; GPUs of a pool `as mig for` stay cut as they "
                 "were where they can")
      ->type_name("DIR");
  app.add_option("--retired", words.retired, "tenants of --from that left the policy and whose work has ended")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->take_all()
      ->type_name("TENANT,...");
}
void why_words(CLI::App& app, Words& words) {
  app.description(
      "Lists the clauses of a policy that the guarantee of a tenant that serves needs: without any one of them it is "
      "not proven any more, and without all others it still is.");
  app.add_option("TENANT", words.subject, "a tenant that serves");
  app.add_option("PATH", words.paths, "a .gpol file, or - for standard input");
  app.allow_extras();
  app.add_option("--format", words.format, "human (default) or json");
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
    if (made.name == "--format") made.choices = std::string_view(name) == "diff" ? diff_formats() : words_of(kFormats);
    if (made.name == "--dump") made.choices = std::string_view(name) == "verify" ? verify_dumps() : words_of(kDumps);
    if (made.name == "--fail-on") made.choices = fail_on_words();
    if (made.name == "--allow-gap") made.choices = words_of(families());
    if (takes) made.value = made.name == "--out" ? "DIR" : !made.choices.empty() ? "WORD" : option->get_type_name();
    info.options.push_back(std::move(made));
  }
  return info;
}

Settled<CheckOptions> settle(const Words& words, const std::string& command) {
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
  if (!settle_day(words, options.as_of, mistake) || !settle_fail_on(words, options.fail_on, mistake) ||
      !settle_jobs(words, options.jobs, mistake))
    return mistake;
  options.timings = words.timings;
  options.solve_all = words.solve_all;
  options.fix = words.fix;
  options.out = words.out;
  options.compare = words.check;
  options.kueue_config = words.kueue_config;
  options.mig_config = words.mig_config;
  options.volcano_config = words.volcano_config;
  options.from = words.from;
  options.retired = words.retired;
  return options;
}

}  // namespace

Settled<CheckOptions> check_options(std::span<const std::string> args) {
  return settled<CheckOptions>("check", check_words, args, [](const Words& words, auto&) -> Settled<CheckOptions> {
    auto settled = settle(words, "check");
    const auto* options = std::get_if<CheckOptions>(&settled);
    if (options == nullptr) return settled;
    if (options->dump != Dump::None && options->paths.size() != 1)
      return UsageError{"`--dump` takes one policy", "give a single .gpol file"};
    if (options->dump != Dump::None && options->fix) return UsageError{"`--dump` only looks", "leave out `--fix`"};
    if (options->fix && contains(options->paths, "-"))
      return UsageError{"`--fix` writes files, and standard input is none", "give the file itself"};
    return settled;
  });
}

Settled<CheckOptions> build_options(std::span<const std::string> args) {
  return settled<CheckOptions>("build", build_words, args, [](const Words& words, auto& app) -> Settled<CheckOptions> {
    auto settled = settle(words, "build");
    const auto* options = std::get_if<CheckOptions>(&settled);
    if (options == nullptr) return settled;
    if (options->paths.size() != 1)
      return UsageError{"gpol build takes one policy", "build each policy into its own directory"};
    if (options->out.empty())
      return UsageError{"gpol build needs `-o DIR`", "name the directory to write: `-o manifests`"};
    const std::pair<const char*, const std::string*> names[] = {{"--from", &options->from},
                                                                {"--kueue-config", &options->kueue_config},
                                                                {"--mig-config", &options->mig_config},
                                                                {"--volcano-config", &options->volcano_config}};
    for (const auto& [option, name] : names)  // a script's variable that is not set
      if (app.count(option) > 0 && name->empty())
        return UsageError{fmt::format("`{}` names nothing", option), "leave it out, or give a path"};
    if (!options->retired.empty() && options->from.empty())
      return UsageError{"`--retired` is about an earlier build", "name what it wrote: `--from DIR`"};
    return settled;
  });
}

Settled<FmtOptions> fmt_options(std::span<const std::string> args) {
  return settled<FmtOptions>("fmt", fmt_words, args, [](const Words& words, auto&) -> Settled<FmtOptions> {
    UsageError mistake;
    FmtOptions options;
    options.paths = settle_paths(words, "fmt", "policies/", mistake);
    if (options.paths.empty()) return mistake;
    if (options.paths.size() > 1 && contains(options.paths, "-"))
      return UsageError{"gpol fmt takes `-` alone", "give files and directories in a run of their own"};
    // A diff says what a check says, and more.
    options.action = words.diff ? FmtAction::Diff : words.check ? FmtAction::Check : FmtAction::Write;
    return options;
  });
}

Settled<InitOptions> init_options(std::span<const std::string> args) {
  return settled<InitOptions>("init", init_words, args, [](const Words& words, auto&) -> Settled<InitOptions> {
    if (words.paths.size() > 1) return UsageError{"gpol init writes one policy", "give one PATH"};
    return InitOptions{words.paths.empty() ? "policy.gpol" : words.paths.front(), words.nodes, words.serving,
                       words.back};
  });
}

Settled<WhyOptions> why_options(std::span<const std::string> args) {
  return settled<WhyOptions>("why", why_words, args, [](const Words& words, auto&) -> Settled<WhyOptions> {
    if (words.subject.empty() || words.paths.size() != 1)
      return UsageError{"gpol why takes a tenant and one policy", "as in `gpol why search policies/cluster.gpol`"};
    UsageError mistake;
    const auto format = find_choice(kFormats, words.format, "--format", mistake);
    if (!format) return mistake;
    return WhyOptions{words.subject, words.paths.front(), *format};
  });
}

std::vector<CommandInfo> commands() {
  return {described("check", "PATH...", "prove each policy; the command for pre-commit and CI", check_words),
          described("build", "PATH -o DIR", "prove one policy and write its manifests", build_words),
          described("verify", "PATH...",
                    "prove or refute manifests of Kueue and Volcano that are there, with no policy", verify_words),
          described("diff", "REV1..REV2 | REV | A B", "what a change means: who can newly hold what", diff_words),
          described("why", "TENANT PATH", "the clauses of a policy that a tenant's guarantee needs", why_words),
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
