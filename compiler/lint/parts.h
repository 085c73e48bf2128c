// What the lints share. Private to compiler/lint.
#pragma once

#include "compiler/lint/lint.h"

namespace gpol::lints {

struct Input {
  const SourceSet& sources;
  const Definitions& definitions;
  std::span<const ast::File> files;
  const Policy& policy;
  FileId own() const { return files.front().file; }
};

inline bool within(Span inner, Span outer) {
  return inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end;
}

// Whether the author wrote this text once, in the policy's own file, and not for a definition to make something of.
bool written_here(const Input& in, Span span);

// What is to be taken out to take out `item`, which begins with or holds `name`; unknown where that cannot be told,
// because definitions stand in it.
Span removable(const Input& in, Span name, Span item);

// A warning whose hint is to take `whole` out; unknown: it is for the author to find it.
Diagnostic& superfluous(std::vector<Diagnostic>& out, Code code, Span at, Span whole, std::string message,
                        std::string hint);

void lint_definitions(const Input& in, std::vector<Diagnostic>& out);
void lint_declarations(const Input& in, std::vector<Diagnostic>& out);
void lint_allows(const Input& in, std::vector<Diagnostic>& out);
void lint_promises(const Input& in, std::vector<Diagnostic>& out);

}  // namespace gpol::lints
