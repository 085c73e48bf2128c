// What the options of all commands are made of: the words that CLI11 fills, and how they are checked.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cli/commands/options.h"

namespace gpol {

// What CLI11 fills; words are checked by us, since its own messages are not for people.
struct Words {
  std::vector<std::string> paths, gaps;
  std::string format = "human", dump, out, as_of, nodes, serving, back, classes, kueue, kueue_config, approvals,
              subject, fail_on = "undecided", from, mig_config, volcano_config;
  std::vector<std::string> serving_queues, batch_queues, bounded_queues, node_files, retired;
  std::string jobs;
  bool solve_all = false, timings = false, check = false, diff = false, fix = false, strict = false,
       list_skipped = false, full = false, write_config = false, as_one = false, allow_exposure = false, staged = false,
       require_approvals = false;
};

template <class Value>
struct Choice {
  const char* word;
  Value value;
};
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

template <class Choices>
std::vector<std::string> words_of(const Choices& choices) {
  std::vector<std::string> words;
  for (const auto& choice : choices) words.emplace_back(choice.word);
  return words;
}

// False: the mistake is set.
template <class Dumps>
bool settle_dump(const Words& words, const Dumps& dumps, Dump& dump, UsageError& mistake) {
  if (words.dump.empty()) return true;
  const auto found = find_choice(dumps, words.dump, "--dump", mistake);
  dump = found.value_or(Dump::None);
  if (found && words.format != "human") mistake = {"`--dump` has its own format", "leave out `--format`"};
  return found && words.format == "human";
}

inline constexpr Choice<Format> kFormats[] = {{"human", Format::Human},       {"json", Format::Json},
                                              {"markdown", Format::Markdown}, {"sarif", Format::Sarif},
                                              {"junit", Format::Junit},       {"github", Format::Github}};
std::vector<Choice<Family>> families();
void solve_all_option(CLI::App& app, Words& words);
void gap_option(CLI::App& app, Words& words);
// Runs CLI11. Nothing: understood.
std::optional<std::variant<UsageError, HelpText>> parse_words(CLI::App& app, std::span<const std::string> args,
                                                              const std::string& command);
// Runs it over the words of a command, and settles what it understood.
template <class Options, class Settle>
Settled<Options> settled(const char* command, void (*configure)(CLI::App&, Words&), std::span<const std::string> args,
                         Settle settle) {
  CLI::App app("", fmt::format("gpol {}", command));
  Words words;
  configure(app, words);
  if (const auto stop = parse_words(app, args, command))
    return std::visit([](const auto& s) -> Settled<Options> { return s; }, *stop);
  return settle(words, app);
}
// The PATHs, each once.
std::vector<std::string> paths_of(const Words& words);
// The same; empty: the mistake is set.
std::vector<std::string> settle_paths(const Words& words, const std::string& command, const char* example,
                                      UsageError& mistake);
// Sorted, each once; false: the mistake is set.
bool settle_gaps(const Words& words, std::vector<Family>& gaps, UsageError& mistake);

// The day of --as-of; false: the mistake is set.
bool settle_day(const Words& words, std::string& day, UsageError& mistake);
void as_of_option(CLI::App& app, Words& words);
bool settle_fail_on(const Words& words, FailOn& fail_on, UsageError& mistake);
void fail_on_option(CLI::App& app, Words& words);
std::vector<std::string> fail_on_words();
bool settle_jobs(const Words& words, unsigned& jobs, UsageError& mistake);
void jobs_option(CLI::App& app, Words& words, const char* of_what);

// verify_options.cpp
void verify_words(CLI::App& app, Words& words);
void diff_words(CLI::App& app, Words& words);
std::vector<std::string> diff_formats();
std::vector<std::string> verify_dumps();

}  // namespace gpol
