// JUnit's XML, as CI servers read it: a statement is a test case, a finding a failed one.
#include <fmt/format.h>

#include <ostream>

#include "cli/render/annotations.h"
#include "cli/render/text.h"

namespace gpol {

namespace {

constexpr std::size_t kMostProven = 10'000;

// Of a message that may have several lines.
std::string safe(const std::string& text) {
  std::string out = markup_escaped(text);
  for (std::size_t at = out.find('\n'); at != std::string::npos; at = out.find('\n', at)) out.replace(at, 1, "&#10;");
  return out;
}

}  // namespace

void write_junit(const std::vector<Annotation>& found, const std::vector<std::string>& proven, std::ostream& out) {
  std::size_t failures = 0, warnings = 0;
  for (const Annotation& one : found) (one.level == Annotation::Level::Error ? failures : warnings) += 1;
  const std::size_t shown = std::min(proven.size(), kMostProven);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      << fmt::format(
             "<testsuites name=\"gpol\" tests=\"{0}\" failures=\"{1}\">\n<testsuite name=\"gpol\" tests=\"{0}\" "
             "failures=\"{1}\" errors=\"0\" skipped=\"{2}\">\n",
             shown + failures + warnings, failures, warnings);
  for (const Annotation& one : found) {
    const std::string code = one.code != Code{} ? to_string(one.code) : std::string("gpol-diff");
    out << fmt::format("<testcase classname=\"{}\" name=\"{}\"{}{}>", safe(one.bundle.empty() ? "gpol" : one.bundle),
                       safe(one.subject), one.file.empty() ? "" : fmt::format(" file=\"{}\"", safe(one.file)),
                       one.line > 0 ? fmt::format(" line=\"{}\"", one.line) : "");
    if (one.level == Annotation::Level::Error)
      out << fmt::format("<failure type=\"{}\" message=\"{}\">{}{}</failure>", code,
                         safe(one.message.substr(0, one.message.find('\n'))), safe(one.message),
                         one.help.empty() ? "" : safe("\nhelp: " + one.help));
    else
      out << fmt::format("<skipped message=\"{}\"/>",
                         safe(code + ": " + one.message.substr(0, one.message.find('\n'))));
    out << "</testcase>\n";
  }
  for (std::size_t i = 0; i < shown; ++i)
    out << fmt::format("<testcase classname=\"gpol\" name=\"{}\"/>\n", safe(proven[i]));
  out << "</testsuite>\n</testsuites>\n";
}

}  // namespace gpol
