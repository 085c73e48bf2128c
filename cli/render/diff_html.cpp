// One page for a review board: no script, nothing loaded from elsewhere. Words carry every meaning, colour only repeats
// it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "cli/render/diff_render.h"
#include "cli/render/text.h"

namespace gpol {

namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --line: #8888; --lent: #c2410c; --kept: #1d4ed8; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2rem; } h3 { font-size: 1rem; margin-bottom: .25rem; }
table { border-collapse: collapse; margin: .5rem 0; font-variant-numeric: tabular-nums; }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; overflow-wrap: break-word; }
pre { margin: .25rem 0; white-space: pre-wrap; overflow-wrap: anywhere; } del, ins { display: block; text-decoration: none; }
.bar { display: flex; height: 1.4rem; border: 1px solid var(--line); }
.bar span { box-sizing: border-box; border-right: 2px solid Canvas; }
.key { display: inline-block; width: .8rem; height: .8rem; margin-right: .3rem; border: 1px solid var(--line); }
.kept { background: var(--kept); }
.lent { background: repeating-linear-gradient(45deg, var(--lent) 0 4px, #fdba74 4px 8px); }
.side { display: grid; grid-template-columns: 4.5rem 1fr; gap: .5rem; margin: .5rem 0; }
li { margin: .25rem 0; } ol.story { border-left: 3px solid var(--line); padding-left: 2rem; }
.word { font-weight: 600; } code, h1, h2 { overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  tr { display: block; border: 1px solid var(--line); margin: .5rem 0; } tr:first-child { display: none; }
  td { display: grid; grid-template-columns: 8rem 1fr; border: 0; } td::before { content: attr(data-label); font-weight: 600; }
}
@media print { body { font-size: 12px; padding: 0; } .bar span, .key { print-color-adjust: exact; } li, tr, pre, .side { break-inside: avoid; } }
)";

constexpr std::string_view kWords = R"(<h2>Words</h2>
<ul>
<li><span class="word">class A</span> nobody else can hold any of the reserve. <span class="word">class B</span> others may hold what is lent, and it
comes back within the class's deadline. <span class="word">class C</span> batch: nothing is promised to it.</li>
<li><span class="word">others can hold</span> the most of the reserve that others can have, at any time.</li>
<li><span class="word">exposed</span> others can hold more of what is reserved, or less is promised. <span class="word">mixed</span> some figures are
better and some are worse. <span class="word">undecided</span> neither proven nor refuted.</li>
</ul>
)";

// Text of gpol's own, in which names stand between backticks.
std::string with_code(std::string_view text) {
  std::string out;
  bool open = false;
  for (const char c : markup_escaped(text))
    if (c == '`')
      out += (open = !open) ? "<code>" : "</code>";
    else
      out += c;
  return open ? out + "</code>" : out;
}

// What of a pool somebody keeps, what of it others can hold, and what is nobody's reserve.
struct Piece {
  std::string_view kind;  // a class of kStyle
  std::string words;
  std::int64_t units = 0;
};

// What surely stands in the pool, where nodes are declared; 0: that is not known.
std::int64_t units_in(const PolicyReport* side, const std::string& flavor, const std::string& resource) {
  if (side == nullptr || side->planned == nullptr) return 0;
  const Cluster& cluster = side->planned->cluster;
  for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f)
    if (cluster.flavors[f].name == flavor)
      for (std::size_t r = 0; r < cluster.resources.size(); ++r)
        if (const PoolCapacity* pool = side->planned->intent.capacity_of(f);
            cluster.resources[r] == resource && pool != nullptr && r < pool->surely.size())
          return pool->surely[r];
  return 0;
}

std::vector<Piece> pieces_of(const std::vector<const DiffRow*>& rows, std::optional<Promise> DiffRow::* side,
                             std::int64_t there) {
  std::vector<Piece> pieces;
  Unit unit = Unit::Devices;
  for (const DiffRow* row : rows) {
    const std::optional<Promise>& promise = row->*side;
    if (!promise || promise->figures.reserve.value_or(0) <= 0) continue;
    unit = promise->figures.unit;
    const std::int64_t reserve = *promise->figures.reserve, lent = promise->figures.claimable.value_or(reserve);
    if (reserve > lent)
      pieces.push_back(
          {"kept", fmt::format("{} keeps {}", row->name, figure_text(reserve - lent, unit)), reserve - lent});
    if (lent > 0)
      pieces.push_back({"lent", fmt::format("others can hold {} of {}", figure_text(lent, unit), row->name), lent});
    there -= reserve;
  }
  if (there > 0) pieces.push_back({"free", fmt::format("{} are in no reserve", figure_text(there, unit)), there});
  return pieces;
}

std::string bar(std::string_view side, const std::vector<Piece>& pieces, std::int64_t most) {
  std::string drawn, words;
  for (const Piece& piece : pieces) {
    drawn += fmt::format("<span class=\"{}\" style=\"width:{:.2f}%\"></span>", piece.kind,
                         static_cast<double>(piece.units) * 100 / static_cast<double>(std::max<std::int64_t>(most, 1)));
    words += fmt::format("{}<span class=\"key {}\"></span>{}", words.empty() ? "" : ", ", piece.kind,
                         markup_escaped(piece.words));
  }
  if (words.empty()) words = "no reserve";
  return fmt::format(
      "<div class=\"side\"><div>{}</div><div><div class=\"bar\" aria-hidden=\"true\">{}</div>{}</div></div>\n", side,
      drawn, words);
}

std::string bars(const DiffBundle& bundle) {
  std::map<std::pair<std::string, std::string>, std::vector<const DiffRow*>> pools;  // by flavor and resource
  for (const DiffRow& row : bundle.diff.rows)
    if (const Unit unit = row.after ? row.after->figures.unit : row.before->figures.unit;
        unit == Unit::Devices || unit == Unit::Slices)
      pools[{row.flavor, row.resource}].push_back(&row);
  for (const DiffRow& row : bundle.diff.unchanged)
    if (const auto pool = pools.find({row.flavor, row.resource}); pool != pools.end()) pool->second.push_back(&row);
  std::string out;
  for (const auto& [pool, rows] : pools) {
    const auto was = pieces_of(rows, &DiffRow::before, units_in(bundle.before, pool.first, pool.second)),
               is = pieces_of(rows, &DiffRow::after, units_in(bundle.after, pool.first, pool.second));
    const auto sum = [](const std::vector<Piece>& pieces) {
      std::int64_t all = 0;
      for (const Piece& piece : pieces) all += piece.units;
      return all;
    };
    const std::int64_t most = std::max(sum(was), sum(is));
    out += fmt::format("<h3>{}, {}</h3>\n", markup_escaped(pool.first), markup_escaped(pool.second)) +
           bar("before", was, most) + bar("after", is, most);
  }
  return out;
}

// It may be broken behind a slash, as names of resources have one.
std::string cell_text(const std::string& text) {
  std::string out;
  for (const char c : markup_escaped(text)) (out += c) += c == '/' ? "<wbr>" : "";
  return out;
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  if (rows.empty()) return {};
  std::string out = "<table>\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    out += "<tr>";
    for (std::size_t c = 0; c < rows[r].size(); ++c)
      out += r == 0 ? fmt::format("<th scope=\"col\">{}</th>", markup_escaped(rows[r][c]))
                    : fmt::format("<td data-label=\"{}\">{}</td>", markup_escaped(rows[0][c]), cell_text(rows[r][c]));
    out += "</tr>\n";
  }
  return out + "</table>\n";
}

std::string changes(const DiffBundle& bundle) {
  if (bundle.changes.empty()) return {};
  std::string out = "<h3>Changed lines</h3>\n<ul>\n";
  for (const DiffChange& change : bundle.changes) {
    out += fmt::format("<li><code>{}</code><pre>", markup_escaped(change.place));
    for (const auto& [tag, sign, lines] : {std::tuple{"del", '-', &change.was}, std::tuple{"ins", '+', &change.is}})
      for (const std::string& line : *lines) out += fmt::format("<{0}>{1} {2}</{0}>", tag, sign, markup_escaped(line));
    out += "</pre></li>\n";
  }
  if (bundle.more_changes > 0) out += fmt::format("<li>and {} more places</li>\n", bundle.more_changes);
  return out + "</ul>\n";
}

std::string list(const std::vector<DiffView::Line>& lines) {
  if (lines.empty()) return {};
  std::string out = "<ul>\n";
  for (const DiffView::Line& line : lines) {
    out += fmt::format("<li><span class=\"word\">{}</span> {}{}", line.word,
                       line.place.empty() ? "" : fmt::format("<code>{}</code> ", markup_escaped(line.place)),
                       with_code(line.text));
    if (!line.story.empty()) {
      out += "\n<ol class=\"story\">\n";
      for (const std::string& step : line.story) out += fmt::format("<li>{}</li>\n", with_code(step));
      out += "</ol>";
    }
    out += "</li>\n";
  }
  return out + "</ul>\n";
}

}  // namespace

void render_diff_html(const DiffReport& report, std::ostream& out) {
  const DiffView view = view_of(report);
  out << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>gpol diff: "
      << markup_escaped(view.headline) << "</title>\n<style>" << kStyle << "</style>\n</head>\n<body>\n<h1>"
      << with_code(view.headline) << "</h1>\n<p>Before: <code>" << markup_escaped(report.before_name) << "</code> ("
      << overall_name(report.before_verdict) << "). After: <code>" << markup_escaped(report.after_name) << "</code> ("
      << overall_name(report.after_verdict) << ").</p>\n";
  std::size_t part = 0;
  for (const DiffBundle& bundle : report.bundles) {
    if (bundle.diff.says_nothing()) continue;
    if (part == view.parts.size()) break;
    const DiffView::Part& words = view.parts[part++];
    if (!words.title.empty()) out << "<h2>" << markup_escaped(words.title) << "</h2>\n";
    out << bars(bundle) << "<h2>What changes</h2>\n"
        << table(words.table) << table(words.configuration) << list(words.lines) << changes(bundle);
  }
  if (!view.lines.empty()) out << "<h2>Of all, and who is asked</h2>\n" << list(view.lines);
  out << kWords << "</body>\n</html>\n";
}

}  // namespace gpol
