// Symbolic requests: JSON of which every part is a constant of a formula, made as expressions ask for it (reach.h says
// why a bounded part of every list and map is enough).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checker/guards/match.h"
#include "checker/guards/strings.h"
#include "checker/guards/value.h"
#include "checker/solver/terms.h"

namespace gpol::symbolic {

enum class Kind : std::uint8_t { Null, Bool, Int, Double, String, List, Map, Quantity, None, Some };
constexpr unsigned bit(Kind kind) { return 1U << static_cast<unsigned>(kind); }
constexpr unsigned kAnyKind = 0x7F;  // what JSON has

struct Node;
struct Entry {
  Term present;
  Term key;  // of what can be a map: a string
  Node* node = nullptr;
};

struct Node {
  std::string path;
  unsigned kinds = kAnyKind;
  std::array<Term, 7> is;  // of each of `kinds`, whether it is that: one is true
  // Of a kind that it can be: Bool; Int, and Double rounded down; whether it was; String.
  Term truth, number, fraction, text;
  std::map<std::string, Entry> named;  // of a map: by key; of a list: by position
  std::vector<Entry> others;           // further elements
  std::map<Kind, Term> sizes;          // as a list, as a map, once asked for
  bool walked = false;                 // something has gone through all elements
  std::set<std::string> instances;     // who needs an element of its own here

  Term kind_is(Kind kind) const {
    return (kinds & bit(kind)) == 0 ? boolean(false) : is[static_cast<std::size_t>(kind)];
  }
};

struct Value;
struct Item {
  Term present;
  std::shared_ptr<const Value> value;
};
// One of several things that a value may be, under a condition.
struct Alternative {
  Term when;
  Kind kind = Kind::Null;
  Term a, b;                // Bool: a. Int: a. Double, Quantity: a, rounded down, and whether it was: b. String: a
  Node* node = nullptr;     // List, Map of the request
  std::vector<Item> items;  // List made by an expression
  std::vector<std::string> keys;        // Map made by an expression: keys of `items`
  std::vector<Node*> origins;           // lists of the request whose elements `items` are
  std::shared_ptr<const Value> inside;  // Some
};
// In every model exactly one of these holds: an error, unknown (anything at all, an error too), one alternative.
struct Value {
  Term error = boolean(false), unknown = boolean(false);
  std::vector<Alternative> alternatives;
};
// An expression as a condition: true, false, or neither (an error).
struct Truth {
  Term yes, no;
  Term error() const { return !(yes || no); }
};

struct PathPlan {
  std::set<std::string> keys;
  std::size_t slots = 0;
};

// The nodes of one round. Where an expression asks for what the round did not foresee, the plan grows and the round is
// to be repeated.
class Space {
 public:
  Space(AdmissionTarget target, std::map<std::string, PathPlan>& plan);

  Node* root(const std::string& name);  // object, oldObject, request, namespace
  const Entry& child(Node& map, const std::string& key);
  const Entry* position(Node& list, std::size_t at);  // null: too far
  static bool is_position(std::string_view key);      // a text that is no key for `child`
  // All elements of a list or map, for something that needs this many elements to be kept for it alone.
  std::vector<Entry> walk(Node& node, Kind as, std::size_t needs);
  void need(Node& node, const std::string& who);
  Term size(Node& node, Kind as);
  Term fresh_truth() { return bool_symbol("free" + std::to_string(free_++)); }
  // Whether two lists or maps are equal: the same truth each time that it is asked. Of maps that are, what is asked for
  // by key is alike, too (settled); of lists nothing else is known.
  Term alike(Node* a, Node* b);
  Term fresh_number() { return int_symbol("free#" + std::to_string(free_++)); }
  Term fresh_text() { return strings.fresh("free" + std::to_string(free_++)); }

  Term define(const Term& term);  // a name for a large term, so that it is written once

  bool settled();  // no other round is needed
  bool too_large() const { return nodes_.size() > 4000; }
  void require(Term fact) { facts_.push_back(std::move(fact)); }
  std::vector<Term> facts();  // once, when everything has been asked for
  // That numbers have 64 bits, those that a formula speaks of.
  std::vector<Term> bounds(const std::vector<Term>& symbols) const;
  const AdmissionTarget& target() const { return target_; }
  cel::Value build(Node& node, const std::map<std::string, std::int64_t>& model) const;

  Strings strings;

 private:
  Node* make(const std::string& path);
  Entry make_entry(Node& parent, const std::string& key, bool other);
  void liken(const Term& when, Node& a, Node& b);

  AdmissionTarget target_;
  std::map<std::string, PathPlan>& plan_;
  std::deque<Node> nodes_;
  std::map<std::string, Node*> roots_;
  struct Alike {
    Node *a, *b;
    Term truth;
  };
  std::vector<Alike> alike_;  // as they were asked for: what is made of them is numbered
  std::vector<Term> facts_;
  std::size_t free_ = 0, serial_ = 0;
  bool again_ = false;
};

// What is known of a part of any request of a target, whoever made it: which kinds it can have, whether it must be
// there, its value.
struct Known {
  unsigned kinds = kAnyKind;
  std::optional<bool> present;
  std::optional<std::string> text;
  bool not_empty = false;  // of a string
};
Known known_of(const AdmissionTarget& target, const std::string& path);
// The parts that every object of a target has once it was validated, as steps from the request: maps, and lists that
// may be shown empty.
struct AlwaysThere {
  std::vector<std::string> steps;
  bool list = false;
};
std::vector<AlwaysThere> always_there(const AdmissionTarget& target);

}  // namespace gpol::symbolic
