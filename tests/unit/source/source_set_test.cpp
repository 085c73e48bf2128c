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

TEST_CASE("source set: texts stay where they are when more files are added") {
  SourceSet sources;
  const FileId first = sources.add("a", "first");
  const std::string_view text = sources.slice({first, 0, 5});
  for (int i = 0; i < 1000; ++i) sources.add("b", "more");
  CHECK(text == "first");
  CHECK(text.data() == sources.text(first).data());
  CHECK(sources.path(first) == "a");
}
