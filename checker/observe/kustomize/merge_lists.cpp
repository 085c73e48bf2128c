#include "checker/observe/kustomize/merge_lists.h"

#include <algorithm>
#include <set>

#include "checker/observe/kustomize/nodes.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest::kustomize {
namespace {

using NodeKind = Node::Kind;
using Values = std::vector<std::string>;

bool empty_item(const Node& item) {
  return item.kind == NodeKind::Null || (item.kind == NodeKind::Map && item.entries.empty());
}

std::optional<std::vector<Node>> merge_values(const Node* ours, const Node* theirs) {
  std::vector<Node> result;
  std::set<std::string> seen;
  for (const Node* list : {theirs, ours})
    if (list != nullptr)
      for (const Node& item : list->items)
        if (seen.insert(item.text).second) result.push_back(item);
  return result;
}

// Lists of which some items leave the second key out, a port's protocol say: kustomize's own way with them, which
// neither Kubernetes nor anybody else has.
class Items {
 public:
  Items(const Node* ours, const Node* theirs, const std::vector<std::string>& keys) : ours_(ours), theirs_(theirs) {
    for (const Node* list : {theirs, ours})
      if (list != nullptr)
        for (const Node& item : list->items) add(values_of(item, keys));
    if (keys.size() > 1) join();
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (std::ranges::any_of(values_, [&](const Values& values) { return !values[i].empty(); }))
        keys_.push_back(keys[i]), kept_.push_back(i);
  }

  std::vector<Node> merged(const MergeItem& merge) const {
    Node left;  // of ours, without what the patch deletes
    if (ours_ != nullptr) left.items = ours_->items;
    Node patch;  // loses its directives as they are obeyed, though an item may be met again
    if (theirs_ != nullptr) patch.items = theirs_->items;
    std::vector<Node> result;
    for (const Values& all : values_) {
      Values values;
      for (const std::size_t i : kept_) values.push_back(all[i]);
      Node* our = find_item(left, values);
      Node* their = find_item(patch, values);
      auto [item, in_place] = merge(our, their);
      for (Node* side : {our, their})
        if (side != nullptr) erase(*side, "$patch");
      if (!item || empty_item(*item)) {
        remove(left.items, values);
        continue;
      }
      for (std::size_t i = 0; i < keys_.size(); ++i)
        if (find(*item, keys_[i]) == nullptr && !values[i].empty()) put(*item, keys_[i], made_text(values[i], *item));
      if (our != nullptr && in_place) *our = *item;
      set(result, *item, values);
    }
    // What is left of ours comes behind, each in the place of what has its keys already: so a `$patch: replace` of one
    // item changes nothing.
    for (const Node& item : left.items) {
      if (empty_item(item)) continue;
      Values values;
      for (const std::string& key : keys_) {
        const Node* value = find(item, key);
        if (is_null(value)) {
          result.push_back(item);
        } else {
          values.push_back(value->text);
        }
      }
      if (keys_.size() > 1) remove(result, values);
      set(result, item, values);
    }
    return result;
  }

 private:
  static Values values_of(const Node& item, const std::vector<std::string>& keys) {
    Values values;
    for (const std::string& key : keys) values.push_back(text_at(item, key));
    return values;
  }

  void add(Values values) {
    if (!contains(values_, values)) values_.push_back(std::move(values));
  }

  // Two whose texts differ only where one of them has none are one.
  void join() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Values one = values_[i];  // as it was, whatever it is joined with meanwhile
      for (Values& other : values_) {
        bool common = false, differ = false;
        Values both;
        for (std::size_t k = 0; k < one.size(); ++k) {
          common = common || one[k] == other[k];
          differ = differ || (one[k] != other[k] && !one[k].empty() && !other[k].empty());
          both.push_back(one[k].empty() ? other[k] : one[k]);
        }
        if (common && !differ) values_[i] = other = both;
      }
    }
  }

  // The first with these values; keys without a value do not count.
  Node* find_item(Node& list, const Values& values) const {
    const bool none = std::ranges::all_of(values, [](const std::string& v) { return v.empty(); });
    for (Node& item : list.items) {
      if (item.kind != NodeKind::Map) continue;
      bool found = true;
      for (std::size_t i = 0; i < keys_.size() && found; ++i) {
        const Node* value = find(item, keys_[i]);
        if (values[i].empty() && !none) continue;
        found = value != nullptr && (values[i].empty() || value->text == values[i]);
      }
      if (found) return &item;
    }
    return nullptr;
  }

  // Where there are fewer values than keys, the last that was found counts for the rest.
  bool is(const Node& item, const Values& values) const {
    bool found = false;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (i < values.size()) {
        const Node* value = find(item, keys_[i]);
        found = !is_null(&item) && value != nullptr && (values[i].empty() || value->text == values[i]);
      }
      if (!found) return false;
    }
    return true;
  }

  void remove(std::vector<Node>& items, const Values& values) const {
    std::erase_if(
        items, [&](const Node& item) { return empty_item(item) || (item.kind == NodeKind::Map && is(item, values)); });
  }

  void set(std::vector<Node>& items, const Node& item, const Values& values) const {
    bool found = false;
    for (Node& other : items)
      if (other.kind == NodeKind::Map && is(other, values)) other = item, found = true;
    if (!found) items.push_back(item);
  }

  const Node* ours_;
  const Node* theirs_;
  std::vector<Values> values_;
  std::vector<std::string> keys_;
  std::vector<std::size_t> kept_;
};

bool has_first_key(const Node* list, std::string_view key) {
  return list == nullptr || std::ranges::all_of(list->items, [&](const Node& item) {
           return item.kind == NodeKind::Map && !text_at(item, key).empty();
         });
}

}  // namespace

std::optional<std::vector<Node>> merge_items(const Node* ours, const Node* theirs, std::array<std::string_view, 2> keys,
                                             const MergeItem& merge) {
  if (keys[0].empty()) return merge_values(ours, theirs);
  if (!has_first_key(ours, keys[0]) || !has_first_key(theirs, keys[0])) return std::nullopt;
  std::vector<std::string> names{std::string(keys[0])};
  if (!keys[1].empty()) names.emplace_back(keys[1]);
  return Items(ours, theirs, names).merged(merge);
}

}  // namespace gpol::manifest::kustomize
