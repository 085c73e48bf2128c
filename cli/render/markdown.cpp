// A report for an issue or a review: a headline, one table, findings folded. GitHub's dialect.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ostream>

#include "cli/render/findings.h"
#include "cli/render/ownership.h"
#include "cli/render/render.h"
#include "cli/render/sentences.h"
#include "cli/render/text.h"

namespace gpol {

namespace {

// `@name` at the beginning of `text`, with which GitHub would call somebody; empty: there is none. `before`: the
// character in front of it.
std::string_view mention(std::string_view text, char before) {
  const auto wordy = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  if (!text.starts_with('@') || wordy(before)) return {};
  std::size_t end = 1;
  while (end < text.size() && (wordy(text[end]) || text[end] == '-' || text[end] == '/')) ++end;
  return end == 1 ? std::string_view() : text.substr(0, end);
}

// User text outside of code: what Markdown or HTML would take for its own is put under a backslash, and so is a
// backtick without a second one; whoever is named is not called.
std::string plain(std::string_view text, bool in_table = false) {
  const std::string shown = printable(text);
  const std::size_t odd = std::count(shown.begin(), shown.end(), '`') % 2 == 0 ? std::string::npos : shown.rfind('`');
  std::string out;
  bool code = false;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    if (c == '`' && i != odd) code = !code;
    if (const auto name = mention(std::string_view(shown).substr(i), i == 0 ? ' ' : shown[i - 1]);
        !code && !name.empty()) {
      out += fmt::format("`{}`", name);
      i += name.size() - 1;
      continue;
    }
    if (!code && (i == odd || c == '<' || c == '>' || c == '*' || c == '_' || c == '[' || c == '\\' || c == '#'))
      out += '\\';
    if (c == '|' && (in_table || !code)) out += '\\';
    out += c;
  }
  return out;
}

// Between more backticks than it has in a row.
std::string as_code(std::string_view text) {
  const std::string shown = printable(text);
  std::size_t longest = 0, run = 0;
  for (const char c : shown) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`'), gap(longest > 0 ? 1 : 0, ' ');
  return fence + gap + shown + gap + fence;
}

std::string place(const SourceSet& sources, Span span, std::string_view field) {
  if (!span.known()) return {};
  const LineColumn at = sources.position(span.file, span.begin);
  const auto found = sources.document_place(span);
  const std::string_view named = field.empty() && found ? std::string_view(found->field) : field;
  return as_code(fmt::format("{}:{}:{}", sources.path(span.file), at.line, at.column)) +
         (named.empty() ? "" : " " + as_code(named));
}

void write_table(const OwnershipTable& table, std::ostream& out) {
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    out << "|";
    for (const std::string& cell : table.rows[r]) out << " " << plain(cell, true) << " |";
    out << "\n";
    if (r > 0) continue;
    for (std::size_t c = 0; c < table.rows[r].size(); ++c) out << (c == 0 ? "|---|" : "---|");
    out << "\n";
  }
  if (table.left_out > 0) out << "\nand " << table.left_out << " more rows (`--format json` lists them all)\n";
  if (!table.rows.empty()) out << "\n";
}

void write_details(const std::string& summary, const std::string& body, std::ostream& out) {
  out << "<details><summary>" << summary << "</summary>\n\n" << body << "\n</details>\n\n";
}

std::string summary_of(std::string_view word, Code code, std::string_view message) {
  const std::string shown = printable(message);
  std::size_t left = static_cast<std::size_t>(std::count(shown.begin(), shown.end(), '`')) / 2 * 2;  // that pair up
  bool open = false;
  std::string out;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    if (const auto name = mention(std::string_view(shown).substr(i), i == 0 ? ' ' : shown[i - 1]);
        !open && !name.empty()) {
      out += fmt::format("<code>{}</code>", name);
      i += name.size() - 1;
    } else if (c == '`' && left > 0) {
      open = !open, --left;
      out += open ? "<code>" : "</code>";
    } else {
      out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '>' ? "&gt;" : std::string(1, c);
    }
  }
  return fmt::format("{} {}: {}", word, to_string(code), out);
}

std::string body_of(const SourceSet& sources, const Finding& finding) {
  const Obligation& o = *finding.told;
  std::string body;
  if (const std::string at = place(sources, o.span, o.detail ? o.detail->place.field : ""); !at.empty())
    body += "at " + at + "\n\n";
  if (o.detail) {
    const auto story = told_once(o.detail->story);
    for (std::size_t i = 0; i < story.size(); ++i)
      body += fmt::format("{}. {} {}\n", i + 1, plain(story[i].actor), plain(story[i].does));
  }
  if (o.detail && !o.detail->story.empty()) body += "\n";
  if (!finding.also.empty()) {
    body += "The same holds of its";
    for (const std::string_view resource : finding.also) body += fmt::format(" `{}`", printable(resource));
    body += ".\n\n";
  }
  for (const std::string_view fix : fixes_of(finding)) body += "- " + plain(fix) + "\n";
  return body;
}

}  // namespace

void render_markdown(const RunReport& run, std::ostream& out) {
  out << "**gpol: " << plain(headline(run)) << "**\n\n";
  write_table(ownership_table(run), out);
  for (const Diagnostic& d : run.diagnostics)
    write_details(summary_of("error", d.code, d.message), d.hint.empty() ? "" : plain(d.hint) + "\n", out);
  for (const PolicyReport& policy : run.policies) {
    for (const Diagnostic& d : policy.report->diagnostics) {
      const std::string at = place(*policy.sources, d.span, d.field);
      std::string body = at.empty() ? "" : "at " + at + "\n";
      if (!d.hint.empty()) body += "\n- " + plain(d.hint) + "\n";
      write_details(summary_of(d.severity == Severity::Error ? "error" : "warning", d.code, d.message), body, out);
    }
    for (const Finding& finding : findings(policy, run.allowed_gaps)) {
      const Obligation& o = *finding.told;
      write_details(summary_of(verdict_name(o.verdict), o.code, sentence(o)), body_of(*policy.sources, finding), out);
    }
    std::string premises;
    for (const Assumption& a : policy.report->assumptions)
      premises += fmt::format("- {}: {}\n",
                              a.status == Assumption::Status::Enforced  ? "enforced"
                              : a.status == Assumption::Status::Trusted ? "trusted"
                                                                        : "open",
                              plain(a.text));
    if (!premises.empty()) write_details("what is taken for granted", premises, out);
  }
  for (const PolicyReport& policy : run.policies)
    for (const std::string& note : policy.notes) out << plain(note) << "\n\n";
  for (const std::string& note : run.notes) out << plain(note) << "\n\n";
}

}  // namespace gpol
