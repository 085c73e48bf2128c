#include "cli/commands/verify_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "cli/codes.h"
#include "cli/render/text.h"
#include "cli/tree/with_file.h"
#include "compiler/cluster/listed.h"
#include "compiler/source/edit.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

constexpr std::size_t kMostTried = 16;  // one by one: each judges every bundle again that lists its files

const Obligation& obligation_of(const Verified& verified, const Proposal& one) {
  return verified.sessions[one.bundle]->report.obligations[one.obligation];
}

std::string name_of(const Verified& verified, std::size_t bundle, const Obligation& o) {
  return fmt::format("{} {} {} {} {} {}", verified.run.policies[bundle].bundle, family_name(o.family), o.subject.kind,
                     o.subject.name, o.subject.flavor, o.subject.resource);
}

// What is wrong: an edit may add nothing to it.
std::set<std::string> broken(const Verified& verified) {
  std::set<std::string> all;
  for (std::size_t b = 0; b < verified.run.policies.size(); ++b)
    for (const Obligation& o : verified.run.policies[b].report->obligations)
      if (stands_in_the_way(o, verified.run.allowed_gaps)) all.insert(name_of(verified, b, o));
  return all;
}

// What others can hold of what a finding is about.
std::optional<std::int64_t> held(const Verified& verified, std::size_t bundle, const Obligation& of) {
  for (const Obligation& o : verified.sessions[bundle]->report.obligations)
    if (o.family == Family::Claim && o.subject == of.subject) return o.figures.claimable;
  return std::nullopt;
}

std::int64_t quota_of(const Cluster& cluster, const Subject& of, std::string_view queue) {
  std::int64_t sum = 0;
  if (const Queue* named = find_by(cluster.queues, queue, &Queue::name))
    for (const ListedQuota& row : listed_quotas(named->groups))
      if (cluster.flavors[row.flavor].name == of.flavor && cluster.resources[row.resource] == of.resource)
        sum += row.quota.nominal;
  return sum;
}

std::string cost_of(const Verified& now, const Verified& then, const Proposal& one) {
  const Obligation& o = obligation_of(now, one);
  const Planned *was = now.run.policies[one.bundle].planned, *is = then.run.policies[one.bundle].planned;
  std::string lowered;
  if (o.family == Family::Capacity && was != nullptr && is != nullptr)
    for (const Queue& queue : was->cluster.queues)
      if (const auto less =
              quota_of(was->cluster, o.subject, queue.name) - quota_of(is->cluster, o.subject, queue.name);
          less > 0)
        add_to_list(lowered, fmt::format("`{}` owns {} less", queue.name, figure_text(less, o.figures.unit)));
  if (o.family != Family::Claim && o.family != Family::Reclaim) return lowered;
  const auto before = held(now, one.bundle, o), after = held(then, one.bundle, o);
  if (!before || !after || *before == 0) return {};
  if (*after == 0) return fmt::format("others lose the loan of {}", figure_text(*before, o.figures.unit));
  return *after == *before ? "the loan stays" : fmt::format("others can hold {}", figure_text(*after, o.figures.unit));
}

}  // namespace

const Fix& fix_of(const Verified& verified, const Proposal& one) { return *obligation_of(verified, one).detail->fix; }

std::vector<Proposal> proposals(const Verified& verified) {
  std::vector<Proposal> list;
  for (std::size_t b = 0; b < verified.sessions.size(); ++b) {
    const auto& all = verified.sessions[b]->report.obligations;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (stands_in_the_way(all[i], verified.run.allowed_gaps) && verified.run.waivers.of(all[i]) == nullptr &&
          all[i].detail && all[i].detail->fix && !all[i].detail->fix->tried.empty())
        list.push_back({b, i});
  }
  return list;
}

std::string_view why_not_written(const Verified& verified, const Proposal& one) {
  const Fix& fix = fix_of(verified, one);
  if (std::any_of(fix.tried.begin(), fix.tried.end(), [](const FieldEdit& edit) { return edit.ends_loan; }))
    return "it ends the loan of class B, which class A says openly";
  if (verified.run.policies[one.bundle].built)
    return "kustomize builds the object: say it where your kustomizations do";
  if (fix.edits.empty()) return "the text there stands for other fields, too";
  return {};
}

namespace {

// `edits` of each bundle, made in memory, and what is found then.
Trial make(const VerifyOptions& options, std::istream& in, const Verified& now,
           const std::vector<std::vector<Edit>>& edits, bool reuse) {
  Trial trial;
  std::map<std::string, std::size_t> texts;  // by path, into trial.texts
  for (std::size_t b = 0; b < now.sessions.size(); ++b) {
    std::map<FileId, std::vector<Edit>> by_file;
    for (const Edit& edit : edits[b]) by_file[edit.replace.file].push_back(edit);
    const SourceSet& sources = now.sessions[b]->sources;
    for (const auto& [file, list] : by_file)
      // A file of two bundles is edited for the first: the second asks again.
      if (texts.emplace(sources.path(file), trial.texts.size()).second)
        trial.texts.push_back({sources.path(file), std::string(sources.text(file)), edited(sources, file, list)});
  }
  std::vector<std::unique_ptr<FileTree>> trees;
  VerifyOptions edited = options;
  std::error_code ignored;
  for (const Trial::Text& text : trial.texts) {
    trees.push_back(std::make_unique<WithFile>(
        *edited.tree, std::filesystem::absolute(text.path, ignored).lexically_normal(), text.after));
    edited.tree = trees.back().get();
  }
  for (const PolicyReport& one : now.run.policies) edited.kept.insert(one.bundle);
  std::set<std::string> paths;
  for (const auto& [path, at] : texts) paths.insert(path);
  const Known known{now, paths};
  trial.then = verify_paths(edited, in, nullptr, reuse ? &known : nullptr);
  return trial;
}

std::size_t mistakes(const Verified& verified) {
  std::size_t all = verified.run.diagnostics.size();
  for (const PolicyReport& one : verified.run.policies)
    all += std::ranges::count(one.report->diagnostics, Severity::Error, &Diagnostic::severity);
  return all;
}

}  // namespace

Trial try_keys(const VerifyOptions& options, std::istream& in, const Verified& now) {
  std::vector<std::vector<Edit>> edits(now.sessions.size());
  bool any = false;
  for (std::size_t b = 0; b < now.sessions.size(); ++b)
    for (const Diagnostic& d : now.sessions[b]->report.diagnostics)
      if (d.code == code::Rejected && d.sure && !now.run.policies[b].built)
        any = true, edits[b].insert(edits[b].end(), d.edits.begin(), d.edits.end());
  if (!any) return {};
  Trial trial = make(options, in, now, edits, false);
  trial.holds = mistakes(trial.then) < mistakes(now);
  return trial;
}

Trial try_edits(const VerifyOptions& options, std::istream& in, const Verified& now, const std::vector<Proposal>& of,
                bool reuse) {
  std::vector<std::vector<Edit>> edits(now.sessions.size());
  for (const Proposal& one : of)
    for (const Edit& edit : fix_of(now, one).edits) edits[one.bundle].push_back(edit);
  Trial trial = make(options, in, now, edits, reuse);
  const auto before = broken(now), after = broken(trial.then);
  // Mistakes that were there before stand in no edit's way.
  trial.holds = mistakes(trial.then) <= mistakes(now) && trial.then.sessions.size() == now.sessions.size() &&
                std::includes(before.begin(), before.end(), after.begin(), after.end()) &&
                std::none_of(of.begin(), of.end(), [&](const Proposal& one) {
                  return after.contains(name_of(now, one.bundle, obligation_of(now, one)));
                });
  return trial;
}

void try_proposals(const VerifyOptions& options, std::istream& in, Verified& verified) {
  const bool piped = contains(options.paths, "-");
  const auto settle = [&](const Proposal& one, const Trial* trial) {
    Obligation& o = verified.sessions[one.bundle]->report.obligations[one.obligation];
    Detail detail = *o.detail;
    if (trial == nullptr)
      detail.fix->tried.clear();
    else if (!trial->holds)
      detail.fix.reset();
    else
      detail.fix->cost = cost_of(verified, trial->then, one);
    o.say(std::move(detail));
  };
  std::vector<Proposal> written, built;  // what kustomize builds is tried in the files that it builds from
  for (const Proposal& one : proposals(verified))
    if (piped || fix_of(verified, one).edits.empty())
      settle(one, nullptr);
    else
      (verified.run.policies[one.bundle].built ? built : written).push_back(one);
  for (const auto& list : {written, built}) {
    if (list.empty()) continue;
    const Trial all = try_edits(options, in, verified, list, true);
    std::size_t tried = 0;
    for (const Proposal& one : list) {
      if (all.holds) {
        settle(one, &all);
      } else if (tried++ < kMostTried) {
        const Trial alone = try_edits(options, in, verified, {one}, true);
        settle(one, &alone);
      } else {
        settle(one, nullptr);
      }
    }
  }
}

}  // namespace gpol
