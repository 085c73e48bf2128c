// The ANTLR side of the reader. The grammar decides everything; what is replaced is how ANTLR is driven:
//  - the lexer's automaton is compiled once into a table (the runtime's own takes locks for every character);
//  - each declaration is parsed alone over our own words, and rules are noted as they end: no parse tree;
//  - the grammar is LL(1): no prediction ever runs, nothing is cached between files, threads share nothing mutable;
//  - a mistake in an item of a block is reported and reading goes on with the next item.
#include "compiler/syntax/parse.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "GpolLexer.h"
#include "GpolParser.h"
#include "antlr4-runtime.h"
#include "compiler/source/lookup.h"
#include "compiler/syntax/item_ends.h"
#include "compiler/syntax/lexer_table.h"
#include "compiler/syntax/mistake.h"
#include "compiler/syntax/read.h"
#include "compiler/syntax/split.h"

namespace gpol {
namespace {

using namespace syntax;
using antlr4::atn::ATN, antlr4::atn::ATNState;

static_assert(static_cast<std::size_t>(Kind::BAD) == GpolLexer::BAD &&
              static_cast<std::size_t>(Kind::ID) == GpolLexer::ID);
static_assert(static_cast<std::size_t>(Rule::name) == GpolParser::RuleName);

bool is_end(const ATNState* state) { return dynamic_cast<const antlr4::atn::RuleStopState*>(state) != nullptr; }

LexerEdges lexer_edges() {
  antlr4::ANTLRInputStream nothing;
  GpolLexer lexer(&nothing);
  const ATN& atn = lexer.getATN();
  LexerEdges out;
  std::vector<const ATNState*> targets;
  std::vector<LexerEdges::Set> edges_of(atn.states.size());
  for (const auto& state : atn.states) {
    if (state == nullptr || is_end(state)) continue;
    for (const auto& edge : state->transitions) {
      if (edge->isEpsilon()) continue;
      edges_of[state->stateNumber].push_back(static_cast<std::uint16_t>(out.edges.size()));
      LexerEdges::Edge read;
      if (dynamic_cast<const antlr4::atn::AtomTransition*>(&*edge) != nullptr) {
        const auto c = static_cast<std::size_t>(edge->label().getMinElement());
        if (c < read.reads.size()) read.reads.set(c);
      } else {
        for (std::size_t c = 0; c < read.reads.size(); ++c) read.reads[c] = edge->matches(c, 0, 0x10FFFF);
      }
      out.edges.push_back(std::move(read));
      targets.push_back(edge->target);
    }
  }
  const auto place = [&](const ATNState* from) {  // all that is reached without reading
    LexerEdges::Place here;
    std::vector<const ATNState*> reached{from};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      if (is_end(reached[i])) {
        here.end_with(static_cast<Kind>(atn.ruleToTokenType[static_cast<std::size_t>(reached[i]->ruleIndex)]));
        continue;
      }
      const auto& edges = edges_of[reached[i]->stateNumber];
      here.next.insert(here.next.end(), edges.begin(), edges.end());
      for (const auto& edge : reached[i]->transitions)
        if (edge->isEpsilon() && !contains(reached, edge->target)) reached.push_back(edge->target);
    }
    return here;
  };
  for (std::size_t i = 0; i < targets.size(); ++i) out.edges[i].after = place(targets[i]);
  out.start = place(atn.modeToStartState[0]);
  return out;
}

KindSet kinds(const antlr4::misc::IntervalSet& set) {
  KindSet out;
  for (std::size_t i = 1; i < kKinds; ++i)
    if (set.contains(i)) out.set(i);
  if (set.contains(antlr4::Token::EOF)) out.set(static_cast<std::size_t>(Kind::END));
  return out;
}

// One of the parser's tokens: a view of one of our words.
class View final : public antlr4::Token {
 public:
  View(const gpol::syntax::Token& word, std::size_t index)
      : type_(word.kind == Kind::END ? antlr4::Token::EOF : static_cast<std::size_t>(word.kind)),
        index_(index),
        begin_(word.begin),
        end_(word.end) {}
  std::string getText() const override { return {}; }
  std::size_t getType() const override { return type_; }
  std::size_t getLine() const override { return 0; }
  std::size_t getCharPositionInLine() const override { return 0; }
  std::size_t getChannel() const override { return antlr4::Token::DEFAULT_CHANNEL; }
  std::size_t getTokenIndex() const override { return index_; }
  std::size_t getStartIndex() const override { return begin_; }
  std::size_t getStopIndex() const override { return end_; }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  antlr4::CharStream* getInputStream() const override { return nullptr; }
  std::string toString() const override { return {}; }

 private:
  std::size_t type_, index_;
  std::uint32_t begin_, end_;
};

// The words of one declaration as the parser's input.
class Words final : public antlr4::TokenStream {
 public:
  void set(std::span<const gpol::syntax::Token> words) {
    views_.clear();
    for (const auto& word : words) views_.emplace_back(word, views_.size());
    at_ = 0;
  }
  antlr4::Token* LT(ssize_t i) override {
    const auto at = static_cast<ssize_t>(at_) + (i > 0 ? i - 1 : i);
    return at < 0 || views_.empty() ? nullptr : &views_[std::min(static_cast<std::size_t>(at), views_.size() - 1)];
  }
  std::size_t LA(ssize_t i) override {
    const antlr4::Token* token = LT(i);
    return token == nullptr ? antlr4::Token::EOF : token->getType();
  }
  antlr4::Token* get(std::size_t i) const override { return const_cast<View*>(&views_.at(i)); }
  void consume() override { at_ = std::min(at_ + 1, views_.size()); }
  ssize_t mark() override { return 0; }
  void release(ssize_t) override {}
  std::size_t index() override { return at_; }
  void seek(std::size_t index) override { at_ = index; }
  std::size_t size() override { return views_.size(); }
  std::string getSourceName() const override { return {}; }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  std::string getText(const antlr4::misc::Interval&) override { return {}; }
  std::string getText() override { return {}; }
  std::string getText(antlr4::RuleContext*) override { return {}; }
  std::string getText(antlr4::Token*, antlr4::Token*) override { return {}; }

 private:
  std::vector<View> views_;
  std::size_t at_ = 0;
};

// Notes every rule as it begins, instead of building a tree.
class Recorder final : public GpolParser {
 public:
  explicit Recorder(antlr4::TokenStream* input) : GpolParser(input) { setBuildParseTree(false); }
  void enterRule(antlr4::ParserRuleContext* context, std::size_t state, std::size_t rule) override {
    GpolParser::enterRule(context, state, rule);
    nodes_.push_back({static_cast<Rule>(rule), static_cast<std::uint32_t>(_input->index()), 0, 0});
    contexts_.push_back(context);
  }
  // A named alternative puts its own context in the place of the rule's, before anything is read.
  void enterOuterAlt(antlr4::ParserRuleContext* context, std::size_t alternative) override {
    GpolParser::enterOuterAlt(context, alternative);
    contexts_.back() = context;
  }
  void clear() {
    reset();
    nodes_.clear();
    contexts_.clear();
  }
  // What matched, after a parse without mistakes: no rule matches nothing, so ranges tell what is part of what.
  std::span<const Node> nodes() {
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      Node& node = nodes_[i];
      node.last = static_cast<std::uint32_t>(contexts_[i]->stop->getTokenIndex() + 1);
      node.next = static_cast<std::uint32_t>(i + 1);
      while (node.next < nodes_.size() && nodes_[node.next].first < node.last) node.next = nodes_[node.next].next;
    }
    return nodes_;
  }

 private:
  std::vector<Node> nodes_;
  std::vector<antlr4::ParserRuleContext*> contexts_;
};

struct Stop : std::exception {};  // what follows in a declaration is not read

// What to do about a mistake: report it once, leave the rules up to the item it is in, go on with the next item.
class Recovery final : public antlr4::ANTLRErrorStrategy {
 public:
  using Tell = std::function<void(std::string_view text, const Mistake&)>;  // may throw Stop
  Recovery(const GrammarFacts& facts, Tell tell) : facts_(facts), tell_(std::move(tell)) {}
  void begin(std::string_view text, std::span<const gpol::syntax::Token> words) {
    text_ = text;
    words_ = words;
    failed_ = unwinding_ = unbalanced_ = false;
    choice_ = last_choice_ = {words.size()};
    list_end_ = 0;
    unopened_.reset();
  }
  bool failed() const { return failed_; }

  void reset(antlr4::Parser*) override {}
  bool inErrorRecoveryMode(antlr4::Parser*) override { return false; }
  void reportMatch(antlr4::Parser*) override {}
  antlr4::Token* recoverInline(antlr4::Parser* parser) override { throw antlr4::InputMismatchException(parser); }

  // Called before every optional part. Remembers the first choice made at a word, so that all that could have stood
  // there can be named; and passes over words that are no item of the block they stand in.
  void sync(antlr4::Parser* parser) override {
    const std::size_t at = parser->getInputStream()->index();
    const ATNState* here = parser->getATN().states[static_cast<std::size_t>(parser->getState())];
    if (at != choice_.at) last_choice_ = std::exchange(choice_, {at, here, parser->getContext()});
    const auto items = items_of(static_cast<Rule>(parser->getContext()->getRuleIndex()));
    if (!items) return;
    if (dynamic_cast<const antlr4::atn::StarLoopEntryState*>(here) == nullptr &&
        dynamic_cast<const antlr4::atn::StarLoopbackState*>(here) == nullptr)
      return;
    KindSet fitting = facts_.first_of(*items);
    fitting.set(static_cast<std::size_t>(Kind::SEMICOLON)).set(static_cast<std::size_t>(Kind::RBRACE));
    for (std::size_t wrong = at; words_[wrong].kind != Kind::END && !has(fitting, words_[wrong].kind);
         wrong = parser->getInputStream()->index()) {
      const bool ended = wrong > 0 && words_[wrong - 1].kind == Kind::SEMICOLON;
      const Choice& before = ended ? last_choice_ : choice_;
      const bool apart = ended ? before.at == wrong - 1 : before.at == wrong && ends().starts_line(wrong);
      list_end_ = apart ? ends().list_end(wrong, *items, before.fitting(parser)) : 0;
      const bool chosen = wrong == choice_.at;
      report(parser, wrong, wrong, chosen ? ends().expected(wrong, fitting, choice_.fitting(parser)) : fitting);
      resume(parser, *items, 0);
    }
  }

  void reportError(antlr4::Parser* parser, const antlr4::RecognitionException& e) override {
    if (unwinding_) return;
    unwinding_ = true;
    const std::size_t at = e.getOffendingToken()->getTokenIndex();
    const auto state = static_cast<std::size_t>(e.getOffendingState());
    KindSet expected = kinds(parser->getATN().getExpectedTokens(state, e.getCtx()));
    if (choice_.at == at) expected |= choice_.fitting(parser);
    std::size_t start = list_end_ = 0;
    for (antlr4::RuleContext* c = parser->getContext(); c != nullptr; c = static_cast<antlr4::RuleContext*>(c->parent))
      if (const auto rule = static_cast<Rule>(c->getRuleIndex()); !block_of(rule).empty()) {
        start = static_cast<antlr4::ParserRuleContext*>(c)->start->getTokenIndex();
        list_end_ = words_[at].kind == Kind::SEMICOLON ? ends().list_end(at + 1, rule, expected) : 0;
        break;
      }
    // What was to stand in a block that is not opened is passed over as if it did.
    const auto inside = items_of(static_cast<Rule>(parser->getContext()->getRuleIndex()));
    unopened_ =
        inside && expected.count() == 1 && has(expected, Kind::LBRACE) && has(facts_.first_of(*inside), words_[at].kind)
            ? inside
            : std::nullopt;
    unbalanced_ = unbalanced_ || unopened_;
    report(parser, start, at, expected);
  }

  void recover(antlr4::Parser* parser, std::exception_ptr e) override {
    const auto rule = static_cast<Rule>(parser->getContext()->getRuleIndex());
    if (!block_of(rule).empty()) {
      unwinding_ = false;
      const std::size_t start = parser->getContext()->start->getTokenIndex();
      resume(parser, rule,
             open_braces(words_.subspan(start, parser->getInputStream()->index() - start)) + (unopened_ ? 1 : 0));
      unopened_.reset();
    } else if (rule != Rule::declaration) {
      std::rethrow_exception(std::move(e));
    }
  }

 private:
  // Refused characters in the item, up to the place, are the cause of what does not fit there.
  void report(antlr4::Parser* parser, std::size_t start, std::size_t at, const KindSet& expected) {
    failed_ = true;
    if (unbalanced_ && words_[at].kind == Kind::END) return;
    for (std::size_t i = start; i <= ends().end_of_word(at); ++i)
      if (words_[i].after_bad) return;
    tell_(text_, {words_, at, expected, list_end_, starts(parser, start)});
  }

  // Of the declaration and the items that hold a word.
  std::vector<std::size_t> starts(antlr4::Parser* parser, std::size_t item) const {
    std::vector<std::size_t> out{ends().begin(item)};
    for (antlr4::RuleContext* c = parser->getContext(); c != nullptr; c = static_cast<antlr4::RuleContext*>(c->parent))
      if (const auto rule = static_cast<Rule>(c->getRuleIndex()); rule == Rule::declaration || !block_of(rule).empty())
        if (const auto at = static_cast<antlr4::ParserRuleContext*>(c)->start->getTokenIndex(); at < out.back())
          out.push_back(at);
    std::ranges::reverse(out);
    return out;
  }

  void resume(antlr4::Parser* parser, Rule items, std::size_t depth) {
    antlr4::IntStream* input = parser->getInputStream();
    const std::size_t end = ends().end(std::max(input->index(), list_end_), items, depth, unopened_);
    while (input->index() < end) input->consume();
  }

  ItemEnds ends() const { return {text_, facts_, words_}; }

  std::string_view text_;
  const GrammarFacts& facts_;
  Tell tell_;
  std::span<const gpol::syntax::Token> words_;
  bool failed_ = false, unwinding_ = false, unbalanced_ = false;  // the last: a `{` is missing
  struct Choice {
    std::size_t at = 0;  // the word
    const ATNState* state = nullptr;
    antlr4::RuleContext* context = nullptr;
    KindSet fitting(antlr4::Parser* parser) const {
      return state == nullptr ? KindSet() : kinds(parser->getATN().getExpectedTokens(state->stateNumber, context));
    }
  };
  Choice choice_, last_choice_;   // the first at the word, and at the one before
  std::size_t list_end_ = 0;      // of the mistake that is told
  std::optional<Rule> unopened_;  // the items of a block whose `{` is missing
};

// The parser, with what it does about mistakes.
class Reader {
 public:
  Reader(const GrammarFacts& facts, Recovery::Tell tell)
      : parser_(&words_), recovery_(std::make_shared<Recovery>(facts, std::move(tell))) {
    parser_.removeErrorListeners();
    parser_.setErrorHandler(recovery_);
  }
  // Whether all of a declaration could be read.
  bool read(std::string_view text, std::span<const gpol::syntax::Token> words) {
    words_.set(words);
    parser_.clear();
    recovery_->begin(text, words);
    try {
      parser_.declaration();
    } catch (const Stop&) {
    }
    return !recovery_->failed();
  }
  std::span<const Node> nodes() { return parser_.nodes(); }

 private:
  Words words_;
  Recorder parser_;
  std::shared_ptr<Recovery> recovery_;
};

// Made once: the grammar does not change.
const GrammarFacts& grammar_facts() {
  static const GrammarFacts facts = [] {
    GrammarFacts out{determinize(lexer_edges()), {}};
    Words nothing;
    GpolParser parser(&nothing);
    const ATN& atn = parser.getATN();
    for (std::size_t rule = 0; rule < kRules; ++rule)
      out.first[rule] = kinds(atn.nextTokens(atn.ruleToStartState[rule]));
    return out;
  }();
  return facts;
}

}  // namespace

std::vector<Diagnostic> syntax::read(std::string_view text, const Places& places, std::vector<syntax::Token>* comments,
                                     const std::function<void(const Parsed&)>& visit, std::size_t& tries) {
  Findings findings(places);
  const GrammarFacts& facts = grammar_facts();
  Scanner scanner(text, facts.lexer, findings, comments);
  // Texts that may be meant are read by a parser of their own, up to their first mistake.
  std::optional<Stopped> stopped;
  std::optional<Reader> other;
  const auto read_one = [&](std::string_view meant, std::span<const gpol::syntax::Token> words) {
    if (!other)
      other.emplace(facts, [&](std::string_view, const Mistake& mistake) {
        stopped = {mistake.tokens[mistake.at].begin, mistake.expected};
        throw Stop();
      });
    stopped.reset();
    other->read(meant, words);
    return stopped;
  };
  const Trial trial{read_one, tries};
  Splitter splitter(text, scanner, facts, findings, trial);
  Reader reader(facts, [&](std::string_view whole, const Mistake& mistake) {
    findings.add(describe(whole, findings, mistake, facts, trial));
    if (findings.full()) throw Stop();
  });
  Declaration declaration;
  bool failed = false;
  while (!findings.full() && splitter.next(declaration, failed)) {
    failed = declaration.broken;
    if (failed) continue;
    const bool unexpanded = declaration.refers();
    if (!unexpanded || declaration.tokens.front().kind == Kind::REFERENCE)
      failed = !reader.read(text, declaration.tokens);
    if (!failed) visit({text, places, declaration.tokens, unexpanded ? std::span<const Node>{} : reader.nodes()});
  }
  return findings.take();
}

}  // namespace gpol
