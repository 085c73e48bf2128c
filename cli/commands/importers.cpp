#include "cli/commands/importers.h"

#include <filesystem>

namespace gpol {

namespace {

std::string canonical(const std::string& path) {
  std::error_code error;
  const auto real = std::filesystem::canonical(path, error);
  return error ? std::string() : real.string();
}

}  // namespace

std::set<std::string> imported_by(const Session& session) {
  std::set<std::string> out;
  for (std::size_t i = 1; i < session.files.size(); ++i)
    out.insert(canonical(session.sources.path(session.files[i].file)));
  out.erase("");
  return out;
}

void spare_imported(Session& session, const std::set<std::string>& imported) {
  if (imported.empty() || session.files.empty()) return;
  if (!imported.contains(canonical(session.sources.path(session.files.front().file)))) return;
  std::erase_if(session.report.diagnostics, [](const Diagnostic& d) {
    return d.code == Code::UnusedDefinition || d.code == Code::UnusedImport || d.code == Code::UnusedDeclaration;
  });
}

}  // namespace gpol
