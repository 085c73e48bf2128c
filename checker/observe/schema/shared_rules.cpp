#include "checker/observe/schema/shared_rules.h"

#include "checker/observe/schema/syntax.h"
#include "compiler/source/text.h"

namespace gpol::manifest::schema {

namespace {

void check_label(const Look& label, std::string_view key, const Report& report) {
  if (!is_label_key(key))
    report(label,
           shown(key) +
               " is not a label key: an optional DNS name and `/`, then at most 63 letters, digits, `-`, `_` and "
               "`.`, with a letter or digit at both ends");
  else if (!is_label_value(label.text()))
    report(label, shown(label.text()) +
                      " is not a label value: at most 63 letters, digits, `-`, `_` and `.`, with a letter or digit at "
                      "both ends");
}

void check_annotation(const Look& annotation, const std::string& key, const Report& report) {
  if (!is_label_key(lowered(key)))
    report(annotation, shown(key) + " is not an annotation key: it is spelt like a label key, in any case");
}

template <class Check>
void each_entry(const Look& map, bool nulls, Check check) {
  for (const Entry& entry : map.entries())
    if (nulls || entry.value.kind != Node::Kind::Null) check(map.entry(entry), entry.key);
}

void check_annotations(const Look& annotations, bool nulls, const Report& report) {
  constexpr std::size_t kMostBytes = 256U << 10U;
  std::size_t bytes = 0;
  each_entry(annotations, nulls, [&](const Look& annotation, const std::string& key) {
    check_annotation(annotation, key, report);
    bytes += key.size() + annotation.text().size();
  });
  if (bytes > kMostBytes) report(annotations, "are larger than 256 KiB in all");
}

}  // namespace

void check_labels(const Look& labels, const Report& report) {
  each_entry(labels, false, [&](const Look& label, const std::string& key) { check_label(label, key, report); });
}

void check_own_labels(const Look& labels, const Report& report) {
  each_entry(labels, true, [&](const Look& label, const std::string& key) { check_label(label, key, report); });
}

void check_annotations(const Look& annotations, const Report& report) { check_annotations(annotations, false, report); }

void check_own_annotations(const Look& annotations, const Report& report) {
  check_annotations(annotations, true, report);
}

void check_selector(const Look& selector, const Report& report) {
  const Look labels = selector.get("matchLabels"), expressions = selector.get("matchExpressions");
  check_labels(labels, report);
  for (const Look expression : expressions.items()) {
    const Look key = expression.get("key");
    const Look op = expression.get("operator"), values = expression.get("values");
    if (!is_label_key(key.text())) report(key, shown(key.text()) + " is not a label key");
    const bool listed = op.text() == "In" || op.text() == "NotIn";
    const bool bare = op.text() == "Exists" || op.text() == "DoesNotExist";
    if (!listed && !bare) report(op, shown(op.text()) + " is none of `In`, `NotIn`, `Exists`, `DoesNotExist`");
    if (listed && values.size() == 0) report(values, "must hold something where operator is `In` or `NotIn`");
    if (bare && values.size() > 0) report(values, "must be empty where operator is `Exists` or `DoesNotExist`");
    for (std::size_t v = 0; v < values.size(); ++v)
      if (const Look value = values.at(v); value.is(Json::Text) && !is_label_value(value.text()))
        report(value, shown(value.text()) + " is not a label value");
  }
}

bool check_quantity(const Look& quantity, const Report& report) {
  const auto text = quantity.quantity();
  if (!text) return false;
  if (is_quantity(*text)) return true;
  if (is_of(Syntax::Quantity, *text)) report(quantity, shown(*text) + " cannot be read as a quantity");
  return false;
}

bool is_negative(const Look& quantity) { return compare_quantities(*quantity.quantity(), "0") < 0; }

}  // namespace gpol::manifest::schema
