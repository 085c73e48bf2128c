#include "checker/observe/classes_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/observe/documents.h"
#include "checker/observe/kinds/kinds.h"
#include "compiler/source/duration.h"

namespace gpol {
namespace manifest {
namespace {

// "4min", "90s", "1h30min", "500ms" as policies write it; "4m" as Kubernetes does. Nothing: it is none.
std::optional<Millis> milliseconds(std::string_view text) {
  constexpr DurationUnit kUnits[] = {{"ms", 1},     {"min", 60'000},  {"s", 1'000},
                                     {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
  return read_duration(text, {.units = kUnits, .most_of_part = 1ULL << 50U});
}

std::map<std::string, NamedAmounts> read_by_flavor(const View& map, std::string_view key) {
  std::map<std::string, NamedAmounts> all;
  if (const auto flavors = map.map(key))
    for (const Entry& flavor : flavors->node().entries) all[flavor.key] = read_amounts(*flavors, flavor.key);
  return all;
}

bool is_nothing(const NamedAmounts& amounts) {
  return std::ranges::all_of(amounts, [](const auto& amount) { return amount.second == 0; });
}

// What nobody would look at, and what would promise nothing.
void refuse_idle_keys(const View& queue, const NamedRole& role) {
  const bool serving = role.kind == QueueRole::Kind::Serving, batch = role.kind == QueueRole::Kind::Batch;
  for (const auto& [key, of] : {std::pair{"reserve", serving},
                                {"replica", serving},
                                {"start", serving},
                                {"shapes", batch},
                                {"grace", serving || batch},
                                {"killMargin", serving || batch}})
    if (queue.has(key) && !of) queue.problem(key, "says nothing of a queue with this role");
  for (const auto& [key, all] : {std::pair{"reserve", &role.reserve}, {"shapes", &role.shapes}})
    for (const auto& [flavor, amounts] : *all)
      if (is_nothing(amounts)) queue.problem(key, "is nothing of " + shown(flavor));
  if (queue.has("replica") && is_nothing(role.replica)) queue.problem("replica", "asks for nothing");
}

}  // namespace

NamedAmounts read_amounts(const View& map, std::string_view key) {
  NamedAmounts all;
  if (const auto amounts = map.map(key))
    for (const Entry& entry : amounts->node().entries)
      if (const auto amount = read_amount(*amounts, entry.key, entry.key)) {
        if (*amount < 0) amounts->problem(entry.key, "is less than nothing");
        all.emplace(entry.key, std::max<std::int64_t>(*amount, 0));
      }
  return all;
}

std::optional<TimeConstant> read_time(const View& map, std::string_view key) {
  const auto text = map.text(key);
  if (!text) return std::nullopt;
  const auto value = milliseconds(*text);
  if (!value) map.problem(key, shown(*text) + " is not a duration such as 4min");
  return value ? std::optional(TimeConstant{*value, "declared", {}}) : std::nullopt;
}

StartTerms read_start(const View& map) {
  StartTerms start;
  const auto terms = map.map("start");
  if (!terms) return start;
  for (const auto& [key, term] : {std::pair{"schedule", &start.schedule},
                                  {"image", &start.image},
                                  {"weights", &start.weights},
                                  {"load", &start.load},
                                  {"warm", &start.warm}})
    *term = read_time(*terms, key);
  terms->finish();
  return start;
}

NamedRole read_named_role(const View& queue) {
  using Kind = QueueRole::Kind;
  static constexpr std::pair<std::string_view, Kind> roles[] = {
      {"serving", Kind::Serving}, {"batch", Kind::Batch}, {"bounded", Kind::Bounded}};
  NamedRole role;
  queue.required_text("role");
  role.kind = queue.choice<Kind>("role", roles, Kind::None);
  if (queue.has("class")) role.isolation = queue.choice<Isolation>("class", kClasses, Isolation::A);
  role.pool = queue.text("pool").value_or("");
  role.reserve = read_by_flavor(queue, "reserve");
  role.replica = read_amounts(queue, "replica");
  role.start = read_start(queue);
  role.shapes = read_by_flavor(queue, "shapes");
  role.grace = read_time(queue, "grace");
  role.kill_margin = read_time(queue, "killMargin");
  if (queue.has("deadline")) {
    role.deadline = read_time(queue, "deadline");
    const auto& entries = queue.node().entries;  // one that is not understood may be the class, misspelt
    if (role.isolation != Isolation::B && std::ranges::all_of(entries, &Entry::read))
      queue.problem("deadline", "is for class B: nobody waits for A, and C is promised nothing");
  }
  refuse_idle_keys(queue, role);
  queue.finish();
  return role;
}

std::optional<Tree> read_own_file(const std::string& text, Problems& problems, std::vector<std::string>& texts) {
  const auto documents = split_documents(text, Reading::Kubernetes);
  if (!documents.refused.empty())
    texts.push_back(fmt::format("line {}: {}", documents.refused_line, documents.refused));
  else if (documents.list.size() != 1)
    texts.emplace_back("it must hold one document");
  if (!texts.empty()) return std::nullopt;
  const DocumentText& only = documents.list.front();
  const auto offset = only.bytes.data() == nullptr ? 0 : only.bytes.data() - text.data();
  problems.enter({"", 0, only.line, 0, static_cast<std::uint32_t>(offset)});
  auto tree = parse_document(only, Reading::Kubernetes);
  if (tree.root) return tree;
  texts.push_back(fmt::format("line {}: {}", tree.refused_line + only.line - 1, tree.refused));
  return std::nullopt;
}

void add_texts(Problems& problems, std::vector<std::string>& texts) {
  for (const NotUnderstood& problem : problems.take())
    texts.push_back(
        fmt::format("line {}: {} {}", problem.line, problem.field.empty() ? "it" : problem.field, problem.what));
}

}  // namespace manifest

ClassesFile read_classes_file(const std::string& text) {
  using namespace manifest;
  ClassesFile file;
  Problems problems;
  const auto tree = read_own_file(text, problems, file.problems);
  if (!tree) return file;
  const View root(*tree->root, problems);
  if (root.expect(Node::Kind::Map))
    for (const Entry& entry : tree->root->entries)
      if (const auto queue = root.map(entry.key)) {
        for (const char* key : {"pool", "reserve", "replica", "start", "shapes", "grace", "killMargin"})
          if (queue->has(key)) queue->problem(key, "is for gpol.yaml");
        file.roles.emplace(entry.key, read_named_role(*queue));
      }
  add_texts(problems, file.problems);
  return file;
}

}  // namespace gpol
