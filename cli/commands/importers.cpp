#include "cli/commands/importers.h"

#include <algorithm>
#include <variant>

#include "cli/commands/modules.h"
#include "compiler/lint/codes.h"

namespace gpol {

namespace {

std::string canonical(const FileTree& tree, const std::string& path) {
  std::error_code error;
  const auto real = tree.canonical(path, error);
  return error ? std::string() : real.string();
}

bool is_module(const Session& session) {
  return !session.planned && std::ranges::none_of(session.files, [](const ast::File& file) {
    return std::ranges::any_of(file.decls,
                               [](const ast::Decl& decl) { return std::holds_alternative<ast::Cluster>(decl.node); });
  });
}

}  // namespace

std::set<std::string> imported_by(const Session& session, const FileTree& tree) {
  std::set<std::string> out;
  for (std::size_t i = 1; i < session.files.size(); ++i)
    out.insert(canonical(tree, session.sources.path(session.files[i].file)));
  out.erase("");
  return out;
}

std::vector<PolicyText> without_imported_modules(std::vector<PolicyText> texts) {
  std::set<std::string> imported, modules;
  for (const PolicyText& text : texts) {
    const auto session = check_policy(text, {.until = Phase::Parsed});
    imported.merge(imported_by(*session));
    if (is_module(*session)) modules.insert(canonical(disk(), text.path));
  }
  std::erase_if(texts, [&](const PolicyText& text) {
    const std::string path = canonical(disk(), text.path);
    return imported.contains(path) && modules.contains(path);
  });
  return texts;
}

void spare_imported(Session& session, const std::set<std::string>& imported, const FileTree& tree) {
  if (imported.empty() || session.files.empty()) return;
  if (!imported.contains(canonical(tree, session.sources.path(session.files.front().file)))) return;
  // What it leaves to its importers to declare is no mistake; what is one is told of them.
  // Modules that import each other have no importer but themselves.
  if (is_module(session)) {
    std::erase_if(session.report.diagnostics, [](const Diagnostic& d) { return !tells_of_circle(d); });
    return;
  }
  std::erase_if(session.report.diagnostics, [](const Diagnostic& d) {
    return d.code == code::UnusedDefinition || d.code == code::UnusedImport || d.code == code::UnusedDeclaration;
  });
}

}  // namespace gpol
