// Any text to a planned cluster, as `gpol check` goes on after reading. What must hold of every text that reads without
// a mistake: resolve gives a policy or says why not, and of every policy that declares a cluster, plan makes one.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "compiler/cluster/intent.h"
#include "compiler/cluster/normal_form.h"
#include "compiler/policy/resolve.h"
#include "compiler/source/most.h"
#include "compiler/syntax/expand.h"
#include "compiler/syntax/parse.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gpol::SourceSet sources;
  const gpol::FileId file = sources.add("fuzz.gpol", std::string(data, data + size));
  // The tree is resolved also where a part of it did not read: more of it is reached so.
  gpol::ast::File tree = gpol::parse(sources, file).value;
  for (const gpol::Diagnostic& d : gpol::expand(sources, {&tree, 1}))
    require(!d.message.empty() && d.span.begin <= d.span.end && d.span.end <= size);
  const auto resolved = gpol::resolve({&tree, 1});
  require(resolved.ok() == resolved.value.has_value());
  require(resolved.diagnostics.size() <= gpol::kMostMistakes + 1);
  for (const gpol::Diagnostic& d : resolved.diagnostics)
    require(!d.message.empty() && d.span.begin <= d.span.end && d.span.end <= size);
  if (!resolved.value || resolved.value->cluster.empty()) return 0;
  require(!gpol::normal_form(gpol::plan(*resolved.value).cluster).empty());
  return 0;
}
