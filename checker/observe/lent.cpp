#include "checker/observe/lent.h"

#include <algorithm>

#include "checker/observe/borrowed.h"
#include "checker/observe/fields.h"

namespace gpol::manifest {
namespace {

// The template of a lender as the taker runs it: its own fields are laid over it. Requests are merged by resource.
PodFacts as_taken(const PodFacts& lent, const PodFacts& taker, const std::string& whose) {
  PodFacts facts = taker;
  facts.path = lent.path;
  facts.asks = lent.asks, facts.needs = lent.needs, facts.room = lent.room;
  facts.node_selector.insert(lent.node_selector.begin(), lent.node_selector.end());
  facts.tolerations.insert(facts.tolerations.end(), lent.tolerations.begin(), lent.tolerations.end());
  facts.priority_class = lent.priority_class, facts.names_class = lent.names_class;
  if (!taker.queue_of_pods) facts.queue_of_pods = lent.queue_of_pods, facts.of_pods = lent.of_pods;
  facts.whose = whose, facts.names_whose = taker.unread->at;
  if (!taker.unread->patched) {
    facts.unread.reset();
    return facts;
  }
  facts.unread->asks = facts.unread->ranks = false;
  facts.unread->why = "lays node selectors of its own over what it takes from " + facts.whose;
  facts.unread->remedy = "select nodes in a runtime of its own";
  return facts;
}

std::string key_of(const PodFacts& facts) { return facts.group + "/" + facts.kind + "/" + facts.name; }

// Up to an owner that is there and has none itself: a circle of owners is counted nowhere.
bool counted_elsewhere(const PodFacts& facts, const Owners& owners) {
  constexpr std::string_view set = "apps/ReplicaSet/";
  constexpr int kDeepest = 8;
  std::string owner = facts.owner;
  for (int i = 0; i < kDeepest && !owner.empty(); ++i) {
    auto found = owners.find(owner);
    const auto hash = owner.rfind('-');
    // A ReplicaSet that is not there is known by its name: the Deployment's, and a hash.
    if (found == owners.end() && owner.starts_with(set) && hash != std::string::npos)
      found = owners.find("apps/Deployment/" + owner.substr(set.size(), hash - set.size()));
    if (found == owners.end()) return i > 0;
    if (found->second.name.empty()) return true;
    owner = found->second.name;
  }
  return false;
}

// What owners need to have made something: whether they queue, and what a Job asks for.
struct Makers {
  std::set<std::string> queued;
  std::map<std::string, std::map<std::string, std::int64_t>> jobs;
};

// Kubernetes' own controllers make no more than this, and no pod of a Job is larger than its template, which stays.
bool may_make(const PodFacts& facts, const Makers& makers) {
  const std::string& owner = facts.owner;
  if (!owner.starts_with("apps/") && !owner.starts_with("batch/")) return true;
  const std::string_view made = owner.starts_with("apps/Deployment/") ? "ReplicaSet"
                                : owner.starts_with("batch/CronJob/") ? "Job"
                                                                      : "Pod";
  const auto job = makers.jobs.find(owner);
  return facts.kind == made && (job == makers.jobs.end() || std::ranges::none_of(facts.asks, [&](const auto& ask) {
                                  const auto here = facts.room.find(ask.first), there = job->second.find(ask.first);
                                  return here != facts.room.end() &&
                                         here->second > (there == job->second.end() ? 0 : there->second);
                                }));
}

void look_for_forgery(const Owners& owners, const Makers& makers, PodFacts& facts) {
  auto owner = owners.find(facts.owner);
  if (owner == owners.end()) return;
  const std::string& uid = owner->second.own_uid;
  if (!uid.empty() && !facts.owner_uid.empty() && uid != facts.owner_uid)
    facts.forged = PodFacts::Forged::Uid;
  else if (!may_make(facts, makers))
    facts.forged = PodFacts::Forged::Kind;
  constexpr int kDeepest = 8;
  for (int i = 0; i < kDeepest && owner != owners.end(); ++i, owner = owners.find(owner->second.name))
    facts.owner_queues = facts.owner_queues || makers.queued.contains(owner->first);
}

}  // namespace

bool Lent::add(const Node& object, const Place& place, std::string counted_as) {
  const std::string name = lent_name(object);
  if (name.empty()) return false;
  Lender& lender = lenders_[name];
  lender.counted_as = std::move(counted_as);
  lender.whose = field(object, "kind")->text + " `" + name.substr(name.rfind('/') + 1) + "`";
  // What whoever may submit Workflows makes of it is counted with it.
  if (!name.starts_with("argoproj.io/")) find_lent(object, place, lender.pods, lender.rooms);
  return true;
}

Lent::Lender* Lent::of(const PodFacts& taker) {
  if (!taker.unread) return nullptr;
  for (const std::string& name : taker.unread->sayable)
    if (const auto found = lenders_.find(name); found != lenders_.end()) return &found->second;
  return nullptr;
}

void Lent::settle(std::vector<PodFacts>& pods, std::vector<PodFacts>& rooms, Owners& owners) {
  for (const PodFacts& taker : pods)
    if (Lender* lender = of(taker)) {
      lender->used = true;
      owners.emplace(key_of(taker), Owner{taker.owner, {}, {}});
    }
  give(pods, &Lender::pods);
  give(rooms, &Lender::rooms);
}

void Lent::give(std::vector<PodFacts>& takers, std::vector<PodFacts> Lender::* what) {
  std::multimap<std::string, std::size_t>
      own;  // what an object asks for itself is for a container of one of these pods
  for (std::size_t i = 0; i < takers.size(); ++i)
    if (!takers[i].unread) own.emplace(key_of(takers[i]), i);
  std::vector<PodFacts> taken;
  for (PodFacts& taker : takers) {
    const Lender* lender = of(taker);
    if (lender == nullptr) continue;
    for (const PodFacts& lent : lender->*what) {
      const auto [first, last] = own.equal_range(key_of(taker));
      for (auto one = first; one != last; ++one) {
        auto& tolerations = takers[one->second].tolerations;
        tolerations.insert(tolerations.end(), lent.tolerations.begin(), lent.tolerations.end());
      }
      taken.push_back(as_taken(lent, taker, lender->whose));
    }
    if (what != &Lender::pods || !(lender->*what).empty()) continue;
    taken.push_back(taker);  // that it queues, and by which priority
    taken.back().unread.reset();
  }
  std::erase_if(takers, [&](const PodFacts& taker) { return of(taker) != nullptr; });
  takers.insert(takers.end(), std::make_move_iterator(taken.begin()), std::make_move_iterator(taken.end()));
}

std::vector<std::string> Lent::unused() const {
  std::vector<std::string> unused;
  for (const auto& [name, lender] : lenders_)
    if (!lender.used && !lender.counted_as.empty()) unused.push_back(lender.counted_as);
  return unused;
}

void settle_pods(const Owners& owners, const Scaled& scaled, std::vector<PodFacts>& pods) {
  Makers makers;
  for (const PodFacts& facts : pods) {
    if (facts.queue_of_object || facts.queue_of_pods) makers.queued.insert(key_of(facts));
    if (facts.group == "batch" && facts.kind == "Job") makers.jobs.emplace(key_of(facts), facts.room);
  }
  for (PodFacts& facts : pods) look_for_forgery(owners, makers, facts);
  std::set<std::string> told;  // a template is told once, however often its object was dumped
  std::erase_if(pods, [&](const PodFacts& facts) {
    if (facts.idle && !scaled.contains(facts.kind + "/" + facts.name)) return true;
    if (facts.forged == PodFacts::Forged::No && counted_elsewhere(facts, owners)) return true;
    return !facts.generated &&
           !told.insert(key_of(facts) + "/" + facts.path + (facts.unread ? "?" : "/") + facts.whose).second;
  });
  for (PodFacts& facts : pods)
    if (const auto most = scaled.find(facts.kind + "/" + facts.name); most != scaled.end()) {
      std::int64_t& replicas = facts.kind == "StatefulSet" ? facts.count : facts.most_workloads;
      replicas = std::max(replicas, most->second);
    }
  // Kueue waits for all pods of a group: those that are not there are taken to be like the first that is.
  std::map<std::string, std::pair<PodFacts*, std::int64_t>> groups;
  for (PodFacts& facts : pods)
    if (facts.group_pods > 0 && !facts.pod_group.empty() && facts.count > 0) {
      auto& [first, there] = groups[facts.ns + "/" + facts.pod_group];
      if (first == nullptr) first = &facts;
      ++there;
    }
  for (const auto& [name, group] : groups)
    group.first->count = group.first->fewest = std::max<std::int64_t>(1, group.first->group_pods - group.second + 1);
}

}  // namespace gpol::manifest
