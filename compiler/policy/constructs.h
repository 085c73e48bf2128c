// What every construct of the language does: one row for each rule and each named alternative of grammar/GpolParser.g4.
// docs/language.md shows the table (`gpol explain constructs` writes it) and tests/constructs holds it against the
// grammar, the goldens and the output. A construct that is planned is parsed, resolved and checked like any other; each
// use of it is one required obligation of its family that is not analysed.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gpol {

struct Construct {
  std::string_view rule;     // "classSlo"
  std::string_view words;    // as an author knows it: "slo"
  std::string_view proven;   // the families that use it, or the check that is all of it
  std::string_view emitted;  // what it becomes in the manifests
  std::string_view planned;  // the family that will prove it: a name of checker/report
  std::string_view told;     // where it is only told
  std::string_view part;     // the construct that it is a part of, which has the row
};

std::span<const Construct> constructs();
const Construct* construct(std::string_view rule);
// Manifests without it would mean something else than the policy says, and no emitter writes it yet: `build` refuses.
bool is_unwritten(std::string_view rule);
// The rows as a table in Markdown.
std::string construct_table();

}  // namespace gpol
