// Gateway, of what is there: whom a BackendTrafficPolicy is for. Envoy Gateway takes one whose target is not there
// without a word, and the route that was meant has no limit. A folder may be a part of a cluster: that something is not
// there is said only where what is probably meant stands beside it, and is for nobody.
#include <fmt/format.h>

#include <algorithm>

#include "checker/families/codes.h"
#include "checker/families/given_edge.h"
#include "compiler/source/edit_distance.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

using edge::Policy;
using edge::Ref;

class Targets {
 public:
  Targets(const edge::Facts& facts, EdgeView& view, Report& report) : facts_(facts), view_(view), report_(report) {}

  void run() {
    for (const Policy& policy : facts_.policies)
      for (const Ref& target : policy.targets) {
        if (target.kind == "HTTPRoute") route(policy, target);
        if (target.kind == "Gateway") gateway(policy, target);
      }
  }

 private:
  static bool is(const edge::Named& object, const Ref& target) {
    return object.name == target.name && may_be_namespace(object.ns, target.ns);
  }

  void route(const Policy& policy, const Ref& target) {
    const auto* found = find_where(facts_.routes, [&](const edge::Route& one) { return is(one, target); });
    const bool made = std::ranges::any_of(facts_.ai_routes, [&](const auto& one) {
      return one.second == target.name && may_be_namespace(one.first, target.ns);
    });
    if (found != nullptr && !target.section.empty() && found->ns == target.ns) {
      std::vector<std::string_view> names;
      for (const edge::RouteRule& rule : found->rules) names.push_back(rule.name);
      return section(policy, target, names, "rule", found);
    }
    if (found != nullptr || made) return;
    absent(policy, target, facts_.routes);
  }

  void gateway(const Policy& policy, const Ref& target) {
    const auto* found = find_where(facts_.gateways, [&](const edge::Gateway& one) { return is(one, target); });
    if (found == nullptr) return absent(policy, target, facts_.gateways);
    if (target.section.empty() || found->ns != target.ns) return;
    std::vector<std::string_view> names;
    for (const edge::Listener& listener : found->listeners) names.push_back(listener.name);
    section(policy, target, names, "listener", nullptr);
  }

  // The object is there as a whole: so is the list of its rules or listeners.
  void section(const Policy& policy, const Ref& target, const std::vector<std::string_view>& names,
               std::string_view what, const edge::Route* route) {
    if (contains(names, std::string_view(target.section))) return;
    if (route != nullptr) view_.note_meant(*route);
    const auto near = nearest(target.section, names);
    EdgeFinding found{code::PolicyTarget, "BackendTrafficPolicy", policy.full(), target.at, target.field, {}};
    found.message = fmt::format("{} is for {} `{}` of {} `{}`, which has none of that name: it limits nothing",
                                in_words(policy), what, target.section, target.kind, target.name);
    std::string path = target.field;
    path.replace(path.rfind('.'), std::string::npos, ".sectionName");
    if (near && !near->empty()) found.write(policy, path, *near);
    tell(std::move(found), report_);
  }

  template <class Object>
  void absent(const Policy& policy, const Ref& target, const std::vector<Object>& all) {
    if (!facts_.whole || policy.selects) return;
    std::vector<std::string_view> uncovered;
    const Object* beside = nullptr;
    const Object* elsewhere = nullptr;
    for (const Object& one : all) {
      if (one.name == target.name) elsewhere = &one;
      if (one.ns != target.ns) continue;
      beside = &one;
      if (is_for_nobody(target.kind, one)) uncovered.push_back(one.name);
    }
    const std::string said = fmt::format("{} is for {} `{}`, and none of that name is in its namespace",
                                         in_words(policy), target.kind, target.name);
    if (const auto near = nearest(target.name, uncovered)) {
      EdgeFinding found{code::PolicyTarget, "BackendTrafficPolicy", policy.full(), target.at, target.field, {}};
      found.message =
          fmt::format("{}: Envoy Gateway takes it without a word, and {} `{}` has no policy", said, target.kind, *near);
      found.write(policy, target.field, *near);
      for (const edge::Route& one : facts_.routes)
        if (target.kind == "HTTPRoute" && one.ns == target.ns && one.name == *near) view_.note_meant(one);
      return tell(std::move(found), report_);
    }
    if (elsewhere != nullptr)
      return warn(code::PolicyTarget, target.at,
                  fmt::format("{} among the manifests: that of namespace `{}` it does not reach", said, elsewhere->ns),
                  "a BackendTrafficPolicy is for what stands in its own namespace: move it there", report_);
    if (beside != nullptr && !uncovered.empty())
      warn(code::PolicyTarget, target.at,
           fmt::format("{} among the manifests: where the cluster has none, the policy limits nothing, and Envoy "
                       "Gateway does not say so",
                       said),
           fmt::format("give the file that holds it, too, or name one that is there: {}",
                       listed_up_to(5, uncovered, [](std::string_view name) { return fmt::format("`{}`", name); })),
           report_);
  }

  bool is_for_nobody(const std::string& kind, const edge::Named& object) const {
    return std::ranges::none_of(facts_.policies, [&](const Policy& policy) {
      return policy.selects || std::ranges::any_of(policy.targets, [&](const Ref& target) {
               return target.kind == kind && is(object, target);
             });
    });
  }

  const edge::Facts& facts_;
  EdgeView& view_;
  Report& report_;
};

}  // namespace

void judge_edge_targets(const edge::Facts& facts, EdgeView& view, Report& report) {
  Targets(facts, view, report).run();
}

}  // namespace gpol
