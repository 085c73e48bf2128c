#include "checker/observe/schema/shared_rules.h"

#include <algorithm>

#include "checker/observe/schema/syntax.h"

namespace gpol::manifest::schema {

void check_labels(const Look& labels, const Report& report) {
  for (const Entry& entry : labels.entries()) {
    if (entry.value.kind == Node::Kind::Null && report.full()) return;
    const Look label = labels.entry(entry);
    if (!is_label_key(entry.key))
      report(label, quoted(entry.key) +
                        " is not a label key: an optional DNS name and `/`, then at most 63 letters, digits, `-`, `_` "
                        "and `.`");
    else if (!is_label_value(label.text()))
      report(label, quoted(label.text()) + " is not a label value: at most 63 letters, digits, `-`, `_` and `.`");
  }
}

void check_annotations(const Look& annotations, const Report& report) {
  constexpr std::size_t kMostBytes = 256U << 10U;
  std::size_t bytes = 0;
  for (const Entry& entry : annotations.entries()) {
    std::string key = entry.key;
    std::transform(key.begin(), key.end(), key.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const Look annotation = annotations.entry(entry);
    if (!is_label_key(key))
      report(annotation, quoted(entry.key) + " is not an annotation key: it is spelt like a label key, in any case");
    bytes += entry.key.size() + annotation.text().size();
  }
  if (bytes > kMostBytes) report(annotations, "are larger than 256 KiB in all");
}

bool check_quantity(const Look& quantity, const Report& report) {
  const auto text = quantity.quantity();
  if (!text) return false;
  if (is_quantity(*text)) return true;
  if (is_of(Syntax::Quantity, *text)) report(quantity, quoted(*text) + " cannot be read as a quantity");
  return false;
}

bool is_negative(const Look& quantity) { return compare_quantities(*quantity.quantity(), "0") < 0; }

}  // namespace gpol::manifest::schema
