#include "checker/observe/kustomize/selectors.h"

#include <algorithm>

#include "checker/observe/kustomize/plan.h"
#include "checker/observe/problems.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest::kustomize {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<std::vector<Requirement>> read() {
    std::vector<Requirement> result;
    if (next() == '\0') return result;
    do {
      Requirement one;
      if (!requirement(one)) return std::nullopt;
      result.push_back(std::move(one));
    } while (eat(','));
    return next() == '\0' ? std::optional(result) : std::nullopt;
  }

 private:
  char next() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool eat(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }
  std::string word() {
    next();
    const auto end = std::min(text_.find_first_of("!=,()<> \t\n", at_), text_.size());
    std::string result(text_.substr(at_, end - at_));
    at_ = end;
    return result;
  }

  bool requirement(Requirement& one) {
    one.negated = eat('!');
    one.key = word();
    if (one.key.empty()) return false;
    if (one.negated || next() == ',' || next() == '\0') return one.exists = true;
    if (eat('=')) {
      eat('=');
      one.values.push_back(word());
      return true;
    }
    if (eat('!')) {
      one.negated = true;
      if (!eat('=')) return false;
      one.values.push_back(word());
      return true;
    }
    const std::string among = word();
    if (among != "in" && among != "notin") return false;
    one.negated = among == "notin";
    if (!eat('(')) return false;
    do one.values.push_back(word());
    while (eat(','));
    return eat(')');
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

bool meets(const Node* map, const std::vector<Requirement>& requirements) {
  return std::ranges::all_of(requirements, [&](const Requirement& one) {
    const Node* value = map == nullptr ? nullptr : find(*map, one.key);
    if (one.exists) return (value != nullptr) != one.negated;
    if (value == nullptr) return one.negated;
    return contains(one.values, value->text) != one.negated;
  });
}

}  // namespace

std::optional<std::vector<Requirement>> read_requirements(std::string_view text) { return Reader(text).read(); }

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
