#include "checker/observe/kustomize/selectors.h"

#include <re2/re2.h>

#include <algorithm>

#include "checker/observe/kustomize/plan.h"
#include "checker/observe/problems.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest::kustomize {
namespace {

bool meets(const Node* map, const std::vector<Requirement>& requirements) {
  return std::ranges::all_of(requirements, [&](const Requirement& one) {
    const Node* value = map == nullptr ? nullptr : find(*map, one.key);
    if (one.exists) return (value != nullptr) != one.negated;
    return value == nullptr ? one.negated : contains(one.values, value->text) != one.negated;
  });
}

}  // namespace

std::optional<std::vector<Requirement>> read_requirements(std::string_view text) {
  static const std::string kBlank = "[ \\t\\n]*", kIn = "[^!=,()<> \\t\\n]", kEnd = kBlank + "(,|$)";
  static const re2::RE2 kNothing(kBlank), kValue(kBlank + "(" + kIn + "*)" + kEnd),
      kOne(kBlank + "(!?)" + kBlank + "(" + kIn + "+)(?:" + kBlank + "(=" + kBlank + "=?|!" + kBlank + "=)" + kBlank +
           "(" + kIn + "*)|[ \\t\\n]+((?:not)?in)" + kBlank + "\\(([^!=()<>]*)\\))?" + kEnd);
  std::vector<Requirement> result;
  if (re2::RE2::FullMatch(text, kNothing)) return result;
  re2::StringPiece rest(text);
  std::string bang, op, value, among, list, comma;
  do {
    Requirement one;
    if (!re2::RE2::Consume(&rest, kOne, &bang, &one.key, &op, &value, &among, &list, &comma)) return std::nullopt;
    one.exists = op.empty() && among.empty();
    one.negated = !bang.empty() || op.starts_with('!') || among == "notin";
    if (!bang.empty() && !one.exists) return std::nullopt;
    if (!op.empty()) one.values.push_back(value);
    re2::StringPiece values(list);
    for (std::string more = among.empty() ? "" : ","; more == ","; one.values.push_back(value))
      if (!re2::RE2::Consume(&values, kValue, &value, &more)) return std::nullopt;
    result.push_back(std::move(one));
  } while (comma == ",");
  return result;
}

std::optional<Selector> Selector::read(Context& context, const Node& target) {
  Selector selector;
  bool good = true;
  only_keys(context, target, " group version kind name namespace labelSelector annotationSelector");
  const auto pattern = [&](std::string_view key, std::optional<Pattern>& into) {
    const Node* word = word_at(context, target, key);
    if (word == nullptr) return;
    into.emplace(word->text);
    if (into->fault() == Pattern::Fault::None) return;
    good = false;
    if (into->fault() == Pattern::Fault::Wrong)
      context.error(*word, shown(word->text) + " is no regular expression");
    else
      context.not_built(*word, shown(word->text) + " is a regular expression of a kind that is not read here");
  };
  pattern("group", selector.group_);
  pattern("version", selector.version_);
  pattern("kind", selector.kind_);
  pattern("name", selector.name_);
  pattern("namespace", selector.ns_);
  const auto requirements = [&](std::string_view key, std::vector<Requirement>& into) {
    const Node* word = word_at(context, target, key);
    if (word == nullptr) return;
    auto read = read_requirements(word->text);
    if (read) {
      into = std::move(*read);
      return;
    }
    good = false;
    if (word->text.find_first_of("<>") != std::string::npos)
      context.not_built(*word, shown(word->text) + " compares numbers, which is not read here");
    else
      context.error(*word, shown(word->text) + " is no selector");
  };
  requirements("labelSelector", selector.labels_);
  requirements("annotationSelector", selector.annotations_);
  if (!good) return std::nullopt;
  return selector;
}

bool Selector::selects(const Resource& resource) const {
  const auto matches = [](const std::optional<Pattern>& pattern, const std::string& text) {
    return !pattern || pattern->matches(text);
  };
  const Kind kind = resource.kind();
  if (!matches(kind_, kind.kind) || !matches(group_, kind.group) || !matches(version_, kind.version)) return false;
  const Id first = resource.first_id(), now = resource.id();
  if (!matches(ns_, first.ns) && !matches(ns_, now.ns)) return false;
  if (!matches(name_, first.name) && !matches(name_, now.name)) return false;
  const Node* metadata = find(resource.node, "metadata");
  const auto in_metadata = [&](std::string_view key) { return metadata == nullptr ? nullptr : find(*metadata, key); };
  return meets(in_metadata("labels"), labels_) && meets(in_metadata("annotations"), annotations_);
}

std::size_t Selector::cost() const {
  std::size_t cost = 1 + labels_.size() + annotations_.size();
  for (const auto* pattern : {&group_, &version_, &kind_, &name_, &ns_})
    if (*pattern) cost += (*pattern)->cost();
  return cost;
}

}  // namespace gpol::manifest::kustomize
