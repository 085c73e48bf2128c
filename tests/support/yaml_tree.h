// YAML as a tree that a test can change leaf by leaf. In: bytes. Out: bytes of another spelling and the same meaning.
// A patch of a kustomization is a text with YAML in it: its tree stands in the text's place.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstddef>
#include <string>
#include <vector>

namespace gpol::testing {

struct Tree {
  enum class Kind { Plain, Quoted, List, Map } kind = Kind::Plain;
  std::string text;
  std::vector<std::string> keys;  // of a map, parallel to children
  std::vector<Tree> children;
  bool embedded = false;  // written as a text
};

inline Tree tree_of(const YAML::Node& node) {
  Tree tree;
  if (node.IsMap()) {
    tree.kind = Tree::Kind::Map;
    for (const auto& entry : node) {
      tree.keys.push_back(entry.first.Scalar());
      const bool embedded = tree.keys.back() == "patch" && entry.second.IsScalar();
      tree.children.push_back(tree_of(embedded ? YAML::Load(entry.second.Scalar()) : entry.second));
      tree.children.back().embedded = embedded;
    }
  } else if (node.IsSequence()) {
    tree.kind = Tree::Kind::List;
    for (const auto& item : node) tree.children.push_back(tree_of(item));
  } else {
    tree.kind = node.Tag() == "!" ? Tree::Kind::Quoted : Tree::Kind::Plain;
    tree.text = node.Scalar();
  }
  return tree;
}

inline std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result.push_back('\\');
    if (c == '\n')
      result += "\\n";
    else
      result.push_back(c);
  }
  return result + "\"";
}

// Flow style: the spelling differs from the emitter's, the meaning does not.
inline void render_tree(const Tree& tree, std::string& out) {
  if (tree.embedded) {
    Tree inside = tree;
    inside.embedded = false;
    std::string text;
    render_tree(inside, text);
    out += testing::quoted(text);
    return;
  }
  switch (tree.kind) {
    case Tree::Kind::Plain:
      out += tree.text;
      return;
    case Tree::Kind::Quoted:
      out += quoted(tree.text);
      return;
    case Tree::Kind::List:
    case Tree::Kind::Map:
      break;
  }
  const bool map = tree.kind == Tree::Kind::Map;
  out += map ? "{" : "[";
  for (std::size_t i = 0; i < tree.children.size(); ++i) {
    if (i > 0) out += ", ";
    if (map) out += quoted(tree.keys[i]) + ": ";
    render_tree(tree.children[i], out);
  }
  out += map ? "}" : "]";
}

using Documents = std::vector<Tree>;

inline std::string render_documents(const Documents& documents) {
  std::string out;
  for (const auto& document : documents) {
    out += "---\n";
    render_tree(document, out);
    out += "\n";
  }
  return out;
}

inline Documents read_documents(const std::string& bytes) {
  Documents documents;
  for (const auto& node : YAML::LoadAll(bytes)) documents.push_back(tree_of(node));
  return documents;
}

}  // namespace gpol::testing
