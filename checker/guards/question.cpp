#include "checker/guards/question.h"

#include "checker/guards/encoder.h"
#include "checker/guards/fold.h"

namespace gpol {

using symbolic::both_of;
using symbolic::either_of;
using symbolic::Encoder;
using symbolic::is_false;
using symbolic::negated;
using symbolic::Node;
using symbolic::Space;
using symbolic::Truth;

namespace {

constexpr std::string_view kNameLabel = "kubernetes.io/metadata.name";
constexpr int kRounds = 24;

// The formula of one target.
class Question {
 public:
  Question(const Cluster& cluster, AdmissionTarget target, std::map<std::string, symbolic::PathPlan>& plan)
      : cluster_(cluster), space_(std::move(target), plan), labels_(space_, steps_) {}

  Space& space() { return space_; }

  Term bad(const cel::ExprPtr& expr) {
    Encoder encoder(space_, steps_);
    return encoder.condition(*expr, symbolic::kTrue).yes;
  }

  Term admitted_by(const PreparedPolicy& policy) {
    Term bound = boolean(false);
    for (const AdmissionBinding* binding : policy.bindings) bound = either_of(bound, matches(binding->match, false));
    const Term matched = both_of(bound, matches(policy.policy->match, true));
    if (is_false(matched)) return boolean(true);
    Encoder encoder(space_, steps_);
    const bool closed = policy.policy->fails_closed;
    Term skipped = boolean(false), sound = boolean(true), holds = boolean(true);
    encoder.in_condition = true;
    for (const auto& condition : policy.conditions) {
      const Truth truth =
          encoder.condition(*condition, closed ? symbolic::kTrue | symbolic::kFalse : symbolic::kAnyOutcome);
      skipped = either_of(skipped, truth.no);
      sound = both_of(sound, truth.yes);
    }
    encoder.in_condition = false;
    encoder.variables = policy.variables;
    for (const auto& validation : policy.validations) {
      const Truth truth = encoder.condition(*validation, closed ? symbolic::kTrue : symbolic::kAnyOutcome);
      holds = both_of(holds, closed ? truth.yes : negated(truth.no));
    }
    const Term passes = closed ? both_of(sound, holds) : either_of(negated(sound), holds);
    return either_of(negated(matched), either_of(skipped, passes));
  }

  // What ties the namespace of the request to its labels; once everything has been asked for.
  void close() {
    if (const AdmissionTarget& target = space_.target(); !target.namespaced && target.resource != "namespaces") return;
    Node& request = *space_.root("request");
    Node& metadata = *space_.child(*space_.root("namespace"), "metadata").node;
    const symbolic::Entry& labels = space_.child(metadata, "labels");
    const Term name = space_.child(request, "namespace").node->text;
    space_.require(same(space_.child(metadata, "name").node->text, name));
    const symbolic::Entry& label = space_.child(*labels.node, std::string(kNameLabel));
    space_.require(labels.present && label.present && same(label.node->text, name));
    for (const auto& [key, entry] : labels.node->named) {
      if (!key.starts_with("gpol.dev/")) continue;
      for (const Namespace& one : cluster_.namespaces) {
        const auto found = one.labels.find(key);
        const Term there = found == one.labels.end()
                               ? !entry.present
                               : entry.present && same(entry.node->text, space_.strings.literal(found->second));
        space_.require(implies(same(name, space_.strings.literal(one.name)), there));
      }
    }
  }

 private:
  Term same(const Term& a, const Term& b) { return space_.strings.same(a, b); }
  Term of_tri(Tri tri) { return tri == Tri::Maybe ? space_.fresh_truth() : boolean(tri == Tri::Yes); }

  Term ruled(const std::vector<MatchResources::Rule>& rules, bool equivalent) {
    const RuleReach reach = rules_reach(rules, equivalent, space_.target());
    Term any = of_tri(reach.any_name);
    for (const std::string& name : reach.names) {
      const symbolic::Entry& entry = space_.child(*space_.root("request"), "name");
      any = either_of(any, entry.present && same(entry.node->text, space_.strings.literal(name)));
    }
    return any;
  }

  Term selected(const Selector& selector, Node& object) {
    if (!selector.present) return boolean(false);
    std::vector<Selector::Expression> all = selector.expressions;
    for (const auto& [key, value] : selector.match_labels) all.push_back({key, "In", {value}});
    Term holds = boolean(true);
    for (const auto& wanted : all) {
      symbolic::Value label = labels_.of_node(&object);
      for (const std::string& step : {std::string("metadata"), std::string("labels"), wanted.key})
        label = labels_.dig(label, symbolic::of_literal(step, space_.strings), false, false);
      Term there = boolean(false), listed = boolean(false);
      for (const auto& is : label.alternatives) {
        if (is.kind != symbolic::Kind::String) continue;
        there = either_of(there, is.when);
        for (const std::string& value : wanted.values)
          listed = either_of(listed, both_of(is.when, same(is.a, space_.strings.literal(value))));
      }
      if (wanted.op == "In")
        holds = both_of(holds, listed);
      else if (wanted.op == "NotIn")
        holds = both_of(holds, negated(listed));
      else if (wanted.op == "Exists")
        holds = both_of(holds, there);
      else
        holds = both_of(holds, wanted.op == "DoesNotExist" ? negated(there) : space_.fresh_truth());
    }
    return holds;
  }

  Term in_namespace(const Selector& selector) {
    const AdmissionTarget& target = space_.target();
    const bool is_namespace = target.resource == "namespaces";
    if (selects_all(selector) || (!is_namespace && !target.namespaced)) return boolean(true);
    const bool writes = target.operation == "CREATE" || target.operation == "UPDATE";
    const bool own = is_namespace && target.subresource.empty() && writes;
    return selected(selector, *space_.root(own ? "object" : "namespace"));
  }

  Term is_object(const Selector& selector) {
    if (selects_all(selector)) return boolean(true);
    if (space_.target().operation == "CONNECT") return space_.fresh_truth();
    Term any = boolean(false);
    for (const char* name : {"object", "oldObject"}) {
      Node& node = *space_.root(name);
      const Term there = node.kind_is(symbolic::Kind::Map);
      if (!is_false(there)) any = either_of(any, both_of(there, selected(selector, node)));
    }
    return any;
  }

  Term matches(const MatchResources& match, bool of_policy) {
    Term all = both_of(in_namespace(match.namespaces), is_object(match.objects));
    all = both_of(all, negated(ruled(match.excluded, match.equivalent)));
    if (of_policy || !match.rules.empty()) all = both_of(all, ruled(match.rules, match.equivalent));
    return all;
  }

  const Cluster& cluster_;
  std::size_t steps_ = symbolic::EncodeLimits{}.steps;
  Space space_;
  Encoder labels_;
};

cel::Value witness(Space& space, const std::map<std::string, std::int64_t>& model) {
  const AdmissionTarget& target = space.target();
  cel::Value request = space.build(*space.root("request"), model);
  cel::Map& map = *request.as<cel::Map>();
  map["operation"] = target.operation;
  map["resource"] = cel::Map{{"group", target.group}, {"version", target.version}, {"resource", target.resource}};
  if (!target.subresource.empty()) map["subResource"] = target.subresource;
  for (const char* derived : {"requestResource", "requestSubResource"}) map.erase(derived);
  if (cel::Map* user = map["userInfo"].as<cel::Map>(); user == nullptr) map["userInfo"] = cel::Map{};
  for (const char* name : {"object", "oldObject"}) map[name] = space.build(*space.root(name), model);
  if (target.namespaced) map["namespaceObject"] = space.build(*space.root("namespace"), model);
  return request;
}

}  // namespace

Reach reach_past(const Cluster& cluster, const std::vector<const PreparedPolicy*>& policies,
                 const AdmissionTarget& target, const cel::ExprPtr& bad, Solver& solver,
                 std::map<std::string, symbolic::PathPlan>& plan, bool counted) {
  for (int round = 0; round < kRounds; ++round) {
    Question question(cluster, target, plan);
    Formula formula{"bypass/guard", "no bad request of this kind is admitted", {}, question.bad(bad)};
    for (std::size_t i = 0; i < policies.size(); ++i)
      formula.facts.push_back({"policy/" + std::to_string(i), question.admitted_by(*policies[i])});
    question.close();
    if (!question.space().settled()) continue;
    formula.facts.push_back({"request", all_of(question.space().facts())});
    formula.facts.push_back({"numbers", all_of(question.space().bounds(symbols_of(formula)))});
    const Answer answer = counted ? solver.check(formula) : solver.check_uncounted(formula);
    if (answer.kind == Answer::Kind::Unknown) return unknown("the solver gave up: " + answer.why);
    if (answer.kind == Answer::Kind::Unsat) {
      Reach out;
      out.kind = Reach::Kind::Denied;
      return out;
    }
    if (!question.space().strings.synthesise(answer.model)) return unknown("no text was found for a bad request");
    Reach out;
    out.kind = Reach::Kind::Admitted;
    out.request = witness(question.space(), answer.model);
    return out;
  }
  return unknown("the expressions walk lists in a way that is beyond a bounded search");
}

}  // namespace gpol
