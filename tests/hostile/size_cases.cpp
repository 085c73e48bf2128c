// Bad input: how much of it there is.
#include <fmt/format.h>

#include <random>

#include "tests/hostile/cases.h"
#include "tests/hostile/program.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20U;

// Made only when it is played: the texts are large.
Case holds(const char* name, std::function<std::string()> text, int exit, std::string phrase) {
  return {name, [text = std::move(text)](const auto& dir) { write_text(dir / "p.gpol", text()); }, "p.gpol", exit,
          std::move(phrase)};
}

std::string times(std::size_t n, std::string_view part) {
  std::string out;
  out.reserve(n * part.size());
  for (std::size_t i = 0; i < n; ++i) out += part;
  return out;
}

// n parts, each made from its number.
std::string each(std::size_t n, const std::function<std::string(std::size_t)>& part) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += part(i);
  return out;
}

std::string batch_tenant(std::size_t i, const char* end) {
  return fmt::format("tenant t{0} {{ namespace n{0}; class batch; quota 1 gpus of burst }}{1}", i, end);
}

std::string noise(std::size_t bytes) {
  std::mt19937 random(7);
  std::string out;
  while (out.size() < bytes) out += static_cast<char>(random() % 256);
  return out;
}

std::string on_one_line() {
  std::string text = good_policy();
  for (char& c : text)
    if (c == '\n') c = ' ';  // it has no comments
  return text;
}

}  // namespace

std::vector<Case> cases_of_size() {
  return {
      holds(
          "blocks nested 100,000 deep", [] { return "tenant a " + times(100'000, "{") + times(100'000, "}"); }, 1,
          "this is nested more than 16 deep"),
      holds(
          "blocks opened 100,000 times", [] { return times(100'000, "tenant a {"); }, 1, "error[GP010"),
      holds(
          "200,000 open parentheses", [] { return times(200'000, "("); }, 1, "error[GP0101]"),
      holds(
          "200,000 open parentheses in a clause",
          [] { return "class a : C { grace 1s " + times(200'000, "(") + "}\n"; }, 1,
          "this is nested more than 16 deep"),
      holds(
          "100,000 cohorts in a circle",
          [] {
            return each(100'000, [](auto i) { return fmt::format("cohort c{} in c{}\n", i, i + 1); }) +
                   "cohort c100000 in c0\n";
          },
          1, "error[GP0301]"),
      holds(
          "one line of 5 MB, a word", [] { return std::string(5 * kMiB, 'x'); }, 1, "longer than 4096 bytes"),
      holds(
          "one line of 5 MB, a number", [] { return "language " + std::string(5 * kMiB, '9'); }, 1,
          "longer than 4096 bytes"),
      holds(
          "one line of 5 MB, a comment", [] { return good_policy() + "# " + std::string(5 * kMiB, 'x'); }, 0,
          "proven under"),
      holds(
          "one line of 5 MB, a word of the language", [] { return times(5 * kMiB / 7, "tenant "); }, 1,
          "more than 200 mistakes"),
      holds(
          "one line of 5 MB, the same class", [] { return times(240'000, "class a : A { }      "); }, 1,
          "class `a` is declared twice"),
      holds(
          "one line of 5 MB, unknown names",
          [] { return each(80'000, [](auto i) { return fmt::format("tenant t{} {{ namespace n; class z }} ", i); }); },
          1, "class `z` is not declared"),
      holds(
          "one line, 5,000 tenants",
          [] { return on_one_line() + each(5'000, [](auto i) { return batch_tenant(i, " "); }); }, 0, "proven under"),
      holds(
          "50 MB of spaces", [] { return good_policy() + std::string(50 * kMiB, ' '); }, 0, "proven under"),
      holds(
          "50 MB of comments",
          [] { return good_policy() + times(kMiB, "# not a word of the language, and so to the next\n"); }, 0,
          "proven under"),
      holds(
          "50 MB of NUL bytes", [] { return std::string(50 * kMiB, '\0'); }, 1, "U+0000 is not allowed anywhere"),
      holds(
          "50 MB of braces, the closing ones first", [] { return times(25 * kMiB, "}{"); }, 1, "error[GP0101]"),
      holds(
          "50 MB of empty blocks", [] { return times(25 * kMiB, "{}"); }, 1, "error[GP0101]"),
      holds(
          "50 MB of noise", [] { return noise(50 * kMiB); }, 1, "is not valid UTF-8"),
      holds(
          "50 MB of classes",
          [] { return each(2'400'000, [](auto i) { return fmt::format("class c{} : A {{ }}\n", i); }); }, 1,
          "more than 250000 declarations"),
      holds(
          "50 MB of tenants",
          [] { return good_policy() + each(800'000, [](auto i) { return batch_tenant(i, "\n"); }); }, 1,
          "more than 250000 declarations"),
      holds(
          "200,000 tenants", [] { return good_policy() + each(200'000, [](auto i) { return batch_tenant(i, "\n"); }); },
          1, "gpol proves no more than 100000"),
      holds(
          "50 MB in one declaration", [] { return "class a : C { runs Job" + times(8 * kMiB, ", Job") + " }"; }, 1,
          "more than 100000 words"),
      holds(
          "a file over 64 MiB", [] { return std::string(64 * kMiB + 1, ' '); }, 1, "is larger than 64 MiB"),
      holds(
          "as many mistakes as declarations",
          [] {
            return good_policy() + times(100'000, "allow finetune to borrow up to 8 gpus of shared from search\n");
          },
          1, "more than 200 mistakes"),
      holds(
          "as many classes as tenants",
          [] {
            return good_policy() + each(20'000, [](auto i) {
                     return fmt::format("class c{0} : C {{ runs Job; grace 1s (saved in 1s); kill margin 1s }}\n", i);
                   });
          },
          1, "gpol proves no more than 256"),
      holds(
          "5,000 tenants of batch on ten nodes",
          [] { return good_policy() + each(5'000, [](auto i) { return batch_tenant(i, "\n"); }); }, 0, " more tenants"),
  };
}

}  // namespace gpol::test
