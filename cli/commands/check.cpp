#include <fmt/format.h>

#include <map>
#include <ostream>

#include "cli/commands/commands.h"
#include "cli/commands/fix.h"
#include "cli/commands/importers.h"
#include "cli/render/render.h"

namespace gpol {

namespace {

void print_timings(const std::vector<std::unique_ptr<Session>>& sessions, std::ostream& err) {
  std::vector<Timing> sums;  // in the order in which the stages ran
  for (const auto& session : sessions) {
    for (const Timing& timing : session->timings) {
      auto it = sums.begin();
      while (it != sums.end() && std::string_view(it->stage) != timing.stage) ++it;
      if (it == sums.end()) it = sums.insert(sums.end(), Timing{timing.stage, {}});
      it->took += timing.took;
    }
  }
  for (const Timing& sum : sums)
    err << fmt::format("{:<10} {:>10.3f} ms\n", sum.stage, std::chrono::duration<double, std::milli>(sum.took).count());
}

}  // namespace

int finish(const RunReport& run, const std::vector<std::unique_ptr<Session>>& sessions, const Shown& shown,
           const World& world) {
  if (shown.format == Format::Json)
    render_json(run, world.out);
  else if (shown.format == Format::Markdown)
    render_markdown(run, world.out);
  else if (shown.summary)
    render_summary(run, world.colour, world.out);
  else
    render_human(run, world.colour, world.out);
  if (shown.timings) print_timings(sessions, world.err);
  return exit_code(run);
}

int check(const CheckOptions& options, const World& world) {
  if (options.dump != Dump::None) return dump(options, world);
  auto texts = read_policies(options.paths, world.in);
  RunReport run;
  if (options.fix) {
    Fixed fixed = fix_policies(options, texts.value);
    run.notes = std::move(fixed.notes);
    run.fixed = fixed.made;
    texts = read_policies(options.paths, world.in);  // what is reported is what is there now
    for (Diagnostic& problem : fixed.problems) texts.diagnostics.push_back(std::move(problem));
  }
  run.version = GPOL_VERSION;
  run.allowed_gaps = options.allowed_gaps;
  run.diagnostics = std::move(texts.diagnostics);
  std::vector<std::unique_ptr<Session>> sessions;
  std::set<std::string> imported;
  for (PolicyText& text : texts.value) {
    sessions.push_back(check_policy(std::move(text), {.lint = true, .as_of = options.as_of}));
    imported.merge(imported_by(*sessions.back()));
  }
  for (const auto& session : sessions) {
    spare_imported(*session, imported);
    run.policies.push_back(report_of(*session));
    run.policies.back().bundle = session->sources.size() > 0 ? session->sources.path(0) : std::string();
  }
  return finish(run, sessions, {options.format, options.timings}, world);
}

}  // namespace gpol
