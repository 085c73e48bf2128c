// The words of `gpol verify`.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands/option_words.h"
#include "cli/commands/versions.h"
#include "compiler/source/lookup.h"

namespace gpol {
namespace {

constexpr Choice<Format> kDiffFormats[] = {
    {"human", Format::Human}, {"json", Format::Json},   {"markdown", Format::Markdown}, {"html", Format::Html},
    {"sarif", Format::Sarif}, {"junit", Format::Junit}, {"github", Format::Github}};
constexpr Choice<Dump> kVerifyDumps[] = {
    {"cluster", Dump::Cluster}, {"obligations", Dump::Obligations}, {"smt", Dump::Smt}};

std::variant<VerifyOptions, UsageError, HelpText> settle_verify(const Words& words) {
  VerifyOptions options;
  UsageError mistake;
  const auto format = find_choice(kFormats, words.format, "--format", mistake);
  if (!format || !settle_gaps(words, options.allowed_gaps, mistake)) return mistake;
  if (!settle_dump(words, kVerifyDumps, options.dump, mistake)) return mistake;
  options.format = *format;
  options.paths = paths_of(words);
  if (options.paths.empty()) options.paths.emplace_back(".");
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
  if (options.kueue.empty() && !words.kueue.empty())
    return UsageError{fmt::format("`--kueue` takes a version, and `{}` is none", words.kueue),
                      "write its three numbers, as in `v0.19.2`"};
  options.classes = words.classes;
  options.nodes = words.node_files;
  options.strict = words.strict;
  options.full = words.full;
  options.list_skipped = words.list_skipped;
  options.timings = words.timings;
  options.solve_all = words.solve_all;
  options.write_config = words.write_config;
  options.fix = words.fix;
  if (options.fix && contains(options.paths, "-"))
    return UsageError{"`--fix` writes files, and standard input is none", "give the file itself"};
  if (options.fix && options.dump != Dump::None) return UsageError{"`--dump` only looks", "leave out `--fix`"};
  options.as_one = words.as_one;
  if (!settle_day(words, options.as_of, mistake) || !settle_fail_on(words, options.fail_on, mistake) ||
      !settle_jobs(words, options.jobs, mistake))
    return mistake;
  return options;
}

void roles_words(CLI::App& app, Words& words) {
  gap_option(app, words);
  solve_all_option(app, words);
  const auto list = [](CLI::Option* option, const char* type) {
    option->delimiter(',')->allow_extra_args(false)->take_all()->type_name(type);
    option->transform(
        [](std::string word) { return word.erase(0, std::min(word.find_first_not_of(' '), word.size())); });
  };
  list(app.add_option("--serving", words.serving_queues,
                      "ClusterQueues that serve, and their class: A (default; nobody else may ever hold their quota) "
                      "or B (it comes back); before labels and --classes"),
       "QUEUE[=A|B],...");
  list(app.add_option("--batch", words.batch_queues,
                      "ClusterQueues of batch: as soon as one serves, so are all without a role"),
       "QUEUE,...");
  list(app.add_option("--bounded", words.bounded_queues,
                      "ClusterQueues that are known to keep within their own quota; before labels and --classes"),
       "QUEUE,...");
  app.add_option(
         "--classes", words.classes,
         "a YAML file of roles: QUEUE: {role: serving|batch|bounded, class: A|B|C, deadline: 4min}; before labels")
      ->type_name("FILE");
  list(app.add_option("--nodes", words.node_files, "a file of Nodes, as `kubectl get nodes -o yaml` prints them"),
       "FILE");
  app.add_option("--kueue", words.kueue,
                 "the version of Kueue, v0.15 to v0.19 (what its Deployment runs, else v0.19.2); before gpol.yaml")
      ->type_name("VERSION");
  as_of_option(app, words);
  jobs_option(app, words, "bundles or policies");
  app.add_flag("--as-one", words.as_one, "all directories are one cluster: no bundle of its own for any of them");
  app.add_flag("--strict", words.strict, "a premise that nothing in the input enforces is open, not trusted");
}

}  // namespace

std::vector<std::string> diff_formats() { return words_of(kDiffFormats); }
std::vector<std::string> verify_dumps() { return words_of(kVerifyDumps); }

void verify_words(CLI::App& app, Words& words) {
  app.description(
      "Proves or refutes the manifests of Kueue and Volcano that are there, with no policy: what each queue owns, and "
      "how much of it "
      "others can hold.");
  app.add_option("PATH", words.paths,
                 "a file of YAML or JSON, a directory (every .yaml, .yml and .json below it, hidden directories and "
                 "links to directories left out), or - for standard input; without one, the working directory");
  app.allow_extras();
  app.add_option("--format", words.format, "human (default), json, markdown, sarif, junit or github");
  roles_words(app, words);
  app.add_option("--dump", words.dump, "print a stage instead of the report: cluster, obligations or smt");
  fail_on_option(app, words);
  app.add_flag(
      "--write-config", words.write_config,
      "write a first gpol.yaml at the root of the repository: the roles that are given, or who probably serves");
  app.add_flag(
      "--fix", words.fix,
      "write the edits that were tried into the files, and report on what is there then; an edit that ends the "
      "loan of class B is left to people");
  app.add_flag("--full", words.full, "tell every finding with its place and story, every figure and every premise");
  app.add_flag("--list-skipped", words.list_skipped, "name each file that was left out, and why");
  app.add_flag("--timings", words.timings, "print what each stage took, on standard error");
}

void diff_words(CLI::App& app, Words& words) {
  app.description(
      "Says what a change of policies, or of manifests of Kueue and Volcano, means: what others can newly hold of each "
      "tenant that serves, "
      "and which promises are lost, gained or gone. REV1..REV2 compares two commits, REV1...REV2 what REV2 changed "
      "since it left REV1, REV the work tree with a commit, BEFORE AFTER two files or directories.");
  app.add_option("REVISION|PATH", words.paths,
                 "revisions of the git repository, and the files or directories that count (default: the working "
                 "directory); or two "
                 "files or directories, - for one of them is standard input");
  app.allow_extras();
  app.add_flag("--staged", words.staged, "compare what is staged for the next commit (with REV, default HEAD)");
  app.add_option("--format", words.format, "human (default), json, markdown, html, sarif, junit or github");
  app.add_option("--approvals", words.approvals, "a file of those who approved: a handle on each line, as @governance")
      ->type_name("FILE");
  app.add_flag("--require-approvals", words.require_approvals,
               "exit 0 where all who are asked have approved, whatever is lost or exposed, and 1 while one is missing");
  app.add_flag("--allow-exposure", words.allow_exposure,
               "exit 0 where others can newly hold something and no promise is lost");
  fail_on_option(app, words);
  roles_words(app, words);
}

std::variant<DiffOptions, UsageError, HelpText> diff_options(std::span<const std::string> args) {
  return settled<DiffOptions>("diff", diff_words, args, [](Words& words, auto&) -> Settled<DiffOptions> {
    UsageError mistake;
    const auto format = find_choice(kDiffFormats, words.format, "--format", mistake);
    if (!format) return mistake;
    DiffOptions options{words.paths, words.staged, {}, words.allow_exposure, words.require_approvals, words.approvals};
    words.format = "human";
    words.paths = {"."};  // of the sides, and not of verify
    auto settled = settle_verify(words);
    if (auto* verify = std::get_if<VerifyOptions>(&settled)) {
      options.verify = std::move(*verify);
      options.verify.paths.clear();
      options.verify.format = *format;
      return options;
    }
    return std::get<UsageError>(settled);
  });
}

std::variant<VerifyOptions, UsageError, HelpText> verify_options(std::span<const std::string> args) {
  return settled<VerifyOptions>("verify", verify_words, args,
                                [](const Words& words, auto&) { return settle_verify(words); });
}

}  // namespace gpol
