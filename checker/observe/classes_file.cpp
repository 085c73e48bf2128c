#include "checker/observe/classes_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/observe/documents.h"
#include "checker/observe/view.h"
#include "compiler/source/duration.h"

namespace gpol {
namespace manifest {
namespace {

// "4min", "90s", "1h30min", "500ms" as policies write it; "4m" as Kubernetes does. Nothing: it is none.
std::optional<Millis> milliseconds(std::string_view text) {
  constexpr DurationUnit kUnits[] = {{"ms", 1}, {"min", 60'000}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}};
  return read_duration(text, {.units = kUnits, .most_of_part = 1ULL << 50U});
}

NamedRole read_role(const View& queue) {
  using Kind = QueueRole::Kind;
  static constexpr std::pair<std::string_view, Kind> roles[] = {
      {"serving", Kind::Serving}, {"batch", Kind::Batch}, {"bounded", Kind::Bounded}};
  static constexpr std::pair<std::string_view, Isolation> classes[] = {
      {"A", Isolation::A}, {"B", Isolation::B}, {"C", Isolation::C}};
  NamedRole role;
  queue.required_text("role");
  role.kind = queue.choice<Kind>("role", roles, Kind::None);
  if (queue.has("class")) role.isolation = queue.choice<Isolation>("class", classes, Isolation::A);
  if (const auto deadline = queue.text("deadline")) {
    const auto value = milliseconds(*deadline);
    if (!value) queue.problem("deadline", shown(*deadline) + " is not a duration such as 4min");
    const auto& entries = queue.node().entries;  // one that is not understood may be the class, misspelt
    const bool all_read = std::all_of(entries.begin(), entries.end(), [](const Entry& entry) { return entry.read; });
    if (role.isolation != Isolation::B && all_read)
      queue.problem("deadline", "is for class B: nobody waits for A, and C is promised nothing");
    if (value) role.deadline = TimeConstant{*value, "declared", {}};
  }
  queue.finish();
  return role;
}

}  // namespace
}  // namespace manifest

ClassesFile read_classes_file(const std::string& text) {
  using namespace manifest;
  ClassesFile file;
  Problems problems;
  const auto documents = split_documents(text, Reading::Kubernetes);
  if (!documents.refused.empty())
    file.problems.push_back(fmt::format("line {}: {}", documents.refused_line, documents.refused));
  if (documents.refused.empty() && documents.list.size() != 1) file.problems.emplace_back("it must hold one document");
  if (!file.problems.empty()) return file;
  problems.enter({"", 0, documents.list.front().line});
  const auto tree = parse_document(documents.list.front(), Reading::Kubernetes);
  if (!tree.root) {
    file.problems.push_back(fmt::format("line {}: {}", tree.refused_line, tree.refused));
    return file;
  }
  const View root(*tree.root, problems);
  if (root.expect(Node::Kind::Map))
    for (const Entry& entry : tree.root->entries)
      if (const auto queue = root.map(entry.key)) file.roles.emplace(entry.key, read_role(*queue));
  for (const NotUnderstood& problem : problems.take())
    file.problems.push_back(
        fmt::format("line {}: {} {}", problem.line, problem.field.empty() ? "it" : problem.field, problem.what));
  return file;
}

}  // namespace gpol
