#include <fmt/format.h>

#include <algorithm>

#include "cli/render/diff_parts.h"
#include "cli/render/text.h"
#include "compiler/policy/resources.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

// "8 GPUs of `chat`, 4 GPUs of `search`"; "1 GPU of `a`, 1 GPU of `b`, 1 GPU of `c` and 397 more, 400 GPUs in all"
// `smaller`: of rows of which nobody else can hold any more, too.
std::string exposed_text(const DiffReport& report, bool smaller) {
  constexpr std::size_t kMost = 3;
  std::string text;
  std::size_t count = 0;
  std::int64_t gpus = 0, others = 0;
  for (const DiffBundle& bundle : report.bundles)
    for (const DiffRow& row : bundle.diff.rows) {
      if (row.exposed == 0 || !counts_devices(row) || (row.smaller && !smaller)) continue;
      (is_gpu(row.resource) ? gpus : others) += row.exposed;
      if (++count <= kMost) add_to_list(text, fmt::format("{} of `{}`", amount_of(row, row.exposed), row.name));
    }
  const bool devices = count > 0;
  for (const DiffBundle& bundle : report.bundles)
    for (const DiffRow& row : bundle.diff.rows)  // no devices: what else is exposed
      if (!devices && row.exposed > 0 && (smaller || !row.smaller) && ++count <= kMost)
        add_to_list(text, fmt::format("{} of `{}`", amount_of(row, row.exposed), row.name));
  if (count > kMost) text += fmt::format(" and {} more", count - kMost);
  if (count > kMost && gpus > 0 && others == 0) text += fmt::format(", {} in all", figure_text(gpus, Unit::Devices));
  return text;
}

// "; 24 GPUs of `cards` are cut anew, on 3 nodes": of every headline, since it is nothing that quotas show.
std::string cards_text(const DiffReport& report) {
  std::vector<std::string> all;
  for (const DiffBundle& bundle : report.bundles)
    for (const ConfigurationRow& row : bundle.diff.configuration)
      if (row.kind == "layout" || row.kind == "sharing") all.push_back(row.what);
  std::erase(all, "");
  return all.empty() ? "" : "; " + listed_up_to(2, all);
}

std::string outcome_of(const DiffReport& report) {
  std::size_t lost = 0, refuted = 0, rows = 0, fresh = 0, gained = 0;
  bool riskier = false, safer = false, changed = false, opened = false, hours = false, smaller = false, same = true,
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
      changed = changed || (one.word.empty() && one.holds);
    }
    rows += diff.rows.size();
    gained += diff.gained.size() + diff.closed.size();
    same = same && diff.same_meaning;
    something = something || !diff.says_nothing();
    other = other || std::ranges::any_of(diff.removed, &Removed::exposes);
    for (const ConfigurationRow& row : diff.configuration) {
      safer = safer || row.means == "safer";
      riskier = riskier || row.means == "riskier";
      changed = changed || (row.means != "safer" && row.means != "riskier");
    }
    for (const DiffRow& row : diff.rows) {
      (row.smaller ? smaller : other) |= row.exposed > 0;
      fresh += row.means == DiffRow::Means::Added ? 1 : 0;
      riskier = riskier || row.means == DiffRow::Means::Riskier || row.means == DiffRow::Means::Mixed;
      safer = safer || row.means == DiffRow::Means::Safer || row.means == DiffRow::Means::Mixed;
    }
  }
  const std::string exposed = exposed_text(report, smaller && !other),
                    more = exposed.empty() ? "" : "; newly exposed: " + exposed;
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
                                                             : ", and less is stated or required");
  if (!report.not_compared.empty())
    return fmt::format(
        "NOT KNOWN  {} and {} not compared", report.not_compared.front().text,
        report.not_compared.size() == 1 ? "is" : fmt::format("{} more are", report.not_compared.size() - 1));
  for (const DiffBundle& bundle : report.bundles)
    for (const Removed& one : bundle.diff.removed)
      if (one.word == "not compared" && report.undecided()) return "NOT KNOWN  " + one.text;
  if (report.undecided()) return "NOT KNOWN  a statement that was proven, or is new, is undecided";
  if (report.nobody_serves()) return "NOT KNOWN  no queue serves on either side: nothing is compared";
  if (!something) return same ? "means the same" : "SAME  nothing changes for what serves";
  if (riskier) return safer ? "MIXED  no promise is lost or exposed" : "RISKIER  no promise is lost or exposed";
  if (safer || gained > 0) return "SAFER  no promise is lost or exposed";
  if (fresh == rows && rows > 0) return "NEW  no promise is lost or exposed";
  return changed ? "CHANGED  no promise is lost or exposed" : "SAME  no promise is lost or exposed";
}

}  // namespace

std::string headline_of(const DiffReport& report) { return outcome_of(report) + cards_text(report); }

}  // namespace gpol
