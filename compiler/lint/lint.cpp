#include "compiler/lint/lint.h"

#include <algorithm>

#include "compiler/lint/parts.h"
#include "compiler/source/most.h"

namespace gpol {

namespace lints {

namespace {

// The one of them, which are in order and apart from each other, that holds the span.
const Span* holder(const std::vector<Span>& spans, Span span) {
  const auto next = std::ranges::upper_bound(spans, span.begin, {}, &Span::begin);
  return next == spans.begin() || !within(span, *(next - 1)) ? nullptr : &*(next - 1);
}

}  // namespace

bool written_here(const Input& in, Span span) {
  return whole_declaration(in.sources, in.definitions, in.own(), span).known();
}

Span removable(const Input& in, Span name, Span item) {
  const Span* holding = holder(in.definitions.holding, name);
  if (holding == nullptr) return item;
  if (within(item, *holding) && in.sources.slice(item).find('$') == std::string_view::npos &&
      item.begin != holding->begin)
    return item;
  return item.begin == holding->begin ? *holding : Span{};
}

Diagnostic& superfluous(std::vector<Diagnostic>& out, Code code, Span at, Span whole, std::string message,
                        std::string hint) {
  out.push_back(warning_at(code, at, std::move(message), std::move(hint)));
  if (whole.known()) out.back().edits.push_back({whole, ""});
  out.back().sure = whole.known();
  return out.back();
}

}  // namespace lints

Span whole_declaration(const SourceSet& sources, const Definitions& definitions, FileId own, Span declaration) {
  const Span begins{declaration.file, declaration.begin, declaration.begin};
  if (!declaration.known() || declaration.file != own || lints::holder(definitions.bodies, begins) != nullptr)
    return {};
  const Span* holding = lints::holder(definitions.holding, begins);
  // What stands in `$name(...)` may come to stand in several places.
  if (holding != nullptr) return sources.slice(*holding).front() == '$' ? Span{} : *holding;
  return declaration;
}

std::vector<Diagnostic> lint(const SourceSet& sources, const Definitions& definitions, std::span<const ast::File> files,
                             const Policy& policy) {
  std::vector<Diagnostic> out;
  if (files.empty() || policy.cluster.empty()) return out;
  const lints::Input in{sources, definitions, files, policy};
  lints::lint_definitions(in, out);
  lints::lint_declarations(in, out);
  lints::lint_allows(in, out);
  lints::lint_promises(in, out);
  std::ranges::stable_sort(out, {}, &Diagnostic::span);
  if (out.size() > kMostMistakes) out.erase(out.begin() + kMostMistakes, out.end());
  return out;
}

}  // namespace gpol
