// One kustomization file. In: a directory. Out: its fields, with what is wrong with them reported: unknown ones, and
// those that gpol does not build.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/observe/kustomize/context.h"

namespace gpol::manifest::kustomize {

struct Plan {
  std::string directory;
  FileText file;
  Node root;
  bool component = false;
};
// `asked_by`: what names the directory; null: the user.
std::optional<Plan> read_plan(Context& context, const std::string& directory, const Node* asked_by);

// Typed looks; what is of another type is reported and then absent. Null is absent.
const Node* list_at(Context& context, const Node& map, std::string_view key);
const Node* map_at(Context& context, const Node& map, std::string_view key);
const Node* word_at(Context& context, const Node& map, std::string_view key);  // a text that is not empty
std::vector<const Node*> words_at(Context& context, const Node& map, std::string_view key);
std::vector<const Node*> maps_at(Context& context, const Node& map, std::string_view key);
bool flag_at(Context& context, const Node& map, std::string_view key);
// A mapping of texts, sorted by key.
std::vector<const Entry*> texts_at(Context& context, const Node& map, std::string_view key);
// Reports every key but these, each behind a blank.
void only_keys(Context& context, const Node& map, std::string_view keys);

}  // namespace gpol::manifest::kustomize
