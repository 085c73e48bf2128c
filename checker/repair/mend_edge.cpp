// Findings of gateways say which field is to have which value; here they become edits of the files. In: edits whose
// place is that of the object and whose `field` says what is meant: a path; one that ends in "[+]" is one more target,
// one that ends in "<" is where the field at the edit's place belongs. Those without are edits already.
#include <map>

#include "checker/repair/mend.h"
#include "checker/repair/write.h"

namespace gpol {

namespace {

using manifest::Node;

// "spec.targetRefs[0].name", from the object.
std::vector<FieldStep> steps_of(std::string_view path) {
  std::vector<FieldStep> steps;
  while (!path.empty()) {
    const auto end = path.find_first_of(".[");
    if (end > 0) steps.emplace_back(std::string(path.substr(0, end)));
    if (end == std::string_view::npos) break;
    path.remove_prefix(end);
    if (path.starts_with('[')) {
      const auto close = path.find(']');
      steps.emplace_back(static_cast<std::size_t>(std::stoul(std::string(path.substr(1, close - 1)))));
      path.remove_prefix(close + 1);
    }
    if (path.starts_with('.')) path.remove_prefix(1);
  }
  return steps;
}

// One more HTTPRoute behind the last target, in the style of that one.
std::optional<Edit> one_more_target(const SourceSet& sources, manifest::Fields& fields, Span object,
                                    const std::string& name) {
  const Node* node = fields.object(object);
  const manifest::OpenDocument* document = fields.document(object);
  const Node* list = node == nullptr ? nullptr : manifest::at(manifest::field(*node, "spec"), "targetRefs");
  if (list == nullptr || list->items.empty() || document->tree.aliases || !fields.copies_of(object).empty())
    return std::nullopt;
  const Span last = document->span(list->items.back());
  const std::string& text = sources.text(last.file);
  const std::string target = "{group: gateway.networking.k8s.io, kind: HTTPRoute, name: " + name + "}";
  const std::size_t begin = document->span(*list).begin, line = begin == 0 ? 0 : text.rfind('\n', begin - 1) + 1;
  if (text[begin] == '[') return Edit{{last.file, last.end, last.end}, ", " + target};
  const std::size_t end = std::min(text.find('\n', last.end), text.size());  // behind a comment
  const auto at = static_cast<std::uint32_t>(end);
  return Edit{{last.file, at, at}, "\n" + std::string(begin - line, ' ') + "- " + target};
}

// Fields that stand beside the block that they belong to. Those below its bare key are indented; where there is no
// block the first of them becomes one, with the others inside. False: nothing can be said to the letter.
using Blocks = std::map<std::string, std::size_t>;  // that are made, and which edit makes each
bool move_field(manifest::Fields& fields, const Edit& wish, Blocks& blocks, std::vector<Edit>& edits) {
  const std::string path = wish.field.substr(0, wish.field.size() - 1);
  const auto steps = steps_of(path);
  const Node *map = fields.object(wish.replace), *next = nullptr;
  std::size_t step = 0;
  for (; map != nullptr && step + 1 < steps.size(); ++step, map = next) {
    next = manifest::field(*map, std::get<std::string>(steps[step]));
    if (next == nullptr || next->kind == Node::Kind::Null) break;
  }
  if (map == nullptr || step + 1 == steps.size()) return false;
  if (next != nullptr) {
    const bool above = fields.document(wish.replace)->span(*next).begin < wish.replace.begin;
    edits.push_back({{wish.replace.file, wish.replace.begin, wish.replace.begin}, "  "});
    return above && step + 2 == steps.size();
  }
  std::string block, close;
  for (; step + 1 < steps.size(); ++step) block += std::get<std::string>(steps[step]) + ": {", close += "}";
  const std::string one = std::get<std::string>(steps.back()) + ": " + wish.with;
  const auto [first, fresh] = blocks.emplace(path.substr(0, path.rfind('.')), edits.size());
  edits.push_back({wish.replace, fresh ? block + one + close : ""});
  if (std::string& text = edits[first->second].with; !fresh) text.insert(text.size() - close.size(), ", " + one);
  return true;
}

}  // namespace

void mend_edge(const SourceSet& sources, manifest::Fields& fields, Report& report) {
  for (Obligation& o : report.obligations) {
    if (o.family != Family::Gateway || !o.detail || !o.detail->fix || o.detail->fix->edits.empty()) continue;
    Detail detail = *o.detail;
    std::vector<Edit> edits;
    bool all = true;
    Blocks blocks;
    for (const Edit& wish : detail.fix->edits) {
      if (wish.field.empty()) {
        edits.push_back(wish);
      } else if (wish.field.ends_with('<')) {
        all = move_field(fields, wish, blocks, edits) && all;
      } else if (wish.field.ends_with("[+]")) {
        const auto edit = one_more_target(sources, fields, wish.replace, wish.with);
        if (edit) edits.push_back(*edit);
        all = all && edit;
      } else {
        const auto written = write_change(sources, fields, wish.replace, steps_of(wish.field), wish.with);
        all = all && written && !written->edits.empty();
        if (written) edits.insert(edits.end(), written->edits.begin(), written->edits.end());
      }
    }
    detail.fix->edits = all ? std::move(edits) : std::vector<Edit>();
    if (!all) detail.fix->tried.clear();
    o.say(std::move(detail));
  }
}

}  // namespace gpol
