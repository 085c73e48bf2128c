// The slips of the keyboard, tests/golden/slips.table, of which each is played by itself. The table is made again of
// the texts in it and must be the same (GPOL_UPDATE_GOLDEN=1 rewrites it); what gpol says of each word for word is
// compared by its hash, which stands in the table. Every edit is followed: the mistake is then gone, and nothing else
// is wrong where it was.
#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands/session.h"
#include "compiler/source/edit.h"
#include "tests/golden/golden.h"
#include "tests/golden/shard.h"
#include "tests/support/by_hash.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace {

constexpr const char* kTable = "tests/golden/slips.table";
constexpr std::string_view kFrom = "⟦", kTo = "⟧", kBreak = "⏎", kBar = " | ", kPolicy = "> ";
constexpr std::string_view kHash = "# SHA-256 of all, with messages and hints: ";

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

std::string in_one_line(std::string_view text) {
  return replaced(replaced(std::string(text), "\n", kBreak), "|", "\\|");
}

// A text with the policy that its section puts in front of it.
struct Slip {
  std::string before, text;
};

// A line of the table that is no row, or the text of the rows that follow each other with it.
struct Entry {
  std::string line;
  bool is_slip = false;
  Slip slip = {};
};

std::vector<Entry> entries_of(const std::string& table) {
  std::vector<Entry> all;
  std::string before;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) before.clear();
    if (line.starts_with(kPolicy)) before += line.substr(kPolicy.size()) + "\n";
    if (line.empty() || line.starts_with('#') || line.starts_with(kPolicy)) {
      all.push_back({line});
      continue;
    }
    std::string text = line.substr(0, line.find(kBar));
    for (const std::string_view mark : {kFrom, kTo}) text = replaced(text, mark, "");
    text = replaced(replaced(text, kBreak, "\n"), "\\|", "|");
    if (!all.empty() && all.back().is_slip && all.back().slip.text == text) continue;
    all.push_back({line, true, {before, text}});
  }
  return all;
}

std::unique_ptr<Session> checked(const std::string& policy) {
  return check_policy({"slip.gpol", policy}, {.lint = true});
}

bool within(const Slip& slip, const Span& span) {
  return span.known() && span.file == 0 && span.begin >= slip.before.size();
}

// What is typed, with marks around what a diagnostic is about.
std::string marked(const Slip& slip, const Span& span) {
  if (!within(slip, span)) return in_one_line(slip.text);
  const std::string_view text = slip.text;
  const std::size_t from = std::min(span.begin - slip.before.size(), text.size());
  const std::size_t to = std::min(span.end - slip.before.size(), text.size());
  return in_one_line(text.substr(0, from)) + std::string(kFrom) + in_one_line(text.substr(from, to - from)) +
         std::string(kTo) + in_one_line(text.substr(to));
}

struct Rows {
  std::string rows;     // what was typed, the code, what the edit makes of it
  std::string in_full;  // and message, other places, hint
};

Rows rows_of(const Slip& slip) {
  const auto session = checked(slip.before + slip.text + "\n");
  Rows out;
  for (const Diagnostic& d : session->report.diagnostics) {
    std::string after = d.edits.empty() ? "-" : edited(session->sources, 0, d.edits);
    if (after.starts_with(slip.before)) after.erase(0, slip.before.size());
    if (after.ends_with('\n')) after.pop_back();
    const std::string row =
        marked(slip, d.span) + std::string(kBar) + to_string(d.code) + std::string(kBar) + in_one_line(after) + "\n";
    out.rows += row;
    out.in_full += row + "    " + in_one_line(d.message) + "\n";
    for (const Label& label : d.labels)
      if (label.span.known())
        out.in_full +=
            "    `" + in_one_line(session->sources.slice(label.span)) + "`: " + in_one_line(label.text) + "\n";
    if (!d.hint.empty()) out.in_full += "    help: " + in_one_line(d.hint) + "\n";
  }
  if (out.rows.empty()) out.rows = out.in_full = in_one_line(slip.text) + std::string(kBar) + "no mistake\n";
  return out;
}

struct Found {
  std::string code, message;
  int line = 0, column = 0;
};

// Of the text, not of the policy before it.
std::vector<Found> found(const Session& session, const Slip& slip) {
  std::vector<Found> all;
  for (const Diagnostic& d : session.report.diagnostics) {
    if (!within(slip, d.span)) continue;
    const LineColumn at = session.sources.position(0, d.span.begin);
    all.push_back({to_string(d.code), d.message, at.line, at.column});
  }
  return all;
}

std::ptrdiff_t count(const std::vector<Found>& all, const Diagnostic& d) {
  return std::count_if(all.begin(), all.end(),
                       [&](const Found& f) { return f.code == to_string(d.code) && f.message == d.message; });
}

bool reads(const std::string& code) { return !code.starts_with("GP01"); }

// How many edits were followed.
std::size_t follow(const Slip& slip) {
  const auto session = checked(slip.before + slip.text + "\n");
  const std::vector<Found> was = found(*session, slip);
  std::set<std::pair<std::string, std::string>> known;
  for (const Found& one : was) known.emplace(one.code, one.message);
  std::size_t followed = 0;
  for (const Diagnostic& d : session->report.diagnostics) {
    if (d.edits.empty()) continue;
    const std::string text = edited(session->sources, 0, d.edits);
    INFO(to_string(d.code) << " " << d.message);
    INFO("after the edit: " << text.substr(std::min(text.size(), slip.before.size())));
    const auto after = checked(text);
    const std::vector<Found> is = found(*after, slip);
    const Edit edit = settled(session->sources, d.edits.front());
    const LineColumn place = session->sources.position(0, edit.replace.begin);
    for (const Found& one : is) {
      // What a text means is known only once it reads: then it is another mistake of the same text, such as a name
      // that no policy around it declares.
      const bool here = one.line > place.line ||
                        (one.column >= place.column && one.column <= place.column + static_cast<int>(edit.with.size()));
      if (!reads(one.code) || (reads(to_string(d.code)) && here)) {
        INFO("found: " << one.code << " " << one.message);
        CHECK(known.contains({one.code, one.message}));
      }
    }
    CHECK(count(is, d) < count(was, d));
    ++followed;
  }
  return followed;
}

std::vector<Slip> slips() {
  std::vector<Slip> all;
  for (const Entry& entry : entries_of(read_text(kTable)))
    if (entry.is_slip) all.push_back(entry.slip);
  return all;
}

}  // namespace

TEST_CASE("slips: gpol says of each what its rows say") {
  const Root root;
  const std::string table = read_text(kTable);
  std::string hash, again, in_full;
  for (const Entry& entry : entries_of(table)) {
    if (entry.line.starts_with(kHash)) {
      hash = entry.line.substr(kHash.size());
      continue;
    }
    const Rows made = entry.is_slip ? rows_of(entry.slip) : Rows{entry.line + "\n", entry.line + "\n"};
    again += made.rows;
    in_full += made.in_full;
  }
  CHECK(speaks_of_the_proof(in_full) == "");
  const std::string now = std::string(kHash) + keep_text(in_full) + "\n" + again;
  if (updating() && update_file(kTable, now) > 0) FAIL("updated the table of slips");
  CHECK(difference(table, now) == "");
  CHECK(difference_of_hashes(hash, in_full) == "");
}

TEST_CASE("slips: each edit works") {
  const Root root;
  std::size_t followed = 0;
  const std::vector<Slip> all = slips();
  for (const Slip& slip : of_shard(all)) {
    INFO(slip.text);
    followed += follow(slip);
  }
  CHECK(followed * shard().count >= all.size() / 2);
}

}  // namespace gpol::test
