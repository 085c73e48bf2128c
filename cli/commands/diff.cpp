// diff: what a change means. Each side is checked and verified as it is, by its own gpol.yaml and the same flags;
// bundles match by their path.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>
#include <ranges>
#include <set>

#include "checker/diff/compare.h"
#include "checker/diff/subjects.h"
#include "cli/codes.h"
#include "cli/commands/commands.h"
#include "cli/commands/diff_approvals.h"
#include "cli/commands/diff_changes.h"
#include "cli/commands/diff_judge.h"
#include "cli/commands/diff_sides.h"
#include "cli/commands/diff_statements.h"
#include "cli/commands/diff_unread.h"
#include "cli/commands/diff_windows.h"
#include "cli/commands/verify.h"
#include "cli/config/config.h"
#include "cli/render/annotations.h"
#include "cli/render/diff_render.h"
#include "cli/render/progress.h"
#include "cli/render/render.h"
#include "cli/tree/with_file.h"
#include "compiler/cluster/normal_form.h"
#include "compiler/policy/codes.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

std::set<std::string> queues_of(const RunReport& run) {
  std::set<std::string> names;
  for (const PolicyReport& bundle : run.policies)
    if (bundle.planned != nullptr)
      for (const Queue& queue : bundle.planned->cluster.queues) names.insert(queue.name);
  return names;
}

bool names_unknown_queue(const Verified& side) {
  return std::ranges::any_of(side.sessions, [](const auto& session) {
    return contains(session->report.diagnostics, code::BadRole, &Diagnostic::code);
  });
}

// By the path below the side's own.
using Bundles = std::map<std::string, const PolicyReport*>;
bool is_broken(const PolicyReport& bundle) {
  return bundle.report != nullptr && overall(*bundle.report) == Overall::Error;
}

// Those with mistakes, or the others.
Bundles bundles_of(const Verified& side, const DiffSource& source, bool broken) {
  Bundles bundles;
  for (const PolicyReport& bundle : side.run.policies) {
    if ((bundle.planned == nullptr && !broken) || is_broken(bundle) != broken) continue;  // a module, or part of others
    bundles.emplace(source.below(bundle.bundle), &bundle);
  }
  return bundles;
}

// A side with one policy or bundle is compared with the other side's one, wherever they stand.
using Sides = std::pair<const PolicyReport*, const PolicyReport*>;
std::map<std::string, Sides> matched(const Bundles& was, const Bundles& is) {
  if (was.size() == 1 && is.size() == 1) return {{".", {was.begin()->second, is.begin()->second}}};
  std::map<std::string, Sides> both;
  for (const auto& [path, bundle] : was) both[path].first = bundle;
  for (const auto& [path, bundle] : is) both[path].second = bundle;
  // Files that say the same of an object are one bundle, and parted by their directories where they do not: each part
  // is compared with the whole.
  for (const auto& [whole, part] : {std::pair{&Sides::first, &Sides::second}, {&Sides::second, &Sides::first}}) {
    const auto all = both.find(".");
    if (all == both.end() || all->second.*whole == nullptr || all->second.*part != nullptr) continue;
    const auto is_part = [&](const auto& one) {
      return one.second.*whole == nullptr && one.second.*part != nullptr && !(one.second.*part)->built;
    };
    if (std::ranges::count_if(both, is_part) < 2) continue;
    for (auto& one : both)
      if (is_part(one)) one.second.*whole = all->second.*whole;
    both.erase(all);
  }
  // A bundle under another path that says the same is the same one.
  std::map<std::string, std::string> fresh;  // what it says -> its path
  for (const auto& [path, sides] : both)
    if (sides.first == nullptr) fresh.emplace(normal_form(sides.second->planned->cluster), path);
  for (const auto& [path, bundle] : was) {
    if (fresh.empty() || is.contains(path) || !both.contains(path)) continue;
    const auto same = fresh.find(normal_form(bundle->planned->cluster));
    if (same == fresh.end()) continue;
    both[same->second].first = bundle;
    both.erase(path);
    fresh.erase(same);
  }
  return both;
}

const Session* session_of(const Verified& side, const PolicyReport* bundle) {
  for (const auto& session : side.sessions)
    if (bundle != nullptr && &session->report == bundle->report) return session.get();
  return nullptr;
}

DiffSide side(const PolicyReport* bundle, const Session* session, const DiffSource& source) {
  if (bundle == nullptr) return {};
  return {bundle->report, bundle->planned, session != nullptr && session->policy ? &*session->policy : nullptr,
          source.paths.size() == 1 ? std::filesystem::path(source.paths.front()).lexically_normal().string() : ""};
}

// Beside Volcano's Queues stands what no figure shows: that it differs is told, and not what it means. The proofs count
// Nodes; which of them a queue may use is no figure.
void tell_beside(const Session& before, const Session& after, Diff& diff) {
  const auto not_compared = [&](const std::string& what) {
    diff.same_meaning = false, diff.undecided = true;
    diff.removed.push_back({what + " differ: for Volcano's Queues that is not compared", {}, false, "not compared"});
  };
  for (const auto& [what, is] : after.beside)
    if (const auto was = before.beside.find(what); was != before.beside.end() && was->second != is) not_compared(what);
  if (!std::ranges::equal(std::views::keys(before.nodes), std::views::keys(after.nodes)))
    not_compared("groups and pools of the Nodes");
  for (const auto& [group, has] : after.nodes)
    if (const auto had = before.nodes.find(group); had != before.nodes.end() && had->second != has) {
      diff.same_meaning = false;
      diff.configuration.push_back({"nodes", group, had->second, has, "changed"});
    }
}

DiffReport compare_sides(const Verified& before, const Verified& after, const DiffSources& sources,
                         const SignOffs& signed_off, const DiffOptions& options) {
  DiffReport report;
  report.before_name = sources.before.name;
  report.after_name = sources.after.name;
  report.before_verdict = judged(before.run);
  report.after_verdict = judged(after.run);
  // Of a side whose paths or gpol.yaml cannot be read nothing is known.
  report.counts = !has_errors(after.run);
  if (!report.counts) return report;
  auto old = has_errors(before.run) ? Bundles{} : bundles_of(before, sources.before, false);
  // What the side after makes of a bundle is told as its mistakes.
  for (const auto& [path, bundle] : bundles_of(after, sources.after, true)) old.erase(path);
  const auto both = matched(old, bundles_of(after, sources.after, false));
  report.not_compared = not_compared(before, after, sources);
  for (const auto& [path, sides] : both) {
    if (sides.first != nullptr && sides.second != nullptr && sides.first->report == sides.second->report) {
      report.bundles.push_back({both.size() > 1 ? path : "", sides.first, sides.second, {}});
      report.bundles.back().diff.same_meaning = true;
      continue;
    }
    const Session *was = session_of(before, sides.first), *is = session_of(after, sides.second);
    Diff diff = compare(side(sides.first, was, sources.before), side(sides.second, is, sources.after));
    if (was != nullptr && is != nullptr) {
      diff.same_meaning = diff.same_meaning && same_statements(*was, *is);
      tell_beside(*was, *is, diff);
      if (was->policy && is->policy) {
        diff.windows = window_changes(*was->policy, *is->policy);
        tell_what_rests(*was->policy, diff.removed);
      }
      for (Removed& one : dropped_statements(*was, *is, diff, *sources.after.tree))
        diff.removed.push_back(std::move(one));
    }
    if (was != nullptr)
      for (DiffApproval& one : approvals_of(*was, is, diff, signed_off)) report.approvals.push_back(std::move(one));
    if (sides.first != nullptr && sides.second != nullptr && sides.first->verified && sides.second->verified)
      for (Removed& one : unread_queues(*sides.first, *sides.second, after.run, sources)) {
        if (is_incomplete(side(sides.second, is, sources.after))) one.exposes = false, one.word = "not compared";
        diff.removed.push_back(std::move(one));
      }
    if (sides.first == nullptr && sides.second->verified)
      for (Removed& one : declared_twice(*sides.second, before.run, after.run)) diff.removed.push_back(std::move(one));
    report.bundles.push_back({both.size() > 1 ? path : "", sides.first, sides.second, std::move(diff)});
  }
  // A policy has no gpol.yaml beside it, and what `build` made of it has one.
  const auto manifests = [](const Verified& side) {
    return contains(side.run.policies, true, &PolicyReport::verified);
  };
  if (manifests(before) == manifests(after)) report.removed = config_changes(before.config, after.config);
  if (options.require_approvals) {
    std::set<std::string> whole;
    for (const auto& session : before.sessions)
      if (session->policy)
        for (const Approval& one : session->policy->approvals)
          if (one.what == kApproveAll) whole.insert(one.by);
    const bool undecided = options.verify.fail_on == FailOn::Undecided;
    for (DiffApproval& one : approvals_of_the_rest(report, whole, signed_off, undecided))
      report.approvals.push_back(std::move(one));
  }
  std::ranges::stable_sort(report.approvals, {}, &DiffApproval::state);  // those that are missing first
  return report;
}

bool has_config(const FileTree& tree, const DiffSource& side) {
  std::vector<Diagnostic> ignored;
  return !find_config(side.paths, ignored, tree).path.empty();
}

// The commit that names for the first time who serves takes nothing away. In the side before, where nobody served, it
// is asked for the same queues. Out: that side with the gpol.yaml of the side after; null: it stays as it is.
std::unique_ptr<FileTree> adopt(const Verified& before, const Verified& after, const DiffSources& sources) {
  const auto anybody = [](const Verified& side) {
    return std::ranges::any_of(side.run.policies, [](const PolicyReport& bundle) { return serves(bundle); });
  };
  if (sources.repository == nullptr || !has_queues(before.run) || anybody(before) || !anybody(after)) return nullptr;
  std::vector<Diagnostic> ignored;
  const Config config = find_config(sources.after.paths, ignored, *sources.after.tree);
  if (config.path.empty()) return nullptr;
  return std::make_unique<WithFile>(*sources.before.tree, std::filesystem::path(config.directory) / kConfigName,
                                    config.text);
}

int exit_of(const DiffReport& report, const DiffOptions& options) {
  if (options.require_approvals && !report.approvals.empty())
    return std::ranges::all_of(report.approvals,
                               [](const DiffApproval& one) { return one.state == DiffApproval::State::Approved; })
               ? 0
               : 1;
  if (report.loses() || (report.exposes() && !options.allow_exposure)) return 1;
  return (report.undecided() || report.nobody_serves()) && options.verify.fail_on == FailOn::Undecided ? 3 : 0;
}

}  // namespace

int diff(const DiffOptions& options, const World& world) {
  auto found = find_sources(options);
  if (const auto* mistake = std::get_if<UsageError>(&found)) return usage_error(*mistake, world);
  auto& sources = std::get<DiffSources>(found);
  const bool commits = !sources.before.revision.empty() && !sources.after.revision.empty();
  auto signed_off = read_sign_offs(
      options.approvals, commits ? sources.repository->messages(sources.before.revision, sources.after.revision)
                                 : std::vector<std::string>());
  if (const auto* mistake = std::get_if<UsageError>(&signed_off)) return usage_error(*mistake, world);
  auto progress = std::make_unique<Progress>(world.terminal ? &world.err : nullptr);
  BothSides sides(sources, options, world.in, *progress);
  Verified &before = sides.before, &after = sides.after;
  const std::unique_ptr<FileTree> adopted = adopt(before, after, sources);
  if (adopted != nullptr) {
    sources.before.tree = adopted.get();
    sides.judge_before(options);
  }
  // A queue that flags name may be on one side alone.
  DiffOptions both = options;
  for (Verified* side : {&before, &after}) {
    both.verify.elsewhere = queues_of((side == &before ? after : before).run);
    if (names_unknown_queue(*side)) side == &before ? sides.judge_before(both) : sides.judge_after(both);
  }
  progress.reset();
  for (const auto& [side, name] : {std::pair{&before, &sources.before.name}, std::pair{&after, &sources.after.name}})
    for (const Diagnostic& d : side->run.diagnostics)
      if (d.code == code::CannotRead && d.severity == Severity::Error)
        return usage_error({fmt::format("{}: {}", *name, d.message), d.hint}, world);
  DiffReport report = compare_sides(before, after, sources, std::get<SignOffs>(signed_off), options);
  report.adopted = adopted != nullptr;
  report.outside = changed_outside(sources, options);
  if (options.verify.format == Format::Html)
    for (DiffBundle& bundle : report.bundles) note_changes(bundle, sources);
  report.unstaged =
      options.staged && has_config(disk(), sources.after) && !has_config(*sources.after.tree, sources.after);
  const bool before_fails = report.before_verdict == Overall::Error,
             after_fails = report.after_verdict == Overall::Error;
  if (before.run.policies.empty() && after.run.policies.empty() && !before_fails && !after_fails)
    return usage_error(
        {fmt::format("neither {} nor {} holds a policy or manifests", sources.before.name, sources.after.name),
         "give the directory that does"},
        world);
  if (before_fails) {
    world.err << fmt::format("note: {}, the side before, has mistakes: what they are in counts as new\n",
                             sources.before.name);
    render_human(before.run, false, world.err);
  }
  if (options.verify.format == Format::Json) {
    after.run.diff = diff_json(report);
    render_json(after.run, world.out);
  } else if (after_fails) {
    const Format format = options.verify.format == Format::Html ? Format::Human : options.verify.format;
    if (format == Format::Human && !report.bundles.empty()) render_diff_human(report, world.out);
    return std::max(1, finish(after.run, after.sessions, {format}, world));
  } else if (options.verify.format == Format::Markdown) {
    render_diff_markdown(report, world.out);
  } else if (options.verify.format == Format::Sarif) {
    write_sarif(annotations_of(report, options.allow_exposure), after.run.version, world.out);
  } else if (options.verify.format == Format::Junit) {
    write_junit(annotations_of(report, options.allow_exposure), {}, world.out);
  } else if (options.verify.format == Format::Github) {
    write_github(annotations_of(report, options.allow_exposure), view_of(report).headline, world.out);
  } else if (options.verify.format == Format::Html) {
    render_diff_html(report, world.out);
  } else {
    render_diff_human(report, world.out);
  }
  if (after_fails) return std::max(1, exit_code(after.run));  // as JSON
  return exit_of(report, options);
}

}  // namespace gpol
