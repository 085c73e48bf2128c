#include "tests/mutation/table.h"

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gpol::mutation {

bool matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] != '*') return !text.empty() && pattern[0] == text[0] && matches(pattern.substr(1), text.substr(1));
  for (std::size_t i = 0; i <= text.size(); ++i)
    if (matches(pattern.substr(1), text.substr(i))) return true;
  return false;
}

std::vector<Rule> read_rules(const std::string& path) {
  std::vector<Rule> rules;
  std::istringstream text(file_text(path));
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> parts;
    for (std::size_t from = 0; from != std::string::npos;) {
      const auto to = line.find(" | ", from);
      parts.push_back(line.substr(from, to == std::string::npos ? to : to - from));
      from = to == std::string::npos ? to : to + 3;
    }
    if (parts.size() != 5 || !parts[4].ends_with(".") || parts[4].size() < 25)
      throw std::runtime_error("not KEY | FIELD | CHANGE | WHERE | REASON.: " + line);
    rules.push_back({parts[0], parts[1], parts[2], parts[3], parts[4], 0});
  }
  return rules;
}

Rule* rule_for(std::vector<Rule>& rules, const Mutant& mutant) {
  for (Rule& rule : rules)
    if (matches(rule.field, mutant.field) && matches(rule.change, mutant.change) && matches(rule.where, mutant.where))
      return &rule;
  return nullptr;
}

namespace {

// With the rule of what is proven.
std::string outcome_of(const Mutant& mutant, const Outcome& outcome, std::vector<Rule>& rules) {
  if (outcome.kind != Outcome::Kind::Proven) return words(outcome);
  const Rule* rule = rule_for(rules, mutant);
  return words(outcome) + (rule == nullptr ? ": NO RULE" : ": " + rule->key);
}

std::string in_short(const std::string& outcome) {
  if (!outcome.starts_with("error ") && !outcome.starts_with("refuted ")) return outcome;
  static const std::regex kCode("GP[0-9]{4}");
  std::set<std::string> codes;
  for (auto it = std::sregex_iterator(outcome.begin(), outcome.end(), kCode); it != std::sregex_iterator(); ++it)
    codes.insert(it->str());
  if (codes.empty()) return outcome.substr(0, outcome.find(':'));
  return fmt::format("{} {}", outcome.substr(0, outcome.find(' ')), fmt::join(codes, " "));
}

}  // namespace

std::string summary_of(const std::vector<Mutant>& mutants, const std::vector<Outcome>& outcomes,
                       std::vector<Rule>& rules) {
  std::map<std::string, int> counts;
  for (std::size_t i = 0; i < mutants.size(); ++i) ++counts[in_short(outcome_of(mutants[i], outcomes[i], rules))];
  std::string out;
  for (const auto& [outcome, count] : counts) out += fmt::format("{:5} {}\n", count, outcome);
  return out;
}

std::string table_of(const std::vector<Mutant>& mutants, const std::vector<Outcome>& outcomes,
                     std::vector<Rule>& rules) {
  struct Row {
    std::string field, outcome;
    std::vector<std::pair<std::string, std::set<std::string>>> changes;  // with the places of each
    int count = 0;
  };
  std::vector<Row> rows;  // in the order of the mutants
  std::map<std::pair<std::string, std::string>, std::size_t> at;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const std::string outcome = outcome_of(mutants[i], outcomes[i], rules);
    if (Rule* rule = rule_for(rules, mutants[i]); rule != nullptr && outcomes[i].kind == Outcome::Kind::Proven)
      ++rule->used;
    const auto [known, fresh] = at.try_emplace({mutants[i].field, outcome}, rows.size());
    if (fresh) rows.push_back({mutants[i].field, outcome, {}, 0});
    Row& row = rows[known->second];
    ++row.count;
    auto change = std::find_if(row.changes.begin(), row.changes.end(),
                               [&](const auto& known_change) { return known_change.first == mutants[i].change; });
    if (change == row.changes.end()) change = row.changes.insert(row.changes.end(), {mutants[i].change, {}});
    if (!mutants[i].where.empty()) change->second.insert(mutants[i].where);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.field < b.field; });
  std::string out;
  for (const Row& row : rows) {
    std::vector<std::string> changes;
    for (const auto& [change, where] : row.changes) {
      constexpr std::size_t kNamed = 8;
      changes.push_back(where.empty()            ? change
                        : where.size() <= kNamed ? fmt::format("{} ({})", change, fmt::join(where, " "))
                                                 : fmt::format("{} ({} of them)", change, where.size()));
    }
    out += fmt::format("{} | {} | {} | {}\n", row.field, row.outcome, row.count, fmt::join(changes, ", "));
  }
  return out;
}

}  // namespace gpol::mutation
