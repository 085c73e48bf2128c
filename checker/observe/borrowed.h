// What pods of an object are made of that its own fields do not say: another object that it names (a training or a
// serving runtime), or a text. In: a node of the object. Out: who says it. What the other object says is looked up when
// all was read (lent.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/observe/problems.h"
#include "checker/observe/tree.h"
#include "compiler/cluster/pod_facts.h"

namespace gpol::manifest {

// "GROUP/KIND/NS/NAME" of what others take pods from, without NS where it is of the cluster; empty: they take none.
std::string lent_name(const Node& object);

// What `node`, at `path` of an object of that group, kind and namespace, takes from other objects.
std::vector<PodFacts::Unread> borrowed_at(const PodFacts& about, const Node& node, const std::string& path,
                                          const Place& place);

// A text of Argo Workflows at a node: a patch of its pods, or an object that is made.
struct PodText {
  const Node* at = nullptr;
  std::string path;
  std::optional<Node> says;  // everything in it lies where the text does; nothing: what it says is not known
  bool object = false;
};
std::vector<PodText> texts_at(const PodFacts& about, const Node& node, const std::string& path);
PodFacts::Unread unread_text(const PodText& text, const Place& place);

}  // namespace gpol::manifest
