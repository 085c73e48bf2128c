// What if the emitter had a bug? Every leaf, key, list item, document and file of what is emitted for morning-ramp is
// changed, one at a time, and read back. Each change must be noticed: the set is not understood, or its normal form
// differs from the plan's. The exceptions stand in harmless_leaves.txt with a reason, and each must be needed.
#include <algorithm>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "checker/observe/observe.h"
#include "compiler/cluster/normal_form.h"
#include "compiler/policy/resolve.h"
#include "compiler/syntax/parse.h"
#include "emit/emit.h"
#include "emit/revision.h"
#include "tests/support/catch.h"
#include "tests/support/example.h"
#include "tests/support/yaml_tree.h"

namespace gpol {
namespace {

using testing::Documents;
using testing::read_documents;
using testing::render_documents;
using testing::Tree;

std::string file_text(const std::string& path) {
  std::ifstream in(std::string(GPOL_ROOT) + "/" + path);
  REQUIRE(in.good());
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Emitted {
  std::string planned;  // normal form
  std::vector<YamlFile> files;
};

Emitted emit_example() {
  SourceSet sources;
  const FileId file =
      sources.add("morning-ramp.gpol", test::expanded_policy("examples/morning-ramp/morning-ramp.gpol"));
  const auto parsed = parse(sources, file);
  REQUIRE(parsed.ok());
  const auto resolved = resolve(std::span(&parsed.value, 1));
  REQUIRE(resolved.ok());
  REQUIRE(resolved.value.has_value());
  const auto planned = plan(*resolved.value);
  Emitted result{normal_form(planned.cluster), {}};
  for (const auto& artefact : emit({planned, sources, revision(sources, std::span(&file, 1))})) {
    auto rendered = render(artefact);
    result.files.push_back({std::move(rendered.path), std::move(rendered.bytes)});
  }
  return result;
}

// --- the changes -----------------------------------------------------------------------------------------------------

// Words of which one may stand for another: the legal values of one field.
const std::vector<std::vector<std::string>> kEnums = {
    {"BestEffortFIFO", "StrictFIFO"},
    {"Never", "LowerPriority", "LowerOrNewerEqualPriority", "Any"},
    {"MayStopSearch", "TryNextFlavor"},
    {"BorrowingOverPreemption", "PreemptionOverBorrowing"},
    {"None", "Hold", "HoldAndDrain"},
    {"In", "NotIn", "Exists", "DoesNotExist"},
    {"NoSchedule", "PreferNoSchedule", "NoExecute"},
    {"Equal", "Exists"},
    {"add", "replace", "remove"},
    {"BlockUndeclared", "IgnoreUndeclared"},
    {"serving", "batch"},
    {"A", "B", "C"},
    {"ClusterQueue", "Cohort", "LocalQueue", "ResourceFlavor", "Namespace", "WorkloadPriorityClass"},
    {"kueue.x-k8s.io/v1beta2", "kueue.x-k8s.io/v1beta1"},
};

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 18 && text.find_first_not_of("0123456789") == std::string::npos;
}

// Other scalars to put in a scalar's place.
std::vector<Tree> others(const Tree& leaf) {
  std::vector<Tree> result;
  const auto put = [&](std::string text, Tree::Kind kind) { result.push_back({kind, std::move(text), {}, {}}); };
  if (leaf.kind == Tree::Kind::Plain && (leaf.text == "true" || leaf.text == "false"))
    put(leaf.text == "true" ? "false" : "true", leaf.kind);
  if (is_number(leaf.text)) {
    put(std::to_string(std::stoll(leaf.text) + 1), leaf.kind);
    put(std::to_string(std::stoll(leaf.text) - 1), leaf.kind);
  }
  for (const auto& words : kEnums)
    if (std::find(words.begin(), words.end(), leaf.text) != words.end())
      for (const auto& word : words)
        if (word != leaf.text) put(word, leaf.kind);
  put(leaf.text + "x", Tree::Kind::Quoted);
  put("", Tree::Kind::Quoted);
  return result;
}

struct Change {
  std::string path, what;  // "base/a.yaml#Kind/name spec.stopPolicy", "change `None` to `Hold`"
  std::string file, bytes;
  bool drop_file = false;
};

// "ClusterQueue/search"
std::string identity(const Tree& document) {
  const auto member = [](const Tree& map, const std::string& key) {
    const auto found = std::find(map.keys.begin(), map.keys.end(), key);
    return found == map.keys.end() ? nullptr : &map.children[static_cast<std::size_t>(found - map.keys.begin())];
  };
  const Tree *kind = member(document, "kind"), *metadata = member(document, "metadata");
  const Tree* name = metadata == nullptr ? nullptr : member(*metadata, "name");
  return (kind == nullptr ? "" : kind->text) + (name == nullptr ? "" : "/" + name->text);
}

// Visits every change of one file's documents. `Visit` sees the changed documents; they are changed back afterwards.
class Changes {
 public:
  Changes(const std::string& file, Documents& documents, std::function<void(const Change&)> visit)
      : file_(file), documents_(documents), visit_(std::move(visit)) {}

  void all() {
    visit_({file_, "drop the file", file_, {}, true});
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      path_ = file_ + "#" + identity(documents_[i]);
      const auto at = static_cast<std::ptrdiff_t>(i);
      with([&] { documents_.erase(documents_.begin() + at); }, "delete the document");
      with([&] { documents_.push_back(Tree(documents_[i])); }, "duplicate the document");
      path_ += " ";
      node(documents_[i]);
    }
  }

 private:
  void with(const std::function<void()>& edit, const std::string& what) {
    const Documents before = documents_;
    edit();
    visit_({path_, what, file_, render_documents(documents_)});
    documents_ = before;
  }

  // As `with`, for edits inside one node only.
  void edit_node(Tree& tree, const std::function<void()>& edit, const std::string& what) {
    const Tree before = tree;
    edit();
    visit_({path_, what, file_, render_documents(documents_)});
    tree = before;
  }

  void node(Tree& tree) {
    const auto path = path_;
    for (std::size_t i = 0; i < tree.children.size(); ++i) {
      const bool map = tree.kind == Tree::Kind::Map;
      const auto at = static_cast<std::ptrdiff_t>(i);
      path_ = map ? path + (path.ends_with(' ') ? "" : ".") + tree.keys[i] : path + "[" + std::to_string(i) + "]";
      edit_node(
          tree,
          [&] {
            tree.children.erase(tree.children.begin() + at);
            if (map) tree.keys.erase(tree.keys.begin() + at);
          },
          "delete");
      if (map) {
        edit_node(tree, [&] { tree.keys[i] += "x"; }, "rename");
      } else {
        edit_node(tree, [&] { tree.children.insert(tree.children.begin() + at, Tree(tree.children[i])); }, "duplicate");
        if (i + 1 < tree.children.size())
          edit_node(tree, [&] { std::swap(tree.children[i], tree.children[i + 1]); }, "swap");
      }
      node(tree.children[i]);
    }
    path_ = path;
    if (tree.kind != Tree::Kind::Plain && tree.kind != Tree::Kind::Quoted) return;
    for (const auto& other : others(tree))
      edit_node(tree, [&] { tree = other; }, "change `" + tree.text + "` to `" + other.text + "`");
  }

  std::string file_, path_;
  Documents& documents_;
  std::function<void(const Change&)> visit_;
};

// --- what is harmless ------------------------------------------------------------------------------------------------

// `*` stands for any text.
bool matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] != '*') return !text.empty() && pattern[0] == text[0] && matches(pattern.substr(1), text.substr(1));
  for (std::size_t i = 0; i <= text.size(); ++i)
    if (matches(pattern.substr(1), text.substr(i))) return true;
  return false;
}

// Lines "PATH PATTERN | CHANGE PATTERN | REASON."; `#` begins a comment line.
struct Harmless {
  std::string path, change, reason;
  int used = 0;
};

std::vector<Harmless> read_harmless() {
  std::vector<Harmless> list;
  std::istringstream text(file_text("tests/property/harmless_leaves.txt"));
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line[0] == '#') continue;
    INFO(line);
    const auto first = line.find(" | ");
    REQUIRE(first != std::string::npos);
    const auto second = line.find(" | ", first + 3);
    REQUIRE(second != std::string::npos);
    list.push_back({line.substr(0, first), line.substr(first + 3, second - first - 3), line.substr(second + 3), 0});
    REQUIRE(list.back().reason.size() > 20);
    REQUIRE(list.back().reason.ends_with("."));
  }
  return list;
}

struct Counts {
  int changes = 0, not_understood = 0, differ = 0, harmless = 0, silent = 0;
};

TEST_CASE("what is emitted reads back as what was planned") {
  const auto emitted = emit_example();
  const auto observed = observe(emitted.files);
  for (const auto& p : observed.problems) UNSCOPED_INFO(p.file << " " << p.field << ": " << p.what);
  CHECK(observed.problems.empty());
  CHECK(first_difference(emitted.planned, normal_form(observed.cluster)) == "");
}

TEST_CASE("every change of what is emitted is noticed, or harmless for a stated reason") {
  auto emitted = emit_example();
  auto harmless = read_harmless();
  Counts counts;
  std::string silent;

  std::map<std::string, Documents> documents;
  for (auto& file : emitted.files) {
    documents[file.path] = read_documents(file.bytes);
    file.bytes = render_documents(documents[file.path]);
  }
  {
    const auto observed = observe(emitted.files);
    for (const auto& p : observed.problems) UNSCOPED_INFO(p.file << " " << p.field << ": " << p.what);
    REQUIRE(observed.problems.empty());
    REQUIRE(first_difference(emitted.planned, normal_form(observed.cluster)) == "");
  }

  const auto judge = [&](const Change& change) {
    ++counts.changes;
    auto files = emitted.files;
    const auto at = std::find_if(files.begin(), files.end(), [&](const auto& f) { return f.path == change.file; });
    if (change.drop_file)
      files.erase(at);
    else
      at->bytes = change.bytes;
    const auto observed = observe(files);
    if (!observed.problems.empty()) {
      ++counts.not_understood;
    } else if (normal_form(observed.cluster) != emitted.planned) {
      ++counts.differ;
    } else {
      const auto entry = std::find_if(harmless.begin(), harmless.end(), [&](const Harmless& h) {
        return matches(h.path, change.path) && matches(h.change, change.what);
      });
      if (entry != harmless.end()) {
        ++entry->used;
        ++counts.harmless;
      } else {
        ++counts.silent;
        silent += change.path + " | " + change.what + "\n";
      }
    }
  };
  for (auto& [file, list] : documents) Changes(file, list, judge).all();

  std::cout << "broken emitters: " << emitted.files.size() << " files, " << counts.changes
            << " changes: " << counts.not_understood << " not understood, " << counts.differ << " another meaning, "
            << counts.harmless << " harmless for a reason, " << counts.silent << " silent\n";
  std::cout << silent;
  CHECK(counts.silent == 0);
  CHECK(counts.changes > 1000);
  CHECK(counts.differ > 100);
  for (const auto& entry : harmless) {
    INFO("entry of harmless_leaves.txt: " << entry.path << " | " << entry.change);
    CHECK(entry.used > 0);
  }
}

}  // namespace
}  // namespace gpol
