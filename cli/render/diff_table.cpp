#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/render/diff_parts.h"
#include "cli/render/text.h"
#include "compiler/policy/resources.h"
#include "compiler/policy/units.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

std::string held(const DiffRow& row, const Figures& figures) {
  return amount_of(row, figures.claimable) +
         (figures.claimable_ending ? while_a_victim_ends(*figures.claimable_ending, figures.unit) : "");
}

// "8 GPUs -> 4 GPUs"; "-" where a side has none; empty where neither has.
template <class Cell>
std::string change(const DiffRow& row, Cell cell) {
  const std::string was = row.before ? cell(*row.before) : "", is = row.after ? cell(*row.after) : "";
  return was == is ? was : fmt::format("{} -> {}", was.empty() ? "-" : was, is.empty() ? "-" : is);
}

constexpr std::size_t kResource = 2, kReserve = 4, kHeld = 5;  // columns
using Cells = std::vector<std::string>;

Cells cells(const DiffRow& row) {
  const auto duration = [](const std::optional<std::int64_t>& ms) { return ms ? human_duration(*ms) : std::string(); };
  return {row.name,
          row.flavor,
          row.resource,
          change(row, [](const Promise& p) { return std::string(1, p.isolation); }),
          change(row, [&](const Promise& p) { return amount_of(row, p.figures.reserve); }),
          change(row, [&](const Promise& p) { return held(row, p.figures); }),
          change(row, [&](const Promise& p) { return duration(p.figures.back_within_ms); }),
          change(row, [&](const Promise& p) { return duration(p.ready_in_ms); }),
          change(row, [](const Promise& p) { return std::string(verdict_name(p.verdict)); }),
          means_word(row.means)};
}

// A line of a table, and the row whose figures it shows.
struct Shown {
  Cells cells;
  const DiffRow* of = nullptr;
};

// That the row says of cpu, memory or pods what a line of the same tenant and flavor says; amounts apart.
bool follows(const DiffRow& row, const Cells& line, const Shown& first) {
  if (row.name != first.of->name || row.flavor != first.of->flavor || counts_devices(row)) return false;
  for (std::size_t c = 0; c < line.size(); ++c)
    if (c != kResource && c != kReserve && c != kHeld && line[c] != first.cells[c]) return false;
  return (row.exposed > 0) == (first.of->exposed > 0);
}

DiffTable without_empty_columns(DiffTable table) {
  for (std::size_t c = table.front().size(); c-- > 0;) {
    const auto says_something = [c](const Cells& line) { return !line[c].empty(); };
    if (std::any_of(table.begin() + 1, table.end(), says_something)) continue;
    for (auto& line : table) line.erase(line.begin() + static_cast<std::ptrdiff_t>(c));
  }
  return table;
}

}  // namespace

bool counts_devices(const DiffRow& row) { return is_gpu_or_slice(row.resource); }

std::string amount_of(const DiffRow& row, const std::optional<std::int64_t>& value) {
  if (!value) return "?";
  const Unit unit = row.after ? row.after->figures.unit : row.before->figures.unit;
  if (row.resource == slices_row(kShares).name) return human_amount(slices_row(kShares), *value);
  return figure_text(*value, unit);
}

DiffTable promises_table(const std::vector<DiffRow>& rows) {
  if (rows.empty()) return {};
  std::vector<const DiffRow*> order;
  for (const DiffRow& row : rows) order.push_back(&row);
  std::map<std::pair<std::string, std::string>, std::size_t> first;  // each stays where its first row was
  for (std::size_t r = 0; r < rows.size(); ++r) first.try_emplace({rows[r].name, rows[r].flavor}, r);
  std::ranges::stable_sort(order, {}, [&](const DiffRow* row) {
    return std::pair{first.at({row->name, row->flavor}), !counts_devices(*row)};
  });
  std::vector<Shown> shown;
  std::size_t first_of = 0;  // the first line of this tenant in this flavor: its devices, where they change
  for (const DiffRow* row : order) {
    Cells line = cells(*row);
    if (shown.empty() || shown[first_of].of->name != row->name || shown[first_of].of->flavor != row->flavor)
      first_of = shown.size();
    const auto same = std::find_if(shown.begin() + static_cast<std::ptrdiff_t>(first_of), shown.end(),
                                   [&](const Shown& other) { return follows(*row, line, other); });
    if (same != shown.end())
      add_to_list(same->cells[kResource], row->resource);
    else
      shown.push_back({std::move(line), row});
  }
  DiffTable table{{"serving", "flavor", "resource", "class", "reserve", "others can hold", "back within", "warm in",
                   "verdict", "means"}};
  for (Shown& line : shown) table.push_back(std::move(line.cells));
  return without_empty_columns(std::move(table));
}

DiffTable configuration_table(const std::vector<ConfigurationRow>& rows) {
  if (rows.empty()) return {};
  std::vector<std::pair<Cells, std::vector<std::string>>> alike;  // guards of which the same is said, and their names
  for (const ConfigurationRow& row : rows) {
    const Cells says{std::string(row.kind), row.before, row.after, std::string(row.means)};
    const auto known =
        std::ranges::find_if(alike, [&](const auto& one) { return row.kind == "guard" && one.first == says; });
    if (known == alike.end())
      alike.push_back({says, {row.name}});
    else
      known->second.push_back(row.name);
  }
  DiffTable table{{"what", "name", "before", "after", "means"}};
  for (const auto& [says, names] : alike) table.push_back({says[0], listed_up_to(2, names), says[1], says[2], says[3]});
  return table;
}

std::string means_word(DiffRow::Means means) {
  constexpr const char* kWords[] = {"safer", "riskier", "same", "mixed", "new", "gone"};
  return kWords[static_cast<std::size_t>(means)];
}

}  // namespace gpol
