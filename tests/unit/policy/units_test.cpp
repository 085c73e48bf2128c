#include "compiler/policy/units.h"

#include <string>
#include <utility>

#include "compiler/policy/codes.h"
#include "compiler/source/codes.h"
#include "tests/support/catch.h"

namespace gpol {

namespace {

ast::Quantity quantity(std::string number, std::string unit) { return {std::move(number), std::move(unit), {0, 3, 9}}; }

struct Read {
  std::optional<Amount> amount;
  std::vector<Diagnostic> found;
};

Read read(std::string number, std::string unit) {
  Read result;
  std::vector<Dimension> all;
  for (int i = static_cast<int>(Dimension::Count); i <= static_cast<int>(Dimension::Money); ++i)
    all.push_back(static_cast<Dimension>(i));
  result.amount = amount(quantity(std::move(number), std::move(unit)), all, "anything", "8 gpus", result.found);
  return result;
}

void reads(std::string number, std::string unit, Dimension dimension, std::int64_t value) {
  CAPTURE(number, unit);
  const Read result = read(std::move(number), std::move(unit));
  REQUIRE(result.amount.has_value());
  CHECK(result.amount->dimension == dimension);
  CHECK(result.amount->value == value);
  CHECK(result.found.empty());
}

void refuses(std::string number, std::string unit, Code code, const std::string& message, const std::string& hint) {
  CAPTURE(number, unit);
  const Read result = read(std::move(number), std::move(unit));
  CHECK_FALSE(result.amount.has_value());
  REQUIRE(result.found.size() == 1);
  CHECK(result.found[0].code == code);
  CHECK(result.found[0].message == message);
  CHECK(result.found[0].hint == hint);
  CHECK(result.found[0].span == Span{0, 3, 9});
}

TEST_CASE("every unit is its number of base units") {
  reads("6", "", Dimension::Count, 6);
  reads("1", "gpu", Dimension::Gpus, 1);
  reads("8", "gpus", Dimension::Gpus, 8);
  for (const char* unit : {"cpu", "cpus", "core", "cores"}) reads("2", unit, Dimension::Cpu, 2000);
  reads("0.5", "cpu", Dimension::Cpu, 500);
  reads("0.001", "cpu", Dimension::Cpu, 1);
  reads("110", "pods", Dimension::Pods, 110);
  reads("1", "pod", Dimension::Pods, 1);
  reads("7", "B", Dimension::Memory, 7);
  reads("1", "kB", Dimension::Memory, 1000);
  reads("1", "KB", Dimension::Memory, 1000);
  reads("1", "MB", Dimension::Memory, 1000000);
  reads("1", "GB", Dimension::Memory, 1000000000);
  reads("1", "TB", Dimension::Memory, 1000000000000);
  reads("1", "PB", Dimension::Memory, 1000000000000000);
  reads("1", "KiB", Dimension::Memory, 1024);
  reads("1", "MiB", Dimension::Memory, 1048576);
  reads("1", "GiB", Dimension::Memory, 1073741824);
  reads("2", "TiB", Dimension::Memory, 2199023255552);
  reads("1", "PiB", Dimension::Memory, 1125899906842624);
  reads("1.5", "GiB", Dimension::Memory, 1610612736);
  reads("250", "ms", Dimension::Time, 250);
  reads("60", "s", Dimension::Time, 60000);
  reads("4", "min", Dimension::Time, 240000);
  reads("1.5", "h", Dimension::Time, 5400000);
  reads("1", "d", Dimension::Time, 86400000);
}

TEST_CASE("zero and trailing zeros are numbers like others") {
  reads("0", "gpus", Dimension::Gpus, 0);
  reads("8.000", "gpus", Dimension::Gpus, 8);
  reads("0.0", "s", Dimension::Time, 0);
  reads("1.50000000000000000000000000000000000000", "cpu", Dimension::Cpu, 1500);
}

TEST_CASE("a number that is not whole in base units is out of range") {
  refuses("1.5", "gpus", code::OutOfRange, "`1.5 gpus` is not a whole number of GPUs", "write a whole number");
  refuses("1.5", "", code::OutOfRange, "`1.5` is not a whole number", "write a whole number");
  refuses("0.0001", "cpu", code::OutOfRange, "`0.0001 cpu` is not a whole number of millicores",
          "write a whole number of a smaller unit");
  refuses("0.3", "KiB", code::OutOfRange, "`0.3 KiB` is not a whole number of bytes",
          "write a whole number of a smaller unit");
  refuses("0.0001", "s", code::OutOfRange, "`0.0001s` is not a whole number of milliseconds",
          "write a whole number of a smaller unit");
}

TEST_CASE("a number beyond what gpol counts is out of range, however long") {
  reads("1125899906842624", "gpus", Dimension::Gpus, kLargestAmount);
  refuses("1125899906842625", "gpus", code::OutOfRange, "`1125899906842625 gpus` is too large",
          "the largest number is 1125899906842624 gpus");
  refuses("1.5", "PiB", code::OutOfRange, "`1.5 PiB` is too large", "the largest number is 1 PiB");
  refuses("1" + std::string(30, '0'), "", code::OutOfRange, "`1" + std::string(30, '0') + "` is too large",
          "the largest number is 1125899906842624");
  refuses(std::string(100000, '9'), "d", code::OutOfRange, "`" + std::string(32, '9') + "...d` is too large",
          "the largest number is 13031248d");
}

TEST_CASE("a leading zero is refused: it reads as octal to some") {
  refuses("08", "gpus", code::OutOfRange, "`08 gpus` starts with a zero", "write `8`");
  refuses("00", "s", code::OutOfRange, "`00s` starts with a zero", "write `0`");
}

TEST_CASE("an unknown unit names the nearest") {
  const auto unknown = [](const char* unit, const char* hint) {
    refuses("8", unit, code::UnknownUnit, std::string("`") + unit + "` is not a unit that gpol knows", hint);
  };
  unknown("gups", "did you mean `gpus`?");
  unknown("GPUs", "did you mean `gpus`?");
  unknown("Gi", "did you mean `GiB`?");
  unknown("gib", "did you mean `GiB`?");
  unknown("m", "did you mean `min`?");
  unknown("seconds", "did you mean `s`?");
  unknown("vCPU", "did you mean `cpu`?");
}

TEST_CASE("an unknown unit that is near to nothing names those of its place") {
  const auto hint = [](const char* unit, std::vector<Dimension> expected) {
    std::vector<Diagnostic> found;
    CHECK_FALSE(amount(quantity("8", unit), expected, "an amount", "8", found));
    REQUIRE(found.size() == 1);
    CHECK(found[0].code == code::UnknownUnit);
    return found[0].hint;
  };
  CHECK(hint("~", {Dimension::Time}) == "the units here are ms, s, min, h and d");
  CHECK(hint("~", {Dimension::Percent}) == "the unit here is %");
  CHECK(hint("~", {Dimension::Count}).empty());
  // Neither a near word nor a common slip of another kind is offered.
  const std::vector<Dimension> limit = {Dimension::Requests, Dimension::Tokens, Dimension::Streams};
  const std::string units = "the units here are streams, req/s, req/min, req/h, tokens/s, tokens/min and tokens/h";
  for (const char* other : {"~", "GPUs", "seconds", "foo/min"}) CHECK(hint(other, limit) == units);
  CHECK(hint("qps", limit) == "did you mean `req/s`?");
  CHECK(hint("stream/", limit) == "did you mean `stream`?");
}

TEST_CASE("a duration, a count and an amount do not mix") {
  std::vector<Diagnostic> found;
  CHECK_FALSE(duration(quantity("8", "gpus"), "a duration", found).has_value());
  CHECK_FALSE(duration(quantity("8", ""), "a duration", found).has_value());
  CHECK_FALSE(count(quantity("60", "s"), "a number of nodes", found).has_value());
  const ast::Quantity mixed[] = {quantity("8", "gpus"), quantity("60", "s"), quantity("7", "")};
  CHECK_FALSE(resources(mixed, "an amount", found).has_value());
  REQUIRE(found.size() == 5);
  for (const auto& d : found) CHECK(d.code == code::WrongUnit);
  CHECK(found[0].message == "expected a duration such as `60s`, found `8 gpus`");
  CHECK(found[1].message == "expected a duration such as `60s`, found `8`");
  CHECK(found[2].message == "expected a number of nodes such as `6`, found `60s`");
  CHECK(found[3].message == "expected an amount such as `8 gpus, 128 cpu, 960 GiB`, found `60s`");
  CHECK(found[4].message == "expected an amount such as `8 gpus, 128 cpu, 960 GiB`, found `7`");
}

TEST_CASE("one mistake of a unit is one diagnostic") {
  std::vector<Diagnostic> found;
  CHECK_FALSE(duration(quantity("8.5", "gpus"), "a duration", found).has_value());
  CHECK_FALSE(duration(quantity("8.5", "second"), "a duration", found).has_value());
  REQUIRE(found.size() == 2);
  CHECK(found[0].code == code::WrongUnit);
  CHECK(found[1].code == code::UnknownUnit);
}

TEST_CASE("amounts say which resources were written") {
  std::vector<Diagnostic> found;
  const ast::Quantity written[] = {quantity("8", "gpus"), quantity("960", "GiB")};
  const auto all = resources(written, "an amount", found);
  REQUIRE(all.has_value());
  CHECK(all->amounts[Resource::Gpu] == 8);
  CHECK(all->amounts[Resource::Memory] == 1030792151040);
  CHECK(all->stated == std::array<bool, kCommonResources>{false, true, true, false});
  CHECK(found.empty());
}

TEST_CASE("a resource written twice is refused, whatever its units") {
  std::vector<Diagnostic> found;
  const ast::Quantity written[] = {quantity("1", "GiB"), {"2", "GB", {0, 20, 24}}};
  CHECK_FALSE(resources(written, "an amount", found).has_value());
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == code::DuplicateClause);
  CHECK(found[0].message == "memory is given twice");
  CHECK(found[0].span == Span{0, 20, 24});
  REQUIRE(found[0].labels.size() == 1);
  CHECK(found[0].labels[0].span == Span{0, 3, 9});
}

TEST_CASE("amounts and durations read back in words, exactly") {
  CHECK(human_amount(Resource::Gpu, 1) == "1 GPU");
  CHECK(human_amount(Resource::Gpu, 8) == "8 GPUs");
  CHECK(human_amount(Resource::Gpu, 0) == "0 GPUs");
  CHECK(human_amount(Resource::Cpu, 23000) == "23 cpu");
  CHECK(human_amount(Resource::Cpu, 1500) == "1.5 cpu");
  CHECK(human_amount(Resource::Cpu, 1) == "0.001 cpu");
  CHECK(human_amount(Resource::Cpu, 20000) == "20 cpu");
  CHECK(human_amount(Resource::Cpu, 0) == "0 cpu");
  CHECK(human_amount(Resource::Pods, 1) == "1 pod");
  CHECK(human_amount(Resource::Pods, 100) == "100 pods");
  CHECK(human_amount(Resource::Memory, 1030792151040) == "960 GiB");
  CHECK(human_amount(Resource::Memory, 2199023255552) == "2 TiB");
  CHECK(human_amount(Resource::Memory, 1610612736) == "1536 MiB");
  CHECK(human_amount(Resource::Memory, 1000000000) == "1 GB");
  CHECK(human_amount(Resource::Memory, 1000) == "1 kB");
  CHECK(human_amount(Resource::Gpu, 2000000000000000000) == "2E GPUs");
  CHECK(human_amount(Resource::Gpu, 2000000000000000001) == "2000000000000000001 GPUs");
  CHECK(human_amount(Resource::Cpu, 8000000000000000) == "8T cpu");
  CHECK(human_amount(Resource::Memory, std::int64_t{3} << 60U) == "3 EiB");
  CHECK(human_amount(Resource::Memory, std::int64_t{5} << 50U) == "5 PiB");
  CHECK(human_amount(Resource::Memory, 7) == "7 B");
  CHECK(human_amount(Resource::Memory, 0) == "0 B");
  CHECK(human_duration(0) == "0s");
  CHECK(human_duration(150000) == "2min 30s");
  CHECK(human_duration(60000) == "1min");
  CHECK(human_duration(90061001) == "1d 1h 1min 1s 1ms");
  CHECK(written_duration(0) == "0ms");
  CHECK(written_duration(150000) == "150s");
  CHECK(written_duration(240000) == "4min");
  CHECK(written_duration(1500) == "1500ms");
}

}  // namespace

}  // namespace gpol
