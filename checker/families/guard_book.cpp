#include "checker/families/guard_book.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/families/doors.h"
#include "checker/guards/namespaces.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

bool namespaced(const Demand& demand) {
  if (demand.group == "resource.k8s.io" || demand.group == "scheduling.k8s.io" || demand.group == "node.k8s.io")
    return false;
  if (demand.group == "scheduling.volcano.sh") return demand.resource != "queues";
  return demand.group != "kueue.x-k8s.io" || demand.resource == "localqueues" || demand.resource == "workloads";
}

std::string key_of(const GuardQuestion& question) {
  const AdmissionTarget& t = question.target;
  return fmt::format("{} {} {} {} {} {} {}\n{}", t.operation, t.group, t.version, t.resource, t.subresource,
                     t.namespaced, question.in_listed, question.bad);
}

bool takes_policy(const Reach& reach, std::string_view policy) { return contains(reach.policies, policy); }

}  // namespace

AdmissionTarget target_of(const Demand& demand) {
  return {demand.operation, demand.group, demand.version, demand.resource, demand.subresource, namespaced(demand)};
}

std::vector<StoryStep> story_of(const Kept& kept) {
  if (!kept.request || !kept.broken) return {};
  const Demand& demand = *kept.broken;
  return {{"", demand.who, demand.does},
          {"", "API server", "lets it in: " + cel::to_json(*kept.request)},
          {"", "the proof", demand.breaks}};
}

AnswerGuards GuardAnswers::keep() {
  return [this](const GuardQuestion& question, const std::function<Reach()>& ask) {
    Reach reach = ask();
    kept_.insert_or_assign(key_of(question), reach);
    return reach;
  };
}

AnswerGuards GuardAnswers::without(std::string_view policy) const {
  return [this, policy = std::string(policy)](const GuardQuestion& question, const std::function<Reach()>& ask) {
    const auto found = kept_.find(key_of(question));
    const bool still =
        found != kept_.end() && found->second.kind == Reach::Kind::Denied && !takes_policy(found->second, policy);
    return still ? found->second : ask();
  };
}

bool GuardAnswers::takes(std::string_view policy) const {
  return std::ranges::any_of(kept_, [&](const auto& kept) { return takes_policy(kept.second, policy); });
}

GuardBook::GuardBook(const Cluster& cluster, const Intent& intent, Solver& solver, AnswerGuards answer, For purpose)
    : cluster_(cluster),
      solver_(solver),
      answer_(std::move(answer)),
      purpose_(purpose),
      demands_(demands(cluster, intent)),
      policies_(prepare_policies(cluster.admission_policies, cluster.admission_bindings)),
      fewer_(demands_.left_out.empty() ? Cluster() : guards_without(cluster, demands_.left_out)),
      of_fewer_(demands_.left_out.empty() ? std::vector<PreparedPolicy>() : policies_) {
  for (std::size_t i = 0; i < of_fewer_.size(); ++i)
    match_as(of_fewer_[i], fewer_.admission_policies[i], fewer_.admission_bindings);
}

Reach GuardBook::ask(const AdmissionTarget& target, bool in_listed, const std::string& bad) {
  in_listed = in_listed && !demands_.left_out.empty();
  const auto asked = [&] {
    if (!solver_.asks_anew())
      if (auto deniers = (in_listed ? fewer_answered_ : answered_).deniers(target, bad))
        return Reach{Reach::Kind::Denied, {}, {}, *std::move(deniers)};
    if (in_listed) return reach(fewer_, of_fewer_, {{target}, bad}, solver_);
    if (purpose_ == For::Story)
      if (auto small = admitted_with_fewer(target, bad)) return *std::move(small);
    return reach(cluster_, policies_, {{target}, bad}, solver_);
  };
  return answer_ ? answer_({target, in_listed, bad, demands_.left_out}, asked) : asked();
}

// Of thousands of namespaces the solver is asked about a few; what it finds counts only where all the guards let it in.
std::optional<Reach> GuardBook::admitted_with_fewer(const AdmissionTarget& target, const std::string& bad) {
  constexpr int kTries = 8;
  std::string but;  // names that were made up, and are namespaces that were left out
  for (int i = 0; i < kTries && !demands_.left_out.empty(); ++i) {
    Reach found = reach(fewer_, of_fewer_, {{target}, but + "(" + bad + ")"}, solver_);
    if (found.kind != Reach::Kind::Admitted) return std::nullopt;
    if (admits(policies_, cluster_.namespaces, found.request).kind == Decision::Kind::Admitted) return found;
    const cel::Map* request = found.request.as<cel::Map>();
    const auto ns = request == nullptr ? cel::Map::const_iterator() : request->find("namespace");
    const std::string* name = request == nullptr || ns == request->end() ? nullptr : ns->second.as<std::string>();
    if (name == nullptr || !demands_.left_out.contains(*name)) return std::nullopt;
    but += "request.namespace != " + quoted(*name) + " && ";
  }
  return std::nullopt;
}

Kept GuardBook::look(std::string_view premise, std::string_view way) {
  Kept out;
  std::set<std::string> by;
  for (const Demand& demand : demands_.list) {
    if (demand.premise != premise || (!way.empty() && demand.way != way)) continue;
    Reach one = ask(target_of(demand), demand.in_listed, demand.bad);
    by.insert(one.policies.begin(), one.policies.end());
    if (one.kind == Reach::Kind::Denied) continue;
    out.broken = demand;
    if (one.kind == Reach::Kind::Admitted) out.request = std::move(one.request);
    out.why = std::move(one.why);
    return out;
  }
  out.kept = !by.empty();  // what no request can do anyway nobody keeps it from
  out.policies.assign(by.begin(), by.end());
  return out;
}

}  // namespace gpol
