#include "emit/kinds/selector.h"

#include <utility>

#include "emit/kinds/object.h"

namespace gpol::kinds {

yaml::Map label_selector(const Selector& selector) {
  yaml::Map map;
  if (!selector.match_labels.empty()) map.emplace_back("matchLabels", string_map(selector.match_labels));
  yaml::List expressions;
  for (const Selector::Expression& expression : selector.expressions) {
    yaml::Map entry;
    entry.emplace_back("key", expression.key);
    entry.emplace_back("operator", expression.op);
    // Exists and DoesNotExist must not carry values.
    if (!expression.values.empty())
      entry.emplace_back("values", yaml::List(expression.values.begin(), expression.values.end()));
    expressions.emplace_back(std::move(entry));
  }
  if (!expressions.empty()) map.emplace_back("matchExpressions", std::move(expressions));
  return map;
}

}  // namespace gpol::kinds
