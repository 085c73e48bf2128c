#include "tests/independence/reports.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/render/render.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace fs = std::filesystem;

namespace {

std::string number(const std::optional<std::int64_t>& value) { return value ? std::to_string(*value) : "-"; }

}  // namespace

std::vector<std::string> facts_of(const Report& report) {
  std::vector<std::string> out;
  for (const Obligation& o : report.obligations)
    out.push_back(fmt::format("{} {} {} {} {} {} {} {} {}: {} {} {} {} {}", family_name(o.family), to_string(o.code),
                              o.required ? "required" : "optional", verdict_name(o.verdict), o.subject.kind,
                              o.subject.name, o.subject.tenant, o.subject.flavor, o.subject.resource,
                              number(o.figures.reserve), number(o.figures.claimable), number(o.figures.slack),
                              number(o.figures.back_within_ms), static_cast<int>(o.figures.unit)));
  for (const Assumption& a : report.assumptions)
    out.push_back(fmt::format("assumption {} {}: {}", static_cast<int>(a.status), a.by, a.text));
  for (const Diagnostic& d : report.diagnostics) out.push_back(fmt::format("diagnostic {}", to_string(d.code)));
  for (const Family family : report.analysed) out.push_back(fmt::format("analysed {}", family_name(family)));
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> facts_of(const Session& session) {
  auto out = facts_of(session.report);
  // What each verdict rests on, by its text: where it stands is what an order changes.
  for (const Obligation& o : session.report.obligations) {
    std::vector<std::string> lines;
    if (o.core)
      for (const Span& span : *o.core)
        if (span.known()) lines.emplace_back(session.sources.slice(span));
    std::sort(lines.begin(), lines.end());
    out.push_back(fmt::format("{} {} {} {} rests on {}", to_string(o.code), o.subject.name, o.subject.flavor,
                              o.subject.resource, fmt::join(lines, " | ")));
  }
  std::sort(out.begin(), out.end());
  RunReport run;
  run.policies.push_back(report_of(session));
  out.emplace_back(overall_name(judged(run)));
  // Of what is not proven the headline names the first, in the order of the policy.
  if (judged(run) == Overall::Proven) out.push_back(headline(run));
  return out;
}

std::string json_of(const Session& session) {
  RunReport run;
  run.policies.push_back(report_of(session));
  std::ostringstream out;
  render_json(run, out);
  return out.str();
}

std::vector<fs::path> all_policies() {
  std::vector<fs::path> paths;
  for (const char* directory : {"examples", "tests/golden"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(GPOL_ROOT) / directory))
      if (entry.path().extension() == ".gpol" && entry.is_regular_file()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<fs::path> planned_policies() {
  std::vector<fs::path> paths;
  for (const fs::path& path : all_policies())
    if (check_policy({path.string(), read_text(path)}, {Phase::Planned})->reached == Phase::Planned)
      paths.push_back(path);
  return paths;
}

}  // namespace gpol::test
