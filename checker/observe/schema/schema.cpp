#include "checker/observe/schema/schema.h"

#include "checker/observe/schema/findings.h"
#include "checker/observe/schema/structure.h"
#include "checker/observe/schema/tables.h"

namespace gpol::manifest {
namespace schema {
namespace {

bool speaks_of(std::string_view kinds, std::string_view kind) {
  while (!kinds.empty()) {
    const auto end = kinds.find(' ');
    if (kinds.substr(0, end) == kind) return true;
    kinds.remove_prefix(end == std::string_view::npos ? kinds.size() : end + 1);
  }
  return false;
}

std::span<const std::span<const Rule>> families() {
  static const std::span<const Rule> kAll[] = {metadata_rules(), cel_rules(), webhook_rules(), workload_rules()};
  return kAll;
}

}  // namespace

void ask(const Look& self, std::string_view path, const Rule& rule, const Report& report) {
  if (!self.present() || report.full()) return;
  if (path.empty()) return rule.check(self, report);
  const auto dot = path.find('.');
  const auto rest = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  auto step = path.substr(0, dot);
  const bool each = step.ends_with("[]");
  if (each) step.remove_suffix(2);
  const Look below = self.get(step);
  if (!each) return ask(below, rest, rule, report);
  for (std::size_t i = 0; i < below.size(); ++i) {
    const Look item = below.at(i);
    ask(item, rest, rule, report);
  }
}

void Findings::add(std::string_view rule, std::string field, std::string what, const Node& at) {
  if (full() || !fields_.insert(field).second) return;
  list_.push_back({std::string(rule), std::move(field), std::move(what), &at});
}

std::vector<std::string_view> rule_names() {
  const auto structure = structure_rules();
  std::vector<std::string_view> names(structure.begin(), structure.end());
  for (const auto family : families())
    for (const Rule& rule : family) names.push_back(rule.name);
  return names;
}

}  // namespace schema

std::vector<Violation> violations(const Node& object) {
  using namespace schema;
  const Look root(object);
  const Look api = root.get("apiVersion"), name = root.get("kind");
  const Kind* kind = kind_of(api.text(), name.text());
  if (kind == nullptr) return {};
  Findings findings;
  check_structure(root, kind->root, findings);
  for (const auto family : families())
    for (const Rule& rule : family)
      if (speaks_of(rule.kinds, kind->name)) ask(root, rule.path, rule, Report(rule.name, findings));
  return findings.take();
}

}  // namespace gpol::manifest
