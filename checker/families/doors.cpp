#include "checker/families/doors.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/source/lookup.h"

namespace gpol {

std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

bool lists_names(const Selector& selector) {
  const auto by_name = [](const Selector::Expression& e) {
    return e.key == "kubernetes.io/metadata.name" && e.op == "In";
  };
  return selector.match_labels.contains("kubernetes.io/metadata.name") ||
         std::ranges::any_of(selector.expressions, by_name);
}

void Doors::add(const Selector& selector) {
  any = true;
  if (!selector.present) return;  // lets nobody in
  std::optional<std::set<std::string>> listed;
  const auto narrow = [&](std::set<std::string> to) {
    if (!listed) {
      listed = std::move(to);
      return;
    }
    std::erase_if(*listed, [&](const std::string& name) { return !to.contains(name); });
  };
  for (const auto& [key, value] : selector.match_labels)
    if (key == "kubernetes.io/metadata.name") narrow({value});
  for (const auto& e : selector.expressions)
    if (e.key == "kubernetes.io/metadata.name" && e.op == "In") narrow({e.values.begin(), e.values.end()});
  if (listed)
    names.insert(listed->begin(), listed->end());
  else
    all = true;
}

std::string Doors::who() const {
  if (all || names.empty()) return "any user";
  std::vector<std::string> some(names.begin(), names.end());
  if (some.size() > 3) some.resize(3), some.emplace_back("...");
  return fmt::format("a user of {}", fmt::join(some, ", "));
}

std::string Doors::here(const std::map<std::string, std::string>& by) const {
  if (all) return {};
  std::set<std::string> quotes;
  for (const auto& name : names) quotes.insert(quoted(value_or(by, name, name)));
  return fmt::format("request.namespace in [{}] && ", fmt::join(quotes, ", "));
}

}  // namespace gpol
