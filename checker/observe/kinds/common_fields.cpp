// Fields that several kinds share: words that must be so, label selectors, fair sharing weights, stop policies.
#include "checker/observe/kinds/kinds.h"
#include "checker/observe/quantity.h"

namespace gpol::manifest {

void must_be(const View& view, std::string_view key, std::string_view wanted, bool defaulted) {
  if (defaulted && !view.has(key)) return;
  if (const std::string found = view.required_text(key); !found.empty() && found != wanted)
    view.problem(key, shown(found) + " is not " + std::string(wanted));
}

Taint taint_of(const View& view) {
  return {view.required_text("key"), view.text("value").value_or(""), view.required_text("effect")};
}

Toleration toleration_of(const View& view) {
  return {view.text("key").value_or(""),
          view.text("operator").value_or("Equal"),
          view.text("value").value_or(""),
          view.text("effect").value_or(""),
          {}};
}

Selector read_selector(const View& map, std::string_view key) {
  const auto view = map.map(key);
  return view ? selector_of(*view) : Selector{};
}

Selector selector_of(const View& view) {
  Selector selector;
  selector.present = true;
  selector.match_labels = view.text_map("matchLabels");
  view.each_map("matchExpressions", [&](const View& item) {
    Selector::Expression expression{item.required_text("key"), item.required_text("operator"), item.texts("values")};
    item.finish();
    const bool set = expression.op == "In" || expression.op == "NotIn";
    if (!set && expression.op != "Exists" && expression.op != "DoesNotExist")
      item.problem("operator", shown(expression.op) + " is none of In, NotIn, Exists, DoesNotExist");
    else if (set == expression.values.empty())
      item.problem("values", set ? "must not be empty with " + expression.op : "must be empty with " + expression.op);
    selector.expressions.push_back(std::move(expression));
  });
  view.finish();
  return selector;
}

std::string read_fair_weight(const View& spec) {
  const auto fair = spec.map("fairSharing");
  if (!fair) return {};
  const auto weight = fair->quantity("weight");
  fair->finish();
  return weight ? plain_decimal(*weight) : "";
}

StopPolicy read_stop_policy(const View& spec) {
  static constexpr std::pair<std::string_view, StopPolicy> words[] = {
      {"None", StopPolicy::None}, {"Hold", StopPolicy::Hold}, {"HoldAndDrain", StopPolicy::HoldAndDrain}};
  return spec.choice<StopPolicy>("stopPolicy", words, StopPolicy::None);
}

}  // namespace gpol::manifest
