// What `gpol verify` prints unless --full is given: of each bundle the verdict first, one table, then the findings by
// their harm, a line each with the edit that was tried. Of a bundle of ten queues at most 25 lines.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <set>
#include <tuple>

#include "checker/families/codes.h"
#include "cli/render/excerpt.h"
#include "cli/render/findings.h"
#include "cli/render/render.h"
#include "cli/render/sentences.h"
#include "cli/render/text.h"
#include "compiler/policy/resources.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

constexpr std::size_t kMostRows = 10, kLines = 25, kMostColumns = 150;

using Kind = QueueRole::Kind;

// What is said of one queue, or tenant outside the queue: all its flavors, by the resource that matters most.
struct Row {
  std::string name, role, flavors, owns, taken, back;
  int rank = 0;  // serving first
  bool refuted = false, undecided = false, serves = false;
  std::int64_t reserve = 0, claimable = 0, ending = 0, alone = 0;
  bool known = true;  // every figure of it
  Unit unit = Unit::None;
  std::set<std::string_view> also;  // other resources that others can hold
};

std::string_view word_of(std::string_view resource) {
  return is_gpu(resource) ? "GPUs" : resource.starts_with("nvidia.com/mig-") ? resource.substr(11) : resource;
}

// The device of which the queue owns most, else what it owns first.
std::map<std::string_view, std::string_view> told_resources(const Report& report) {
  std::map<std::string_view, std::pair<int, std::string_view>> best;
  for (const Obligation& o : report.obligations) {
    if (o.family != Family::Claim || o.figures.reserve.value_or(0) <= 0) continue;
    const int rank = is_gpu(o.subject.resource) ? 3 : is_device(o.subject.resource) ? 2 : 1;
    if (auto& [known, resource] = best[o.subject.name]; rank > known) known = rank, resource = o.subject.resource;
  }
  std::map<std::string_view, std::string_view> told;
  for (const auto& [name, found] : best) told.emplace(name, found.second);
  return told;
}

void set_role(const Intent& intent, const Cluster& cluster, std::map<std::string_view, Row>& rows) {
  constexpr const char* kServes[] = {"serve A", "serve B", "serve C"};
  for (std::size_t q = 0; q < intent.roles.size(); ++q) {
    const QueueRole& role = intent.roles[q];
    Row& row = rows[cluster.queues[q].name];
    row.name = cluster.queues[q].name;
    row.serves = role.kind == Kind::Serving;
    row.rank = row.serves ? 0 : role.kind == Kind::Bounded ? 3 : 2;
    row.role = row.serves                   ? kServes[static_cast<std::size_t>(role.isolation)]
               : role.kind == Kind::Bounded ? "bounded"
               : role.kind == Kind::None    ? "-"
               : role.assumed               ? "batch?"
                                            : "batch";
  }
  for (std::size_t q = 0; q < intent.volcano_roles.size(); ++q) {
    using Is = volcano::QueueRole::Kind;
    const volcano::QueueRole& role = intent.volcano_roles[q];
    Row& row = rows[cluster.volcano->queues[q].name];
    row.name = cluster.volcano->queues[q].name;
    row.serves = role.kind == Is::Serving;
    row.rank = row.serves ? 0 : role.kind == Is::Inner ? 3 : 2;
    row.role = row.serves               ? kServes[static_cast<std::size_t>(role.isolation)]
               : role.kind == Is::Inner ? "parent"
               : role.kind == Is::None  ? "-"
                                        : "batch";
  }
  for (const OutsideReserve& tenant : intent.outside) {
    Row& row = rows[tenant.tenant];
    row.name = tenant.tenant;
    row.role = std::string(kServes[static_cast<std::size_t>(tenant.isolation)]) + " outside";
    row.rank = 1;
    row.serves = true;
  }
}

std::vector<Row> rows_of(const PolicyReport& policy) {
  std::map<std::string_view, Row> rows;
  set_role(policy.planned->intent, policy.planned->cluster, rows);
  const auto told = told_resources(*policy.report);
  for (const Obligation& o : policy.report->obligations) {
    if (o.family != Family::Claim && o.family != Family::Reclaim) continue;
    const auto at = rows.find(o.subject.name);
    if (at == rows.end()) continue;
    Row& row = at->second;
    if (o.required && o.verdict == Verdict::Refuted) row.refuted = true;
    if (o.required && o.verdict != Verdict::Refuted && o.verdict != Verdict::Proven) row.undecided = true;
    if (o.family == Family::Reclaim) {
      if (o.required) row.back = o.verdict == Verdict::Proven ? "yes" : o.verdict == Verdict::Refuted ? "no" : "?";
      continue;
    }
    const auto resource = told.find(o.subject.name);
    if (resource == told.end()) continue;
    if (o.subject.resource != resource->second) {
      if (o.figures.claimable.value_or(0) > 0) row.also.insert(word_of(o.subject.resource));
      continue;
    }
    if (o.figures.reserve.value_or(0) <= 0) continue;
    row.unit = o.figures.unit;
    add_to_list(row.flavors, o.subject.flavor);
    row.reserve += *o.figures.reserve;
    row.known = row.known && o.figures.claimable;
    row.claimable += o.figures.claimable.value_or(0);
    row.ending += o.figures.claimable_ending.value_or(o.figures.claimable.value_or(0));
    row.alone += o.figures.claimable_alone.value_or(0);
  }
  std::vector<Row> list;
  for (auto& [name, row] : rows) list.push_back(std::move(row));
  std::ranges::stable_sort(list, [](const Row& a, const Row& b) {
    return std::tuple(!a.refuted, !a.undecided, a.rank) < std::tuple(!b.refuted, !b.undecided, b.rank);
  });
  return list;
}

std::vector<std::string> cells_of(const Row& row, bool roles) {
  const auto figure = [&](std::int64_t value) { return row.known ? figure_text(value, row.unit) : std::string("?"); };
  std::string taken = row.reserve == 0 ? "-" : figure(row.claimable);
  if (row.known && row.ending > row.claimable) taken += while_a_victim_ends(row.ending, row.unit);
  for (const std::string_view resource : row.also)
    if (row.serves) taken += fmt::format(", {}", resource);
  if (!roles)
    return {row.name, row.flavors.empty() ? "-" : row.flavors,
            row.reserve == 0 ? "nothing" : figure_text(row.reserve, row.unit),
            row.reserve == 0 ? "-" : figure(row.alone), taken};
  const bool gone = row.claimable > 0 || !row.also.empty() || !row.known;
  return {row.name,
          row.role,
          row.flavors.empty() ? "-" : row.flavors,
          row.reserve == 0 ? "nothing" : figure_text(row.reserve, row.unit),
          row.serves ? taken : "-",
          !row.serves           ? ""
          : row.refuted || gone ? row.back
                                : "never gone",
          row.refuted     ? "NOT SAFE"
          : row.undecided ? "not known"
                          : ""};
}

void print_table(const std::vector<Row>& rows, bool roles, const Style& style, std::ostream& out) {
  std::vector<std::vector<std::string>> table;
  table.push_back(
      roles ? std::vector<std::string>{"queue", "role", "flavor", "owns", "others can hold", "comes back", ""}
            : std::vector<std::string>{"queue", "flavor", "owns", "one other can hold", "all others can hold"});
  for (std::size_t i = 0; i < std::min(kMostRows, rows.size()); ++i) table.push_back(cells_of(rows[i], roles));
  out << aligned(std::move(table), style);
  if (rows.size() > kMostRows) out << fmt::format("and {} more queues (`--full`)\n", rows.size() - kMostRows);
}

// By its harm: what can be taken, what does not come back, a second way in, too few devices, the rest.
auto harm(const Finding& finding) {
  constexpr Family kWorst[] = {Family::Claim, Family::Reclaim, Family::Bypass, Family::Capacity};
  return std::ranges::find(kWorst, finding.told->family) - std::begin(kWorst);
}

std::string shortened(std::string text) {
  if (columns(text) <= kMostColumns) return text;
  const auto clause = text.rfind("; ", kMostColumns);
  if (clause != std::string::npos && clause > 40) return text.substr(0, clause) + "; ...";
  const auto word = text.rfind(' ', kMostColumns);
  return text.substr(0, word == std::string::npos ? kMostColumns : word) + " ...";
}

// Resources by " of `FLAVOR`": "nvidia.com/gpu, cpu of `h100`".
using Amounts = std::vector<std::pair<std::string, std::vector<std::string>>>;
void add_amount(Amounts& amounts, const std::string& amount) {
  const auto flavor = std::min(amount.find(" of `"), amount.size());  // a Queue of Volcano has none
  const std::string resource = amount.substr(0, flavor), of = amount.substr(flavor);
  auto at = std::ranges::find(amounts, of, &Amounts::value_type::first);
  if (at == amounts.end()) at = amounts.insert(amounts.end(), {of, {}});
  if (!contains(at->second, resource)) at->second.push_back(resource);
}

// The fields that were tried, those of all resources of one finding together, and what they cost: "lendingLimit: 0 for
// nvidia.com/gpu, cpu of `h100` in ClusterQueue `chat`  [tried; others lose the loan of 8 GPUs]".
std::string tried_text(const Finding& finding) {
  std::vector<std::pair<std::array<std::string, 3>, Amounts>> fields;  // object, field and value; of what
  for (const Obligation* o : finding.all()) {
    if (!o->detail || !o->detail->fix) continue;
    for (const FieldEdit& edit : o->detail->fix->tried) {
      const std::array<std::string, 3> key{edit.object, edit.field, edit.value};
      auto at = std::ranges::find(fields, key, &decltype(fields)::value_type::first);
      if (at == fields.end()) at = fields.insert(fields.end(), {key, {}});
      if (!edit.of.empty()) add_amount(at->second, edit.of);
    }
  }
  std::string text;
  for (const auto& [key, amounts] : fields) {
    std::string of;
    for (const auto& [flavor, resources] : amounts)
      add_to_list(of, fmt::format("{}{}", fmt::join(resources, ", "), flavor));
    add_to_list(text, fmt::format("{}: {}{}{} in {}", key[1], key[2], of.empty() ? "" : " for ", of, key[0]), "; ");
  }
  if (text.empty()) return text;
  const auto& fix = finding.told->detail == nullptr ? std::nullopt : finding.told->detail->fix;
  const std::string cost = fix && !fix->cost.empty() ? "; " + fix->cost : "";
  return fmt::format("{}  [tried{}]", text, cost);
}

// Such an edit is left to people.
bool ends_loan(const Finding& finding) {
  const auto ends = [](const FieldEdit& edit) { return edit.ends_loan; };
  return std::ranges::any_of(finding.all(), [&](const Obligation* o) {
    return o->detail && o->detail->fix && std::ranges::any_of(o->detail->fix->tried, ends);
  });
}

void print_findings(const RunReport& run, const PolicyReport& policy, std::size_t rows, const Style& style,
                    std::ostream& out) {
  std::size_t tried = 0;
  auto list = findings(policy, run.allowed_gaps);
  const auto rank = [&](const Finding& f) {
    return std::tuple(run.waivers.of(*f.told) != nullptr, f.told->verdict != Verdict::Refuted, harm(f));
  };
  std::ranges::stable_sort(list, [&](const Finding& a, const Finding& b) { return rank(a) < rank(b); });
  constexpr std::size_t kRest = 10;  // lines beside rows and findings
  const std::size_t most = std::max<std::size_t>(2, (kLines - kRest - std::min(rows, kMostRows)) / 2);
  for (std::size_t i = 0; i < std::min(most, list.size()); ++i) {
    const Obligation& o = *list[i].told;
    const std::string place = o.span.known()                              ? place_text(*policy.sources, o.span) + "  "
                              : o.detail && !o.detail->place.file.empty() ? o.detail->place.file + "  "
                                                                          : "";
    const std::string label =
        fmt::format("{} {:<9}", i + 1, o.code == code::NotModelled ? "not read" : family_name(o.family));
    out << (o.verdict == Verdict::Refuted ? style.error(label) : style.warning(label)) << " "
        << shortened(printable(place + sentence(o))) << "\n";
    if (const Waiver* waiver = run.waivers.of(o)) {
      out << "            "
          << printable(fmt::format("waived until {} by {}: {}", waiver->until, waiver->owner, waiver->reason)) << "\n";
      continue;
    }
    std::string fixes = tried_text(list[i]);
    if (fixes.empty())
      for (const std::string_view fix : fixes_of(list[i])) add_to_list(fixes, fix, "; ");
    else if (!ends_loan(list[i]))
      ++tried;
    out << "            "
        << (fixes.empty() ? fmt::format("gpol explain {}", to_string(o.code)) : shortened(printable(fixes))) << "\n";
  }
  std::string more = list.size() > most ? fmt::format("and {} more findings (`--full`)", list.size() - most) : "";
  if (tried > 0 && !policy.built) add_to_list(more, "`--fix` writes what is [tried]", "; ");
  if (!more.empty()) out << more << "\n";
}

bool rests_on(const RunReport& alone, std::string_view premise) {
  const auto& all = alone.policies.front().report->assumptions;
  return std::ranges::any_of(
      all, [&](const Assumption& a) { return a.key == premise && a.status == Assumption::Status::Trusted; });
}

std::string verdict_line(const RunReport& alone, const std::vector<Row>& rows) {
  std::int64_t owned = 0, taken = 0, held = 0;
  bool known = true;
  std::string broken;
  for (const Row& row : rows) {
    if (!row.serves || row.unit != Unit::Devices || row.role.starts_with("serve C")) continue;  // C is promised nothing
    owned += row.reserve;
    held += row.claimable;
    known = known && row.known;
    if (!row.refuted) continue;
    taken += row.claimable;
    add_to_list(broken, fmt::format("`{}`", row.name));
  }
  const std::string said = headline(alone);
  const auto rest = [&](std::string_view word) { return said.starts_with(word) ? said.substr(word.size()) : said; };
  switch (judged(alone)) {
    case Overall::Proven:
      // What an allowed gap lets through is not safe, and said to be so.
      if (const auto& all = alone.policies.front().report->obligations;
          std::ranges::any_of(all, [](const Obligation& o) { return o.required && o.verdict != Verdict::Proven; }))
        return "GAPS ALLOWED  " + said;
      if (owned == 0 || !alone.allowed_gaps.empty()) return "SAFE  " + said;
      return fmt::format("SAFE  others can hold {} of the {} that serving owns{}{}",
                         held == 0 ? std::string("none") : fmt::format("{}", held), figure_text(owned, Unit::Devices),
                         held == 0 ? "" : ", and it comes back",
                         rests_on(alone, "serving-within-reserve") ? ", if it asks for no more than that" : "");
    case Overall::Refuted:
      if (taken > 0)
        return fmt::format("NOT SAFE  others can hold {} of the {} that serving owns: of {}", taken,
                           figure_text(owned, Unit::Devices), broken);
      return "NOT SAFE  " + rest("refuted: ");
    case Overall::Undecided:
      return "NOT KNOWN  " + rest("undecided: ");
    case Overall::Error:
      break;
  }
  return said;
}

void print_bundle(const RunReport& run, const PolicyReport& policy, const Style& style, std::ostream& out) {
  const RunReport alone = of_bundle(run, policy);
  const auto rows = policy.planned == nullptr ? std::vector<Row>{} : rows_of(policy);
  const bool roles = std::ranges::any_of(rows, [](const Row& row) { return row.role != "-" && row.role != "parent"; });
  const std::string line = shortened(printable(verdict_line(alone, rows)));
  out << (judged(alone) == Overall::Proven ? style.good(line) : style.error(line)) << "\n";
  const bool places = contains(policy.report->analysed, Family::Capacity);
  out << fmt::format("{}: {}, {}{}\n\n", printable(policy.bundle.empty() ? "-" : policy.bundle),
                     plural(count_queues(policy), "queue"), policy.assumed,
                     places ? ""
                     : policy.planned != nullptr && policy.planned->cluster.volcano
                         ? (policy.nodes ? ", of all nodes together" : ", quotas only (add `--nodes FILE`)")
                     : policy.nodes ? ", quotas only: no Node is of their flavors"
                                    : ", quotas only (add `--nodes FILE` for devices)");
  if (!rows.empty()) {
    print_table(rows, roles, style, out);
    out << "\n";
  }
  print_findings(run, policy, rows.size(), style, out);
  for (const std::string& note : policy.notes)
    if (!note.starts_with("demand of") && !note.starts_with("and the demands"))
      out << shortened(printable(note)) << "\n";
  const auto trusted = std::ranges::count(policy.report->assumptions, Assumption::Status::Trusted, &Assumption::status);
  if (trusted > 0)
    out << fmt::format("takes {} for granted (`--full` lists them)\n",
                       plural(static_cast<std::size_t>(trusted), "thing"));
}

}  // namespace

void render_summary(const RunReport& run, bool colour, std::ostream& out) {
  const auto broken = [&](const PolicyReport& one) { return judged(one, run.allowed_gaps) == Overall::Error; };
  // Mistakes are told with their places; they stay in their bundles.
  if (judged(run) == Overall::Error) {
    if (has_errors(run) || std::ranges::all_of(run.policies, broken)) return render_human(run, colour, out);
    render_mistakes(run, colour, out);
  }
  const Style style{colour};
  for (const PolicyReport& policy : run.policies) {
    if (broken(policy))
      out << style.error(headline(of_bundle(run, policy))) << "\n" << printable(policy.bundle) << "\n";
    else
      print_bundle(run, policy, style, out);
    if (run.policies.size() > 1) out << "\n";
  }
  for (const PolicyReport& policy : run.policies)
    for (const Diagnostic& d : policy.report->diagnostics)
      if (d.severity != Severity::Error)
        out << fmt::format("warning[{}]: {}\n", to_string(d.code), printable(d.message));
  for (const std::string& note : run.notes) out << printable(note) << "\n";
  const std::string last = headline(run);
  out << (judged(run) == Overall::Proven ? style.good(last) : style.error(last)) << "\n";
}

}  // namespace gpol
