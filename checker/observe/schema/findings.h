// Where the rules put what they find: at most one violation for a field, at most kMostViolations in all.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "checker/observe/problems.h"  // shown()
#include "checker/observe/schema/look.h"
#include "checker/observe/schema/schema.h"

namespace gpol::manifest::schema {

class Findings {
 public:
  bool full() const { return list_.size() >= kMostViolations; }
  void add(std::string_view rule, std::string field, std::string what, const Node& at);
  // Of the last one that was added: it is that entry, misspelt.
  void is_misspelt(const Entry& entry, std::string meant) {
    if (list_.empty() || list_.back().at != &entry.value) return;
    list_.back().misspelt = &entry;
    list_.back().meant = std::move(meant);
  }
  std::vector<Violation> take() { return std::move(list_); }

 private:
  std::vector<Violation> list_;
  std::unordered_set<std::string> fields_;
};

// What a rule says it with.
class Report {
 public:
  Report(std::string_view rule, Findings& findings) : rule_(rule), findings_(findings) {}
  void operator()(const Look& at, std::string what) const {
    findings_.add(rule_, at.field(), std::move(what), at.nearest());
  }
  bool full() const { return findings_.full(); }

 private:
  std::string_view rule_;
  Findings& findings_;
};

// A rule that the tables cannot say. It is asked wherever `path` leads to something: "spec.resourceGroups[]" is each of
// the groups, "" the object. Null items of lists, and what has the wrong type, it must pass over in silence.
struct Rule {
  std::string_view name;
  std::string_view kinds;  // with a space between
  std::string_view path;
  void (*check)(const Look& self, const Report& report);
};

// Of words with a space between.
bool is_among(std::string_view words, std::string_view word);
// Calls `visit` wherever `path` leads to something.
void each(const Look& self, std::string_view path, const std::function<void(const Look&)>& visit);
// Asks the rule wherever `path` leads to.
void ask(const Look& self, std::string_view path, const Rule& rule, const Report& report);

std::span<const Rule> cel_rules();       // rules in the CRDs that a create evaluates
std::span<const Rule> webhook_rules();   // ClusterQueue, Cohort, ResourceFlavor
std::span<const Rule> workload_rules();  // Workload's webhook
std::span<const Rule> metadata_rules();  // of every kind

// The spans above, with the names that the tables' own mistakes have.
std::vector<std::string_view> rule_names();

}  // namespace gpol::manifest::schema
