#include "checker/guards/answered.h"

#include <algorithm>
#include <deque>
#include <set>

#include "checker/guards/cel_eval.h"
#include "checker/guards/reach.h"
#include "checker/planted.h"
#include "compiler/source/lookup.h"
#include "compiler/source/sha256.h"

namespace gpol {

namespace {

constexpr std::size_t kMostChoices = 64, kDigits = 32;
constexpr std::string_view kEquality[] = {"==", "!="}, kOrder[] = {"<", "<=", ">", ">="};

using cel::Expr;
using Kind = Expr::Kind;

class Writer {
 public:
  FormPart bad(const Expr& expr) {
    mark("bad"), tree(expr);
    return done();
  }

  FormPart validation(const OneValidation& one) {
    part_.policy = one.policy;
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
    part_.text = sha256(part_.text).substr(0, kDigits);
    return std::move(part_);
  }

  void mark(std::string_view word) { part_.text.append(word) += ';'; }
  void keep(const std::string& text) {
    part_.kept.push_back(text);
    part_.dollar = part_.dollar || text.find('$') != std::string::npos;
    part_.text.append(std::to_string(text.size())).append(":").append(text);
  }
  void name(const std::string& text) { mark("name"), part_.names.push_back(text); }
  void list(std::set<std::string> names) { mark("list"), part_.lists.push_back(std::move(names)); }

  void selector(const Selector& selector) {
    mark(selector.present ? "selector" : "no selector");
    for (const auto& [key, value] : selector.match_labels) keep(key), name(value);
    for (const auto& one : selector.expressions) {
      mark("which"), keep(one.key), keep(one.op), list({one.values.begin(), one.values.end()});
    }
  }

  void match(const MatchResources& match) {
    mark(match.rules.empty() ? "match" : "match rules");
    selector(match.namespaces), selector(match.objects);
  }

  static const std::string* text_of(const Expr& expr) {
    return expr.kind == Kind::Literal ? expr.value.as<std::string>() : nullptr;
  }

  // An operand that nothing is done with but comparing it, or choosing it: texts for equality alone.
  void operand(const Expr& expr, bool numbers_alone = false) {
    const auto* number = expr.kind == Kind::Literal ? expr.value.as<std::int64_t>() : nullptr;
    if (const std::string* text = text_of(expr); text != nullptr && !numbers_alone)
      name(*text);
    else if (number != nullptr && *number != 0)
      mark("number"), part_.numbers.push_back(*number);
    else
      tree(expr);
  }

  void elements(const std::vector<cel::ExprPtr>& all) {
    std::set<std::string> names;
    for (const cel::ExprPtr& one : all)
      if (const std::string* text = text_of(*one)) names.insert(*text);
    if (std::ranges::all_of(all, [](const cel::ExprPtr& one) { return text_of(*one) != nullptr; }))
      return list(std::move(names));
    mark("elements");
    for (const cel::ExprPtr& one : all) operand(*one);
    mark("end");
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
    const bool order = contains(kOrder, expr.name), choice = expr.kind == Kind::Call && expr.name == "?:";
    if (choice || (call && (order || contains(kEquality, expr.name)))) {
      for (const cel::ExprPtr& arg : expr.args) operand(*arg, order || choice);
    } else if (call && expr.name == "in" && expr.args[1]->kind == Kind::Sequence) {
      operand(*expr.args[0]);
      elements(expr.args[1]->args);
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
      part_.kept.push_back(plain->text), part_.dollar = true;
      for (const char* one : {"startsWith", "endsWith", "contains"}) part_.asked.insert({one, plain->text});
    }
  }

  const std::map<std::string, cel::ExprPtr>* variables_ = nullptr;  // of the policy that is written
  std::set<std::string> defined_;                                   // of them, those that were written
  FormPart part_;
};

bool says(const std::pair<std::string, std::string>& asked, std::string_view text) {
  if (asked.first == "startsWith") return text.starts_with(asked.second);
  if (asked.first == "endsWith") return text.ends_with(asked.second);
  if (asked.first == "contains") return text.find(asked.second) != std::string_view::npos;
  return !cel::call_function(asked.first, false, {std::string(text)}).is_error();
}

using Parts = std::vector<const FormPart*>;

std::string target_text(const AdmissionTarget& target) {
  std::string text = target.namespaced ? "namespaced" : "cluster";
  for (const auto* part : {&target.operation, &target.group, &target.version, &target.resource, &target.subresource})
    text.append(";").append(*part);
  return text + ";";
}

class Joiner {
 public:
  Joiner(const AdmissionTarget& target, const Parts& parts) : target_(target), parts_(parts) {
    for (const FormPart* part : parts) {
      for (const auto& one : part->asked) asked_.push_back(&one), anything_ = anything_ || one.first == "anything";
      dollar_ = dollar_ || part->dollar;
      numbers_.insert(part->numbers.begin(), part->numbers.end());
      for (const auto& list : part->lists) lists_.push_back(&list);
      if (part->policy == nullptr) continue;
      for (const AdmissionBinding* binding : part->policy->bindings) rules(binding->match);
      rules(part->policy->policy->match);
    }
    for (const auto& list : of_rules_) lists_.push_back(&list);
  }

  Form join() {
    text_ = target_text(target_);
    for (const FormPart* part : parts_) {
      text_ += part->text;
      for (const std::string& one : part->names) name(one);
      for (const std::int64_t one : part->numbers) number(one);
    }
    text_ += rules_;
    group();
    for (const auto* list : lists_) {
      std::set<std::string> written;
      for (const std::string& one : *list) written.insert(as_written(one, names_.at(one)));
      for (const std::string& one : written) text_ += one;
      text_ += "end;";
    }
    return {sha256(text_).substr(0, kDigits), std::move(names_)};
  }

 private:
  void name(const std::string& name) {
    const std::size_t number = planted(Bug::EncodingFormOfOneName) ? 0 : names_.size();
    const auto [at, fresh] = names_.try_emplace(name);
    if (fresh) at->second = stands_for(name, "$" + std::to_string(number));
    text_ += as_written(name, at->second);
  }
  static std::string as_written(const std::string& name, const std::string& stands) {
    const std::string& text = stands.empty() ? name : stands;
    return (stands.empty() ? "=" : "$") + std::to_string(text.size()) + ":" + text;
  }
  // By its place among the others and 0.
  void number(std::int64_t number) {
    const auto place = [&](std::int64_t of) { return std::distance(numbers_.begin(), numbers_.find(of)); };
    text_.append("#")
        .append(std::to_string(planted(Bug::EncodingFormOfNoOrder) ? 1 : place(number) - place(0)))
        .append(";");
  }

  // Names of lists alone: those of the same lists, of which the same is said, are a group.
  void group() {
    std::map<std::string_view, std::vector<std::size_t>> lists;
    for (std::size_t i = 0; i < lists_.size(); ++i)
      for (const std::string& one : *lists_[i])
        if (!names_.contains(one)) lists[one].push_back(i);
    std::map<std::pair<std::vector<std::size_t>, std::string>, std::vector<std::string_view>> groups;
    for (auto& [name, in] : lists) {
      if (planted(Bug::EncodingFormOfOneGroup)) in.clear();
      groups[{std::move(in), stands_for(name, "$g")}].push_back(name);
    }
    std::size_t number = 0;
    for (const auto& [group, members] : groups) {
      std::string text = group.second;
      if (!text.empty()) text.insert(text.find("$g") + 2, std::to_string(number));
      if (!text.empty() && !may_stand_for(group.second, text)) text.clear();
      for (const std::string_view one : members) names_.emplace(one, text);
      ++number;
    }
  }

  // The longest beginning and end that something asks for stay. Empty: the name itself stays.
  std::string stands_for(std::string_view name, const std::string& mark) const {
    if (anything_ || (!planted(Bug::EncodingFormOfNoConstant) && is_kept(name))) return "";
    std::string begin, end;
    for (const auto* one : asked_) {
      const auto& [what, text] = *one;
      if (what == "startsWith" && text.size() > begin.size() && name.starts_with(text)) begin = text;
      if (what == "endsWith" && text.size() > end.size() && name.ends_with(text)) end = text;
    }
    std::string text = begin + mark + end;
    return may_stand_for(name, text) ? text : "";
  }
  bool may_stand_for(std::string_view name, std::string_view text) const {
    return (planted(Bug::EncodingFormOfNoConstant) || !dollar_ || !is_kept(text)) &&
           (planted(Bug::EncodingFormOfAnyPredicate) ||
            std::ranges::all_of(asked_, [&](const auto* one) { return says(*one, name) == says(*one, text); }));
  }
  // What the encoder itself puts into every formula (space.cpp, question.cpp, known.cpp) is no name either.
  bool is_kept(std::string_view text) const {
    const std::string_view always[] = {"",
                                       "kubernetes.io/metadata.name",
                                       "metadata",
                                       "labels",
                                       "name",
                                       "namespace",
                                       target_.operation,
                                       target_.group,
                                       target_.version,
                                       target_.resource,
                                       target_.subresource};
    return std::ranges::find(always, text) != std::end(always) ||
           std::ranges::any_of(parts_, [&](const FormPart* part) {
             return std::ranges::binary_search(part->kept, text, std::less<>());
           });
  }

  // Those that reach the target.
  void rules(const MatchResources& match) {
    for (const auto* rules : {&match.rules, &match.excluded}) {
      const RuleReach reach = rules_reach(*rules, match.equivalent, target_);
      rules_.append("rules ").append(std::to_string(static_cast<int>(reach.any_name))).append(";");
      of_rules_.emplace_back(reach.names.begin(), reach.names.end());
    }
  }

  const AdmissionTarget& target_;
  const Parts& parts_;
  std::vector<const std::pair<std::string, std::string>*> asked_;
  bool anything_ = false;  // is asked: all names stay
  bool dollar_ = false;    // in a text that is kept
  std::set<std::int64_t> numbers_{0};
  std::deque<std::set<std::string>> of_rules_;
  std::vector<const std::set<std::string>*> lists_;
  std::map<std::string, std::string> names_;  // what stands for each; empty: itself
  std::string text_, rules_;
};

// The parts of a && b && c, each as it is written; the whole where it is something else.
std::vector<std::string_view> conjuncts(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\'' || c == '"') {
      i = text.find(c, i + 1);
      if (i == std::string_view::npos) return {text};
    }
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (c == '\\' || (depth == 0 && (c == '|' || c == '?'))) return {text};
    if (depth != 0 || c != '&') continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = ++i + 1;  // behind the second one
  }
  parts.push_back(text.substr(begin));
  return parts;
}

}  // namespace

std::vector<FormPart> parts_of(const cel::Expr& bad) {
  if (bad.kind != Kind::Call || bad.method || bad.name != "&&") return {Writer().bad(bad)};
  std::vector<FormPart> parts = parts_of(*bad.args[0]);
  for (FormPart& part : parts_of(*bad.args[1])) parts.push_back(std::move(part));
  return parts;
}
FormPart part_of(const OneValidation& one) { return Writer().validation(one); }

std::string text_of(const AdmissionTarget& target, const Parts& parts) {
  std::string text = target_text(target);
  for (const FormPart* part : parts) text += part->text;
  return sha256(text).substr(0, kDigits);
}

Form form_of(const AdmissionTarget& target, const std::vector<const FormPart*>& parts) {
  return Joiner(target, parts).join();
}

const AnsweredGuards::Validations& AnsweredGuards::of_target(const AdmissionTarget& target) {
  const auto [found, fresh] = by_target_.try_emplace(target);
  if (fresh) {
    // By name: of several that deny the same the first is named, in whatever order a policy speaks of its tenants.
    auto sure = sure_about(policies_, target);
    std::ranges::sort(sure, {}, [](const PreparedPolicy* policy) { return std::string_view(policy->policy->name); });
    for (const PreparedPolicy* policy : sure) {
      std::vector<FormPart>& parts = parts_[policy];
      for (std::size_t v = parts.size(); v < policy->validations.size(); ++v)
        parts.push_back(part_of(OneValidation{policy, v}));
      for (const FormPart& part : parts) found->second.emplace(part.text, &part);
    }
  }
  return found->second;
}

Parts AnsweredGuards::asked(std::string_view bad) {
  Parts parts;
  for (const std::string_view one : conjuncts(bad)) {
    const auto [found, fresh] = asked_.try_emplace(std::string(one));
    if (fresh)
      if (const cel::Parsed parsed = cel::parse(one); parsed.expr) found->second = parts_of(*parsed.expr);
    if (found->second.empty()) return {};
    for (const FormPart& part : found->second) parts.push_back(&part);
  }
  return parts;
}

std::optional<std::vector<std::string>> AnsweredGuards::deniers(const AdmissionTarget& target, const std::string& bad) {
  if (kBugsCanBePlanted) return std::nullopt;  // there each question is asked
  const Parts wanted = asked(bad);
  if (wanted.empty()) return std::nullopt;
  const std::string text = text_of(target, wanted);
  for (const AnsweredQuestion& row :
       std::ranges::equal_range(kAnsweredQuestions, std::string_view(text), {}, &AnsweredQuestion::bad)) {
    // Every choice of validations with the texts of the row.
    std::vector<Parts> choices{wanted};
    for (std::size_t at = 0; at < row.validations.size(); at += kDigits + 1) {
      std::vector<Parts> more;
      const auto [begin, end] = of_target(target).equal_range(row.validations.substr(at, kDigits));
      for (const Parts& choice : choices)
        for (auto it = begin; it != end && more.size() < kMostChoices; ++it) {
          more.push_back(choice);
          more.back().push_back(it->second);
        }
      choices = std::move(more);
    }
    for (const Parts& parts : choices) {
      if (form_of(target, parts).digest != row.whole) continue;
      std::set<std::string> names;
      for (const FormPart* part : parts)
        if (part->policy != nullptr) names.insert(part->policy->policy->name);
      return std::vector<std::string>(names.begin(), names.end());
    }
  }
  return std::nullopt;
}

}  // namespace gpol
