// Mutants of the emitted YAML, leaf by leaf, by the field table.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "tests/mutation/field_table.h"
#include "tests/mutation/mutant.h"
#include "tests/mutation/numbers.h"
#include "tests/support/yaml_tree.h"

namespace gpol::mutation {

namespace {

using testing::Documents;
using testing::Tree;

bool is_leaf(const Tree& tree) { return tree.children.empty(); }

std::string kind_of(const Tree& document) {
  for (std::size_t i = 0; i < document.keys.size(); ++i)
    if (document.keys[i] == "kind") return document.children[i].text;
  return "?";
}

const Tree* member(const Tree& map, const std::string& key) {
  for (std::size_t i = 0; i < map.keys.size(); ++i)
    if (map.keys[i] == key) return &map.children[i];
  return nullptr;
}

// "search", or the file of what has no name.
std::string name_of(const Tree& document, const std::string& file) {
  if (document.kind == Tree::Kind::Map)
    if (const Tree* metadata = member(document, "metadata"))
      if (const Tree* name = member(*metadata, "name")) return name->text;
  return file;
}

// A place in a file: the children's numbers from the document down.
struct Leaf {
  std::string file, kind, path, where;
  std::size_t document = 0;
  std::vector<std::size_t> at;
};

class Generator {
 public:
  Generator(const Example& example, const Example* before) : example_(example) {
    // What cuts GPUs no scheduler reads, and the proof does not rest on it: ../property/broken_partition.cpp has every
    // line of it be another one, and be seen.
    for (const auto& file : example.files)
      if (!file.path.starts_with("partition/")) documents_[file.path] = testing::read_documents(file.bytes);
    std::set<std::string> before_texts;
    if (before != nullptr)
      for (const auto& file : before->files)
        for (const Tree& document : testing::read_documents(file.bytes))
          if (is_guard(document)) before_texts.insert(testing::render_documents({document}));
    for (const auto& [file, list] : documents_)
      for (std::size_t d = 0; d < list.size(); ++d)
        if (before_texts.contains(testing::render_documents({list[d]})))
          judged_.insert({file, d});
        else
          walk(list[d], {file, kind_of(list[d]), "", name_of(list[d], file), d, {}});
  }

  std::vector<Mutant> all() {
    std::map<std::string, std::vector<const Leaf*>> alike;  // by field
    for (const Leaf& leaf : leaves_) {
      remove(leaf);
      if (const Field* field = field_of(leaf.kind, leaf.path)) change(leaf, *field);
      if (field_of(leaf.kind, leaf.path) != nullptr) alike[leaf.kind + " " + leaf.path].push_back(&leaf);
    }
    for (const auto& [field, list] : alike)
      for (std::size_t i = 0; i + 1 < list.size(); ++i) swap(*list[i], *list[i + 1]);
    for (const auto& [file, list] : documents_)
      for (std::size_t d = 0; d < list.size(); ++d)
        if (file.starts_with("base/") && !judged_.contains({file, d}) && !file.ends_with("kustomization.yaml"))
          remove_object(file, list, d);
    return std::move(out_);
  }

  std::vector<std::string> missing() const {
    std::set<std::string> none;
    for (const Leaf& leaf : leaves_)
      if (is_leaf(get(leaf)) && field_of(leaf.kind, leaf.path) == nullptr) none.insert(leaf.kind + " " + leaf.path);
    return {none.begin(), none.end()};
  }

 private:
  static bool is_guard(const Tree& document) { return kind_of(document).starts_with("ValidatingAdmissionPolicy"); }

  // Leaves, and what they stand in: a list item or a part of the object can be deleted, too.
  void walk(const Tree& tree, const Leaf& here) {
    if (!here.at.empty()) leaves_.push_back(here);
    for (std::size_t i = 0; i < tree.children.size(); ++i) {
      Leaf child = here;
      child.at.push_back(i);
      if (tree.kind == Tree::Kind::Map)
        child.path += (child.path.empty() ? "" : ".") + tree.keys[i];
      else
        child.path += "[]";
      walk(tree.children[i], child);
    }
  }

  const Tree& get(const Leaf& leaf) const {
    const Tree* tree = &documents_.at(leaf.file)[leaf.document];
    for (const std::size_t i : leaf.at) tree = &tree->children[i];
    return *tree;
  }
  static Tree& find(Documents& documents, const Leaf& leaf, std::size_t above = 0) {
    Tree* tree = &documents[leaf.document];
    for (std::size_t i = 0; i + above < leaf.at.size(); ++i) tree = &tree->children[leaf.at[i]];
    return *tree;
  }

  void put(const Leaf& leaf, std::string change, std::vector<YamlFile> files) {
    out_.push_back({leaf.kind + " " + leaf.path, std::move(change), leaf.where, {}, std::move(files)});
  }

  void remove(const Leaf& leaf) {
    Documents documents = documents_.at(leaf.file);
    Tree& parent = find(documents, leaf, 1);
    const auto at = static_cast<std::ptrdiff_t>(leaf.at.back());
    parent.children.erase(parent.children.begin() + at);
    if (parent.kind == Tree::Kind::Map) parent.keys.erase(parent.keys.begin() + at);
    put(leaf, "delete", {{leaf.file, testing::render_documents(documents)}});
  }

  void write(const Leaf& leaf, std::string change, const std::string& text) {
    Documents documents = documents_.at(leaf.file);
    find(documents, leaf).text = text;
    put(leaf, std::move(change), {{leaf.file, testing::render_documents(documents)}});
  }

  void change(const Leaf& leaf, const Field& field) {
    const std::string text = get(leaf).text;
    using Holds = Field::Holds;
    if (field.holds == Holds::Number || field.holds == Holds::Numbers) {
      const auto numbers = numbers_in(text);
      for (std::size_t i = 0; i < numbers.size() && (i == 0 || field.holds == Holds::Numbers); ++i)
        for (auto& [what, now] : changes_of(text, numbers[i])) write(leaf, what, now);
    }
    if (field.absent != "refused" && field.absent != "none" && field.absent != text)
      write(leaf, "default", std::string(field.absent));
    std::istringstream words{std::string(field.words)};
    for (std::string word; words >> word;)
      if (word != text && word != field.absent) write(leaf, "to " + word, word);
  }

  void swap(const Leaf& one, const Leaf& other) {
    const Tree a = get(one), b = get(other);
    if (a.text == b.text) return;
    std::map<std::string, Documents> changed{{one.file, documents_.at(one.file)}};
    changed.emplace(other.file, documents_.at(other.file));
    find(changed[one.file], one) = b;
    find(changed[other.file], other) = a;
    std::vector<YamlFile> files;
    for (const auto& [file, list] : changed) files.push_back({file, testing::render_documents(list)});
    put(one, "swap", std::move(files));
    if (one.where != other.where) out_.back().where += "-" + other.where;
  }

  // The object; with the last one of a file the line of the kustomization that applies that.
  void remove_object(const std::string& file, Documents list, std::size_t d) {
    const std::string kind = kind_of(list[d]), name = name_of(list[d], file);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(d));
    if (!list.empty()) {
      out_.push_back({kind, "remove", name, {}, {{file, testing::render_documents(list)}}});
      return;
    }
    const std::string base = "base/kustomization.yaml";
    Documents documents = documents_.at(base);
    for (std::size_t i = 0; i < documents[0].keys.size(); ++i)
      if (documents[0].keys[i] == "resources")
        std::erase_if(documents[0].children[i].children, [&](const Tree& t) { return "base/" + t.text == file; });
    out_.push_back({kind, "remove", name, {}, {{file, ""}}});
    out_.back().files.push_back({base, testing::render_documents(documents)});
  }

  const Example& example_;
  std::map<std::string, Documents> documents_;
  std::set<std::pair<std::string, std::size_t>> judged_;  // documents of files
  std::vector<Leaf> leaves_;
  std::vector<Mutant> out_;
};

}  // namespace

std::vector<Mutant> yaml_mutants(const Example& example, const Example* before) {
  return Generator(example, before).all();
}

std::vector<std::string> fields_missing(const Example& example) { return Generator(example, nullptr).missing(); }

std::vector<YamlFile> with(const Example& example, const Mutant& mutant) {
  std::vector<YamlFile> files = example.files;
  for (const auto& changed : mutant.files)
    for (auto& file : files)
      if (file.path == changed.path) file.bytes = changed.bytes;
  std::erase_if(files, [](const YamlFile& file) { return file.bytes.empty(); });
  return files;
}

}  // namespace gpol::mutation
