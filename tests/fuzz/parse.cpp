// Any bytes to the reader of .gpol. What must hold of every text: nothing is thrown, every diagnostic says something
// about a place in the text, no more than the limit of them, the same text gives the same answer, and what reads
// without a mistake has a span in the text for each declaration.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "compiler/source/most.h"
#include "compiler/syntax/parse.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  gpol::SourceSet sources;
  const gpol::FileId file = sources.add("fuzz.gpol", text);
  const auto first = gpol::parse(sources, file);
  const auto second = gpol::parse(sources, file);
  require(first.diagnostics.size() <= gpol::kMostMistakes + 1);
  require(first.diagnostics.size() == second.diagnostics.size());
  require(first.value.decls.size() == second.value.decls.size());
  for (std::size_t i = 0; i < first.diagnostics.size(); ++i) {
    const gpol::Diagnostic& d = first.diagnostics[i];
    require(d.message == second.diagnostics[i].message && !d.message.empty());
    require(d.span.file == file && d.span.begin <= d.span.end && d.span.end <= size);
    for (const gpol::Label& label : d.labels) require(label.span.begin <= label.span.end && label.span.end <= size);
    const auto at = sources.position(file, d.span.begin);
    require(at.line >= 1 && at.column >= 1);
    require(static_cast<std::size_t>(at.column) <= sources.line(file, at.line).size() + 3);  // CRLF and the end count
  }
  for (const auto& decl : first.value.decls) require(decl.span.begin < decl.span.end && decl.span.end <= size);
  return 0;
}
