// Bad input: what a policy says.
#include <fmt/format.h>

#include "tests/hostile/cases.h"
#include "tests/hostile/program.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace {

Case says(const char* name, std::string text, int exit, std::string phrase) {
  return {name, [text = std::move(text)](const auto& dir) { write_text(dir / "p.gpol", text); }, "p.gpol", exit,
          std::move(phrase)};
}

// The good policy with something in it exchanged, everywhere.
std::string with(const std::string& what, const std::string& instead) {
  std::string text = good_policy();
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += instead.size(), ++found)
    text.replace(at, what.size(), instead);
  if (found == 0) throw std::runtime_error("the good policy has no " + what);
  return text;
}

// Sixteen definitions, each made of several of the one before.
std::string doubling(const std::string& body) {
  std::string text = "define d0 { }\n";
  for (int i = 1; i < 16; ++i) text += fmt::format("define d{} {{ {} }}\n", i, fmt::format(fmt::runtime(body), i - 1));
  return text + "class a : A { $d15 $d15 $d15 $d15 $d15 $d15 $d15 $d15 $d15 $d15 $d15 $d15 $d15 $d15 $d15 $d15 }\n";
}

std::string utf16(const std::string& ascii, bool big) {
  std::string out = big ? "\xFE\xFF" : "\xFF\xFE";
  for (const char c : ascii) out += big ? std::string{'\0', c} : std::string{c, '\0'};
  return out;
}

}  // namespace

std::vector<Case> cases_of_text() {
  const std::string nul("\0", 1);
  return {
      says("a mistyped declaration", with("tenant chat", "tenantt chat"), 1, "did you mean `tenant`?"),
      says("a mistyped clause", with("reserve 16 gpus of live", "reserv 16 gpus of live"), 1,
           "did you mean `reserve`?"),
      says("a missing brace", with("class realtime : A { }", "class realtime : A {"), 1, "error[GP0102]"),
      says("a brace too many", good_policy() + "}", 1, "error[GP0101]"),
      says("a text without its end", with("\"the inventory is reviewed\"", "\"the inventory is reviewed"), 1,
           "error[GP0103]"),
      says("a name that is not declared", with("gpus of live", "gpus of liev"), 1, "did you mean `live`?"),
      says("an unknown unit", with("16 gpus of live", "16 gpsu of live"), 1, "did you mean `gpu`?"),
      says("a unit of another kind", with("16 gpus of live", "16 min of live"), 1, "error[GP0203]"),
      says("10^30 GPUs", with("16 gpus of live", "1000000000000000000000000000000 gpus of live"), 1, "error[GP0207]"),
      says("10^30 nodes", with("count 6", "count 1000000000000000000000000000000"), 1, "error[GP0207]"),
      says("a product over 64 bits", with("count 6", "count 1000000000000"), 1, "too much to count with"),
      says("10^30 days", with("ready within 4min", "ready within 1000000000000000000000000000000d"), 1,
           "error[GP0207]"),
      says("a negative count", with("16 gpus of live", "-16 gpus of live"), 1, "a number cannot be negative"),
      says("no GPUs at all", with("16 gpus of live", "0 gpus of live"), 1, "`reserve` of 0 gpus"),
      says("no nodes at all", with("count 6", "count 0"), 1, "error[GP0"),
      says("more nodes lost than there are", with("tolerate 1 lost", "tolerate 99999 lost"), 1, "error[GP"),
      says("cohorts in a circle", good_policy() + "cohort a in b\ncohort b in c\ncohort c in a\n", 1, "error[GP0301]"),
      says("an import of /etc/passwd", "import \"/etc/passwd\"\n" + good_policy(), 1, "error[GP0312]"),
      says("an import that climbs out", "import \"../../../../../../../../etc/passwd\"\n", 1, "error[GP0312]"),
      says("a file that imports itself", "import \"p.gpol\"\n", 1, "imports itself"),
      says("an import that is not there", "import \"nothing.gpol\"\n", 1, "is not there"),
      says("definitions that double without end", doubling("$d{0} $d{0}"), 1, "error[GP0104]"),
      says("definitions that double and hold nothing", doubling("$d{0}$d{0}$d{0}$d{0}$d{0}$d{0}$d{0}$d{0}$d{0}$d{0}"),
           1, "error[GP0104]"),
      says("a definition of itself", "define a { $b }\ndefine b { $a }\n$a\n", 1, "is made of itself"),
      says("a NUL byte", with("tenant chat", "tenant ch" + nul + "at"), 1, "U+0000 is not allowed anywhere"),
      says("a NUL byte names its place", "class a : A { }\nclass b" + nul + " : A { }\n", 1, "p.gpol:2:8"),
      says("invalid UTF-8",
           with("tenant chat",
                "tenant ch\xFF"
                "at"),
           1, "byte 0xFF is not valid UTF-8"),
      says("invalid UTF-8 in a comment, with its place", "class a : A { }\n# \xC3\xA9 \xE9\n", 1, "p.gpol:2:5"),
      says("UTF-16, little end first", utf16(good_policy(), false), 1, "byte 0xFF is not valid UTF-8"),
      says("UTF-16, big end first", utf16(good_policy(), true), 1, "byte 0xFE is not valid UTF-8"),
      says("text that turns the reading direction", with("reviewed", "re\xE2\x80\xAEviewed"), 1, "U+202E"),
      says("CRLF is fine", with("\n", "\r\n"), 0, "proven under"),
      says("CRLF, and the place of a mistake", "class a : A { }\r\nclass b : A { }\r\n  tenantt x { }\r\n", 1,
           "p.gpol:3:3"),
      says("a byte order mark is fine", "\xEF\xBB\xBF" + good_policy(), 0, "proven under"),
      says("a byte order mark, and the place of a mistake", "\xEF\xBB\xBFtenantt x { }\n", 1, "p.gpol:1:1\n"),
      says("a byte order mark in the middle", good_policy() + "\xEF\xBB\xBF", 1, "U+FEFF"),
      says("nothing at all is a module", "", 0, "nothing to prove"),
      says("another language", "language 999999999999999999999999\n", 1, "write `language 1`"),
      says("terminal escapes are not passed on", with("tenant chat", "tenant \x1B[31mchat"), 1, "U+001B"),
  };
}

}  // namespace gpol::test
