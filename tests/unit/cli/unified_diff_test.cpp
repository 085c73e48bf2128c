// The diff, applied by a reader of its own, gives the text after; and it is short where little changed.
#include "cli/render/unified_diff.h"

#include <random>
#include <sstream>
#include <vector>

#include "tests/support/catch.h"

namespace gpol {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

struct Hunk {
  std::size_t at = 0, count = 1, to = 0, to_count = 1;
};

Hunk hunk_of(const std::string& line) {
  Hunk h;
  const auto range = [](std::istream& in, std::size_t& at, std::size_t& count) {
    in >> at;
    if (in.peek() == ',') in.ignore() >> count;
  };
  std::istringstream in(line.substr(4));
  range(in, h.at, h.count);
  in.ignore(2);
  range(in, h.to, h.to_count);
  return h;
}

// Strict: every number must be right, every line of context and every `-` line must stand there.
std::string patched(const std::string& before, const std::string& diff) {
  const auto old = lines_of(before);
  const auto script = lines_of(diff);
  REQUIRE(script.size() > 2);
  std::string out;
  std::size_t at = 0;
  std::size_t written = 0;
  for (std::size_t i = 2; i < script.size();) {
    REQUIRE(script[i].starts_with("@@ -"));
    const Hunk h = hunk_of(script[i++]);
    const std::size_t begin = h.count == 0 ? h.at : h.at - 1;
    REQUIRE(begin >= at);
    for (; at < begin; ++at, ++written) out += old.at(at);
    CHECK((h.to_count == 0 ? h.to : h.to - 1) == written);
    std::size_t taken = 0;
    std::size_t given = 0;
    for (; i < script.size() && !script[i].starts_with("@@ "); ++i) {
      std::string text = script[i].substr(1);
      if (i + 1 < script.size() && script[i + 1].starts_with("\\")) text.pop_back();
      if (script[i][0] == '\\') continue;
      if (script[i][0] != '+') {
        CHECK(old.at(at++) == text);
        ++taken;
      }
      if (script[i][0] != '-') {
        out += text;
        ++given;
      }
    }
    CHECK(taken == h.count);
    CHECK(given == h.to_count);
    written += given;
  }
  for (; at < old.size(); ++at) out += old[at];
  return out;
}

TEST_CASE("diff: equal texts have none") {
  CHECK(unified_diff("x", "", "") == "");
  CHECK(unified_diff("x", "a\n", "a\n") == "");
}

TEST_CASE("diff: a line that changes far from another has a hunk of its own") {
  CHECK(unified_diff("p", "a\nb  c\nd\ne\nf\ng\nh\ni\nj\nk ;\n", "a\nb c\nd\ne\nf\ng\nh\ni\nj\nk\n") ==
        "--- p\n+++ p\n@@ -1,5 +1,5 @@\n a\n-b  c\n+b c\n d\n e\n f\n@@ -7,4 +7,4 @@\n h\n i\n j\n-k ;\n+k\n");
}

TEST_CASE("diff: blank lines that go and lines that are broken leave the others alone") {
  CHECK(unified_diff("p", "a\n\n\n\nb\n", "a\n\nb\n") == "--- p\n+++ p\n@@ -1,5 +1,3 @@\n a\n \n-\n-\n b\n");
  CHECK(unified_diff("p", "a\nb{c;d}\ne\n", "a\nb{\nc\nd\n}\ne\n") ==
        "--- p\n+++ p\n@@ -1,3 +1,6 @@\n a\n-b{c;d}\n+b{\n+c\n+d\n+}\n e\n");
  CHECK(unified_diff("p", "\n\n", "") == "--- p\n+++ p\n@@ -1,2 +0,0 @@\n-\n-\n");
}

TEST_CASE("diff: applied to the text before it gives the text after, whatever the texts are") {
  std::mt19937 random(7);
  const auto draw = [&](std::size_t most) { return static_cast<std::size_t>(random() % (most + 1)); };
  const char* const words[] = {"a", "bb", "{", "}", "# c"};
  const char* const blanks[] = {" ", "\n", "\n\n", "  \n", ";\n", "\n", "\r\n", "\n"};
  const std::string mark = "\xEF\xBB\xBF";
  for (int round = 0; round < 3000; ++round) {
    std::string before = draw(9) == 0 ? mark : "";
    std::string after;
    for (std::size_t n = draw(40); n > 0; --n) {
      const std::string word = words[draw(4)];
      const std::string blank = blanks[draw(7)];
      before += word + blank;
      after += word + (draw(5) == 0 ? blanks[draw(7)] : blank);
      if (draw(60) == 0) after += "other";  // then it is longer, and still right
    }
    if (before == after) continue;
    INFO(before);
    INFO(after);
    CHECK(patched(before, unified_diff("p", before, after)) == after);
  }
}

}  // namespace
}  // namespace gpol
