// Whom a serving queue is meant to let in, as far as the manifests say: the namespaces of its LocalQueues, but those
// that run batch, too.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "checker/families/families.h"

namespace gpol {

class NamespacesMeant {
 public:
  explicit NamespacesMeant(const Proof& proof);  // whose cluster must outlive it
  // Empty where that is not known: none leads to it, or what it says today lets in one of them by another label.
  std::set<std::string> of(std::string_view queue) const;

 private:
  std::set<std::string> batch_;
  std::multimap<std::string_view, std::string_view> locals_;  // the namespaces of the LocalQueues of a queue
  std::map<std::string_view, const Selector*> selectors_;     // by queue
};

// As a `namespaceSelector` in flow style.
std::string selector_of(const std::set<std::string>& names);

}  // namespace gpol
