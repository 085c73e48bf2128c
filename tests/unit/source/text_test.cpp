#include "compiler/source/text.h"

#include <set>
#include <vector>

#include "compiler/source/utf8.h"
#include "tests/support/catch.h"

namespace gpol {
namespace {

using Words = std::vector<std::string>;

TEST_CASE("lists are told in words") {
  CHECK(listed(Words{}).empty());
  CHECK(listed(Words{"a"}) == "a");
  CHECK(listed(Words{"a", "b"}) == "a and b");
  CHECK(listed(Words{"a", "b", "c"}) == "a, b and c");
  CHECK(listed_up_to(2, Words{}).empty());
  CHECK(listed_up_to(2, Words{"a", "b"}) == "a, b");
  CHECK(listed_up_to(2, std::set<std::string>{"a", "b", "c", "d"}) == "a, b and 2 more");
  CHECK(listed_up_to(1, Words{"a", "b"}, [](const std::string& word) { return "`" + word + "`"; }) == "`a` and 1 more");
  std::string list;
  add_to_list(list, "a", "; ");
  add_to_list(list, "b", "; ");
  CHECK(list == "a; b");
}

TEST_CASE("digits and letters are those of ASCII") {
  CHECK(only_digits(""));
  CHECK(only_digits("0019"));
  CHECK_FALSE(only_digits("1a"));
  CHECK(is_alphanumeric('Z'));
  CHECK_FALSE(is_letter('_'));
  CHECK_FALSE(is_letter('\xC3'));
}

TEST_CASE("code points out of bytes, and into bytes") {
  for (const std::uint32_t point : {0x41U, 0xE9U, 0x20ACU, 0x1F600U, 0x10FFFFU}) {
    std::string text;
    append_utf8(text, point);
    const CodePoint read = decode(text, 0);
    CHECK(read.valid);
    CHECK(read.value == point);
    CHECK(read.length == text.size());
    CHECK(code_points("a" + text) == 2);
    CHECK_FALSE(decode(text.substr(0, text.size() - 1) + "a", 0).value == point);
  }
  for (const char* bad : {"\x80", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82"}) {
    CHECK_FALSE(decode(bad, 0).valid);
    CHECK(decode(bad, 0).length == 1);
  }
}

}  // namespace
}  // namespace gpol
