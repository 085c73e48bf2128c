// fmt: policies in the one style (docs/fmt.md). Everything is formatted and read back before anything is written, so a
// mistake of gpol's own stops the run with all files as they were. Files are replaced one by one, each in one step.
#include <iterator>
#include <ostream>

#include "cli/commands/commands.h"
#include "cli/config/config.h"
#include "cli/render/render.h"
#include "cli/render/text.h"
#include "cli/render/unified_diff.h"
#include "compiler/format/format.h"
#include "emit/rewrite.h"

namespace gpol {

namespace {

struct Change {
  std::string path, before, after;
};

// Nothing: the policy has mistakes, which are told.
std::optional<Change> format_one(PolicyText text, RunReport& run, const World& world) {
  SourceSet sources;
  const FileId file = sources.add(std::move(text.path), std::move(text.text));
  auto out = formatted(sources, file);
  render_diagnostics(&sources, out.diagnostics, false, world.err);
  const bool ok = out.ok();
  for (Diagnostic& d : out.diagnostics) run.diagnostics.push_back(std::move(d));
  if (!ok) return std::nullopt;
  return Change{sources.path(file), sources.text(file), std::move(out.value)};
}

}  // namespace

int format_policies(const FmtOptions& options, const World& world) {
  RunReport run;
  const Config config = find_config(options.paths, run.diagnostics);
  auto texts = read_policies(options.paths, world.in, [&](const std::string& path) { return config.excludes(path); });
  std::move(texts.diagnostics.begin(), texts.diagnostics.end(), std::back_inserter(run.diagnostics));
  render_diagnostics(nullptr, run.diagnostics, false, world.err);
  std::vector<Change> changes;
  for (PolicyText& text : texts.value) {
    auto change = format_one(std::move(text), run, world);
    if (change && options.action == FmtAction::Write && change->path == "-") world.out << change->after;
    if (change && change->before != change->after) changes.push_back(*std::move(change));
  }
  for (const Change& change : changes) {
    if (options.action == FmtAction::Diff) {
      world.out << unified_diff(printable(change.path), change.before, change.after);
    } else if (options.action == FmtAction::Check) {
      world.out << printable(change.path) << "\n";
    } else if (change.path != "-") {
      if (auto problem = rewrite(change.path, change.before, change.after)) {
        render_diagnostics(nullptr, {&*problem, 1}, false, world.err);
        run.diagnostics.push_back(*std::move(problem));
      } else {
        world.out << printable(change.path) << "\n";
      }
    }
  }
  const int code = exit_code(run);
  return code == 0 && options.action != FmtAction::Write && !changes.empty() ? 1 : code;
}

}  // namespace gpol
