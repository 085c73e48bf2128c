// The language and its table of constructs (compiler/policy/constructs.cpp) say the same: every rule and every named
// alternative of the grammar has a row, is used by a golden or an example, and changes the output when it is taken out.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "GpolLexer.h"
#include "GpolParser.h"
#include "cli/commands/commands.h"
#include "cli/commands/session.h"
#include "compiler/cluster/normal_form.h"
#include "compiler/policy/constructs.h"
#include "compiler/syntax/parse.h"
#include "tests/support/catch.h"
#include "tests/support/pages.h"

namespace {

namespace fs = std::filesystem;
using gpol::test::read_text;

// The rules of the grammar and the names of their alternatives, from its text.
std::set<std::string> names_of_the_grammar() {
  std::set<std::string> names;
  const std::string grammar = read_text(GPOL_ROOT "/grammar/GpolParser.g4");
  const std::regex rule("\n([a-z][A-Za-z]*)\\s*(//[^\n]*)?(\n\\s*)?:"), label("#\\s+([a-z][A-Za-z]*)");
  for (const auto& pattern : {rule, label})
    for (auto it = std::sregex_iterator(grammar.begin(), grammar.end(), pattern); it != std::sregex_iterator(); ++it)
      names.insert((*it)[1]);
  return names;
}

struct Use {
  std::size_t policy = 0;
  std::size_t begin = 0, end = 0;  // bytes of its text
};

struct Corpus {
  std::vector<std::string> paths, texts;
  std::map<std::string, std::vector<Use>> uses;  // by the name of the rule or alternative
};

// The name of an alternative: of the class that ANTLR made for it.
std::string alternative(const antlr4::ParserRuleContext& context) {
  std::string name = typeid(context).name();  // N10GpolParser14ClassSloContextE
  name = name.substr(0, name.rfind("Context"));
  name = name.substr(name.find_last_of("0123456789") + 1);
  if (!name.empty() && name[0] >= 'A' && name[0] <= 'Z') name[0] = static_cast<char>(name[0] - 'A' + 'a');
  return name;
}

void note(Corpus& corpus, const antlr4::ParserRuleContext& context, const std::vector<std::string>& rules,
          std::size_t base) {
  if (context.start != nullptr && context.stop != nullptr) {
    const Use use{corpus.texts.size() - 1, base + context.start->getStartIndex(),
                  base + context.stop->getStopIndex() + 1};
    const std::string rule = rules.at(context.getRuleIndex());
    corpus.uses[rule].push_back(use);
    if (const std::string named = alternative(context); named != rule) corpus.uses[named].push_back(use);
  }
  for (const auto* child : context.children)
    if (const auto* inner = dynamic_cast<const antlr4::ParserRuleContext*>(child)) note(corpus, *inner, rules, base);
}

// ANTLR counts in code points: only policies in plain ASCII are looked at.
bool plain(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 128; });
}

using Texts = std::vector<std::pair<std::string, std::string>>;  // of policies, with their paths

Corpus corpus_of(const Texts& policies) {
  Corpus out;
  for (const auto& [path, text] : policies) {
    gpol::SourceSet sources;
    const auto tree = gpol::parse(sources, sources.add(path, text));
    if (!tree.ok() || !plain(text)) continue;
    out.paths.push_back(path);
    out.texts.push_back(text);
    for (const auto& decl : tree.value.decls) {
      antlr4::ANTLRInputStream input(text.substr(decl.span.begin, decl.span.end - decl.span.begin));
      GpolLexer lexer(&input);
      antlr4::CommonTokenStream tokens(&lexer);
      GpolParser parser(&tokens);
      parser.removeErrorListeners();
      const auto* read = parser.declaration();
      // A declaration with references in it is read once they are replaced.
      if (parser.getNumberOfSyntaxErrors() == 0) note(out, *read, parser.getRuleNames(), decl.span.begin);
    }
  }
  return out;
}

std::vector<fs::path> files_below(const std::string& folder, const std::string& extension) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(GPOL_ROOT + folder))
    if (entry.path().extension() == extension) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The goldens and the examples.
const Corpus& corpus() {
  static const Corpus all = [] {
    Texts texts;
    for (const char* folder : {"/tests/golden", "/examples"})
      for (const fs::path& path : files_below(folder, ".gpol")) texts.emplace_back(path.string(), read_text(path));
    return corpus_of(texts);
  }();
  return all;
}

// All that gpol makes of a policy, places apart.
std::string output(const std::string& path, const std::string& text) {
  const auto session = gpol::check_policy({path, text});
  std::string out;
  for (const auto& d : session->report.diagnostics) out += gpol::to_string(d.code) + " " + d.message + "\n";
  if (session->policy) out += gpol::dump_policy(*session->policy);
  if (session->planned) out += gpol::normal_form(session->planned->cluster);
  return out + gpol::dump_obligations(*session);
}

bool changes_something(const std::string& name) {
  static std::map<std::size_t, std::string> whole;  // by policy
  const auto found = corpus().uses.find(name);
  if (found == corpus().uses.end()) return false;
  std::size_t tried = 0;
  for (const Use& use : found->second) {
    if (++tried > 12) break;
    std::string without = corpus().texts[use.policy];
    if (whole.count(use.policy) == 0) whole[use.policy] = output(corpus().paths[use.policy], without);
    std::fill(without.begin() + static_cast<std::ptrdiff_t>(use.begin),
              without.begin() + static_cast<std::ptrdiff_t>(use.end), ' ');
    if (output(corpus().paths[use.policy], without) != whole[use.policy]) return true;
  }
  return false;
}

TEST_CASE("constructs: the grammar and the table name the same") {
  std::set<std::string> rows;
  for (const auto& row : gpol::constructs()) rows.insert(std::string(row.rule));
  CHECK(names_of_the_grammar() == rows);
}

TEST_CASE("constructs: every one is used by a golden or an example") {
  for (const auto& row : gpol::constructs()) {
    INFO(row.rule);
    CHECK(corpus().uses.count(std::string(row.rule)) == 1);
  }
}

TEST_CASE("constructs: every one is shown by an example on a page of docs/language") {
  Texts examples;
  for (const fs::path& page : files_below("/docs/language", ".md"))
    for (const auto& example : gpol::test::examples_on(read_text(page)))
      examples.emplace_back(page.string(), example.policy);
  const Corpus shown = corpus_of(examples);
  for (const auto& row : gpol::constructs()) {
    INFO(row.rule);
    CHECK(shown.uses.count(std::string(row.rule)) == 1);
  }
}

TEST_CASE("constructs: every one that has a row of its own changes the output") {
  for (const auto& row : gpol::constructs()) {
    if (!row.part.empty()) continue;
    INFO(row.rule);
    // The first version of the language is taken where none is written: the one word that may say nothing.
    CHECK(changes_something(std::string(row.rule)) == (row.rule != "languageDecl"));
  }
}

TEST_CASE("constructs: the table in docs/language.md is the one that gpol prints") {
  const std::string page = read_text(GPOL_ROOT "/docs/language.md");
  CHECK(page.find(gpol::construct_table()) != std::string::npos);
  CHECK(gpol::test::run_gpol({"explain", "constructs"}).out == gpol::construct_table());
}

}  // namespace
