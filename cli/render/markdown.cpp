// A report for an issue or a review: a headline, one table, findings folded. GitHub's dialect.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "cli/render/findings.h"
#include "cli/render/markdown_text.h"
#include "cli/render/ownership.h"
#include "cli/render/render.h"
#include "cli/render/sentences.h"
#include "cli/render/text.h"

namespace gpol {

namespace {

std::string place(const SourceSet& sources, Span span, std::string_view field) {
  if (!span.known()) return {};
  const LineColumn at = sources.position(span.file, span.begin);
  const auto found = sources.document_place(span);
  const std::string_view named = field.empty() && found ? std::string_view(found->field) : field;
  return markdown_code(fmt::format("{}:{}:{}", sources.path(span.file), at.line, at.column)) +
         (named.empty() ? "" : " " + markdown_code(named));
}

void write_table(const OwnershipTable& table, std::ostream& out) {
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    out << "|";
    for (const std::string& cell : table.rows[r]) out << " " << markdown_plain(cell, true) << " |";
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
  std::size_t left = static_cast<std::size_t>(std::ranges::count(shown, '`')) / 2 * 2;  // that pair up
  bool open = false;
  std::string out;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    if (const auto name = markdown_mention(std::string_view(shown).substr(i), i == 0 ? ' ' : shown[i - 1]);
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
      body += fmt::format("{}. {} {}\n", i + 1, markdown_plain(story[i].actor), markdown_plain(story[i].does));
  }
  if (o.detail && !o.detail->story.empty()) body += "\n";
  if (!finding.also.empty()) {
    body += "The same holds of its";
    for (const std::string_view resource : finding.also) body += fmt::format(" `{}`", printable(resource));
    body += ".\n\n";
  }
  for (const std::string_view fix : fixes_of(finding)) body += "- " + markdown_plain(fix) + "\n";
  return body;
}

}  // namespace

void render_markdown(const RunReport& run, std::ostream& out) {
  out << "**gpol: " << markdown_plain(headline(run)) << "**\n\n";
  write_table(ownership_table(run), out);
  for (const Diagnostic& d : run.diagnostics)
    write_details(summary_of("error", d.code, d.message), d.hint.empty() ? "" : markdown_plain(d.hint) + "\n", out);
  for (const PolicyReport& policy : run.policies) {
    for (const Diagnostic& d : policy.report->diagnostics) {
      const std::string at = place(*policy.sources, d.span, d.field);
      std::string body = at.empty() ? "" : "at " + at + "\n";
      if (!d.hint.empty()) body += "\n- " + markdown_plain(d.hint) + "\n";
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
                              markdown_plain(a.text));
    if (!premises.empty()) write_details("what is taken for granted", premises, out);
  }
  for (const PolicyReport& policy : run.policies)
    for (const std::string& note : policy.notes) out << markdown_plain(note) << "\n\n";
  for (const std::string& note : run.notes) out << markdown_plain(note) << "\n\n";
}

}  // namespace gpol
