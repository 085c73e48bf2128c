// Through which namespaces some queues are entered, as conditions on requests (CEL). In: the queues' selectors.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "compiler/cluster/cluster.h"

namespace gpol {

std::string quoted(std::string_view text);  // as a string literal of CEL

// It names the namespaces that it lets in, by the one label that only the API server sets.
bool lists_names(const Selector& selector);

// The namespaces that some queues let in; all, where a selector of theirs does not say which.
struct Doors {
  std::set<std::string> names;
  bool any = false, all = false;

  void add(const Selector& selector);
  std::string who() const;  // "a user of ml-train"
  // "request.namespace in [...] && ". `by`: which name stands for another (checker/guards/namespaces.h).
  std::string here(const std::map<std::string, std::string>& by) const;
};

}  // namespace gpol
