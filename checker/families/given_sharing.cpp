// Partition, of what is there: devices that several pods have at once, by the labels of Nodes and flavors (GPU feature
// discovery, internal/lm/resource.go of NVIDIA/k8s-device-plugin; GKE's node labels) and by configurations of the
// device plugin, and who is promised devices of its own there.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "checker/families/codes.h"
#include "checker/families/partition_parts.h"
#include "checker/families/plugin_keys.h"
#include "checker/nodes/placement_model.h"
#include "compiler/cluster/node_facts.h"
#include "compiler/source/lookup.h"

namespace gpol {
namespace {

enum class Way : std::uint8_t { NotSaid, TimeSlicing, Mps };
constexpr std::string_view kDomain = "nvidia.com/", kRenamed = ".shared";

// Devices of a flavor's nodes, and what says that they are shared.
struct SharedDevices {
  Subject subject;
  Span span;
  std::uint32_t flavor = 0;
  std::string resource;     // what they are offered as
  std::int64_t shares = 0;  // of a device; 0: not said
  Way way = Way::NotSaid;
};

Way way_of(const PluginConfig& config) { return shares_by_mps(config) ? Way::Mps : Way::TimeSlicing; }

std::string text_of(const std::map<std::string, std::string>& labels, const std::string& key) {
  return value_or(labels, key, "");
}

// Under its own name the product ends in -SHARED; under the name `.shared` it does not. Of slices each profile has such
// labels. GKE has others, and no other name.
std::optional<std::pair<std::int64_t, Way>> said_by(const std::map<std::string, std::string>& labels,
                                                    const std::string& resource) {
  if (!is_gpu_or_slice(resource) || !resource.starts_with(kDomain)) return std::nullopt;
  const std::string about = resource.substr(0, resource.size() - (resource.ends_with(kRenamed) ? kRenamed.size() : 0));
  std::int64_t shares = number_of(labels, about + ".replicas");
  std::string way = text_of(labels, about + ".sharing-strategy");
  if (const std::string of_gke = text_of(labels, "cloud.google.com/gke-gpu-sharing-strategy"); !of_gke.empty())
    way = of_gke == "time-sharing" ? "time-slicing" : of_gke;
  if (const auto clients = number_of(labels, "cloud.google.com/gke-max-shared-clients-per-gpu"); clients > 0)
    shares = clients;
  const Way as = way == "mps" ? Way::Mps : way == "time-slicing" ? Way::TimeSlicing : Way::NotSaid;
  if (shares <= 1 && as == Way::NotSaid && !text_of(labels, about + ".product").ends_with("-SHARED"))
    return std::nullopt;
  return {{shares, as}};
}

class GivenSharing {
 public:
  GivenSharing(const Proof& proof, const Evidence& evidence, Report& report)
      : proof_(proof), cluster_(proof.cluster), evidence_(evidence), keys_(proof, evidence), report_(report) {}

  void run() {
    for (const PluginConfigMap& map : cluster_.plugin_config_maps)
      for (const PluginConfig& config : map.configs)
        if (config.sharing != PluginConfig::Sharing::None)
          for (const auto& [resource, replicas] : config.replicas) judge_config(map, config, resource, replicas);
    for (std::uint32_t f = 0; f < cluster_.flavors.size(); ++f) {
      for (const SharedDevices& devices : shared_of(f)) judge_devices(devices);
      for (const std::string& resource : cluster_.resources)
        if (is_part(resource)) judge_part(f, resource);
    }
  }

 private:
  // Who is promised devices and has shares, and must not; of class B under MPS, whether it must not may be unknown.
  struct Served {
    std::string who;
    Isolation isolation = Isolation::A;
    bool queues = true;
    std::string why_unknown = {};  // empty: it must not
    std::string fix = {};          // of that, where somebody can say more
  };

  // Class A never, class B by turns never; by MPS no class B beside somebody else.
  std::optional<Served> served(const std::string& offered, Way way, std::uint32_t flavor) const {
    std::optional<Served> unknown;
    const auto& roles = proof_.intent.roles;
    const auto decide = [&](Served one, std::uint32_t queue) -> std::optional<Served> {
      if (one.isolation == Isolation::A || way == Way::TimeSlicing) return one;
      const std::optional<std::string> why =
          way == Way::NotSaid ? "whether pods take turns on them (time-slicing) or share them by MPS nothing says"
                              : beside(offered, flavor, queue, one.who);
      if (!why) return std::nullopt;
      one.why_unknown = *why;
      if (why->empty()) return one;
      if (!unknown) unknown = std::move(one);
      return std::nullopt;
    };
    for (std::uint32_t q = 0; q < roles.size(); ++q)
      if (promised(roles[q]) && can_have(cluster_, cluster_.queues[q], offered, flavor))
        if (auto found = decide({cluster_.queues[q].name, roles[q].isolation}, q)) return found;
    for (const OutsideReserve& tenant : proof_.intent.outside) {
      if (!promised(tenant) || tenant.flavor != flavor) continue;
      const auto at = std::ranges::find(cluster_.resources, offered);
      const auto r = static_cast<std::size_t>(at - cluster_.resources.begin());
      if (r >= tenant.reserve.size() || tenant.reserve[r] == 0) continue;
      Served one{tenant.tenant, tenant.isolation, false};
      if (auto found = decide(std::move(one), kNone)) return found;
    }
    return unknown;
  }

  // Of MPS, somebody else on the same cards: nothing where there is nobody; empty where it must not be; else why that
  // is not known.
  std::optional<std::string> beside(const std::string& offered, std::uint32_t flavor, std::uint32_t queue,
                                    const std::string& who) const {
    std::optional<std::string> found;
    const auto meet = [&](bool same_promise, const std::string& other) {
      if (!same_promise)
        found = "";
      else if (!found)
        found = fmt::format("whether `{}` is of the same owner nothing says", other);
    };
    for (std::uint32_t q = 0; q < cluster_.queues.size(); ++q)
      for (std::uint32_t f = 0; f < cluster_.flavors.size(); ++f)
        if (q != queue && may_be_same_nodes(f, flavor) && can_have(cluster_, cluster_.queues[q], offered, f))
          meet(promised(proof_.intent.roles[q]), cluster_.queues[q].name);
    for (const OutsideReserve& tenant : proof_.intent.outside)
      if (tenant.tenant != who && may_be_same_nodes(tenant.flavor, flavor)) meet(promised(tenant), tenant.tenant);
    return found;
  }

  bool may_be_same_nodes(std::uint32_t one, std::uint32_t other) const {
    if (one == other) return true;
    const Flavor &a = cluster_.flavors[one], &b = cluster_.flavors[other];
    if (!evidence_.given.nodes.empty())
      return std::ranges::any_of(evidence_.given.nodes,
                                 [&](const NodeFacts& node) { return stands_for(a, node) && stands_for(b, node); });
    return nodes::agree(a.node_labels, b.node_labels);
  }

  // The first of each resource and way. What a name alone says counts where no configuration of the device plugin does.
  std::vector<SharedDevices> shared_of(std::uint32_t f) const {
    std::map<std::pair<std::string, Way>, SharedDevices> found;
    const Flavor& flavor = cluster_.flavors[f];
    for (const NodeFacts& node : evidence_.given.nodes) {
      if (!stands_for(flavor, node)) continue;
      for (const auto& [resource, has] : node.allocatable) {
        if (has == 0) continue;
        if (const auto said = said_by(node.labels, resource); said || is_renamed(resource))
          found.try_emplace({resource, said ? said->second : Way::NotSaid},
                            SharedDevices{{"Node", node.name},
                                          node.span,
                                          f,
                                          resource,
                                          said ? said->first : 0,
                                          said ? said->second : Way::NotSaid});
      }
    }
    const Span at = value_or(evidence_.node_labels, flavor.name, {});
    const auto known = [&](const std::string& resource) {
      return std::ranges::any_of(found, [&](const auto& one) { return one.first.first == resource; });
    };
    for (const std::string& resource : cluster_.resources) {
      const auto said = said_by(flavor.node_labels, resource);
      if (said || (is_renamed(resource) && !any_config_offers(f, resource) && !known(resource)))
        found.try_emplace({resource, said ? said->second : Way::NotSaid},
                          SharedDevices{{"ResourceFlavor", flavor.name, {}, flavor.name},
                                        at,
                                        f,
                                        resource,
                                        said ? said->first : 0,
                                        said ? said->second : Way::NotSaid});
    }
    std::vector<SharedDevices> all;
    for (auto& [of, devices] : found) {
      if (devices.way == Way::NotSaid) devices.way = way_by_configs(f, of.first);
      all.push_back(std::move(devices));
    }
    return all;
  }

  static bool is_renamed(const std::string& resource) {
    return is_gpu_or_slice(resource) && resource.starts_with(kDomain) && resource.ends_with(kRenamed);
  }

  // The ways of the configurations that nodes of the flavor may take and that offer the resource.
  std::set<Way> ways(std::uint32_t f, const std::string& resource) const {
    std::set<Way> all;
    for (const PluginConfigMap& map : cluster_.plugin_config_maps)
      for (const PluginConfig& config : map.configs)
        for (const auto& [of, replicas] : config.replicas)
          if (config.sharing != PluginConfig::Sharing::None && offered_as(config, of) == resource &&
              keys_.takes(f, map, config).answer != Takes::Answer::No)
            all.insert(way_of(config));
    return all;
  }
  bool any_config_offers(std::uint32_t f, const std::string& resource) const { return !ways(f, resource).empty(); }
  Way way_by_configs(std::uint32_t f, const std::string& resource) const {
    const auto all = ways(f, resource);
    return all.size() == 1 ? *all.begin() : Way::NotSaid;
  }

  void judge_config(const PluginConfigMap& map, const PluginConfig& config, const std::string& resource,
                    std::int64_t replicas) {
    const std::string offered = offered_as(config, resource);
    std::optional<Served> found;
    for (std::uint32_t f = 0; f < cluster_.flavors.size(); ++f) {
      const Takes takes = keys_.takes(f, map, config);
      if (takes.answer == Takes::Answer::No) continue;
      auto here = served(offered, way_of(config), f);
      if (!here) continue;
      if (takes.answer == Takes::Answer::Unknown) here->why_unknown = takes.why, here->fix = takes.fix;
      if (!found || (!found->why_unknown.empty() && here->why_unknown.empty())) found = std::move(here);
    }
    if (found)
      say({"ConfigMap", map.name}, config.span, *found,
          fmt::format("`{}` shares each {} by {} under the name {}", config.name, resource, replicas, offered),
          offered);
  }

  void judge_devices(SharedDevices devices) {
    const auto found = served(devices.resource, devices.way, devices.flavor);
    if (!found) return;
    devices.subject.name = report_.names.emplace_back(devices.subject.name);  // the report outlives the Nodes
    say(devices.subject, devices.span, *found,
        fmt::format("{} each device that {} `{}` offer{} as {}",
                    devices.shares > 1 ? fmt::format("{} pods share", devices.shares) : "several pods share",
                    devices.subject.kind == "Node" ? "Node" : "nodes of", devices.subject.name,
                    devices.subject.kind == "Node" ? "s" : "", devices.resource),
        devices.resource);
  }

  // Instances of fewer compute slices than their profile has, several on one: `nvidia.com/mig-1c.3g.40gb`.
  static bool is_part(std::string_view resource) {
    const std::size_t c = resource.find("c.");
    return is_slice(resource) && c < resource.find("g.");
  }
  void judge_part(std::uint32_t f, const std::string& resource) {
    auto found = served(resource, Way::TimeSlicing, f);
    if (!found) return;
    found->why_unknown = "how many such instances stand on one slice is not modelled: they share its memory";
    found->fix = fmt::format("serve from whole slices: `{}{}`", kSlicePrefix, resource.substr(resource.find("c.") + 2));
    say({"ResourceFlavor", cluster_.flavors[f].name, {}, cluster_.flavors[f].name}, {}, *found, "", resource);
  }

  // Two who have such devices may be on one card, whatever name the devices have.
  void say(Subject subject, Span span, const Served& found, const std::string& how, const std::string& offered) {
    Obligation o = obligation(Family::Partition, code::SharedCard, Verdict::Refuted, subject, span);
    if (!found.why_unknown.empty()) {
      o.verdict = Verdict::Undecided;
      Detail detail{.reason = found.why_unknown,
                    .message = fmt::format("whether `{}` may serve from {} is not known: {}", found.who, offered,
                                           found.why_unknown)};
      if (!found.fix.empty()) detail.fix = Fix{found.fix};
      report_.add(std::move(o), std::move(detail));
      return;
    }
    report_.add(
        std::move(o),
        {.message = fmt::format("{}: what `{}` owns as class {} are shares of devices that others may have, too", how,
                                found.who, found.isolation == Isolation::A ? "A" : "B"),
         .story = {{"", found.who,
                    found.queues ? fmt::format("asks for 1 {} and is admitted within its quota", offered)
                                 : fmt::format("has a pod that asks for {}", offered)},
                   {"", "the device plugin",
                    fmt::format("gives it a share of a device, whose others go to whoever asks for {} on that node",
                                offered)}},
         .fix = Fix{"serve from nodes whose devices are not shared: whole GPUs, or slices of MIG"}});
  }

  const Proof& proof_;
  const Cluster& cluster_;
  const Evidence& evidence_;
  const PluginKeys keys_;
  Report& report_;
};

}  // namespace

void judge_given_sharing(const Proof& proof, const Evidence& evidence, Report& report) {
  GivenSharing(proof, evidence, report).run();
}

}  // namespace gpol
