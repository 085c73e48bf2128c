// An object on its way through a build, and what kustomize remembers of it: under which names it was known, and what
// was put around its name. In: mappings. Out: resources and how they are told apart.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checker/observe/tree.h"

namespace gpol::manifest::kustomize {

struct Kind {
  std::string group, version, kind;
  friend bool operator==(const Kind&, const Kind&) = default;
};
Kind kind_of(const Node& object);
// Empty parts of the selector select anything.
bool selected_by(const Kind& kind, const Kind& selector);
// Of the kinds of Kubernetes 1.21, all that kustomize knows of: no custom resource is, ClusterQueue neither.
bool cluster_scoped(const Kind& kind);

// Of words that each stand behind a blank.
bool has_word(std::string_view words, std::string_view word);

inline constexpr std::string_view kNoNamespace = "_non_namespaceable_";

struct Id {
  Kind kind;
  std::string name, ns;  // ns: "default" where none is said, kNoNamespace where there can be none
  friend bool operator==(const Id&, const Id&) = default;
  std::string key() const;  // one text for each
};
std::string shown_id(const Id& id);  // "ClusterQueue `a`"

// Of a label that was put into several places of one object at once: where what asked for it stands. kustomize keeps
// one value for all of them, and whoever changes it at one place changes all.
struct Shared {
  FileId file = kNoFile;
  std::uint32_t begin = 0;
  std::string key;
};

struct Resource {
  Node node;
  std::vector<Id> previous;  // oldest first; of the group and version that it has now
  std::vector<std::string> prefixes, suffixes;
  bool generated = false, needs_hash = false;
  std::vector<Shared> shared = {};

  Kind kind() const { return kind_of(node); }
  std::string name() const;
  std::string ns() const;  // as it is written
  Id id() const;
  std::vector<Id> previous_ids() const;  // with the group and version that it has now
  Id first_id() const;
  void remember();  // the id that it has now
  bool is_shared(const Entry& entry) const;
  void spread(const Shared& shared, const Node& value);
  bool removed() const { return node.kind != Node::Kind::Map || node.entries.empty(); }
};

}  // namespace gpol::manifest::kustomize
