// fmt on every policy of the repository: examples, goldens, the pages of `explain` and the documents. Formatted twice
// is formatted once; the tree, the words and the comments are the file's; and they are so, too, when everything between
// the words is drawn at random. Nothing here relies on the read-back that the formatter does itself.
#include <filesystem>
#include <iostream>
#include <random>
#include <regex>

#include "cli/commands/commands.h"
#include "compiler/format/format.h"
#include "compiler/syntax/parse.h"
#include "compiler/syntax/read.h"
#include "compiler/syntax/same_tree.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {
namespace {

namespace fs = std::filesystem;
using syntax::Kind;
using syntax::Token;

// What a text says, by the scanner and the parser alone.
struct Meaning {
  bool ok = false;
  std::string tree;                // as --dump=ast prints it
  std::vector<ast::Decl> decls;    // all of it
  std::vector<std::string> words;  // without `;`
  std::vector<std::string> comments;
  std::vector<bool> item;  // by word: it begins an item or a declaration
};

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(" \t") + 1);
  return text;
}

Meaning meaning(const std::string& text) {
  SourceSet sources;
  const FileId file = sources.add("x.gpol", text);
  Meaning out;
  std::vector<Token> comments;
  ast::File tree;
  const auto written = [&](const Token& t) { return text.substr(t.begin, t.end - t.begin); };
  const auto found = syntax::read(sources, file, &comments, [&](const syntax::Parsed& parsed) {
    std::vector<bool> item(parsed.tokens.size());
    item[0] = true;
    for (const auto& node : parsed.nodes) {
      using syntax::Rule;
      for (const Rule rule : {Rule::clusterItem, Rule::schedulerItem, Rule::nodesItem, Rule::cohortItem,
                              Rule::classItem, Rule::tenantItem, Rule::queueItem})
        if (node.rule == rule) item[node.first] = true;
    }
    for (std::size_t i = 0; i < parsed.tokens.size(); ++i) {
      const Token& token = parsed.tokens[i];
      if (token.kind == Kind::SEMICOLON || token.kind == Kind::END) continue;
      out.words.push_back(written(token));
      out.item.push_back(item[i]);
    }
    tree.decls.push_back(syntax::build(parsed));
  });
  for (const Token& comment : comments) out.comments.push_back(trimmed(written(comment)));
  out.ok = found.empty();
  out.tree = dump_ast(tree);
  out.decls = std::move(tree.decls);
  return out;
}

bool same_trees(const Meaning& a, const Meaning& b) {
  return std::equal(a.decls.begin(), a.decls.end(), b.decls.begin(), b.decls.end(), syntax::same);
}

// Empty: refused.
std::string fmt_of(const std::string& text) {
  SourceSet sources;
  return formatted(sources, sources.add("x.gpol", text)).value;
}

struct Policy {
  std::string name, text;
};

// ```gpol blocks, and those without a word of their language; `{{cluster}}` stands for the preamble.
void add_blocks(const std::string& name, const std::string& page, std::vector<Policy>& out) {
  std::string block;
  bool inside = false;
  bool wanted = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("```")) {
      if (inside) block += line == "{{cluster}}" ? "#" + line + "\n" : line + "\n";
      continue;
    }
    if (inside && wanted) out.push_back({name, block});
    inside = !inside;
    wanted = line == "```" || line == "```gpol";
    block.clear();
  }
}

std::vector<Policy> policies() {
  std::vector<Policy> out;
  for (const char* top : {"examples", "docs", "tests/golden", "README.md"}) {
    std::vector<fs::path> files;
    const fs::path path = fs::path(GPOL_ROOT) / top;
    if (fs::is_regular_file(path))
      files.push_back(path);
    else
      for (const auto& entry : fs::recursive_directory_iterator(path)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      const std::string name = fs::relative(file, GPOL_ROOT).string();
      if (file.extension() == ".gpol") out.push_back({name, read_text(file)});
      if (file.extension() == ".md") add_blocks(name, read_text(file), out);
    }
  }
  std::erase_if(out, [](const Policy& policy) { return !meaning(policy.text).ok; });
  return out;
}

void check_same(const Meaning& before, const std::string& out) {
  const Meaning after = meaning(out);
  CHECK(after.ok);
  CHECK(after.tree == before.tree);
  CHECK(same_trees(after, before));
  CHECK(after.words == before.words);
  CHECK(after.comments == before.comments);
  CHECK(fmt_of(out) == out);
  CHECK((out.empty() || (out.back() == '\n' && !out.starts_with('\n'))));
  CHECK(out.find("\n\n\n") == std::string::npos);
  CHECK(out.find(" \n") == std::string::npos);
  CHECK(out.find_first_of("\r") == std::string::npos);
}

// May the words stand side by side? Only where one of them is a mark that ends words.
bool may_join(const std::string& a, const std::string& b) {
  static const std::string marks = "{}(),;=";
  return marks.find(a.back()) != std::string::npos || marks.find(b.front()) != std::string::npos;
}

class Mangler {
 public:
  explicit Mangler(unsigned seed) : random_(seed) {}

  std::string mangled(const Meaning& policy, std::vector<std::string>& comments) {
    std::string out = between("", "", false, comments);
    for (std::size_t i = 0; i < policy.words.size(); ++i) {
      if (i > 0) out += between(policy.words[i - 1], policy.words[i], policy.item[i], comments);
      out += policy.words[i];
    }
    return out + between("", "", true, comments);
  }

 private:
  std::size_t draw(std::size_t most) { return random_() % (most + 1); }

  std::string between(const std::string& a, const std::string& b, bool item, std::vector<std::string>& comments) {
    static const char* const blanks[] = {" ", "  ", "\t", "\n", "\r\n", "\n\n", "\n \n\t\n", "\r", " \n  "};
    std::string out;
    for (std::size_t n = draw(2); n > 0; --n) {
      if (item && draw(3) == 0) out += ";";
      out += blanks[draw(8)];
      if (draw(7) != 0) continue;
      comments.push_back("#" + std::string(draw(1), ' ') + "c" + std::to_string(comments.size()) + "; {\xC3\xA9\" }");
      out += comments.back() + std::string(draw(2), ' ') + (draw(1) == 0 ? "\n" : "\r\n");
    }
    if (out.find_first_of(" \t\r\n") == std::string::npos && !a.empty() && !may_join(a, b)) out += " ";
    return out;
  }

  std::mt19937 random_;
};

// Definitions and what uses them keep the blanks that they were written with: `$a (b)` is not `$a(b)`.
bool has_references(const Policy& policy) {
  return policy.text.find("$") != std::string::npos || policy.text.find("define ") != std::string::npos;
}

TEST_CASE("format: every policy of the repository keeps its meaning, and twice is once") {
  const auto all = policies();
  std::cout << all.size() << " policies\n";
  CHECK(all.size() > 150);
  for (const Policy& policy : all) {
    INFO(policy.name);
    check_same(meaning(policy.text), fmt_of(policy.text));
  }
}

TEST_CASE("format: whatever stands between the words, tree, words and comments are kept") {
  unsigned seed = 1;
  std::size_t texts = 0;
  std::size_t left_out = 0;
  for (const Policy& policy : policies()) {
    if (has_references(policy)) continue;
    const Meaning before = meaning(policy.text);
    for (int round = 0; round < 20; ++round) {
      Mangler mangler(seed++);
      Meaning expected = before;
      expected.comments.clear();
      const std::string text = mangler.mangled(before, expected.comments);
      INFO(policy.name << " seed " << seed - 1 << "\n" << text);
      if (!meaning(text).ok) {  // a word that can begin a declaration, at the left margin within a block
        ++left_out;
        continue;
      }
      ++texts;
      check_same(expected, fmt_of(text));
    }
  }
  std::cout << texts << " texts, " << left_out << " left out\n";
  CHECK(texts > 3000);
  CHECK(left_out * 20 < texts);
}

TEST_CASE("format: blanks within lines and `;` at their ends change nothing") {
  std::mt19937 random(5);
  for (const Policy& policy : policies()) {
    if (has_references(policy)) continue;
    INFO(policy.name);
    const std::string once = fmt_of(policy.text);
    std::string text;
    bool quoted = false;
    bool comment = false;
    for (const char c : once) {
      comment = c != '\n' && (comment || (c == '#' && !quoted));
      if (c == '"' && !comment) quoted = !quoted;
      if (c == ' ' && !comment && !quoted) text += std::string(random() % 3, c == ' ' ? ' ' : c) + "\t";
      text += c;
      if (c == '\n') text += std::string(random() % 5, ' ');
    }
    CHECK(fmt_of(text) == once);
  }
}

TEST_CASE("format: what the repository ships is in the style") {
  int texts = 0;
  for (const Policy& policy : policies()) {
    if (policy.name.starts_with("tests/")) continue;
    ++texts;
    INFO(policy.name);
    CHECK(fmt_of(policy.text) == policy.text);
  }
  CHECK(texts > 80);
}

TEST_CASE("format: trees that say different things are not the same") {
  int changed = 0;
  for (const Policy& policy : policies()) {
    if (has_references(policy)) continue;  // what is in a definition has no tree before it is used
    const Meaning before = meaning(policy.text);
    for (std::size_t i = 0; i < before.words.size(); ++i) {
      // A name, number or text gets one more letter; `on` and the like would be no words of the grammar any more.
      std::string text;
      for (std::size_t k = 0; k < before.words.size(); ++k) {
        std::string word = before.words[k];
        if (k == i) word.insert(word.size() - (word.back() == '"' ? 1 : 0), "1");
        text += word + (before.words.size() > k + 1 && before.words[k + 1] == ".." ? "" : " ");
      }
      if (before.words.size() > 400) break;
      const Meaning after = meaning(text);
      if (!after.ok || after.words == before.words) continue;
      ++changed;
      INFO(policy.name << ": " << before.words[i]);
      CHECK_FALSE(same_trees(before, after));
    }
  }
  std::cout << changed << " changed words\n";
  CHECK(changed > 3000);
}

}  // namespace
}  // namespace gpol::test
