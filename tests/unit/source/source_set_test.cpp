// Lines and columns of offsets.
#include "compiler/source/source_set.h"
#include "tests/support/catch.h"

using namespace gpol;

TEST_CASE("source set: columns count code points, lines end at line breaks of both kinds") {
  SourceSet sources;
  const FileId file = sources.add("p.gpol", "ab\r\nöä日x\n\nend");
  const auto at = [&](std::uint32_t offset) {
    const LineColumn place = sources.position(file, offset);
    return std::pair(place.line, place.column);
  };
  CHECK(at(0) == std::pair(1, 1));
  CHECK(at(3) == std::pair(1, 4));  // the line feed belongs to its line
  CHECK(at(4) == std::pair(2, 1));
  CHECK(at(11) == std::pair(2, 4));  // x, after two characters of two bytes and one of three
  CHECK(at(13) == std::pair(3, 1));
  CHECK(at(17) == std::pair(4, 4));
  CHECK(at(9999) == std::pair(4, 4));  // past the end: the end
  CHECK(sources.line(file, 1) == "ab");
  CHECK(sources.line(file, 2) == "öä日x");
  CHECK(sources.line(file, 3) == "");
  CHECK(sources.line(file, 4) == "end");
  CHECK(sources.line(file, 5) == "");
  CHECK(sources.line(file, 0) == "");
}

TEST_CASE("source set: a byte order mark is no column and not shown") {
  SourceSet sources;
  const FileId file = sources.add("p.gpol",
                                  "\xEF\xBB\xBF"
                                  "ab\r\nc");
  CHECK(sources.position(file, 0).column == 1);
  CHECK(sources.position(file, 3).column == 1);
  CHECK(sources.position(file, 4).column == 2);
  CHECK(sources.position(file, 7).line == 2);
  CHECK(sources.position(file, 7).column == 1);
  CHECK(sources.line(file, 1) == "ab");
  const FileId only = sources.add("q.gpol", "\xEF\xBB\xBF");
  CHECK(sources.position(only, 9).column == 1);
  CHECK(sources.line(only, 1) == "");
  const FileId nothing = sources.add("r.gpol", "");
  CHECK(sources.position(nothing, 0).column == 1);
  CHECK(sources.line(nothing, 1) == "");
}

TEST_CASE("source set: columns of a line of megabytes are found at once") {  // one by one they would take minutes
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "\xC3\xA9x";
  SourceSet sources;
  const FileId file = sources.add("p.gpol", "first\n" + text + "\nlast");
  for (std::uint32_t i = 0; i < 1'000'000; i += 10) {
    REQUIRE(sources.position(file, 6 + 3 * i).column == static_cast<int>(2 * i + 1));
    REQUIRE(sources.line(file, 2).size() == 3'000'000);
  }
  CHECK(sources.line(file, 3) == "last");
}

TEST_CASE("source set: texts stay where they are when more files are added") {
  SourceSet sources;
  const FileId first = sources.add("a", "first");
  const std::string_view text = sources.slice({first, 0, 5});
  for (int i = 0; i < 1000; ++i) sources.add("b", "more");
  CHECK(text == "first");
  CHECK(text.data() == sources.text(first).data());
  CHECK(sources.path(first) == "a");
}
