// Placement: nobody but the queue's own pods can stand on the nodes that its reserve is of, and these nodes stay. What
// pods select and tolerate is kept by guards (premise placed-by-volcano), so here node labels and taints are compared.
// Fragmentation: its pods are all of one size, so that a node holds `each_node` of them wherever they stand, and the
// replicas of the reserve are no more than the nodes that are surely there hold.
//
// Formula (fragmentation): nodes each of which is full hold more than there are replicas beside the one that waits.
// Closed form: the product. A refutation is played: replicas are put on nodes until none fits.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/codes.h"
#include "checker/families/lemma_book.h"
#include "checker/families/pairs.h"
#include "checker/nodes/placement_model.h"
#include "checker/volcano/claim/claim.h"
#include "checker/volcano/rules/amounts.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"

namespace gpol::volcano {

namespace {

using Kind = QueueRole::Kind;

struct Replicas {
  std::vector<std::int64_t> each;  // by index into Cluster::resources
  std::int64_t count = 0;          // that are within the reserve
};

// Without a declared replica: pods of one device with its share of the rest.
Replicas replicas_of(const Cluster& cluster, const QueueRole& role) {
  Replicas out;
  std::int64_t devices = 0;
  for (const std::string& resource : cluster.resources)
    if (devices == 0 && is_gpu_or_slice(resource)) devices = of(role.reserve, resource);
  for (const std::string& resource : cluster.resources) {
    if (resource == "pods")
      out.each.push_back(1);
    else if (!role.replica.empty())
      out.each.push_back(of(role.replica, resource));
    else
      out.each.push_back(devices == 0 ? 0 : of(role.reserve, resource) / devices);
  }
  std::optional<std::int64_t> most;
  for (std::size_t r = 0; r < cluster.resources.size(); ++r)
    if (cluster.resources[r] != "pods" && out.each[r] > 0) {
      const std::int64_t fit = of(role.reserve, cluster.resources[r]) / out.each[r];
      most = most ? std::min(*most, fit) : fit;
    }
  out.count = most.value_or(0);
  return out;
}

std::int64_t on_one_node(const PoolCapacity& capacity, const std::vector<std::int64_t>& each) {
  std::optional<std::int64_t> most;
  for (std::size_t r = 0; r < each.size(); ++r)
    if (each[r] > 0) {
      const std::int64_t fit = capacity.of_one[r] / each[r];
      most = most ? std::min(*most, fit) : fit;
    }
  return most.value_or(0);
}

// Puts replicas on nodes, each on the first that has room; how many find one.
std::int64_t played(const PoolCapacity& capacity, std::int64_t nodes, const Replicas& replicas) {
  std::vector<std::vector<std::int64_t>> room(static_cast<std::size_t>(nodes), capacity.of_one);
  std::int64_t placed = 0;
  for (; placed < replicas.count; ++placed) {
    const auto fits = [&](const std::vector<std::int64_t>& node) {
      for (std::size_t r = 0; r < node.size(); ++r)
        if (replicas.each[r] > node[r]) return false;
      return true;
    };
    const auto node = std::ranges::find_if(room, fits);
    if (node == room.end()) break;
    for (std::size_t r = 0; r < node->size(); ++r) (*node)[r] -= replicas.each[r];
  }
  return placed;
}

class Places {
 public:
  Places(const Proof& proof, Report& report) : proof_(proof), report_(report), cluster_(proof.cluster), book_(proof) {}

  void run() {
    const auto& roles = proof_.intent.volcano_roles;
    for (std::size_t q = 0; q < roles.size(); ++q)
      if (roles[q].kind == Kind::Serving && roles[q].isolation != Isolation::C) judge(q);
    const bool required = std::ranges::any_of(roles, [](const QueueRole& role) { return promised(role); });
    for (const Family family : {Family::Placement, Family::Fragmentation}) {
      const bool found = family == Family::Placement ? placement_ : fragmentation_;
      if (!found) {
        Obligation o = proven_of_cluster(
            family, family == Family::Placement ? code::PlacementBatch : code::Fragmentation, required);
        if (family == Family::Fragmentation && !of_one_gpu_.empty())
          o.say({.message = fmt::format("every serving replica finds a node, whichever tolerated nodes are lost; of "
                                        "`{}`, without a declared `replica`, pods of one GPU do",
                                        fmt::join(of_one_gpu_, "`, `"))});
        report_.add(std::move(o));
      }
      report_.analysed.push_back(family);
    }
  }

 private:
  void judge(std::size_t q) {
    const QueueRole& role = proof_.intent.volcano_roles[q];
    const PoolCapacity* capacity = role.pool == kNone ? nullptr : proof_.intent.capacity_of(role.pool);
    if (capacity == nullptr || capacity->nodes == kNone)
      return undecided(Family::Placement, code::PlacementBatch, q, "the nodes of its pool are not described");
    if (capacity->spot) return on_spot(q, *capacity);
    const NodePool& nodes = cluster_.node_pools[capacity->nodes];
    const auto keeps_off = [](const Taint& t) { return t.effect == "NoSchedule" || t.effect == "NoExecute"; };
    if (std::ranges::none_of(nodes.taints, keeps_off))
      return undecided(Family::Placement, code::PlacementBatch, q, "no taint keeps the pods of others off its nodes");
    for (std::uint32_t pool = 0; pool < cluster_.flavors.size(); ++pool)
      if (pool != role.pool && nodes::selects(cluster_.flavors[pool].node_labels, nodes.labels))
        return undecided(Family::Placement, code::PlacementBatch, q,
                         fmt::format("pods of pool `{}` select its nodes", cluster_.flavors[pool].name));
    if (const CutPool* cut = proof_.intent.cut_of(role.pool); cut != nullptr && cut->nodes.size() > 1)
      return undecided(Family::Fragmentation, code::Fragmentation, q, "its nodes are cut differently");
    const auto others = [&](const QueueRole& other) {
      return &other != &role && other.kind != Kind::Inner && other.pool == role.pool;
    };
    if (std::ranges::any_of(proof_.intent.volcano_roles, others))
      return undecided(Family::Fragmentation, code::Fragmentation, q, "others stand on its nodes, too");
    fits(q, *capacity);
  }

  void fits(std::size_t q, const PoolCapacity& capacity) {
    const Replicas replicas = replicas_of(cluster_, proof_.intent.volcano_roles[q]);
    if (replicas.count == 0)
      return undecided(Family::Fragmentation, code::Fragmentation, q, "no replica of it lies within its reserve");
    if (proof_.intent.volcano_roles[q].replica.empty()) of_one_gpu_.insert(cluster_.volcano->queues[q].name);
    const std::int64_t nodes = std::max<std::int64_t>(0, capacity.nodes_min - capacity.lost),
                       each_node = on_one_node(capacity, replicas.each);
    const Term held = int_symbol("held");
    const auto formula = [&] {
      return Formula{"volcano/fits",
                     "while a replica of the reserve waits, some node has room for it",
                     {{"beside", held + integer(1) <= integer(replicas.count)}},
                     integer(nodes * each_node) <= held};
    };
    const Answer& answer = book_.ask(fmt::format("volcano/fits {} {}", nodes * each_node, replicas.count), formula);
    if (answer.kind == Answer::Kind::Unknown)
      return undecided(Family::Fragmentation, code::Fragmentation, q, "the solver gave up: " + answer.why);
    const bool fit = nodes * each_node >= replicas.count;
    if (fit != (answer.kind == Answer::Kind::Unsat))
      throw InternalError(
          fmt::format("fragmentation: {} replicas on {} nodes that hold {} each, but the solver says {}",
                      replicas.count, nodes, each_node, fit ? "too few" : "enough"));
    if (fit) return;
    const std::int64_t placed = played(capacity, nodes, replicas);
    if (placed >= replicas.count)
      throw InternalError("fragmentation: every replica finds a node, and a story says that one does not");
    Obligation o = about(Family::Fragmentation, code::Fragmentation, q);
    o.verdict = Verdict::Refuted;
    const std::string queue(o.subject.name), pool(o.subject.flavor);
    report_.add(
        std::move(o),
        {.message = fmt::format("of the {} replicas that `{}` reserves, {} find a node of `{}`", replicas.count, queue,
                                placed, pool),
         .story = {{"", "nodes", fmt::format("{} of `{}` are left, each with room for {}", nodes, pool, each_node)},
                   {"", queue, fmt::format("asks for {} replicas; {} are placed", replicas.count, placed)},
                   {"", queue, "one more waits, and no node has room for it"}},
         .fix = Fix{"reserve what whole replicas on whole nodes take, or take more nodes"}});
    fragmentation_ = true;
  }

  void on_spot(std::size_t q, const PoolCapacity& capacity) {
    Obligation o = about(Family::Placement, code::PlacementServing, q);
    o.verdict = Verdict::Refuted;
    Detail detail;
    detail.message = fmt::format("`{}` serves from `{}`, whose nodes can all be taken away, {} after a notice",
                                 o.subject.name, o.subject.flavor, human_duration(capacity.notice));
    detail.story = {{"", "cloud provider", fmt::format("takes the nodes of `{}` away", o.subject.flavor)},
                    {"", std::string(o.subject.name), "its pods wait: its queue places them on no other nodes"}};
    detail.fix = Fix{"reserve on a pool whose nodes are not spot"};
    report_.add(std::move(o), std::move(detail));
    placement_ = true;
  }

  Obligation about(Family family, Code code, std::size_t q) const {
    const QueueRole& role = proof_.intent.volcano_roles[q];
    Obligation o = obligation(family, code, Verdict::Undecided,
                              {"Queue", cluster_.volcano->queues[q].name, role.tenant,
                               role.pool == kNone ? std::string_view() : cluster_.flavors[role.pool].name},
                              role.reserve_span);
    o.core = as_core({role.name_span, role.reserve_span});
    return o;
  }

  void undecided(Family family, Code code, std::size_t q, std::string reason) {
    report_.add(about(family, code, q), {.reason = reason,
                                         .message = fmt::format("whether the pods of `{}` find a node is not known: {}",
                                                                cluster_.volcano->queues[q].name, reason)});
    (family == Family::Placement ? placement_ : fragmentation_) = true;
  }

  const Proof& proof_;
  Report& report_;
  const Cluster& cluster_;
  LemmaBook book_;
  bool placement_ = false, fragmentation_ = false;  // something was found
  std::set<std::string> of_one_gpu_;                // queues that declare no replica
};

}  // namespace

void prove_places(const Proof& proof, Report& report) { Places(proof, report).run(); }

}  // namespace gpol::volcano
