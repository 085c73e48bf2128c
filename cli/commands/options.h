// The words after the command's name, settled. In: arguments. Out: options, or one mistake with a hint, or a text to
// print (`--help`). Nothing is read from disk and nothing is printed here.
#pragma once

#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "checker/report/report.h"
#include "cli/render/run_report.h"
#include "cli/tree/file_tree.h"

namespace gpol {

enum class Format { Human, Json, Markdown, Sarif, Junit, Github, Html };
enum class Dump { None, Expanded, Ast, Policy, Cluster, Obligations, Smt };

struct CheckOptions {
  std::vector<std::string> paths;  // `-`: standard input
  Format format = Format::Human;
  Dump dump = Dump::None;
  std::vector<Family> allowed_gaps;  // sorted, each once
  bool timings = false;
  bool solve_all = false;            // nothing is taken from a table of answers (solver.h)
  unsigned jobs = 0;                 // policies at a time; 0: as many as there are processors
  bool fix = false;                  // check only: make the edits that are sure
  std::string as_of;                 // "2026-11-21": trusts that ended before it count no longer; empty: all count
  std::string out;                   // build only: the directory that is written
  bool compare = false;              // build only: it is only compared
  std::string kueue_config;          // build only: the file with Kueue's own Configuration; empty: none
  std::string mig_config;            // build only: the file with configurations of mig-parted; empty: none
  std::string volcano_config;        // build only: the file with the configuration of Volcano's scheduler; empty: none
  std::string from;                  // build only: an earlier output; empty: none
  std::vector<std::string> retired;  // build only: tenants of it whose work has ended
  FailOn fail_on = FailOn::Undecided;        // check only
  std::set<std::string> left_out, unproven;  // diff only: policies that are not read; that are read for mistakes alone
};

// verify: what is said of queues beside their labels.
struct VerifyOptions {
  std::vector<std::string> paths;  // `-`: standard input
  Format format = Format::Human;
  std::vector<Family> allowed_gaps;  // sorted, each once
  bool timings = false, strict = false, solve_all = false;
  unsigned jobs = 0;          // bundles at a time; 0: as many as there are processors
  bool full = false;          // every finding with its story, every premise
  bool list_skipped = false;  // name each file that was left out
  struct Serving {
    std::string queue, isolation;  // "A", "B"; empty: not said
    std::string letter() const { return isolation.empty() ? "A" : isolation; }
  };
  std::vector<Serving> serving;
  std::vector<std::string> batch, bounded;
  std::set<std::string> elsewhere;  // queues that these may name, too: of the other side of a diff
  std::string classes;              // a file of roles; empty: none
  std::vector<std::string> nodes;   // files of Nodes
  std::string kueue;                // "0.19.2"; empty: what Kueue's Deployment runs, else the newest that is known
  std::string as_of;                // the day on which waivers are looked at; empty: none has ended
  FailOn fail_on = FailOn::Undecided;
  bool write_config = false;       // propose a gpol.yaml
  bool fix = false;                // write the edits that were tried
  bool as_one = false;             // all that was given is one cluster
  Dump dump = Dump::None;          // cluster, obligations or smt
  const FileTree* tree = &disk();  // what the paths are of; outlives the run
  std::set<std::string> kept;      // bundles that are judged though they say nothing
  bool tells_ignored = false;      // name what the tree passes over
};

enum class FmtAction { Write, Check, Diff };

// diff: two sides, and what is said of both.
struct DiffOptions {
  std::vector<std::string> words;  // revisions and paths (diff_sides.h)
  bool staged = false;             // the side after is the index
  VerifyOptions verify;            // of its paths none
  bool allow_exposure = false;
  bool require_approvals = false;
  std::string approvals;  // a file of those who approved; empty: none
};

struct FmtOptions {
  std::vector<std::string> paths;  // `-` stands alone: standard input to standard output
  FmtAction action = FmtAction::Write;
};

// why: whose guarantee, and of which policy.
struct WhyOptions {
  std::string subject, path;  // `-`: standard input
  Format format = Format::Human;
};

// What `init` asks for; empty: not said, so it is asked.
struct InitOptions {
  std::string path;     // `-`: standard output
  std::string nodes;    // "4x8"
  std::string serving;  // GPUs: "16"
  std::string back;     // "4min" or "never"
};

struct UsageError {
  std::string message, hint;
};
struct HelpText {
  std::string text;
};

template <class Options>
using Settled = std::variant<Options, UsageError, HelpText>;
Settled<CheckOptions> check_options(std::span<const std::string> args);
Settled<CheckOptions> build_options(std::span<const std::string> args);
Settled<VerifyOptions> verify_options(std::span<const std::string> args);
Settled<DiffOptions> diff_options(std::span<const std::string> args);
Settled<FmtOptions> fmt_options(std::span<const std::string> args);
Settled<InitOptions> init_options(std::span<const std::string> args);
Settled<WhyOptions> why_options(std::span<const std::string> args);

// "did you mean `check`?" for a word that is near one of `known`, else empty.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

// What `--help`, the completions and the man page are made of.
struct OptionInfo {
  std::string name, short_name;  // "--out", "-o"; short_name may be empty
  std::string value;             // of what it takes: "DIR"; empty: nothing
  std::string help;
  std::vector<std::string> choices;  // the words that it takes; empty: any
};
struct CommandInfo {
  std::string name, arguments, help;
  std::string summary;              // a few words, for `gpol --help`
  std::vector<OptionInfo> options;  // `--help` apart
};
std::vector<CommandInfo> commands();
// `--help` of a command that has no options.
std::string plain_help(std::string_view command);

}  // namespace gpol
