#include "cli/render/diff_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/render/excerpt.h"
#include "cli/render/sentences.h"
#include "cli/render/text.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

constexpr std::string_view kSafer = "safer";

Unit unit_of(const DiffRow& row) { return row.after ? row.after->figures.unit : row.before->figures.unit; }

std::string amount(const std::optional<std::int64_t>& value, Unit unit) {
  return value ? figure_text(*value, unit) : std::string("?");
}

std::string held(const Figures& figures, Unit unit) {
  return amount(figures.claimable, unit) +
         (figures.claimable_ending ? while_a_victim_ends(*figures.claimable_ending, unit) : "");
}

// "8 GPUs -> 4 GPUs"; "-" where a side has none; empty where neither has.
template <class Cell>
std::string change(const DiffRow& row, Cell cell) {
  const std::string was = row.before ? cell(*row.before) : "", is = row.after ? cell(*row.after) : "";
  if (was == is) return was;
  return fmt::format("{} -> {}", was.empty() ? "-" : was, is.empty() ? "-" : is);
}

std::vector<std::string> cells(const DiffRow& row) {
  const auto unit = unit_of(row);
  const auto duration = [](const std::optional<std::int64_t>& ms) { return ms ? human_duration(*ms) : std::string(); };
  return {row.name,
          row.flavor,
          row.resource,
          change(row, [](const Promise& p) { return std::string(1, p.isolation); }),
          change(row, [&](const Promise& p) { return amount(p.figures.reserve, unit); }),
          change(row, [&](const Promise& p) { return held(p.figures, unit); }),
          change(row, [&](const Promise& p) { return duration(p.figures.back_within_ms); }),
          change(row, [&](const Promise& p) { return duration(p.ready_in_ms); }),
          change(row, [](const Promise& p) { return std::string(verdict_name(p.verdict)); }),
          means_word(row.means)};
}

std::vector<std::vector<std::string>> table_of(const std::vector<DiffRow>& rows) {
  if (rows.empty()) return {};
  std::vector<std::vector<std::string>> table{{"serving", "flavor", "resource", "class", "reserve", "others can hold",
                                               "back within", "warm in", "verdict", "means"}};
  for (const DiffRow& row : rows) table.push_back(cells(row));
  for (std::size_t c = table.front().size(); c-- > 0;) {
    const auto says_something = [c](const std::vector<std::string>& line) { return !line[c].empty(); };
    if (std::any_of(table.begin() + 1, table.end(), says_something)) continue;
    for (auto& line : table) line.erase(line.begin() + static_cast<std::ptrdiff_t>(c));
  }
  return table;
}

// One line for all resources of a queue or a pool, devices first.
using Group = std::pair<const Obligation*, std::vector<std::string>>;  // the one that is told, and the other resources
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
      const bool better = o->figures.unit == Unit::Devices && group.first->figures.unit != Unit::Devices;
      group.second.emplace_back(better ? group.first->subject.resource : o->subject.resource);
      if (better) group.first = o;
    }
  }
  return groups;
}

void add_obligations(const PolicyReport* side, std::string_view word, const std::vector<const Obligation*>& list,
                     std::vector<DiffView::Line>& lines) {
  for (const auto& [o, also] : grouped(list)) {
    DiffView::Line line{std::string(word), "", sentence(*o), {}};
    if (o->span.known()) line.place = place_text(*side->sources, o->span);
    if (!also.empty()) {
      std::string others;
      for (const std::string& one : also) add_to_list(others, one);
      line.text += fmt::format("; so for {}", others);
    }
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
    const bool device = unit_of(row) == Unit::Devices || unit_of(row) == Unit::Slices;
    if (told || !device || !row.after) continue;
    const Figures &was = row.before->figures, &is = row.after->figures;
    DiffView::Line line{row.smaller ? "smaller" : "exposed", "", "", {}};
    const bool ending = is.claimable == was.claimable;
    const auto most = [&](const Figures& f) {
      return amount(ending && f.claimable_ending ? f.claimable_ending : f.claimable, unit_of(row));
    };
    const bool weaker = row.after->returns != row.before->returns && row.exposed == is.claimable;
    if (weaker)
      line.text = fmt::format("others can hold {} of `{}` on `{}`, and {}", most(is), row.name, row.flavor,
                              row.after->returns == Verdict::Refuted ? "it does not come back any more"
                                                                     : "whether it comes back is not known any more");
    else if (is.reserve.value_or(0) < was.reserve.value_or(0))
      line.text = fmt::format("the reserve of `{}` on `{}` shrinks by {}", row.name, row.flavor,
                              figure_text(*was.reserve - is.reserve.value_or(0), unit_of(row)));
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
                     "",
                     one.text + (!one.holds   ? ""
                                 : *one.holds ? "; it holds all the same"
                                              : "; it does not hold any more"),
                     {}});
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
    return lines.push_back({"at sync", "", fmt::format("HoldAndDrain evicts what runs in {}", drained), {}});
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
                     "",
                     "nothing that runs is evicted; to undo it apply the side before: what batch was admitted to "
                     "meanwhile keeps running until it ends or serving reclaims it",
                     {}});
  if (safer)
    lines.push_back({"at sync",
                     "",
                     "nothing that runs is evicted: what batch holds already stays until it ends or serving reclaims "
                     "it, and the new figure is true from then on",
                     {}});
}

// "8 GPUs of `chat`, 4 GPUs of `search`"; "1 GPU of `a`, 1 GPU of `b`, 1 GPU of `c` and 397 more, 400 GPUs in all"
std::string exposed_text(const DiffReport& report) {
  constexpr std::size_t kMost = 3;
  std::string text;
  std::size_t count = 0;
  std::int64_t gpus = 0;
  for (const DiffBundle& bundle : report.bundles)
    for (const DiffRow& row : bundle.diff.rows) {
      if (row.exposed == 0 || (unit_of(row) != Unit::Devices && unit_of(row) != Unit::Slices)) continue;
      if (unit_of(row) == Unit::Devices) gpus += row.exposed;
      if (++count <= kMost)
        add_to_list(text, fmt::format("{} of `{}`", figure_text(row.exposed, unit_of(row)), row.name));
    }
  const bool devices = count > 0;
  for (const DiffBundle& bundle : report.bundles)
    for (const DiffRow& row : bundle.diff.rows)  // no devices: what else is exposed
      if (!devices && row.exposed > 0 && ++count <= kMost)
        add_to_list(text, fmt::format("{} of `{}`", figure_text(row.exposed, unit_of(row)), row.name));
  if (count > kMost) text += fmt::format(" and {} more", count - kMost);
  if (count > kMost && gpus > 0) text += fmt::format(", {} in all", figure_text(gpus, Unit::Devices));
  return text;
}

std::string headline_of(const DiffReport& report) {
  std::size_t lost = 0, refuted = 0, rows = 0, fresh = 0, gained = 0;
  bool riskier = false, safer = false, opened = false, hours = false, smaller = false, same = true,
       something = !report.removed.empty();
  bool other = std::ranges::any_of(report.removed, &Removed::exposes);  // exposed, and not only smaller
  for (const DiffBundle& bundle : report.bundles) {
    const Diff& diff = bundle.diff;
    refuted += grouped(diff.fresh).size();
    lost += grouped(diff.lost).size() - grouped(diff.fresh).size();
    for (const Removed& one : diff.removed) {
      lost += one.holds == false ? 1 : 0;
      opened = opened || one.word == "opened";
      hours = hours || one.word == "exposed";
      safer = safer || one.word == "safer";
    }
    rows += diff.rows.size();
    gained += diff.gained.size() + diff.closed.size();
    same = same && diff.same_meaning;
    something = something || !diff.says_nothing();
    other = other || std::ranges::any_of(diff.removed, &Removed::exposes);
    for (const DiffRow& row : diff.rows) {
      (row.smaller ? smaller : other) |= row.exposed > 0;
      fresh += row.means == DiffRow::Means::Added ? 1 : 0;
      riskier = riskier || row.means == DiffRow::Means::Riskier || row.means == DiffRow::Means::Mixed;
      safer = safer || row.means == DiffRow::Means::Safer || row.means == DiffRow::Means::Mixed;
    }
  }
  const std::string exposed = exposed_text(report), more = exposed.empty() ? "" : "; newly exposed: " + exposed;
  if (lost > 0)
    return fmt::format("LOST  {} not hold any more{}",
                       lost == 1 ? "1 statement does" : fmt::format("{} statements do", lost), more);
  if (refuted > 0)
    return fmt::format("NEW  {} not hold{}",
                       refuted == 1 ? "1 new statement does" : fmt::format("{} new statements do", refuted), more);
  if (report.exposes() && smaller && !other)
    return fmt::format("SMALLER  no promise is lost; less is reserved: {}", exposed);
  if (report.exposes())
    return "EXPOSED  no promise is lost" + (!exposed.empty() ? more
                                            : hours          ? ", and less is promised for some hours of the week"
                                            : opened         ? ", and a way round quota is newly open"
                                                             : ", and something is removed");
  if (!report.not_compared.empty())
    return fmt::format(
        "NOT KNOWN  {} and {} not compared", report.not_compared.front().text,
        report.not_compared.size() == 1 ? "is" : fmt::format("{} more are", report.not_compared.size() - 1));
  if (report.undecided()) return "NOT KNOWN  a statement that was proven, or is new, is undecided";
  if (report.nobody_serves()) return "NOT KNOWN  no queue serves on either side: nothing is compared";
  if (!something) return same ? "means the same" : "SAME  nothing changes for what serves";
  if (riskier) return safer ? "MIXED  nothing is lost or exposed" : "RISKIER  nothing is lost or exposed";
  if (safer || gained > 0) return "SAFER  nothing is lost or exposed";
  if (fresh == rows && rows > 0) return "NEW  nothing is lost or exposed";
  return "SAME  nothing is lost or exposed";
}

}  // namespace

std::string means_word(DiffRow::Means means) {
  constexpr const char* kWords[] = {"safer", "riskier", "same", "mixed", "new", "gone"};
  return kWords[static_cast<std::size_t>(means)];
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
    part.table = table_of(diff.rows);
    std::vector<const Obligation*> lost = diff.lost;
    std::erase_if(lost, [&](const Obligation* o) { return contains(diff.fresh, o); });
    add_obligations(bundle.after, "lost", lost, part.lines);
    add_obligations(bundle.after, "new, and does not hold", diff.fresh, part.lines);
    if (bundle.after != nullptr) add_exposed(bundle, part.lines);
    add_removed(diff.removed, part.lines);
    for (const std::string& text : diff.windows) part.lines.push_back({"window", "", text, {}});
    for (const std::string& text : diff.renamed) part.lines.push_back({"renamed", "", text, {}});
    add_obligations(bundle.after, "not known", diff.unknown, part.lines);
    add_obligations(bundle.after, "gained", diff.gained, part.lines);
    std::vector<DiffView::Line> closed;
    add_obligations(bundle.before, kSafer, diff.closed, closed);
    for (DiffView::Line& line : closed) line.text = "not found any more: " + line.text, part.lines.push_back(line);
    if (diff.kept > 0)
      part.lines.push_back(
          {"kept",
           "",
           fmt::format("{} proven as before",
                       diff.kept == 1 ? "1 statement is" : fmt::format("{} statements are", diff.kept)),
           {}});
    add_sync(bundle, part.lines);
    view.parts.push_back(std::move(part));
  }
  if (report.nobody_serves())
    view.lines.push_back({"do",
                          "",
                          report.unstaged
                              ? "`git add gpol.yaml`: there is one, and it is not staged"
                              : "name who serves: `queues: {QUEUE: {role: serving}}` in gpol.yaml at the root of the "
                                "repository, or `--serving QUEUE`; `gpol verify .` shows what each queue owns",
                          {}});
  if (report.adopted)
    view.lines.push_back(
        {"note", "", "nobody served before: both sides are judged by the gpol.yaml of the side after", {}});
  if (report.outside > 0)
    view.lines.push_back(
        {"outside",
         "",
         fmt::format("{} outside of what is compared: {} only where a kustomization inside names {}",
                     report.outside == 1 ? "1 changed file is" : fmt::format("{} changed files are", report.outside),
                     report.outside == 1 ? "it counts" : "they count", report.outside == 1 ? "it" : "them"),
         {}});
  add_removed(report.not_compared, view.lines);
  add_removed(report.removed, view.lines);
  constexpr const char* kStates[] = {"is asked", "is asked; a commit claims the approval", "has approved"};
  for (const DiffApproval& one : report.approvals)
    view.lines.push_back(
        {"approval", "", fmt::format("{} {}: {}", one.by, kStates[static_cast<std::size_t>(one.state)], one.why), {}});
  return view;
}

}  // namespace gpol
