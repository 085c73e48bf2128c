// Declarations that nothing speaks of.
#include <fmt/format.h>

#include <map>

#include "compiler/lint/codes.h"
#include "compiler/lint/parts.h"
#include "compiler/lint/uses.h"
#include "compiler/source/overloaded.h"

namespace gpol::lints {

namespace {

// Of each declared name of the policy's own file, the whole of its declaration.
std::map<Span, Span> declarations(const Input& in) {
  std::map<Span, Span> whole;
  const auto named = [&](const auto& node, Span span) { whole.emplace(node.name.span, span); };
  for (const ast::Decl& decl : in.files.front().decls)
    std::visit(overloaded{[&](const ast::Calendar& node) { named(node, decl.span); },
                          [&](const ast::Cohort& node) { named(node, decl.span); },
                          [&](const ast::Hardware& node) { named(node, decl.span); },
                          [&](const ast::Cluster& node) {
                            for (const auto& nodes : node.nodes) named(nodes, nodes.span);
                          },
                          [](const auto&) {}},
               decl.node);
  return whole;
}

}  // namespace

void lint_declarations(const Input& in, std::vector<Diagnostic>& out) {
  const auto whole = declarations(in);
  for (const Named& name : declared_names(in.policy, uses_of(in.policy))) {
    const auto declaration = whole.find(name.span);
    if (name.used || name.spare || declaration == whole.end() || !written_here(in, name.span)) continue;
    superfluous(out, code::UnusedDeclaration, name.span, removable(in, name.span, declaration->second),
                fmt::format("{} `{}` is never used: {}", name.kind, name.name, name.users),
                fmt::format("remove the {}", name.kind));
  }
}

}  // namespace gpol::lints
