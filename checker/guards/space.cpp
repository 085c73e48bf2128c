#include <algorithm>

#include "checker/guards/fold.h"
#include "checker/guards/symbolic.h"
#include "compiler/source/lookup.h"

namespace gpol::symbolic {

namespace {

constexpr std::string_view kNumber = "number:";  // of a symbol
// Elements of a list that are asked for by place are kept beside the keys of a map, under no key that a map has.
constexpr char kPosition = '\1';

// No key is written like a place (@0) or an element without a name (*0): those would share their symbols.
std::string step(const std::string& key) {
  constexpr std::string_view kWritten = "~/*@";
  std::string out;
  if (Space::is_position(key)) return "@" + key.substr(1);
  for (const char c : key)
    if (const auto at = kWritten.find(c); at == std::string_view::npos)
      out += c;
    else
      out.append("~").append(std::to_string(at));
  return out;
}

std::string choice(const std::string& path, unsigned kind) { return "kind" + std::to_string(kind) + ':' + path; }

std::int64_t value_in(const Term& term, const std::map<std::string, std::int64_t>& model, std::int64_t otherwise) {
  if (term.get() == nullptr) return otherwise;
  if (term->op == Op::IntConst || term->op == Op::BoolConst) return term->value;
  return value_or(model, term->name, otherwise);
}

Kind first_kind(unsigned kinds) {
  for (const Kind kind : {Kind::Map, Kind::String, Kind::List})
    if ((kinds & bit(kind)) != 0) return kind;
  for (unsigned k = 0; k < 7; ++k)
    if ((kinds & (1U << k)) != 0) return static_cast<Kind>(k);
  return Kind::Null;
}

Kind kind_in(const Node& node, const std::map<std::string, std::int64_t>& model) {
  for (unsigned k = 0, left = node.kinds; k < 7; ++k) {
    if ((left & (1U << k)) == 0) continue;
    const auto chosen = model.find(choice(node.path, k));
    if (chosen == model.end()) return first_kind(left);  // the last one, or it does not matter
    if (chosen->second != 0) return static_cast<Kind>(k);
    left &= ~(1U << k);
  }
  return first_kind(node.kinds);
}

}  // namespace

Space::Space(AdmissionTarget target, std::map<std::string, PathPlan>& plan) : target_(std::move(target)), plan_(plan) {}

bool Space::is_position(std::string_view key) { return key.starts_with(kPosition); }

Node* Space::make(const std::string& path) {
  const Known known = known_of(target_, path);
  Node& node = nodes_.emplace_back();
  node.path = path;
  node.kinds = known.kinds;
  // One choice after the other, so that exactly one holds.
  Term none_before = boolean(true);
  for (unsigned k = 0, left = node.kinds; k < 7; ++k) {
    if ((node.kinds & (1U << k)) == 0) continue;
    left &= ~(1U << k);
    const Term chosen = left == 0 ? boolean(true) : bool_symbol(choice(path, k));
    node.is[k] = both_of(none_before, chosen);
    none_before = both_of(none_before, negated(chosen));
  }
  const auto can_be = [&](Kind kind) { return (known.kinds & bit(kind)) != 0; };
  if (can_be(Kind::Bool)) node.truth = bool_symbol("truth:" + path);
  if (can_be(Kind::Int) || can_be(Kind::Double)) node.number = int_symbol(std::string(kNumber) + path);
  if (can_be(Kind::Double)) node.fraction = bool_symbol("fraction:" + path);
  if (can_be(Kind::String)) node.text = known.text ? strings.literal(*known.text) : strings.fresh(path);
  if (known.not_empty) facts_.push_back(negated(strings.same(node.text, strings.literal(""))));
  return &node;
}

Entry Space::make_entry(Node& parent, const std::string& key, bool other) {
  Entry entry;
  const std::string path = parent.path + "/" + (other ? key : step(key));
  entry.node = make(path);
  const auto known = known_of(target_, path);
  entry.present = known.present ? boolean(*known.present) : bool_symbol("has:" + path);
  if ((parent.kinds & bit(Kind::Map)) != 0) entry.key = other ? strings.fresh("key:" + path) : strings.literal(key);
  return entry;
}

Node* Space::root(const std::string& name) {
  Node*& node = roots_[name];
  if (node == nullptr) node = make(name);
  return node;
}

const Entry& Space::child(Node& map, const std::string& key) {
  const auto found = map.named.find(key);
  if (found != map.named.end()) return found->second;
  PathPlan& plan = plan_[map.path];
  if (map.walked && plan.keys.count(key) == 0) again_ = true;
  plan.keys.insert(key);
  return map.named.emplace(key, make_entry(map, key, false)).first->second;
}

const Entry* Space::position(Node& list, std::size_t at) {
  if (at >= 8) return nullptr;
  const Entry* before = at == 0 ? nullptr : position(list, at - 1);
  const std::string key = kPosition + std::to_string(at);
  const bool is_new = list.named.count(key) == 0;
  const Entry& entry = child(list, key);
  if (is_new && before != nullptr) facts_.push_back(implies(entry.present, before->present));
  return &entry;
}

std::vector<Entry> Space::walk(Node& node, Kind as, std::size_t needs) {
  if (!node.walked) {
    node.walked = true;
    const PathPlan plan = plan_[node.path];
    for (const std::string& key : plan.keys)
      if (is_position(key))
        position(node, std::stoul(key.substr(1)));
      else
        child(node, key);
    for (std::size_t i = 0; i < plan.slots; ++i) {
      Entry entry = make_entry(node, "*" + std::to_string(i), true);
      // Elements that differ in nothing but their place are the same request: the first ones are there first.
      if (i > 0) facts_.push_back(implies(entry.present, node.others.back().present));
      for (const auto& [key, named] : node.named)
        // Where it is a list, what has a place of its own comes before the others.
        if (is_position(key))
          facts_.push_back(implies(node.kind_is(Kind::List), implies(entry.present, named.present)));
        else if (entry.key.get() != nullptr)
          facts_.push_back(negated(strings.same(entry.key, named.key)));
      if (entry.key.get() != nullptr)
        for (const Entry& before : node.others) facts_.push_back(negated(strings.same(entry.key, before.key)));
      node.others.push_back(std::move(entry));
    }
  }
  for (std::size_t i = 0; i < needs; ++i) need(node, std::to_string(serial_++));
  std::vector<Entry> all;
  for (const auto& [key, entry] : node.named)
    if (is_position(key) == (as == Kind::List)) all.push_back(entry);
  all.insert(all.end(), node.others.begin(), node.others.end());
  return all;
}

void Space::need(Node& node, const std::string& who) { node.instances.insert(who); }

Term Space::size(Node& node, Kind as) {
  const std::vector<Entry> all = walk(node, as, 0);
  need(node, "size");
  Term& size = node.sizes[as];
  if (size.get() == nullptr) {
    size = int_symbol((as == Kind::List ? "length:" : "size:") + node.path);
    Term seen = integer(0);
    std::vector<Term> any;
    for (const Entry& entry : all) {
      seen = seen + ite(entry.present, integer(1), integer(0));
      any.push_back(entry.present);
    }
    // There may be more elements than are looked at, but not if none of those is there (one was kept for this).
    facts_.push_back(size >= seen);
    facts_.push_back(implies(size > integer(0), any_of(any)));
  }
  return size;
}

Term Space::define(const Term& term) {
  if (term->args.empty()) return term;
  const Term name = bool_symbol("so" + std::to_string(free_++));
  facts_.push_back(equal(name, term));
  return name;
}

Term Space::alike(Node* a, Node* b) {
  for (const Alike& one : alike_)
    if ((one.a == a && one.b == b) || (one.a == b && one.b == a)) return one.truth;
  alike_.push_back({a, b, fresh_truth()});
  return alike_.back().truth;
}

// What follows where both are equal. It is only ever less than the truth, so that more requests are left.
void Space::liken(const Term& when, Node& a, Node& b) {
  if (a.kinds == bit(Kind::String) && b.kinds == bit(Kind::String))
    return facts_.push_back(implies(when, strings.same(a.text, b.text)));
  const Term texts = both_of(a.kind_is(Kind::String), b.kind_is(Kind::String));
  if (!is_false(texts)) facts_.push_back(implies(both_of(when, texts), strings.same(a.text, b.text)));
  for (const Kind kind : {Kind::Null, Kind::Bool, Kind::String, Kind::List, Kind::Map})
    facts_.push_back(implies(when, same_truth(a.kind_is(kind), b.kind_is(kind))));
  const Term truths = both_of(a.kind_is(Kind::Bool), b.kind_is(Kind::Bool));
  if (!is_false(truths)) facts_.push_back(implies(both_of(when, truths), same_truth(a.truth, b.truth)));
  const Term maps = both_of(when, both_of(a.kind_is(Kind::Map), b.kind_is(Kind::Map)));
  if (is_false(maps)) return;
  std::set<std::string> keys;
  for (const Node* node : {&a, &b})
    for (const auto& [key, entry] : node->named)
      if (!is_position(key)) keys.insert(key);
  for (const std::string& key : keys) {
    const Entry mine = child(a, key), others = child(b, key);
    facts_.push_back(implies(maps, same_truth(mine.present, others.present)));
    liken(both_of(maps, mine.present), *mine.node, *others.node);
  }
}

bool Space::settled() {
  if (!again_)
    for (const Alike& one : alike_) liken(one.truth, *one.a, *one.b);
  for (const Node& node : nodes_) {
    PathPlan& plan = plan_[node.path];
    if (node.walked && node.instances.size() > plan.slots) {
      plan.slots = node.instances.size();
      again_ = true;
    }
  }
  return !again_;
}

std::vector<Term> Space::bounds(const std::vector<Term>& symbols) const {
  std::vector<Term> all;
  for (const Term& symbol : symbols)
    if (symbol->sort == Sort::Int && symbol->name.starts_with(kNumber))
      all.push_back(integer(INT64_MIN) <= symbol && symbol <= integer(INT64_MAX));
  return all;
}

std::vector<Term> Space::facts() {
  std::vector<Term> all = facts_;
  const auto more = strings.facts();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

cel::Value Space::build(Node& node, const std::map<std::string, std::int64_t>& model) const {
  const Kind kind = kind_in(node, model);
  // Of lists that are said to be equal nothing else is known: the second is the first.
  for (const Alike& one : alike_)
    if (Node* other = &node == one.a ? one.b : one.a; (&node == one.a || &node == one.b) && other->path < node.path &&
                                                      kind == Kind::List && kind_in(*other, model) == kind &&
                                                      value_in(one.truth, model, 0) != 0)
      return build(*other, model);
  const auto there = [&](const Entry& entry) { return value_in(entry.present, model, 0) != 0; };
  const auto sized = node.sizes.find(kind);
  const std::int64_t size = sized == node.sizes.end() ? 0 : value_in(sized->second, model, 0);
  switch (kind) {
    case Kind::Bool:
      return value_in(node.truth, model, 0) != 0;
    case Kind::Int:
      return value_in(node.number, model, 0);
    case Kind::Double:
      return static_cast<double>(value_in(node.number, model, 0)) +
             (value_in(node.fraction, model, 0) != 0 ? 0.5 : 0.0);
    case Kind::String:
      return strings.shown(node.text).value_or("unnamed");
    case Kind::List: {
      cel::List list;
      for (const auto& [key, entry] : node.named)
        if (is_position(key) && there(entry)) list.push_back(build(*entry.node, model));
      for (const Entry& entry : node.others)
        if (there(entry)) list.push_back(build(*entry.node, model));
      while (!list.empty() && static_cast<std::int64_t>(list.size()) < std::min<std::int64_t>(size, 300))
        list.push_back(cel::Value(list.back()));
      return list;
    }
    case Kind::Map: {
      cel::Map map;
      std::string last;
      for (const auto& [key, entry] : node.named)
        if (!is_position(key) && there(entry)) map[key] = build(*entry.node, model);
      for (const Entry& entry : node.others)
        if (there(entry)) map[last = strings.shown(entry.key).value_or("key")] = build(*entry.node, model);
      for (int i = 1; !last.empty() && static_cast<std::int64_t>(map.size()) < std::min<std::int64_t>(size, 300); ++i)
        map.emplace(last + std::to_string(i), map.at(last));
      return map;
    }
    default:
      return {};
  }
}

}  // namespace gpol::symbolic
