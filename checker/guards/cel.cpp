#include "checker/guards/cel.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "checker/guards/cel_tokens.h"

namespace gpol::cel {

namespace {

using Kind = Expr::Kind;

const std::set<std::string, std::less<>> kReserved = {"as",        "break",  "const",  "continue", "else", "for",
                                                      "function",  "if",     "import", "let",      "loop", "package",
                                                      "namespace", "return", "var",    "void",     "while"};
const std::set<std::string, std::less<>> kWords = {"true", "false", "null", "in"};

class Parser {
 public:
  Parser(std::vector<Token> tokens, const ParseLimits& limits) : tokens_(std::move(tokens)), limits_(limits) {}

  Parsed run() {
    ExprPtr expr = ternary();
    if (expr && tokens_[at_].kind != Token::Kind::End) fail("something behind the end of the expression");
    if (!error_.empty()) return {nullptr, error_, error_at_};
    return {expr, "", 0};
  }

 private:
  bool failed() const { return !error_.empty(); }
  ExprPtr fail(std::string what) {
    if (error_.empty()) error_ = std::move(what), error_at_ = tokens_[at_].at;
    return nullptr;
  }
  const Token& token() const { return tokens_[at_]; }
  bool is(std::string_view sign) const { return token().kind == Token::Kind::Sign && token().text == sign; }
  bool is_word(std::string_view word) const { return token().kind == Token::Kind::Ident && token().text == word; }
  bool take(std::string_view sign) {
    if (!is(sign)) return false;
    ++at_;
    return true;
  }
  bool want(std::string_view sign) { return take(sign) || (fail("'" + std::string(sign) + "' is missing"), false); }

  ExprPtr make(Expr expr) {
    if (++nodes_ > limits_.nodes) return fail("the expression is too large");
    for (const ExprPtr& arg : expr.args) {
      if (!arg) return fail("an operand is missing");
      expr.depth = std::max(expr.depth, static_cast<std::uint16_t>(arg->depth + 1));
    }
    if (expr.depth > limits_.depth) return fail("the expression is too deep");
    return std::make_shared<const Expr>(std::move(expr));
  }
  ExprPtr call(std::string name, std::vector<ExprPtr> args, bool method = false) {
    Expr expr;
    expr.kind = Kind::Call;
    expr.name = std::move(name);
    expr.args = std::move(args);
    expr.method = method;
    return make(std::move(expr));
  }

  struct Deeper {
    explicit Deeper(Parser& parser) : depth(parser.depth_) { ++depth; }
    ~Deeper() { --depth; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    std::size_t& depth;
  };

  ExprPtr ternary() {
    const Deeper deeper(*this);
    if (depth_ > limits_.depth) return fail("the expression is too deep");
    ExprPtr condition = binary(0);
    if (!condition || !take("?")) return condition;
    ExprPtr then = binary(0);
    if (!then || !want(":")) return nullptr;
    ExprPtr otherwise = ternary();
    return call("?:", {condition, then, otherwise});
  }

  std::string operator_of(std::size_t level) const {
    static const std::vector<std::vector<std::string>> kLevels = {
        {"||"}, {"&&"}, {"<", "<=", ">=", ">", "==", "!="}, {"+", "-"}, {"*", "/", "%"}};
    if (level == 2 && is_word("in")) return "in";
    if (token().kind != Token::Kind::Sign) return "";
    for (const auto& sign : kLevels[level])
      if (token().text == sign) return sign;
    return "";
  }

  ExprPtr binary(std::size_t level) {
    if (level == 5) return unary();
    ExprPtr left = binary(level + 1);
    while (left) {
      const std::string sign = operator_of(level);
      if (sign.empty()) break;
      ++at_;
      ExprPtr right = binary(level + 1);
      left = call(sign, {left, right});
    }
    return left;
  }

  ExprPtr unary() {
    std::size_t count = 0;
    const std::string sign = is("!") ? "!" : is("-") ? "-" : "";
    while (!sign.empty() && take(sign)) ++count;
    ExprPtr operand = member();
    if (!operand || count % 2 == 0) return operand;  // cel-go parser.go: an even number of signs is none
    return call(sign == "-" ? "neg" : "!", {operand});
  }

  ExprPtr member() {
    ExprPtr here = primary();
    while (here) {
      if (take(".")) {
        const bool optional = take("?");
        if (token().kind != Token::Kind::Ident || kWords.count(token().text) != 0) return fail("a field is missing");
        Expr expr;
        expr.name = token().text;
        ++at_;
        if (!optional && take("(")) {
          here = method(here, expr.name);
          continue;
        }
        expr.kind = Kind::Select;
        expr.optional = optional;
        expr.args = {here};
        here = make(std::move(expr));
      } else if (take("[")) {
        Expr expr;
        expr.kind = Kind::Index;
        expr.optional = take("?");
        expr.args = {here, ternary()};
        if (!expr.args[1] || !want("]")) return nullptr;
        here = make(std::move(expr));
      } else {
        break;
      }
    }
    return here;
  }

  bool arguments(std::vector<ExprPtr>& args, std::string_view close) {
    if (take(close)) return true;
    do {
      if (close != ")" && is(close)) break;  // a list may end in a comma
      args.push_back(ternary());
      if (!args.back()) return false;
    } while (take(","));
    return want(close);
  }

  ExprPtr method(const ExprPtr& target, const std::string& name) {
    std::vector<ExprPtr> args = {target};
    if (!arguments(args, ")")) return nullptr;
    static const std::set<std::string> kMacros = {"all", "exists", "exists_one", "existsOne", "map", "filter"};
    const bool three = args.size() == 4 && name == "map";
    if (kMacros.count(name) == 0 || (args.size() != 3 && !three)) return call(name, std::move(args), true);
    if (args[1]->kind != Kind::Ident) return fail("the variable of a macro is no name");
    Expr expr;
    expr.kind = Kind::Macro;
    expr.name = name == "existsOne" ? "exists_one" : name;
    expr.variable = args[1]->name;
    if (expr.variable == "__result__") return fail("the variable of a macro has a reserved name");
    expr.args = {args[0], args[2]};
    if (three) expr.args.push_back(args[3]);
    return make(std::move(expr));
  }

  ExprPtr primary() {
    const Token& here = token();
    Expr expr;
    if (here.kind == Token::Kind::Literal || here.kind == Token::Kind::Odd) {
      ++at_;
      expr.kind = here.kind == Token::Kind::Literal ? Kind::Literal : Kind::Unknown;
      expr.value = here.value;
      expr.name = here.text;
      return make(std::move(expr));
    }
    if (take("(")) {
      ExprPtr inside = ternary();
      if (!inside || !want(")")) return nullptr;
      return inside;
    }
    if (take("[")) {
      if (is("?")) return fail("optional elements are not supported");
      expr.kind = Kind::Sequence;
      if (!arguments(expr.args, "]")) return nullptr;
      return make(std::move(expr));
    }
    if (take("{")) return map();
    if (take(".")) return fail("a name from the root is not supported");
    if (here.kind != Token::Kind::Ident) return fail("an operand is missing");
    return name();
  }

  ExprPtr map() {
    Expr expr;
    expr.kind = Kind::Mapping;
    while (!is("}")) {
      if (is("?")) return fail("optional entries are not supported");
      expr.args.push_back(ternary());
      if (!expr.args.back() || !want(":")) return nullptr;
      expr.args.push_back(ternary());
      if (!expr.args.back()) return nullptr;
      if (!take(",")) break;
    }
    if (!want("}")) return nullptr;
    return make(std::move(expr));
  }

  ExprPtr name() {
    Expr expr;
    expr.name = token().text;
    if (expr.name == "in") return fail("an operand is missing");
    if (kReserved.count(expr.name) != 0) return fail("'" + expr.name + "' is a reserved word");
    ++at_;
    if (kWords.count(expr.name) != 0) {
      expr.kind = Kind::Literal;
      if (expr.name != "null") expr.value = expr.name == "true";
      expr.name.clear();
      return make(std::move(expr));
    }
    if (is("{")) return fail("messages are not supported");
    if (!take("(")) {
      expr.kind = Kind::Ident;
      return make(std::move(expr));
    }
    std::vector<ExprPtr> args;
    if (!arguments(args, ")")) return nullptr;
    if (expr.name != "has") return call(expr.name, std::move(args));
    if (args.size() != 1 || args[0]->kind != Kind::Select || args[0]->optional)
      return fail("has() takes one field selection");
    expr.kind = Kind::Has;
    expr.name = args[0]->name;
    expr.args = args[0]->args;
    return make(std::move(expr));
  }

  std::vector<Token> tokens_;
  ParseLimits limits_;
  std::size_t at_ = 0, nodes_ = 0, depth_ = 0, error_at_ = 0;
  std::string error_;
};

}  // namespace

Parsed parse(std::string_view text, const ParseLimits& limits) {
  // Guards of one policy after another, and what is demanded of them, are the same texts.
  constexpr std::size_t kMostKnown = 4000, kLongestKnown = 4000;
  thread_local std::unordered_map<std::string, Parsed> known;
  const ParseLimits all;
  const bool keep = text.size() <= kLongestKnown && limits.nodes == all.nodes && limits.depth == all.depth;
  if (const auto found = keep ? known.find(std::string(text)) : known.end(); found != known.end()) return found->second;
  Parsed result;
  if (text.size() > limits.bytes) return {nullptr, "the expression is too long", limits.bytes};
  auto tokens = scan(text, result.error, result.at);
  if (result.error.empty()) result = Parser(std::move(tokens), limits).run();
  if (keep && known.size() == kMostKnown) known.clear();
  if (keep) known.emplace(text, result);
  return result;
}

}  // namespace gpol::cel
