#include "cli/render/diff_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/render/excerpt.h"
#include "cli/render/sentences.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

constexpr std::string_view kSafer = "safer";

void add_obligations(const PolicyReport* side, std::string_view word, const std::vector<const Obligation*>& list,
                     std::vector<DiffView::Line>& lines) {
  for (const auto& [o, also] : grouped(list)) {
    DiffView::Line line{std::string(word), sentence(*o)};
    if (o->span.known()) line.place = place_text(*side->sources, o->span);
    if (!also.empty()) line.text += fmt::format("; so for {}", fmt::join(also, ", "));
    if (o->verdict == Verdict::Refuted && word != kSafer && o->detail)
      for (const StoryStep& step : o->detail->story) line.story.push_back(step.actor + " " + step.does);
    lines.push_back(std::move(line));
  }
}

// By which `allow` of a policy others are admitted to what a tenant owns.
std::vector<std::string> borrowers_of(const DiffBundle& bundle, const DiffRow& row) {
  std::vector<std::string> found;
  const Planned& planned = *bundle.after->planned;
  for (const PlannedAllow& allow : planned.intent.allows)
    if (planned.intent.roles[allow.lender].tenant == row.name &&
        planned.cluster.flavors[allow.flavor].name == row.flavor)
      found.push_back(fmt::format("`{}` can be admitted to them, by the allow at {}",
                                  planned.intent.roles[allow.borrower].tenant,
                                  place_text(*bundle.after->sources, allow.span)));
  return found;
}

// Of an exposure that refutes nothing new: who is admitted where, as the report after tells it.
void add_exposed(const DiffBundle& bundle, std::vector<DiffView::Line>& lines) {
  for (const DiffRow& row : bundle.diff.rows) {
    if (row.exposed == 0) continue;
    const bool told = std::ranges::any_of(bundle.diff.lost, [&](const Obligation* o) {
      return (o->family == Family::Claim || o->family == Family::Reclaim) && o->subject.flavor == row.flavor &&
             o->subject.resource == row.resource && (o->subject.name == row.name || o->subject.tenant == row.name);
    });
    if (told || !counts_devices(row) || !row.after) continue;
    const Figures &was = row.before->figures, &is = row.after->figures;
    DiffView::Line line{row.smaller ? "smaller" : "exposed", ""};
    const bool ending = is.claimable == was.claimable;
    const auto most = [&](const Figures& f) {
      return amount_of(row, ending && f.claimable_ending ? f.claimable_ending : f.claimable);
    };
    const bool weaker = row.after->returns != row.before->returns && row.exposed == is.claimable;
    if (weaker)
      line.text = fmt::format("others can hold {} of `{}` on `{}`, and {}", most(is), row.name, row.flavor,
                              row.after->returns == Verdict::Refuted ? "it does not come back any more"
                                                                     : "whether it comes back is not known any more");
    else if (is.reserve.value_or(0) < was.reserve.value_or(0))
      line.text = fmt::format("the reserve of `{}` on `{}` shrinks by {}", row.name, row.flavor,
                              amount_of(row, *was.reserve - is.reserve.value_or(0)));
    else
      line.text = fmt::format("{}others can hold {} of `{}` on `{}`, and {} before",
                              ending ? "while a victim ends " : "", most(is), row.name, row.flavor, most(was));
    for (const Obligation& o : bundle.after->report->obligations)
      if (o.family == Family::Claim && o.subject.flavor == row.flavor && o.subject.resource == row.resource &&
          (o.subject.name == row.name || o.subject.tenant == row.name)) {
        if (o.span.known()) line.place = place_text(*bundle.after->sources, o.span);
        if (o.detail && !ending)
          for (const StoryStep& step : o.detail->story) line.story.push_back(step.actor + " " + step.does);
      }
    if (line.story.empty() && !ending) line.story = borrowers_of(bundle, row);
    lines.push_back(std::move(line));
  }
}

void add_removed(const std::vector<Removed>& removed, std::vector<DiffView::Line>& lines) {
  for (const Removed& one : removed)
    lines.push_back({!one.word.empty()            ? std::string(one.word)
                     : !one.exposes && !one.holds ? "assumed"
                                                  : "removed",
                     one.text + (!one.holds   ? ""
                                 : *one.holds ? "; it holds all the same"
                                              : "; it does not hold any more")});
}

// What applying does to what runs. Kueue evicts nobody because a quota, a limit or a cohort changed (kueue.md,
// N-rules).
void add_sync(const DiffBundle& bundle, std::vector<DiffView::Line>& lines) {
  const Diff& diff = bundle.diff;
  std::string drained;
  const auto drains = [](const PolicyReport* side, const std::string& name) {
    if (side == nullptr || side->planned == nullptr) return false;
    const auto& queues = side->planned->cluster.queues;
    return std::ranges::any_of(
        queues, [&](const Queue& queue) { return queue.name == name && queue.stop == StopPolicy::HoldAndDrain; });
  };
  if (bundle.after != nullptr && bundle.after->planned != nullptr)
    for (const Queue& queue : bundle.after->planned->cluster.queues)
      if (drains(bundle.after, queue.name) && !drains(bundle.before, queue.name))
        add_to_list(drained, fmt::format("`{}`", queue.name));
  if (!drained.empty())
    return lines.push_back({"at sync", fmt::format("HoldAndDrain evicts what runs in {}", drained)});
  bool riskier = false, safer = false;
  for (const DiffRow& row : diff.rows) {
    if (!row.before || !row.after) continue;
    const auto was = row.before->figures.claimable, is = row.after->figures.claimable;
    if (!was || !is || *was == *is) continue;
    const bool more = *is > *was;
    riskier = riskier || more;
    safer = safer || !more;
  }
  if (riskier)
    lines.push_back({"at sync",
                     "nothing that runs is evicted; to undo it apply the side before: what batch was admitted to "
                     "meanwhile keeps running until it ends or serving reclaims it"});
  if (safer)
    lines.push_back({"at sync",
                     "nothing that runs is evicted: what batch holds already stays until it ends or serving reclaims "
                     "it, and the new figure is true from then on"});
}

}  // namespace

std::vector<Group> grouped(const std::vector<const Obligation*>& obligations) {
  std::vector<Group> groups;
  std::map<std::tuple<Family, std::string_view, std::string_view>, std::size_t> known;
  for (const Obligation* o : obligations) {
    if (o->subject.resource.empty()) {
      groups.push_back({o, {}});
      continue;
    }
    const auto [at, fresh] = known.try_emplace({o->family, o->subject.name, o->subject.flavor}, groups.size());
    if (fresh) {
      groups.push_back({o, {}});
    } else {
      Group& group = groups[at->second];
      if (is_gpu_or_slice(o->subject.resource) && !is_gpu_or_slice(group.first->subject.resource))
        std::swap(o, group.first);
      group.second.emplace_back(o->subject.resource);
    }
  }
  return groups;
}

bool DiffReport::loses() const {
  return std::ranges::any_of(bundles, [](const DiffBundle& b) { return b.diff.loses(); });
}

bool DiffReport::exposes() const {
  return std::ranges::any_of(removed, [](const Removed& one) { return one.exposes; }) ||
         std::ranges::any_of(bundles, [](const DiffBundle& b) { return b.diff.exposes(); });
}

bool DiffReport::undecided() const {
  return !not_compared.empty() || std::ranges::any_of(bundles, [](const DiffBundle& b) { return b.diff.undecided; });
}

bool serves(const PolicyReport& bundle) {
  if (bundle.planned == nullptr) return false;
  const Intent& intent = bundle.planned->intent;
  return std::ranges::any_of(intent.roles, [](const QueueRole& r) { return promised(r); }) ||
         std::ranges::any_of(intent.outside, [](const OutsideReserve& r) { return promised(r); });
}

bool DiffReport::nobody_serves() const {
  const auto queues = [](const PolicyReport* side) {
    return side != nullptr && side->planned != nullptr && !side->planned->cluster.queues.empty();
  };
  bool any = false;
  for (const DiffBundle& bundle : bundles) {
    for (const PolicyReport* side : {bundle.before, bundle.after})
      if (side != nullptr && serves(*side)) return false;
    any = any || queues(bundle.before) || queues(bundle.after);
  }
  return any;
}

DiffView view_of(const DiffReport& report) {
  DiffView view;
  if (!report.counts) {
    view.headline = "the side after cannot be read: nothing is compared";
    return view;
  }
  view.headline = headline_of(report);
  for (const DiffBundle& bundle : report.bundles) {
    const Diff& diff = bundle.diff;
    if (diff.says_nothing()) continue;
    DiffView::Part part;
    if (!bundle.path.empty())
      part.title = bundle.path + (bundle.after == nullptr ? ": gone" : bundle.before == nullptr ? ": new" : "");
    part.table = promises_table(diff.rows);
    part.configuration = configuration_table(diff.configuration);
    std::vector<const Obligation*> lost = diff.lost;
    std::erase_if(lost, [&](const Obligation* o) { return contains(diff.fresh, o); });
    add_obligations(bundle.after, "lost", lost, part.lines);
    add_obligations(bundle.after, "new, and does not hold", diff.fresh, part.lines);
    if (bundle.after != nullptr) add_exposed(bundle, part.lines);
    for (const ConfigurationRow& row : diff.configuration)
      if (!row.what.empty() && row.means != "riskier")
        part.lines.push_back({std::string(row.kind), row.what, row.steps});
    add_removed(diff.removed, part.lines);
    for (const std::string& text : diff.windows) part.lines.push_back({"window", text});
    for (const std::string& text : diff.renamed) part.lines.push_back({"renamed", text});
    add_obligations(bundle.after, "not known", diff.unknown, part.lines);
    add_obligations(bundle.after, "gained", diff.gained, part.lines);
    std::vector<DiffView::Line> closed;
    add_obligations(bundle.before, kSafer, diff.closed, closed);
    for (DiffView::Line& line : closed) line.text = "not found any more: " + line.text, part.lines.push_back(line);
    if (diff.kept > 0)
      part.lines.push_back(
          {"kept", fmt::format("{} proven as before",
                               diff.kept == 1 ? "1 statement is" : fmt::format("{} statements are", diff.kept))});
    add_sync(bundle, part.lines);
    view.parts.push_back(std::move(part));
  }
  if (report.nobody_serves())
    view.lines.push_back(
        {"do", report.unstaged ? "`git add gpol.yaml`: there is one, and it is not staged"
                               : "name who serves: `queues: {QUEUE: {role: serving}}` in gpol.yaml at the root of the "
                                 "repository, or `--serving QUEUE`; `gpol verify .` shows what each queue owns"});
  if (report.adopted)
    view.lines.push_back({"note", "nobody served before: both sides are judged by the gpol.yaml of the side after"});
  if (report.outside > 0)
    view.lines.push_back(
        {"outside",
         fmt::format("{} outside of what is compared: {} only where a kustomization inside names {}",
                     report.outside == 1 ? "1 changed file is" : fmt::format("{} changed files are", report.outside),
                     report.outside == 1 ? "it counts" : "they count", report.outside == 1 ? "it" : "them")});
  add_removed(report.not_compared, view.lines);
  add_removed(report.removed, view.lines);
  constexpr const char* kStates[] = {"is asked", "is asked; a commit claims the approval", "has approved"};
  for (const DiffApproval& one : report.approvals)
    view.lines.push_back(
        {"approval", fmt::format("{} {}: {}", one.by, kStates[static_cast<std::size_t>(one.state)], one.why)});
  return view;
}

}  // namespace gpol
