// Mutants of a policy's text: its clauses by the spans of the syntax tree, its numbers and words by its tokens.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "tests/mutation/mutant.h"
#include "tests/mutation/numbers.h"

namespace gpol::mutation {

namespace {

struct Clause {
  Span span;
  std::string within;  // "tenant chat"; empty: a declaration
  int block = 0;       // clauses of one block may change places
};

// The clauses of a policy, the outer ones first.
class Clauses {
 public:
  Clauses(const Session& session) : session_(session) {
    for (const auto& decl : session.files.front().decls) add(decl.span, "", 0);
    for (const auto& decl : session.files.front().decls) {
      const std::string within = head(decl.span);
      std::visit([&](const auto& node) { inside(node, within); }, decl.node);
    }
  }
  std::vector<Clause> list;

  // Its first words, up to a brace, a colon or an equals sign.
  std::string head(Span span) const {
    std::string text(session_.sources.slice(span));
    text = text.substr(0, text.find_first_of("{:=\n"));
    text.erase(0, text.find_first_not_of(",; "));
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
  }

 private:
  void add(Span span, const std::string& within, int block) {
    if (span.known()) list.push_back({span, within, block});
  }
  template <class T>
  void block(const std::vector<T>& items, const std::string& within) {
    const int number = ++blocks_;
    for (const auto& item : items) add(item.span, within, number);
  }

  void inside(const ast::Cluster& node, const std::string& within) {
    const int number = ++blocks_;
    for (const auto& s : node.schedulers) add(s.span, within, number);
    for (const auto& n : node.nodes) add(n.span, within, number);
    for (const auto& p : node.pools) add(p.span, within, number);
    for (const auto& w : node.writers) add(w.span, within, number);
    for (const auto& s : node.schedulers) {
      block(s.round, "scheduler");
      block(s.release, "scheduler");
    }
    for (const auto& n : node.nodes) {
      block(n.items, "nodes " + n.name.text);
      for (const auto& item : n.items) {
        if (const auto* each = std::get_if<ast::NodesEach>(&item.node)) block(each->amounts, "nodes " + n.name.text);
        if (const auto* taken = std::get_if<ast::NodesDaemons>(&item.node))
          block(taken->amounts, "nodes " + n.name.text);
      }
    }
  }
  void inside(const ast::Class& node, const std::string& within) { block(node.items, within); }
  void inside(const ast::Tenant& node, const std::string& within) {
    block(node.items, within);
    for (const auto& item : node.items) {
      if (const auto* start = std::get_if<ast::TenantStart>(&item.node)) {
        const int number = ++blocks_;
        for (const auto& term : start->terms) add(join(term.name.span, term.time.span), within, number);
        if (start->source) add(start->source->span, within, ++blocks_);
      }
      if (const auto* replica = std::get_if<ast::TenantReplica>(&item.node)) block(replica->amounts, within);
      if (const auto* queue = std::get_if<ast::TenantQueue>(&item.node)) block(queue->cohorts, within);
    }
  }
  // `a, b, c`: each with its comma, so that the others can be read without it.
  void listed(const std::vector<Span>& spans, const std::string& within) {
    const int number = ++blocks_;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      Span span = spans[i];
      if (i > 0) span.begin = spans[i - 1].end;
      if (i == 0 && spans.size() > 1) span.end = spans[1].begin;
      add(span, within, number);
    }
  }
  void inside(const ast::Service& node, const std::string& within) {
    block(node.items, within);
    for (const auto& item : node.items) {
      std::vector<Span> parts;
      if (const auto* throughput = std::get_if<ast::ServiceThroughput>(&item.node))
        for (const auto& rate : throughput->rates) parts.push_back(rate.amount.span);
      if (const auto* requests = std::get_if<ast::ServiceRequests>(&item.node))
        for (const auto& one : requests->classes) parts.push_back(join(one.name.span, one.streams.span));
      if (const auto* from = std::get_if<ast::ServiceFrom>(&item.node))
        for (const auto& one : from->callers) {
          parts.push_back(one.ns.span);
          if (one.label) parts.back().end = one.label->span.end + 1;  // with its parenthesis
        }
      listed(parts, within);
    }
  }
  void inside(const ast::GatewayLimit& node, const std::string& within) {
    block(node.items, within);
    for (const auto& item : node.items)
      if (const auto* most = std::get_if<ast::GatewayAtMost>(&item.node)) {
        std::vector<Span> parts;
        for (const auto& amount : most->amounts) parts.push_back(amount.rate.amount.span);
        if (most->per) parts.push_back(most->per->span);
        listed(parts, within);
      }
  }
  template <class T>
  void inside(const T&, const std::string&) {}

  const Session& session_;
  int blocks_ = 0;
};

// Words that may stand in each other's places, beside the names of one kind.
const std::vector<std::vector<std::string>> kWords = {
    {"A", "B", "C"},
    {"daily", "weekdays", "weekends"},
    {"Job", "Pod"},
    {"measured", "declared"},
    {"round", "release"},
    {"schedule", "image", "weights", "load", "warm"},
    {"user", "group"},
    {"reserve", "quota", "shape"},
    {"nodes-as-declared", "times-hold", "controller-as-emitted", "batch-leaves", "shapes-kept", "admission-only"},
};

class Generator {
 public:
  explicit Generator(const Example& example) : example_(example), clauses_(*example.session) {
    words_ = kWords;
    std::vector<std::string> tenants, classes, pools, nodes, windows, cohorts, routes, requests, namespaces;
    for (const auto& decl : example.session->files.front().decls) {
      if (const auto* t = std::get_if<ast::Tenant>(&decl.node)) tenants.push_back(t->name.text);
      if (const auto* c = std::get_if<ast::Class>(&decl.node)) classes.push_back(c->name.text);
      if (const auto* w = std::get_if<ast::Window>(&decl.node)) windows.push_back(w->name.text);
      if (const auto* c = std::get_if<ast::Cohort>(&decl.node)) cohorts.push_back(c->name.text);
      if (const auto* l = std::get_if<ast::GatewayLimit>(&decl.node))
        for (const auto& item : l->items)
          if (const auto* route = std::get_if<ast::GatewayRoute>(&item.node)) routes.push_back(route->route.text);
      if (const auto* s = std::get_if<ast::Service>(&decl.node)) {
        namespaces.push_back(s->tenant.text);  // that of the tenant has its name
        for (const auto& item : s->items) {
          if (const auto* from = std::get_if<ast::ServiceFrom>(&item.node))
            for (const auto& caller : from->callers) namespaces.push_back(caller.ns.text);
          if (const auto* all = std::get_if<ast::ServiceRequests>(&item.node))
            for (const auto& one : all->classes) requests.push_back(one.name.text);
        }
      }
      if (const auto* c = std::get_if<ast::Cluster>(&decl.node)) {
        for (const auto& n : c->nodes) nodes.push_back(n.name.text);
        for (const auto& p : c->pools) pools.push_back(p.name.text);
      }
    }
    for (const auto& names : {tenants, classes, pools, nodes, windows, cohorts, routes, requests, namespaces})
      words_.push_back(names);
    if (!routes.empty()) words_.push_back({"s", "min"});  // of `req/s`
  }

  std::vector<Mutant> all() {
    for (const Clause& clause : clauses_.list) replace(clause, "delete", "", clause.span, "");
    for (std::size_t i = 0; i < clauses_.list.size(); ++i) {
      const Clause& one = clauses_.list[i];
      for (std::size_t j = i + 1; j < clauses_.list.size(); ++j)
        if (clauses_.list[j].block == one.block && clauses_.list[j].within == one.within) {
          swap(one, clauses_.list[j]);
          break;
        }
    }
    numbers();
    names();
    return std::move(out_);
  }

 private:
  const std::string& text() const { return example_.text; }
  std::string slice(Span span) const { return text().substr(span.begin, span.end - span.begin); }

  // The clause that a place of the text is in: the innermost; none: a comment.
  const Clause* clause_at(std::size_t at) const {
    const Clause* found = nullptr;
    for (const Clause& clause : clauses_.list)
      if (clause.span.begin <= at && at < clause.span.end &&
          (found == nullptr || clause.span.end - clause.span.begin < found->span.end - found->span.begin))
        found = &clause;
    return found;
  }
  bool in_comment_or_quotes(std::size_t at) const {
    const auto line = text().rfind('\n', at) + 1;
    const std::string before = text().substr(line, at - line);
    return before.find('#') != std::string::npos || std::count(before.begin(), before.end(), '"') % 2 == 1;
  }

  std::string name_of(const Clause& clause) const {
    const std::string own = clauses_.head(clause.span);
    return clause.within.empty() ? own : clause.within + " / " + own;
  }

  void put(const Clause& clause, std::string change, std::string where, std::string now) {
    out_.push_back({name_of(clause), std::move(change), std::move(where), std::move(now), {}});
  }
  void replace(const Clause& clause, std::string change, std::string where, Span span, const std::string& by) {
    put(clause, std::move(change), std::move(where), text().substr(0, span.begin) + by + text().substr(span.end));
  }

  void swap(const Clause& one, const Clause& other) {
    const Clause& first = one.span.begin < other.span.begin ? one : other;
    const Clause& last = one.span.begin < other.span.begin ? other : one;
    if (first.span.end > last.span.begin || slice(first.span) == slice(last.span)) return;
    put(first, "swap with " + clauses_.head(last.span), "",
        text().substr(0, first.span.begin) + slice(last.span) +
            text().substr(first.span.end, last.span.begin - first.span.end) + slice(first.span) +
            text().substr(last.span.end));
  }

  void numbers() {
    for (const auto& at : numbers_in(text())) {
      const Clause* clause = clause_at(at.first);
      if (clause == nullptr || in_comment_or_quotes(at.first)) continue;
      for (auto& [what, now] : changes_of(text(), at)) {
        // With its unit, or the word before it.
        auto end = text().find_first_of(" ,;)}\n", at.first);
        put(*clause, what, text().substr(at.first, end - at.first), std::move(now));
      }
    }
  }

  static bool of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '@';
  }

  void names() {
    for (std::size_t i = 0; i < text().size(); ++i) {
      if (!of_word(text()[i]) || (i > 0 && of_word(text()[i - 1]))) continue;
      std::size_t end = i;
      while (end < text().size() && of_word(text()[end])) ++end;
      const std::string word = text().substr(i, end - i);
      const Clause* clause = clause_at(i);
      if (clause == nullptr || in_comment_or_quotes(i)) continue;
      std::set<std::string> tried{word};
      for (const auto& alike : words_)
        if (std::find(alike.begin(), alike.end(), word) != alike.end())
          for (const auto& other : alike)
            if (tried.insert(other).second)
              replace(*clause, "to " + other, word, {0, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(end)},
                      other);
    }
  }

  const Example& example_;
  const Clauses clauses_;
  std::vector<std::vector<std::string>> words_;
  std::vector<Mutant> out_;
};

}  // namespace

std::vector<Mutant> policy_mutants(const Example& example) { return Generator(example).all(); }

}  // namespace gpol::mutation
