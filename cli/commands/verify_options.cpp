// The words of `gpol verify`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/commands/option_words.h"
#include "cli/commands/versions.h"

namespace gpol {
namespace {

constexpr Choice<Format> kVerifyFormats[] = {
    {"human", Format::Human}, {"json", Format::Json}, {"markdown", Format::Markdown}};
constexpr Choice<Dump> kVerifyDumps[] = {
    {"cluster", Dump::Cluster}, {"obligations", Dump::Obligations}, {"smt", Dump::Smt}};

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
  options.full = words.full;
  options.list_skipped = words.list_skipped;
  options.timings = words.timings;
  return options;
}

}  // namespace

std::vector<std::string> verify_formats() { return words_of(kVerifyFormats); }
std::vector<std::string> verify_dumps() { return words_of(kVerifyDumps); }

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
  app.add_option("--kueue", words.kueue, "the version of Kueue, whose defaults absent fields take (v0.19.2)")
      ->type_name("VERSION");
  app.add_option("--dump", words.dump, "print a stage instead of the report: cluster, obligations or smt");
  app.add_flag("--strict", words.strict, "a premise that nothing in the input enforces is open, not trusted");
  app.add_flag("--full", words.full, "tell every finding with its place and story, every figure and every premise");
  app.add_flag("--list-skipped", words.list_skipped, "name each file that was left out, and why");
  app.add_flag("--timings", words.timings, "print what each stage took, on standard error");
}
std::variant<VerifyOptions, UsageError, HelpText> verify_options(std::span<const std::string> args) {
  CLI::App app("", "gpol verify");
  Words words;
  verify_words(app, words);
  if (const auto stop = parse_words(app, args, "verify"))
    return std::visit([](const auto& s) -> std::variant<VerifyOptions, UsageError, HelpText> { return s; }, *stop);
  return settle_verify(words);
}

}  // namespace gpol
