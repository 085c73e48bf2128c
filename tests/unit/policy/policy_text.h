// Resolves policies written as text, for tests: the parser reads them, and what is found comes back as one line per
// diagnostic: `GP0201 2:10 [slice] message`, then ` | label` and ` > hint`.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "compiler/policy/resolve.h"
#include "compiler/source/source_set.h"
#include "compiler/syntax/parse.h"
#include "tests/support/catch.h"

namespace gpol::test {

// One line, so that what a test writes below it starts at line 2. Nodes of `h100` leave 184 cpu, 1984 GiB and 100 pods.
inline const std::string kCluster =
    "cluster east { scheduler kueue "
    "nodes h100 { count 4 each 8 gpus, 192 cpu, 2 TiB, 110 pods daemons take 8 cpu, 64 GiB, 10 pods } "
    "nodes spots { count 0..10 each 8 gpus, 192 cpu, 2 TiB, 110 pods spot notice 120s } "
    "pool live on h100 take 2 nodes pool shared on h100 take the rest pool burst on spots } "
    "class realtime : A { } class standard : B { ready within 4min } class batch : C { }\n";

// Likewise with a tenant of each class: line 1 is kCluster, line 2 these.
inline const std::string kTenants = kCluster +
                                    "tenant chat { namespace chat class realtime reserve 8 gpus of live } "
                                    "tenant search { namespace search class standard reserve 8 gpus of shared } "
                                    "tenant train { namespace train class batch quota 8 gpus of burst }\n";

struct Resolved {
  SourceSet sources;
  Outcome<std::optional<Policy>> outcome;

  explicit Resolved(const std::vector<std::string>& texts) {
    std::vector<ast::File> files;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      auto parsed = parse(sources, sources.add(fmt::format("{}.gpol", i), texts[i]));
      for (const auto& d : parsed.diagnostics) FAIL_CHECK("does not parse: " << line(d));
      files.push_back(std::move(parsed.value));
    }
    outcome = resolve(files);
    // The tree is gone now: nothing that was found may point into it.
    files.clear();
  }
  explicit Resolved(const std::string& text) : Resolved(std::vector<std::string>{text}) {}

  std::string line(const Diagnostic& d) const {
    const LineColumn at = sources.position(d.span.file, d.span.begin);
    return fmt::format("{} {}:{} [{}] {}", to_string(d.code), at.line, at.column, sources.slice(d.span), d.message);
  }
  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    for (const auto& d : outcome.diagnostics) all.push_back(line(d));
    return all;
  }
  const Policy& policy() const {
    for (const auto& d : outcome.diagnostics) UNSCOPED_INFO(line(d));
    REQUIRE(outcome.value.has_value());
    return *outcome.value;
  }
};

// The text, resolved, gives exactly these diagnostics, in this order, and no policy.
inline void refuses(const std::string& text, const std::vector<std::string>& expected) {
  CAPTURE(text);
  const Resolved resolved(text);
  CHECK(resolved.lines() == expected);
  CHECK_FALSE(resolved.outcome.value.has_value());
}

// As above with the hint of the only diagnostic, and the slices that its labels point at.
inline void refuses(const std::string& text, const std::string& expected, const std::string& hint,
                    const std::vector<std::string>& labels) {
  CAPTURE(text);
  const Resolved resolved(text);
  CHECK(resolved.lines() == std::vector<std::string>{expected});
  CHECK_FALSE(resolved.outcome.value.has_value());
  if (resolved.outcome.diagnostics.empty()) return;
  const Diagnostic& d = resolved.outcome.diagnostics.front();
  CHECK(d.hint == hint);
  std::vector<std::string> found;
  for (const auto& label : d.labels)
    found.push_back(fmt::format("{}: {}", resolved.sources.slice(label.span), label.text));
  CHECK(found == labels);
}

inline void accepts(const std::string& text) {
  CAPTURE(text);
  const Resolved resolved(text);
  CHECK(resolved.lines() == std::vector<std::string>{});
  CHECK(resolved.outcome.value.has_value());
}

}  // namespace gpol::test
