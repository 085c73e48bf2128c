#include "checker/guards/types.h"

#include <algorithm>
#include <set>
#include <vector>

#include "checker/guards/cel_eval.h"
#include "compiler/source/lookup.h"

namespace gpol::cel {

namespace {

using K = Type::Kind;
using E = Expr::Kind;
using V = Checked::Verdict;

Type of(K kind) { return {kind, false, nullptr, nullptr}; }
Type of(K kind, Type element) { return {kind, false, std::make_shared<const Type>(std::move(element)), nullptr}; }
Type of(const std::map<std::string, Type>& fields) { return {K::Struct, false, nullptr, &fields}; }

// pkg/admission/plugin/cel/compile.go, BuildRequestType and BuildNamespaceType; times are left out.
const std::map<std::string, Type>& request_fields() {
  static const Type text = of(K::String), texts = of(K::Sequence, text);
  static const std::map<std::string, Type> gvk = {{"group", text}, {"version", text}, {"kind", text}};
  static const std::map<std::string, Type> gvr = {{"group", text}, {"version", text}, {"resource", text}};
  static const std::map<std::string, Type> user = {
      {"username", text}, {"uid", text}, {"groups", texts}, {"extra", of(K::Mapping, texts)}};
  static const std::map<std::string, Type> request = {
      {"kind", of(gvk)},        {"resource", of(gvr)},        {"subResource", text},
      {"requestKind", of(gvk)}, {"requestResource", of(gvr)}, {"requestSubResource", text},
      {"name", text},           {"namespace", text},          {"operation", text},
      {"userInfo", of(user)},   {"dryRun", of(K::Bool)},      {"options", of(K::Dyn)}};
  return request;
}

const std::map<std::string, Type>& namespace_fields() {
  static const Type text = of(K::String), texts = of(K::Sequence, text), labels = of(K::Mapping, text);
  static const std::map<std::string, Type> metadata = {{"name", text},
                                                       {"generateName", text},
                                                       {"namespace", text},
                                                       {"labels", labels},
                                                       {"annotations", labels},
                                                       {"UID", text},
                                                       {"generation", of(K::Int)},
                                                       {"resourceVersion", text},
                                                       {"finalizers", texts},
                                                       {"deletionGracePeriodSeconds", of(K::Int)}};
  static const std::map<std::string, Type> spec = {{"finalizers", texts}};
  static const std::map<std::string, Type> status = {{"phase", text}, {"conditions", of(K::Dyn)}};
  static const std::map<std::string, Type> all = {
      {"metadata", of(metadata)}, {"spec", of(spec)}, {"status", of(status)}};
  return all;
}

Type element(const Type& type) { return type.of ? *type.of : of(K::Dyn); }

bool assignable(const Type& a, const Type& b) {
  if (a.kind == K::Dyn || b.kind == K::Dyn) return true;
  if (a.kind != b.kind) return false;
  if (a.kind == K::Sequence || a.kind == K::Mapping || a.kind == K::Optional) return assignable(element(a), element(b));
  return a.kind != K::Struct || a.fields == b.fields;
}

// Where one is dyn the other gives way; in lists and maps as well.
Type general(const Type& a, const Type& b) {
  if (a.free || b.free) return a.free ? b : a;
  if (a.kind == K::Dyn || b.kind == K::Dyn) return of(K::Dyn);
  if (a.kind == K::Sequence || a.kind == K::Mapping || a.kind == K::Optional)
    return of(a.kind, general(element(a), element(b)));
  return a;
}

// int('1'), int(dyn('1')), ...
bool converts_literal(const Expr& expr) {
  static const std::set<std::string> kConversions = {"dyn", "int", "string", "double"};
  if (expr.kind == E::Literal) return true;
  return expr.kind == E::Call && !expr.method && expr.args.size() == 1 && kConversions.count(expr.name) != 0 &&
         converts_literal(*expr.args[0]);
}

struct Fault {
  V verdict;
  std::string why;
};

class Checker {
 public:
  explicit Checker(const TypeScope& scope) : scope_(scope) {}

  // Of the type Dyn once a fault is noted; the first fault stands.
  Type type(const Expr& expr) {
    switch (expr.kind) {
      case E::Literal:
        return literal(expr.value);
      case E::Ident:
        return ident(expr.name);
      case E::Select:
      case E::Has: {
        const Type field = select(expr);
        return expr.kind == E::Has ? of(K::Bool) : field;
      }
      case E::Index:
        return index(expr);
      case E::Call:
        return call(expr);
      case E::Sequence:
      case E::Mapping:
        return aggregate(expr);
      case E::Macro:
        return macro(expr);
      case E::Unknown:
        break;
    }
    return unsure("not supported: " + expr.name);
  }

  Checked finish(Type type) {
    if (!faults_.empty()) return {faults_[0].verdict, {}, faults_[0].why};
    return {V::Ok, std::move(type), ""};
  }

 private:
  // What is certainly refused outranks what may be.
  Type refuse(std::string why) {
    faults_.insert(faults_.begin(), {V::Refused, std::move(why)});
    return of(K::Dyn);
  }
  Type unsure(std::string why) {
    faults_.push_back({V::CannotTell, std::move(why)});
    return of(K::Dyn);
  }
  bool is(const Type& type, K kind) { return type.kind == kind || type.kind == K::Dyn; }

  static Type literal(const Value& value) {
    if (value.as<bool>() != nullptr) return of(K::Bool);
    if (value.as<std::int64_t>() != nullptr) return of(K::Int);
    if (value.as<double>() != nullptr) return of(K::Double);
    return value.as<std::string>() != nullptr ? of(K::String) : of(K::Null);
  }

  bool bound(const std::string& name) const {
    return std::ranges::any_of(bound_, [&](const auto& b) { return b.first == name; });
  }

  Type ident(const std::string& name) {
    for (auto it = bound_.rbegin(); it != bound_.rend(); ++it)
      if (it->first == name) return it->second;
    if (name == "object" || name == "oldObject") return of(K::Dyn);
    if (name == "request") return of(request_fields());
    if (name == "namespaceObject") return of(namespace_fields());
    static const std::set<std::string> kOther = {"authorizer", "bool", "int",       "uint",   "double",    "string",
                                                 "bytes",      "list", "map",       "type",   "null_type", "cel",
                                                 "optional",   "sets", "variables", "base64", "google"};
    return kOther.count(name) != 0 ? unsure("the name " + name) : refuse("the name " + name + " is not declared");
  }

  Type field(const Type& from, const std::string& name) {
    if (from.kind == K::Dyn) return from;
    if (from.kind == K::Mapping) return element(from);
    if (from.kind != K::Struct) return refuse("no fields to select: " + name);
    const auto found = from.fields->find(name);
    if (found == from.fields->end())
      return from.fields == &request_fields() || name.find("Time") == std::string::npos
                 ? refuse("the field " + name + " is not declared")
                 : unsure("times are not supported");
    return found->second;
  }

  Type select(const Expr& expr) {
    const Expr& operand = *expr.args[0];
    if (operand.kind == E::Ident && operand.name == "variables" && !bound("variables")) {
      if (!scope_.has_variables) return refuse("no variables here");
      const auto found = scope_.variables.find(expr.name);
      if (found == scope_.variables.end()) return refuse("the variable " + expr.name + " is not declared");
      if (expr.kind == E::Has || expr.optional) return unsure("a test of variables");
      return found->second;
    }
    const Type from = type(operand);
    if (from.kind == K::Optional) return of(K::Optional, field(element(from), expr.name));
    const Type result = field(from, expr.name);
    return expr.optional ? of(K::Optional, result) : result;
  }

  Type index(const Expr& expr) {
    Type from = type(*expr.args[0]);
    const Type key = type(*expr.args[1]);
    const bool optional = expr.optional || from.kind == K::Optional;
    if (from.kind == K::Optional) from = element(from);
    Type result = of(K::Dyn);
    if (from.kind == K::Sequence) {
      if (!is(key, K::Int)) return refuse("a list is indexed by integers");
      result = element(from);
    } else if (from.kind == K::Mapping) {
      if (!is(key, K::String)) return refuse("this map has strings as keys");
      result = element(from);
    } else if (from.kind != K::Dyn) {
      return refuse("nothing to index");
    }
    if (from.kind == K::Dyn && !is(key, K::String) && !is(key, K::Int)) unsure("a key of an odd kind");
    result.free = from.kind == K::Dyn && key.kind == K::String;
    return optional ? of(K::Optional, result) : result;
  }

  Type join(const std::vector<Type>& types) {
    if (types.empty()) return of(K::Dyn);
    Type all = types[0];
    for (const Type& next : types) {
      if (!assignable(all, next)) return refuse("elements of two types");
      if (all.free || next.free || (all.kind == K::Dyn) != (next.kind == K::Dyn))
        unsure("elements of an open and a closed type");
      all = general(all, next);
    }
    return all;
  }

  Type aggregate(const Expr& expr) {
    std::vector<Type> keys, values;
    for (std::size_t i = 0; i < expr.args.size(); ++i)
      (expr.kind == E::Mapping && i % 2 == 0 ? keys : values).push_back(type(*expr.args[i]));
    if (expr.kind == E::Sequence) return of(K::Sequence, join(values));
    for (const Type& key : keys)
      if (key.kind != K::String) return unsure("a map whose keys are no strings");
    return of(K::Mapping, join(values));
  }

  Type macro(const Expr& expr) {
    const Type range = type(*expr.args[0]);
    Type variable = of(K::Dyn);
    if (range.kind == K::Sequence)
      variable = element(range);
    else if (range.kind == K::Mapping)
      variable = of(K::String);
    else if (range.kind != K::Dyn)
      return refuse("nothing to go through");
    bound_.emplace_back(expr.variable, variable);
    const Type first = type(*expr.args[1]);
    const Type mapped = expr.args.size() == 3 ? type(*expr.args[2]) : first;
    bound_.pop_back();
    const bool plain_map = expr.name == "map" && expr.args.size() == 2;
    if (!plain_map && !is(first, K::Bool)) return refuse("the condition of " + expr.name + " is no boolean");
    if (expr.name == "map") return of(K::Sequence, mapped);
    return expr.name == "filter" ? of(K::Sequence, variable) : of(K::Bool);
  }

  Type call(const Expr& expr);
  Type operation(const std::string& name, const std::vector<Type>& args);
  Type function(const Expr& expr, const std::vector<Type>& args);

  const TypeScope& scope_;
  std::vector<std::pair<std::string, Type>> bound_;
  std::vector<Fault> faults_;
};

Type Checker::call(const Expr& expr) {
  const Expr* target = expr.method ? expr.args[0].get() : nullptr;
  const bool space = target != nullptr && target->kind == E::Ident && target->name == "optional" && !bound("optional");
  if (space && expr.name == "none" && expr.args.size() == 1) return of(K::Optional, of(K::Dyn));
  if (space && expr.name == "of" && expr.args.size() == 2) return of(K::Optional, type(*expr.args[1]));
  std::vector<Type> args;
  for (const ExprPtr& arg : expr.args) args.push_back(type(*arg));
  if (expr.method) return function(expr, args);
  static const std::set<std::string> kOperators = {
      "||", "&&", "!", "neg", "?:", "==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "/", "%"};
  return kOperators.count(expr.name) != 0 ? operation(expr.name, args) : function(expr, args);
}

Type Checker::operation(const std::string& name, const std::vector<Type>& args) {
  const Type &a = args[0], &b = args.size() > 1 ? args[1] : args[0];
  const auto mismatch = [&] { return refuse("no overload of " + name + " for these types"); };
  if (name == "||" || name == "&&" || name == "!") return is(a, K::Bool) && is(b, K::Bool) ? of(K::Bool) : mismatch();
  if (name == "neg") return is(a, K::Int) || is(a, K::Double) ? a : mismatch();
  if (name == "?:") return is(a, K::Bool) && assignable(b, args[2]) ? general(b, args[2]) : mismatch();
  if (name == "==" || name == "!=") {
    if ((a.kind == K::Struct) != (b.kind == K::Struct) && (a.kind == K::Null || b.kind == K::Null)) return of(K::Bool);
    return assignable(a, b) ? of(K::Bool) : mismatch();
  }
  if (name == "in") {
    if (b.kind == K::Dyn) return of(K::Bool);
    if (b.kind == K::Sequence) return assignable(a, element(b)) ? of(K::Bool) : mismatch();
    return b.kind == K::Mapping && is(a, K::String) ? of(K::Bool) : mismatch();
  }
  const auto number = [&](const Type& t) { return is(t, K::Int) || is(t, K::Double); };
  if (name[0] == '<' || name[0] == '>') {
    const bool same = assignable(a, b) && (number(a) || is(a, K::String) || is(a, K::Bool)) &&
                      (number(b) || is(b, K::String) || is(b, K::Bool));
    return same || (number(a) && number(b)) ? of(K::Bool) : mismatch();
  }
  const Type& known = a.kind == K::Dyn ? b : a;
  const bool lists = name == "+" && (is(known, K::String) || known.kind == K::Sequence);
  const bool numbers = is(known, K::Int) || (name != "%" && is(known, K::Double));
  if (!assignable(a, b) || (!lists && !numbers)) return mismatch();
  if (known.kind == K::Sequence)
    return a.kind == K::Dyn || b.kind == K::Dyn ? unsure("a sum of an open type") : general(a, b);
  return known;
}

Type Checker::function(const Expr& expr, const std::vector<Type>& args) {
  static const std::set<std::string> kText = {"startsWith", "endsWith", "contains", "matches"};
  static const std::set<std::string> kQuantity = {"isLessThan", "isGreaterThan", "compareTo", "sign", "add", "sub"};
  const std::string& name = expr.name;
  const auto mismatch = [&] { return refuse("no overload of " + name + "() for these types"); };
  if (name == "size" && args.size() == 1) {
    const K kind = args[0].kind;
    return kind == K::Dyn || kind == K::String || kind == K::Sequence || kind == K::Mapping ? of(K::Int) : mismatch();
  }
  if (expr.method && kText.count(name) != 0) {
    if (args.size() != 2 || !is(args[0], K::String) || !is(args[1], K::String)) return mismatch();
    if (name == "matches") {
      const auto* text = expr.args[1]->kind == E::Literal ? expr.args[1]->value.as<std::string>() : nullptr;
      static constexpr std::string_view kOdd = R"(\+*?()|[]{})";
      if (text == nullptr || text->find_first_of(kOdd) != std::string::npos) unsure("a regular expression");
    }
    return of(K::Bool);
  }
  if (expr.method && kQuantity.count(name) != 0) {
    if (args[0].kind == K::Dyn) return unsure("a quantity of an open type");
    if (args[0].kind != K::Quantity) return mismatch();
    if (name == "sign") return args.size() == 1 ? of(K::Int) : mismatch();
    const bool number = (name == "add" || name == "sub") && args.size() == 2 && args[1].kind == K::Int;
    if (args.size() != 2 || (!number && !is(args[1], K::Quantity))) return mismatch();
    if (name == "compareTo") return of(K::Int);
    return of(name == "add" || name == "sub" ? K::Quantity : K::Bool);
  }
  if (expr.method && (name == "orValue" || name == "or" || name == "hasValue" || name == "value")) {
    const std::size_t wanted = name[0] == 'o' ? 2 : 1;
    if (args.size() != wanted || !is(args[0], K::Optional)) return mismatch();
    if (name == "hasValue") return of(K::Bool);
    const Type held = args[0].kind == K::Dyn ? of(K::Dyn) : element(args[0]);
    if (name == "value") return held;
    if (name == "orValue") return assignable(held, args[1]) ? general(held, args[1]) : mismatch();
    return assignable(args[0], args[1]) ? general(args[0], args[1]) : mismatch();
  }
  if (!expr.method && args.size() == 1) {
    const K kind = args[0].kind;
    const bool scalar = kind == K::Dyn || kind == K::Int || kind == K::Double || kind == K::String;
    if (name == "dyn") return of(K::Dyn);
    // A conversion of a literal is done when the policy is taken, and there it may fail (cel-go, OptOptimize).
    if (name == "int" && converts_literal(expr) && evaluate(std::make_shared<const Expr>(expr), {}).is_error())
      return refuse("a literal that is no integer");
    if (name == "int") return scalar ? of(K::Int) : mismatch();
    if (name == "string") return scalar || kind == K::Bool ? of(K::String) : mismatch();
    if (name == "quantity") return is(args[0], K::String) ? of(K::Quantity) : mismatch();
    if (name == "isQuantity") return is(args[0], K::String) ? of(K::Bool) : mismatch();
  }
  return unsure("the function " + name + "()");
}

}  // namespace

Checked check(const ExprPtr& expr, const TypeScope& scope) {
  if (!expr) return {V::Refused, {}, "no expression"};
  Checker checker(scope);
  return checker.finish(checker.type(*expr));
}

}  // namespace gpol::cel
