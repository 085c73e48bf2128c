// What every diagnostic and obligation is known by: GP0101. Each room has a header `codes.h` with the codes that are
// found there (one that two rooms find stands in the lower of them), so that a new code compiles few files again. It
// has a page docs/explain/GP0000.md, whose first line is its title (explain_pages.h), and at least one golden test;
// tests/unit/source/codes_test.cpp enforces all of it. Numbers are never reused.
//   GP01xx syntax   GP02xx names and types   GP03xx meaning of a policy   GP04xx lint   GP05xx files and running
//   GP06xx manifests of others
//   GP10xx claim    GP11xx reclaim   GP12xx capacity   GP13xx premises   GP14xx places on nodes, priorities
//   GP15xx vacuity   GP16xx planned   GP19xx artefact
#pragma once

#include <cstdint>
#include <string>

namespace gpol {

enum class Code : std::uint16_t;

std::string to_string(Code code);  // "GP0101"

}  // namespace gpol
