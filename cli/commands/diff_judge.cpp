#include "cli/commands/diff_judge.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "cli/codes.h"
#include "cli/commands/commands.h"

namespace gpol {

namespace {

// That a directory has nothing of one kind is no mistake: it may have something of the other, or the other side does.
void forget_emptiness(RunReport& run) {
  std::erase_if(run.diagnostics, [](const Diagnostic& d) { return d.code == code::NoPolicy; });
}

}  // namespace

bool has_queues(const RunReport& run) {
  return std::ranges::any_of(run.policies, [](const PolicyReport& bundle) {
    return bundle.planned != nullptr &&
           (!bundle.planned->cluster.queues.empty() || !bundle.planned->intent.outside.empty());
  });
}

BothSides::BothSides(const DiffSources& sources, const DiffOptions& options, std::istream& in, Progress& progress)
    : sources_(sources), in_(in), progress_(progress) {
  if (!options.verify.solve_all) same_ = same_policies(sources);
  for (const auto& [path, was] : same_) left_out_.insert(was);
  const bool whole = options.verify.format == Format::Json || options.verify.format == Format::Html;
  for (const auto& [path, was] : same_)
    if (!whole) unproven_.insert(path);
  judge_after(options);
  judge_before(options);
  const auto fails = [](const Verified& side) { return judged(side.run) == Overall::Error; };
  if (same_.empty() || (!fails(after) && !fails(before))) return;
  same_.clear(), left_out_.clear(), unproven_.clear();  // all of a side with mistakes is shown
  judge_after(options);
  judge_before(options);
}

void BothSides::judge_before(const DiffOptions& options) {
  before = judge(sources_.before, options);
  share();
}

void BothSides::judge_after(const DiffOptions& options) {
  after = judge(sources_.after, options);
  share();
}

void BothSides::share() {
  std::erase_if(before.run.policies, [&](const PolicyReport& one) { return left_out_.contains(one.bundle); });
  for (const PolicyReport& one : after.run.policies)
    if (const auto was = same_.find(one.bundle); was != same_.end()) {
      before.run.policies.push_back(one);
      before.run.policies.back().bundle = was->second;
    }
}

// Policies and manifests of one side, in one run.
Verified BothSides::judge(const DiffSource& source, const DiffOptions& options) {
  Verified side;
  CheckOptions check;
  check.paths = source.policy_paths();
  VerifyOptions verify = options.verify;
  verify.tree = source.tree;
  std::ranges::copy_if(source.paths, std::back_inserter(verify.paths), std::not_fn(is_policy));
  check.allowed_gaps = verify.allowed_gaps;
  check.as_of = verify.as_of;
  check.jobs = verify.jobs;
  check.solve_all = verify.solve_all;
  const bool old = &source == &sources_.before;
  (old ? check.left_out : check.unproven) = old ? left_out_ : unproven_;
  if (!check.paths.empty()) {
    side = check_paths(check, in_, *source.tree, &progress_);
    forget_emptiness(side.run);
  }
  const bool policies = !side.sessions.empty() || !left_out_.empty();
  if (!verify.paths.empty()) {
    Verified manifests = verify_paths(verify, in_, &progress_);
    forget_emptiness(manifests.run);
    // What stands beside policies and has no queue is not asked for a verdict.
    if (!policies) {
      side = std::move(manifests);
    } else if (has_queues(manifests.run)) {
      const auto append = [](auto& to, auto& from) {
        to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
      };
      append(side.run.policies, manifests.run.policies);
      append(side.run.diagnostics, manifests.run.diagnostics);
      append(side.run.notes, manifests.run.notes);
      append(side.sessions, manifests.sessions);
      side.unread = std::move(manifests.unread);
      side.run.assumed = manifests.run.assumed;
    }
  }
  if (side.run.version.empty()) side.run.version = GPOL_VERSION;
  return side;
}

}  // namespace gpol
