// Definitions that nothing refers to, and imports of which nothing is used.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "compiler/lint/codes.h"
#include "compiler/lint/parts.h"
#include "compiler/lint/uses.h"

namespace gpol {

namespace {

// Deep as the text is nested, which is bounded.
void refer(const ast::Words& words, const std::vector<ast::Name>& parameters, std::vector<std::string>& out) {
  for (const ast::Reference& reference : words.references) {
    if (std::ranges::none_of(parameters, [&](const ast::Name& p) { return p.text == reference.name.text; }))
      out.push_back(reference.name.text);
    for (const ast::Words& argument : reference.arguments) refer(argument, parameters, out);
  }
}

}  // namespace

Definitions definitions_of(std::span<const ast::File> files) {
  Definitions out;
  for (const ast::File& file : files) {
    const bool own = &file == &files.front();
    for (const ast::Decl& decl : file.decls) {
      if (const auto* define = std::get_if<ast::Define>(&decl.node)) {
        auto& made = out.defines.emplace_back();
        made.name = define->name.text;
        made.name_span = define->name.span;
        made.span = decl.span;
        refer(define->body, define->parameters, made.uses);
        if (own) out.bodies.push_back(decl.span);
      } else if (const auto* held = std::get_if<ast::Unexpanded>(&decl.node)) {
        refer(held->words, {}, out.uses);
        if (own) out.holding.push_back(decl.span);
      }
    }
  }
  return out;
}

namespace lints {

namespace {

// By name: whether something that the policy says is made of it.
std::set<std::string_view> used_definitions(const Definitions& definitions) {
  std::map<std::string_view, const Definitions::Define*> known;
  for (const auto& define : definitions.defines) known.emplace(define.name, &define);
  std::set<std::string_view> used;
  std::vector<std::string_view> left(definitions.uses.begin(), definitions.uses.end());
  while (!left.empty()) {
    const std::string_view name = left.back();
    left.pop_back();
    const auto define = known.find(name);
    if (define == known.end() || !used.insert(define->first).second) continue;
    left.insert(left.end(), define->second->uses.begin(), define->second->uses.end());
  }
  return used;
}

// Files that say something of their own, or that hold anything that is used.
std::set<FileId> needed_files(const Input& in, const std::set<std::string_view>& used) {
  std::set<FileId> needed;
  for (const auto& define : in.definitions.defines)
    if (used.contains(define.name)) needed.insert(define.span.file);
  const Uses uses = uses_of(in.policy);
  for (const Named& name : declared_names(in.policy, uses))
    if (name.used) needed.insert(name.span.file);
  for (const ast::File& file : in.files)
    for (const ast::Decl& decl : file.decls) {
      const bool waits =
          std::holds_alternative<ast::Language>(decl.node) || std::holds_alternative<ast::Import>(decl.node) ||
          std::holds_alternative<ast::Define>(decl.node) || std::holds_alternative<ast::Class>(decl.node) ||
          std::holds_alternative<ast::Window>(decl.node) || std::holds_alternative<ast::Calendar>(decl.node) ||
          std::holds_alternative<ast::Hardware>(decl.node);
      if (!waits) needed.insert(file.file);
    }
  return needed;
}

// What an import brings: the files that it names, and those that they import.
std::set<FileId> brought(const Input& in, Span import) {
  std::map<FileId, const ast::File*> by_id;
  for (const ast::File& file : in.files) by_id.emplace(file.file, &file);
  std::set<FileId> out;
  std::vector<FileId> left;
  for (const ast::Imported& one : in.files.front().imports)
    if (within(one.span, import)) left.push_back(one.file);
  while (!left.empty()) {
    const FileId file = left.back();
    left.pop_back();
    if (!out.insert(file).second || !by_id.contains(file)) continue;
    for (const ast::Imported& one : by_id.at(file)->imports) left.push_back(one.file);
  }
  return out;
}

void lint_imports(const Input& in, const std::set<std::string_view>& used, std::vector<Diagnostic>& out) {
  if (in.files.front().imports.empty()) return;
  const std::set<FileId> needed = needed_files(in, used);
  std::map<std::string_view, Span> first;
  for (const ast::Decl& decl : in.files.front().decls) {
    const auto* import = std::get_if<ast::Import>(&decl.node);
    if (import == nullptr) continue;
    if (const auto [before, fresh] = first.emplace(import->target.text, decl.span); !fresh) {
      superfluous(out, code::UnusedImport, decl.span, decl.span,
                  fmt::format("`{}` is imported twice", import->target.text), "remove one of the lines")
          .labels.push_back({before->second, "first imported here"});
      continue;
    }
    const std::set<FileId> files = brought(in, decl.span);
    if (!files.empty() && std::ranges::none_of(files, [&](FileId file) { return needed.contains(file); }))
      superfluous(out, code::UnusedImport, decl.span, decl.span,
                  fmt::format("nothing of `{}` is used", import->target.text), "remove the line");
  }
}

}  // namespace

void lint_definitions(const Input& in, std::vector<Diagnostic>& out) {
  const auto used = used_definitions(in.definitions);
  for (const auto& define : in.definitions.defines)
    if (define.span.file == in.own() && !used.contains(define.name))
      superfluous(out, code::UnusedDefinition, define.name_span, define.span,
                  fmt::format("`{}` is defined and never used", define.name), "remove the definition");
  lint_imports(in, used, out);
}

}  // namespace lints

}  // namespace gpol
