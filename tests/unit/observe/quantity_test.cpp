#include "checker/observe/quantity.h"

#include "tests/support/catch.h"

namespace gpol::manifest {
namespace {

constexpr std::int64_t kBad = INT64_MIN;
constexpr std::int64_t kUnlimited = INT64_MAX;

struct Case {
  const char* text;
  std::int64_t cpu, other;
};

// Chosen by hand; the values are what resource.ParseQuantity, MilliValue and Value of k8s.io/apimachinery v0.36.3 give
// for them, kUnlimited where Kueue's AmountFromQuantity gives its sentinel, kBad where parsing or the pattern of the
// CRDs' fields fails.
constexpr Case kCases[] = {
    {"0", 0, 0},
    {"1", 1000, 1},
    {"8", 8000, 8},
    {"007", 7000, 7},
    {"+5", 5000, 5},
    {"-5", -5000, -5},
    {"-0.5", -500, -1},
    {"0.5", 500, 1},
    {".5", 500, 1},
    {"5.", 5000, 5},
    {"1.5", 1500, 2},
    {"500m", 500, 1},
    {"1m", 1, 1},
    {"100u", 1, 1},
    {"1n", 1, 1},
    {"999n", 1, 1},
    {"1000001n", 2, 1},
    {"1500m", 1500, 2},
    {"2k", 2000000, 2000},
    {"2K", kBad, kBad},
    {"2M", 2000000000, 2000000},
    {"3G", 3000000000000, 3000000000},
    {"1T", 1000000000000000, 1000000000000},
    {"1P", 1000000000000000000, 1000000000000000},
    {"1E", kUnlimited, 1000000000000000000},
    {"2Ki", 2048000, 2048},
    {"1Mi", 1048576000, 1048576},
    {"1Gi", 1073741824000, 1073741824},
    {"2Ti", 2199023255552000, 2199023255552},
    {"1Pi", 1125899906842624000, 1125899906842624},
    {"1Ei", kUnlimited, 1152921504606846976},
    {"7Ei", kUnlimited, 8070450532247928832},
    {"8Ei", kUnlimited, kUnlimited},
    {"1.5Gi", 1610612736000, 1610612736},
    {"0.1Ki", 102400, 103},
    {"1.0000001Gi", 1073741931375, 1073741932},
    {"1e3", 1000000, 1000},
    {"1E3", 1000000, 1000},
    {"1e+3", 1000000, 1000},
    {"1e-3", 1, 1},
    {"1e-9", 1, 1},
    {"1e-12", 1, 1},
    {"2.5e2", 250000, 250},
    {"1e18", kUnlimited, 1000000000000000000},
    {"1e19", kUnlimited, kUnlimited},
    {"12345678901234567890", kUnlimited, kUnlimited},
    {"9223372036854775806", kUnlimited, 9223372036854775806},
    {"9223372036854775807", kUnlimited, kUnlimited},
    {"9223372036854774", 9223372036854774000, 9223372036854774},
    {"9223372036854775", kUnlimited, 9223372036854775},
    {"9223372036854774999m", 9223372036854774999, 9223372036854775},
    {"0.000000000000000000001", 1, 1},
    {"100000000000000000000000n", 100000000000000000, 100000000000000},
    {"123456789.123456789", 123456789124, 123456790},
    {"123456789.1234567891", 123456789124, 123456790},
    {"0000000000000000000000000001", 1000, 1},
    {"960Gi", 1030792151040000, 1030792151040},
    {"1932735283200", 1932735283200000, 1932735283200},
    {"", kBad, kBad},
    {" ", kBad, kBad},
    {".", kBad, kBad},
    {"-", kBad, kBad},
    {"+", kBad, kBad},
    {"m", kBad, kBad},
    {"Gi", kBad, kBad},
    {"e3", kBad, kBad},
    {"1e", kBad, kBad},
    {"1e1.5", kBad, kBad},
    {"1 Gi", kBad, kBad},
    {"1gi", kBad, kBad},
    {"1KI", kBad, kBad},
    {"1kB", kBad, kBad},
    {"1mi", kBad, kBad},
    {"1MiB", kBad, kBad},
    {"0x10", kBad, kBad},
    {"1_000", kBad, kBad},
    {"1,5", kBad, kBad},
    {"--1", kBad, kBad},
    {"1.2.3", kBad, kBad},
    {"NaN", kBad, kBad},
    {"inf", kBad, kBad},
    {"١", kBad, kBad},
};

std::int64_t value_of(const Amount& amount) {
  switch (amount.status) {
    case Amount::Status::Ok:
      return amount.value;
    case Amount::Status::Malformed:
      return kBad;
    case Amount::Status::Unlimited:
      return kUnlimited;
  }
  return 0;
}

TEST_CASE("quantities are what Kubernetes takes them for") {
  for (const auto& c : kCases) {
    INFO("quantity " << c.text);
    CHECK(value_of(amount_of(c.text, "cpu")) == c.cpu);
    CHECK(value_of(amount_of(c.text, "nvidia.com/gpu")) == c.other);
  }
}

TEST_CASE("quantities with very many digits are exact and quick") {
  const std::string zeros(1'000'000, '0');
  CHECK(value_of(amount_of("1" + zeros, "memory")) == kUnlimited);
  CHECK(value_of(amount_of("0." + zeros + "1", "memory")) == 1);
  CHECK(value_of(amount_of("7." + zeros, "memory")) == 7);
  CHECK(value_of(amount_of("0." + zeros + "1Ei", "memory")) == 1);
  CHECK(value_of(amount_of(zeros + "12", "cpu")) == 12000);
}

TEST_CASE("exponents that nobody means are malformed") {
  CHECK(value_of(amount_of("0e4294967297", "memory")) == kBad);
  CHECK(value_of(amount_of("1e100", "memory")) == kBad);
  CHECK(value_of(amount_of("1e99", "memory")) == kUnlimited);
  CHECK(value_of(amount_of("1e-99", "memory")) == 1);
}

TEST_CASE("plain decimals keep nine places and no more zeros than needed") {
  const std::pair<const char*, const char*> cases[] = {
      {"1", "1"}, {"1.0", "1"},     {"500m", "0.5"},       {"0.50", "0.5"},         {"2k", "2000"},  {"1Ki", "1024"},
      {"0", "0"}, {"-1.5", "-1.5"}, {"1n", "0.000000001"}, {"0.1n", "0.000000001"}, {"nonsense", ""}};
  for (const auto& [text, expected] : cases) CHECK(plain_decimal(text) == expected);
}

}  // namespace
}  // namespace gpol::manifest
