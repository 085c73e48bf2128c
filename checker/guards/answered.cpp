#include "checker/guards/answered.h"

#include <algorithm>
#include <set>

#include "checker/guards/cel_eval.h"
#include "checker/guards/reach.h"
#include "checker/guards/types.h"
#include "checker/planted.h"
#include "compiler/source/sha256.h"

namespace gpol {

namespace {

constexpr std::size_t kMostChoices = 64, kDigits = 32;

using cel::Expr;
using Kind = Expr::Kind;

class Writer {
 public:
  explicit Writer(const AdmissionTarget& target) : target_(target) {}

  FormPart bad(const Expr& expr) {
    mark("bad"), tree(expr);
    return done();
  }

  FormPart validation(const OneValidation& one) {
    mark("bindings");
    for (const AdmissionBinding* binding : one.policy->bindings) match(binding->match);
    mark("policy");
    match(one.policy->policy->match);
    for (const cel::ExprPtr& condition : one.policy->conditions) mark("if"), tree(*condition);
    mark("then");
    variables_ = &one.policy->variables;
    if (!planted(Bug::EncodingFormOfNoValidation)) tree(*one.policy->validations[one.index]);
    return done();
  }

 private:
  FormPart done() {
    std::ranges::sort(part_.kept);
    const auto twice = std::ranges::unique(part_.kept);
    part_.kept.erase(twice.begin(), twice.end());
    return std::move(part_);
  }

  void mark(std::string_view word) { part_.text.append(word) += ';'; }
  void keep(const std::string& text) {
    part_.kept.push_back(text);
    part_.text.append(std::to_string(text.size())).append(":").append(text);
  }
  void name(const std::string& text) { part_.names.emplace_back(part_.text.size(), text); }

  void selector(const Selector& selector) {
    mark(selector.present ? "selector" : "no selector");
    for (const auto& [key, value] : selector.match_labels) keep(key), name(value);
    for (const auto& one : selector.expressions) {
      mark("which"), keep(one.key), keep(one.op);
      for (const std::string& value : one.values) name(value);
    }
  }

  void rules(const std::vector<MatchResources::Rule>& rules, bool equivalent) {
    const RuleReach reach = rules_reach(rules, equivalent, target_);
    mark("rules " + std::to_string(static_cast<int>(reach.any_name)));
    for (const std::string& one : reach.names) name(one);
  }

  void match(const MatchResources& match) {
    mark(match.rules.empty() ? "match" : "match rules");
    rules(match.rules, match.equivalent), rules(match.excluded, match.equivalent);
    selector(match.namespaces), selector(match.objects);
  }

  static const std::string* text_of(const Expr& expr) {
    return expr.kind == Kind::Literal ? expr.value.as<std::string>() : nullptr;
  }

  // An operand that nothing is done with but comparing it.
  void operand(const Expr& expr) {
    if (const std::string* text = text_of(expr))
      name(*text);
    else
      tree(expr);
  }

  void tree(const Expr& expr) {
    const auto number = [&](std::size_t n) { part_.text += static_cast<char>('0' + n % 64); };
    number(static_cast<std::size_t>(expr.kind)), number(expr.optional), number(expr.method);
    mark(std::to_string(expr.args.size()));
    if (expr.kind == Kind::Literal) {
      if (const std::string* text = text_of(expr)) return keep(*text);
      return mark(std::to_string(expr.value.is.index()) + cel::to_json(expr.value));
    }
    keep(expr.name), keep(expr.variable);
    if (expr.kind == Kind::Call) predicate(expr);
    const bool call = expr.kind == Kind::Call && !expr.method && expr.args.size() == 2;
    if (call && (expr.name == "==" || expr.name == "!=")) {
      for (const cel::ExprPtr& arg : expr.args) operand(*arg);
    } else if (call && expr.name == "in" && expr.args[1]->kind == Kind::Sequence) {
      operand(*expr.args[0]);
      mark("list");
      for (const cel::ExprPtr& arg : expr.args[1]->args) operand(*arg);
      mark("end");
    } else {
      for (const cel::ExprPtr& arg : expr.args)
        if (arg) tree(*arg);
    }
    const bool variable = variables_ != nullptr && expr.kind == Kind::Select && expr.args[0]->kind == Kind::Ident &&
                          expr.args[0]->name == "variables";
    if (!variable || !defined_.insert(expr.name).second) return;
    if (const auto found = variables_->find(expr.name); found != variables_->end() && found->second)
      mark("is"), tree(*found->second);
  }

  // What is asked of texts: of each name it must come out as of what stands for it.
  void predicate(const Expr& call) {
    if (call.name == "int") part_.asked.insert({"int", ""});
    if (call.name == "quantity" || call.name == "isQuantity") part_.asked.insert({"quantity", ""});
    if (call.name == "+" && !call.method) part_.asked.insert({"anything", ""});  // texts put together are other texts
    if (!call.method || call.args.size() != 2) return;
    const bool compares = call.name == "startsWith" || call.name == "endsWith" || call.name == "contains";
    if (!compares && call.name != "matches") return;
    const std::string* text = text_of(*call.args[1]);
    if (text == nullptr) part_.asked.insert({"anything", ""});  // `x.startsWith(p)`, of each p in a list
    if (text != nullptr && compares) part_.asked.insert({call.name, *text});
    if (text == nullptr || compares) return;
    if (const auto plain = cel::plain_pattern(*text)) {
      part_.kept.push_back(plain->text);
      for (const char* one : {"startsWith", "endsWith", "contains"}) part_.asked.insert({one, plain->text});
    }
  }

  const AdmissionTarget& target_;
  const std::map<std::string, cel::ExprPtr>* variables_ = nullptr;  // of the policy that is written
  std::set<std::string> defined_;                                   // of them, those that were written
  FormPart part_;
};

bool says(const std::pair<std::string, std::string>& asked, const std::string& text) {
  if (asked.first == "startsWith") return text.starts_with(asked.second);
  if (asked.first == "endsWith") return text.ends_with(asked.second);
  if (asked.first == "contains") return text.find(asked.second) != std::string::npos;
  return !cel::call_function(asked.first, false, {text}).is_error();
}

using Parts = std::vector<const FormPart*>;

// The longest beginning and end that something asks for stay. Empty: the name itself stays.
std::string stands_for(const AdmissionTarget& target, const Parts& parts, const std::string& name, std::size_t number) {
  std::set<std::pair<std::string, std::string>> asked;
  for (const FormPart* part : parts) asked.insert(part->asked.begin(), part->asked.end());
  if (asked.contains({"anything", ""})) return "";
  std::string begin, end;
  for (const auto& one : asked)
    if (says(one, name)) {
      if (one.first == "startsWith" && one.second.size() > begin.size()) begin = one.second;
      if (one.first == "endsWith" && one.second.size() > end.size()) end = one.second;
    }
  if (planted(Bug::EncodingFormOfOneName)) number = 0;
  std::string text = begin + "$" + std::to_string(number) + end;
  // What the encoder itself puts into every formula (space.cpp, question.cpp, known.cpp) is no name.
  const std::string_view always[] = {"",
                                     "kubernetes.io/metadata.name",
                                     "metadata",
                                     "labels",
                                     "name",
                                     "namespace",
                                     target.operation,
                                     target.group,
                                     target.version,
                                     target.resource,
                                     target.subresource};
  const auto is_kept = [&](const std::string& one) {
    return std::ranges::find(always, one) != std::end(always) || std::ranges::any_of(parts, [&](const FormPart* part) {
             return std::ranges::binary_search(part->kept, one);
           });
  };
  const bool alike = planted(Bug::EncodingFormOfAnyPredicate) ||
                     std::ranges::all_of(asked, [&](const auto& one) { return says(one, name) == says(one, text); });
  const bool constant = !planted(Bug::EncodingFormOfNoConstant) && (is_kept(name) || is_kept(text));
  return constant || !alike ? "" : text;
}

std::string joined(const AdmissionTarget& target, const Parts& parts, bool sizes) {
  std::map<std::string, std::string> names;
  std::string out;
  for (const std::string* part :
       {&target.operation, &target.group, &target.version, &target.resource, &target.subresource})
    out += *part + ";";
  out += target.namespaced ? "namespaced;" : "cluster;";
  for (const FormPart* part : parts) {
    std::size_t from = 0;
    for (const auto& [at, name] : part->names) {
      out.append(part->text, from, at - from);
      from = at;
      const auto [found, fresh] = names.try_emplace(name);
      if (fresh && !sizes) found->second = stands_for(target, parts, name, names.size());
      const std::string& text = found->second.empty() ? name : found->second;
      out.append(found->second.empty() ? "=" : "$").append(std::to_string(text.size())).append(":").append(text);
    }
    out.append(part->text, from);
  }
  return out;
}

}  // namespace

FormPart part_of(const AdmissionTarget& target, const cel::Expr& bad) { return Writer(target).bad(bad); }
FormPart part_of(const AdmissionTarget& target, const OneValidation& one) { return Writer(target).validation(one); }

std::string digest_of(const AdmissionTarget& target, const std::vector<const FormPart*>& parts, bool sizes) {
  return sha256(joined(target, parts, sizes)).substr(0, kDigits);
}

const AnsweredGuards::Validations& AnsweredGuards::of_target(const AdmissionTarget& target) {
  const auto [found, fresh] = by_target_.try_emplace(target);
  if (fresh)
    for (const PreparedPolicy* policy : sure_about(policies_, target))
      for (std::size_t v = 0; v < policy->validations.size(); ++v) {
        FormPart part = part_of(target, OneValidation{policy, v});
        std::string digest = digest_of(target, {&part}, false);
        found->second.emplace(std::move(digest), Validation{policy, std::move(part)});
      }
  return found->second;
}

std::optional<std::vector<std::string>> AnsweredGuards::deniers(const AdmissionTarget& target, const std::string& bad) {
  if (kBugsCanBePlanted) return std::nullopt;  // there each question is asked
  const cel::Parsed parsed = cel::parse(bad);
  if (!parsed.expr || !cel::check(parsed.expr, {{}, false}).ok()) return std::nullopt;
  const FormPart asked = part_of(target, *parsed.expr);
  const std::string own = digest_of(target, {&asked}, false);
  for (const AnsweredQuestion& row :
       std::ranges::equal_range(kAnsweredQuestions, std::string_view(own), {}, &AnsweredQuestion::bad)) {
    // Every choice of validations that look like those of the row.
    std::vector<std::vector<const Validation*>> choices(1);
    for (std::size_t digest = 0; digest < row.validations.size(); digest += kDigits + 1) {
      std::vector<std::vector<const Validation*>> more;
      const auto [begin, end] = of_target(target).equal_range(row.validations.substr(digest, kDigits));
      for (const auto& choice : choices)
        for (auto it = begin; it != end && more.size() < kMostChoices; ++it) {
          more.push_back(choice);
          more.back().push_back(&it->second);
        }
      choices = std::move(more);
    }
    for (const auto& those : choices) {
      std::vector<const FormPart*> parts{&asked};
      for (const Validation* one : those) parts.push_back(&one->part);
      if (digest_of(target, parts, row.sizes) != row.whole) continue;
      std::set<std::string> names;
      for (const Validation* one : those) names.insert(one->policy->policy->name);
      return std::vector<std::string>(names.begin(), names.end());
    }
  }
  return std::nullopt;
}

}  // namespace gpol
