#include <fmt/format.h>

#include <iterator>
#include <ostream>

#include "cli/commands/commands.h"
#include "cli/commands/fix.h"
#include "cli/commands/importers.h"
#include "cli/commands/verify.h"
#include "cli/config/config.h"
#include "cli/render/annotations.h"
#include "cli/render/progress.h"
#include "cli/render/render.h"
#include "compiler/source/parallel.h"

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
  else if (shown.format == Format::Sarif)
    write_sarif(annotations_of(run), run.version, world.out);
  else if (shown.format == Format::Junit)
    write_junit(annotations_of(run), proven_statements(run), world.out);
  else if (shown.format == Format::Github)
    write_github(annotations_of(run), headline(run), world.out);
  else if (shown.summary)
    render_summary(run, world.colour, world.out);
  else
    render_human(run, world.colour, world.out);
  if (shown.timings) print_timings(sessions, world.err);
  return exit_code(run);
}

Verified check_paths(const CheckOptions& options, std::istream& standard_input, const FileTree& tree,
                     Progress* progress) {
  Verified checked;
  RunReport& run = checked.run;
  const Config config = find_config(options.paths, run.diagnostics, tree);
  checked.config = config.said;
  const PassOver excluded = [&](const std::string& path) {
    return config.excludes(path) || options.left_out.contains(path);
  };
  auto texts = read_policies(options.paths, standard_input, excluded, tree);
  if (options.fix) {
    Fixed fixed = fix_policies(options, texts.value);
    run.notes = std::move(fixed.notes);
    run.fixed = fixed.made;
    texts = read_policies(options.paths, standard_input, excluded, tree);  // what is reported is what is there now
    for (Diagnostic& problem : fixed.problems) texts.diagnostics.push_back(std::move(problem));
  }
  run.version = GPOL_VERSION;
  run.allowed_gaps = options.allowed_gaps;
  run.fail_on = options.fail_on;
  run.waivers = {config.said.waivers, options.as_of};
  std::move(texts.diagnostics.begin(), texts.diagnostics.end(), std::back_inserter(run.diagnostics));
  std::set<std::string> imported;
  checked.sessions.resize(texts.value.size());
  if (progress != nullptr) progress->begin("policies", texts.value.size());
  in_parallel(texts.value.size(), options.jobs == 0 ? processors() : options.jobs, [&](std::size_t i) {
    const Phase until = options.unproven.contains(texts.value[i].path) ? Phase::Planned : Phase::Proven;
    checked.sessions[i] = check_policy(std::move(texts.value[i]), {.until = until,
                                                                   .lint = true,
                                                                   .as_of = options.as_of,
                                                                   .solver = {.solve_all = options.solve_all},
                                                                   .tree = &tree});
    if (progress != nullptr) progress->done_one();
  });
  for (const auto& session : checked.sessions) imported.merge(imported_by(*session, tree));
  for (const auto& session : checked.sessions) {
    spare_imported(*session, imported, tree);
    run.policies.push_back(report_of(*session));
    run.policies.back().bundle = session->sources.size() > 0 ? session->sources.path(0) : std::string();
  }
  for (std::string& text : waiver_texts(run)) run.notes.push_back(std::move(text));
  return checked;
}

int check(const CheckOptions& options, const World& world) {
  if (options.dump != Dump::None) return dump(options, world);
  const Verified checked = [&] {
    Progress progress(world.terminal ? &world.err : nullptr);
    return check_paths(options, world.in, disk(), &progress);
  }();
  return finish(checked.run, checked.sessions, {options.format, options.timings}, world);
}

}  // namespace gpol
