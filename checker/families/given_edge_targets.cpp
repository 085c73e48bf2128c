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

bool may_be(const edge::Named& object, const Ref& target) {
  return object.name == target.name && may_be_namespace(object.ns, target.ns);
}

class Targets {
 public:
  Targets(EdgeView& view, Report& report) : view_(view), report_(report) {}

  void run() {
    const edge::Facts& facts = view_.facts;
    for (const Policy& policy : facts.policies)
      for (const Ref& target : policy.targets) {
        const auto is = [&](const edge::Named& one) { return may_be(one, target); };
        std::vector<std::string_view> names;
        if (target.kind == "HTTPRoute") {
          const edge::Route* route = find_where(facts.routes, is);
          if (route == nullptr && std::ranges::none_of(facts.ai_routes, is)) absent(policy, target, facts.routes);
          if (route == nullptr || route->ns != target.ns) continue;
          for (const edge::RouteRule& rule : route->rules) names.push_back(rule.name);
          if (!section(policy, target, names, "rule")) view_.meant.insert(route);
        } else if (target.kind == "Gateway") {
          const edge::Gateway* gateway = find_where(facts.gateways, is);
          if (gateway == nullptr) absent(policy, target, facts.gateways);
          if (gateway == nullptr || gateway->ns != target.ns) continue;
          for (const edge::Listener& listener : gateway->listeners) names.push_back(listener.name);
          section(policy, target, names, "listener");
        }
      }
  }

 private:
  // The object was read as a whole, and so was the list of its rules or listeners.
  bool section(const Policy& policy, const Ref& target, const std::vector<std::string_view>& names,
               std::string_view what) {
    if (target.section.empty() || contains(names, std::string_view(target.section))) return true;
    EdgeFinding found =
        about(policy, code::PolicyTarget,
              fmt::format("{} is for {} `{}` of {} `{}`, which has none of that name: it limits nothing",
                          in_words(policy), what, target.section, target.kind, target.name),
              target.at, target.field);
    if (const auto near = nearest(target.section, names); near && !near->empty())
      found.write(policy, target.field.substr(0, target.field.rfind('.')) + ".sectionName", *near);
    else
      found.fix.text = fmt::format("leave `sectionName` out: then it is for the whole {}", target.kind);
    tell(std::move(found), report_);
    return false;
  }

  template <class Object>
  void absent(const Policy& policy, const Ref& target, const std::vector<Object>& all) {
    if (!view_.facts.whole || view_.facts.selects) return;
    std::vector<std::string_view> for_nobody;
    const Object* elsewhere = find_by(all, target.name, &Object::name);
    for (const Object& one : all)
      if (one.ns == target.ns && std::ranges::none_of(view_.facts.policies, [&](const Policy& other) {
            return std::ranges::any_of(other.targets,
                                       [&](const Ref& its) { return its.kind == target.kind && may_be(one, its); });
          }))
        for_nobody.push_back(one.name);
    const std::string said = fmt::format("{} is for {} `{}`, and none of that name is in its namespace",
                                         in_words(policy), target.kind, target.name);
    if (const auto near = nearest(target.name, for_nobody)) {
      EdgeFinding found = about(
          policy, code::PolicyTarget,
          fmt::format("{}: Envoy Gateway takes it without a word, and {} `{}` has no policy", said, target.kind, *near),
          target.at, target.field);
      found.write(policy, target.field, *near);
      for (const edge::Route& one : view_.facts.routes)
        if (one.ns == target.ns && one.name == *near) view_.meant.insert(&one);
      return tell(std::move(found), report_);
    }
    Diagnostic d = warning_at(code::PolicyTarget, target.at, said + " among the manifests");
    if (elsewhere != nullptr) {
      d.message += fmt::format(": that of namespace `{}` it does not reach", elsewhere->ns);
      d.hint = "a BackendTrafficPolicy is for what stands in its own namespace: move it there";
    } else {
      d.message += ": where the cluster has none, the policy limits nothing, and Envoy Gateway does not say so";
      d.hint =
          fmt::format("give the file that holds it, too, or name one that is there: {}",
                      listed_up_to(5, for_nobody, [](std::string_view name) { return fmt::format("`{}`", name); }));
    }
    if (elsewhere != nullptr || !for_nobody.empty()) report_.diagnostics.push_back(std::move(d));
  }

  EdgeView& view_;
  Report& report_;
};

}  // namespace

void judge_edge_targets(EdgeView& view, Report& report) { Targets(view, report).run(); }

}  // namespace gpol
