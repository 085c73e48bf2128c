#include "cli/config/take_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "checker/families/asked.h"
#include "cli/codes.h"
#include "compiler/cluster/quantity.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

constexpr std::size_t kMostTold = 5;

Diagnostic mistake(const Config& config, Span at, const std::string& what, std::string hint) {
  return error_at(code::BadConfig, at, fmt::format("`{}` says {}", config.path, what), std::move(hint));
}

// "8 nvidia.com/gpu, 64 cpu"; empty: nothing.
std::string in_words(const NamedAmounts& amounts) {
  std::string text;
  for (const auto& [resource, amount] : amounts)
    if (amount > 0) add_to_list(text, fmt::format("{} {}", quantity(resource, amount), resource));
  return text;
}

const NamedRole* said_of(const Config& config, const std::string& queue) {
  const auto said = config.said.roles.find(queue);
  return said == config.said.roles.end() ? nullptr : &said->second;
}

// The devices that a queue's pods ask for; nothing: other devices than its policy says.
bool fits(const Cluster& cluster, const QueueRole& role, const AskedOf& asked) {
  for (const PodFacts* pods : asked.templates) {
    const auto devices = devices_in(cluster, by_resource(cluster, pods->room));
    if (role.pod_shapes.empty()
            ? devices && devices != devices_in(cluster, role.replica)
            : std::ranges::none_of(role.pod_shapes, [&](const auto& shape) { return devices == shape.second; }))
      return false;
  }
  return true;
}

}  // namespace

void take_config_nodes(const Config& config, Existing& existing, SourceSet& sources) {
  if (!existing.nodes.empty() || config.said.nodes.empty()) return;
  const FileId file = sources.add(config.path, config.text);
  existing.nodes = config.said.nodes;
  for (NodeFacts& node : existing.nodes) node.span.file = file;
}

void take_config(const Config& config, Planned& planned, std::vector<Diagnostic>& out) {
  Cluster& cluster = planned.cluster;
  planned.intent.batch = config.said.times;
  for (const NamedTenant& named : config.said.tenants) {
    OutsideReserve tenant = named.is;
    tenant.name_span = tenant.reserve_span = {};
    const auto flavor = std::ranges::find(cluster.flavors, named.flavor, &Flavor::name);
    if (flavor == cluster.flavors.end()) {
      if (config.whole)
        out.push_back(mistake(config, {},
                              fmt::format("that `{}` stands on nodes of the flavor `{}`, and no "
                                          "ResourceFlavor is called so",
                                          tenant.tenant, named.flavor),
                              "give the file that holds it, or take the tenant out"));
      continue;
    }
    tenant.flavor = static_cast<std::uint32_t>(flavor - cluster.flavors.begin());
    for (const auto& [resource, amount] : named.reserve)
      if (!contains(cluster.resources, resource)) cluster.resources.push_back(resource);
    tenant.reserve = by_resource(cluster, named.reserve);
    if (!named.replica.empty()) tenant.replica = by_resource(cluster, named.replica);
    planned.intent.outside.push_back(std::move(tenant));
  }
}

void contradict_config(const Config& config, const Existing& existing, const Proof& proof,
                       std::vector<Diagnostic>& out) {
  const Cluster& cluster = proof.cluster;
  for (std::size_t q = 0; q < cluster.queues.size(); ++q) {
    const NamedRole* said = said_of(config, cluster.queues[q].name);
    if (said == nullptr) continue;
    std::map<std::pair<std::string, std::string>, std::int64_t> owned;
    for (const ResourceGroup& group : cluster.queues[q].groups)
      for (const FlavorQuotas& flavor : group.flavors)
        for (std::size_t r = 0; r < group.covered.size(); ++r)
          owned[{cluster.flavors[flavor.flavor].name, cluster.resources[group.covered[r]]}] = flavor.quotas[r].nominal;
    const auto unknown = [&](const std::string& word, std::string_view what) {
      out.push_back(mistake(config, existing.places.queues[q],
                            fmt::format("`{}` of `{}`, which is no {} of it", word, cluster.queues[q].name, what),
                            "write one that the queue has quotas of"));
    };
    for (const auto& [flavor, amounts] : said->shapes)
      for (const auto& [resource, amount] : amounts)
        if (!owned.contains({flavor, resource})) unknown(resource + "` on `" + flavor, "resource and flavor");
    if (!said->replica.empty() && proof.intent.roles[q].victims_in_turn == 0)
      out.push_back(mistake(config, existing.places.queues[q],
                            fmt::format("that replicas of `{}` ask for {}, and none fits into its reserve",
                                        cluster.queues[q].name, in_words(said->replica)),
                            "make the replica smaller, or the reserve larger"));
    for (const auto& [flavor, amounts] : said->reserve)
      for (const auto& [resource, amount] : amounts)
        if (const std::int64_t owns = owned[{flavor, resource}]; amount > owns)
          out.push_back(mistake(
              config, existing.places.queues[q],
              fmt::format("that `{}` has a reserve of {} {} of `{}`, and its quota is {}", cluster.queues[q].name,
                          quantity(resource, amount), resource, flavor, quantity(resource, owns)),
              "raise the quota, or lower the reserve"));
  }
  for (const AskedOf& asked : asked_of_queues(proof, existing.pods)) {
    const QueueRole& role = proof.intent.roles[asked.queue];
    const BatchTimes& times = config.said.times;
    if (role.kind == QueueRole::Kind::Batch && times.only_jobs != times.only_pods &&
        asked.first().kind != (times.only_jobs ? "Job" : "Pod"))
      out.push_back(mistake(config, existing.places.queues[asked.queue],
                            fmt::format("that batch runs {} alone, and {} asks `{}`", times.only_jobs ? "Jobs" : "Pods",
                                        asked.name(), cluster.queues[asked.queue].name),
                            "correct `kinds` of `times`, or take the object out"));
    const NamedRole* said = said_of(config, cluster.queues[asked.queue].name);
    for (const PodFacts* pods : asked.templates)
      if (said != nullptr && said->grace && pods->grace_s > said->grace->value / 1000)
        out.push_back(mistake(config, existing.places.queues[asked.queue],
                              fmt::format("that pods of `{}` end within {}, and those of {} may take {} s",
                                          cluster.queues[asked.queue].name, human_duration(said->grace->value),
                                          asked.name(), pods->grace_s),
                              "lower `terminationGracePeriodSeconds`, or correct `grace` of the queue"));
    if (said == nullptr || (role.pod_shapes.empty() && said->replica.empty()) || fits(cluster, role, asked)) continue;
    const auto& asks = asked.first().asks;
    out.push_back(
        mistake(config, asks.empty() ? existing.places.queues[asked.queue] : asks.begin()->second.span,
                fmt::format("how many devices pods of `{}` ask for, and {} asks for others",
                            cluster.queues[asked.queue].name, asked.name()),
                fmt::format("correct the pods, or `{}` of the queue", role.pod_shapes.empty() ? "replica" : "shapes")));
  }
}

void tell_config(const Config& config, const Planned& planned, Report& report) {
  const auto tell = [&](const std::string& text) { report.trust(fmt::format("{}, as `{}` says", text, config.path)); };
  std::set<std::string> reserves, replicas, starts;
  for (const Queue& queue : planned.cluster.queues) {
    const NamedRole* said = said_of(config, queue.name);
    if (said == nullptr) continue;
    if (!said->reserve.empty()) reserves.insert(queue.name);
    if (const std::string words = in_words(said->replica); !words.empty())
      replicas.insert(fmt::format("`{}` asks for replicas of {}", queue.name, words));
    if (said->deadline && said->start.schedule)
      starts.insert(fmt::format(
          "`{}` starts within {}", queue.name,
          human_duration(sum_of({said->start.schedule->value, said->start.image ? said->start.image->value : 0,
                                 said->start.weights ? said->start.weights->value : 0,
                                 said->start.load ? said->start.load->value : 0,
                                 said->start.warm ? said->start.warm->value : 0}))));
    if (said->kind == QueueRole::Kind::Batch && said->grace && said->kill_margin)
      starts.insert(fmt::format("pods of `{}` end within {}", queue.name,
                                human_duration(sum_of({said->grace->value, said->kill_margin->value}))));
    for (const auto& [flavor, shape] : said->shapes)
      replicas.insert(fmt::format("each pod of `{}` on `{}` asks for {}", queue.name, flavor, in_words(shape)));
  }
  const auto plain = [](const std::string& text) { return text; };
  if (!reserves.empty())
    tell(fmt::format("serving asks for no more than the reserve of {}",
                     listed_up_to(kMostTold, reserves, [](const std::string& name) { return "`" + name + "`"; })));
  if (!replicas.empty()) tell(listed_up_to(kMostTold, replicas, plain));
  if (!starts.empty()) tell(listed_up_to(kMostTold, starts, plain));
  const BatchTimes& times = config.said.times;
  std::string clock;
  for (const auto& [time, does] :
       {std::pair{&times.round, "Kueue schedules within"}, {&times.release_reaction, "releases quota within"}})
    if (*time) add_to_list(clock, fmt::format("{} {}", does, human_duration((*time)->value)));
  if (!clock.empty()) tell(clock);
  for (const NamedTenant& tenant : config.said.tenants)
    tell(fmt::format("`{}` serves outside the queue on `{}` with {}", tenant.is.tenant, tenant.flavor,
                     in_words(tenant.reserve)));
}

}  // namespace gpol
