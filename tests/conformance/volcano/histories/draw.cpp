#include <algorithm>

#include "tests/conformance/volcano/histories/history.h"
#include "tests/support/random_tree.h"

namespace gpol::volcano::histories {

namespace {

using testing::Dice;

constexpr const char* kGpu = "nvidia.com/gpu";
constexpr const char* kSlice = "nvidia.com/mig-1g.10gb";
constexpr std::int64_t kGi = 1 << 30;

template <class T>
T pick(Dice& dice, std::initializer_list<T> of) {
  return *(of.begin() + dice.upto(static_cast<std::int64_t>(of.size()) - 1));
}

template <class T>
T& any(Dice& dice, std::vector<T>& of) {
  return of[static_cast<std::size_t>(dice.upto(static_cast<std::int64_t>(of.size()) - 1))];
}

class Drawing {
 public:
  explicit Drawing(std::uint64_t seed) : dice_(seed * 7'919 + 13) { history_.name = "h" + std::to_string(seed); }

  History draw() {
    draw_config();
    if (dice_.one_in(6)) return draw_contest();
    const auto nodes = dice_.one_in(3) ? 1 : 1 + dice_.upto(3);
    for (std::int64_t i = 0; i < nodes; ++i) put_node();
    for (const char* made : {kDefaultQueue, kRootQueue})
      if (dice_.one_in(4)) put_queue(made);
    const auto queues = 1 + dice_.upto(7);
    for (std::int64_t i = 0; i < queues; ++i) put_queue(next_name());
    for (std::int64_t round = 2 + dice_.upto(4); round > 0; --round) {
      for (auto jobs = 1 + dice_.upto(3); jobs > 0; --jobs) put_job();
      add(Step::Do::Session);
      if (dice_.one_in(2)) add(Step::Do::Session);
      for (auto changes = dice_.upto(5); changes > 0; --changes) change();
    }
    add(Step::Do::Session);
    return std::move(history_);
  }

 private:
  Step& add(Step::Do action, const std::string& name = {}) {
    history_.steps.emplace_back();
    history_.steps.back().action = action;
    history_.steps.back().name = name;
    return history_.steps.back();
  }

  // Many queues want a GPU each, and there are few: whose turn it is decides.
  History draw_contest() {
    Node& node = add(Step::Do::PutNode).node;
    node.name = "n0";
    node.allocatable = {{"cpu", 64'000}, {"memory", 64 * kGi}, {"pods", 110}, {kGpu, 1 + dice_.upto(2)}};
    if (groups_) node.labels["volcano.sh/nodegroup-name"] = "g0";
    for (auto queues = 3 + dice_.upto(6); queues > 0; --queues) {
      Queue queue;
      queue.name = next_name();
      const bool inner = queues_.size() < 2;  // two with equal shares: the order of queues may go round
      if (!inner && !dice_.one_in(3)) queue.parent = queues_[dice_.one_in(2) ? 0 : 1].first;
      if (dice_.one_in(inner ? 4 : 2)) queue.deserved[kGpu] = 1 + dice_.upto(4);
      if (dice_.one_in(8)) queue.guarantee["cpu"] = 1000;
      if (dice_.one_in(6)) queue.priority = 1;
      if (groups_) queue.affinity.required = {"g0"};
      queues_.emplace_back(queue.name, 1);
      known_.push_back(queue);
      add(Step::Do::PutQueue).queue = queue;
    }
    for (int round = 0; round < 3; ++round) {
      for (const auto& queue : known_) {
        if (std::ranges::any_of(known_, [&](const Queue& other) { return other.parent == queue.name; })) continue;
        Job job;
        job.name = "ns/j" + std::to_string(jobs_.size());
        job.queue = queue.name;
        job.pods.resize(static_cast<std::size_t>(1 + dice_.upto(1)));
        for (Pod& pod : job.pods) {
          pod.name = "ns/p" + std::to_string(made_pods_++);
          pod.requests = {{"cpu", 500}, {kGpu, 1}};
          pods_.push_back(pod.name);
        }
        if (dice_.one_in(2)) job.min_resources = job.pods[0].requests;
        if (dice_.one_in(4)) job.priority = 1;
        jobs_.push_back(job);
        add(Step::Do::PutJob).job = job;
      }
      add(Step::Do::Session);
      add(Step::Do::Session);
      for (auto ended = pods_.size() / 2; ended > 0; --ended) gone();
    }
    return std::move(history_);
  }

  void draw_config() {
    SchedulerConfig& config = history_.scheduler;
    config.actions = {"enqueue", "allocate", "backfill"};
    const auto way = dice_.upto(9);
    if (way == 0) config.actions = {"allocate"};
    if (way == 1) config.actions = {"allocate", "enqueue", "backfill"};
    if (way == 2) config.actions = {"backfill", "allocate"};
    if (way >= 3 && way < 6) config.actions = {"allocate", "backfill"};
    std::vector<Plugin> plugins;
    const auto plugin = [&](const char* name, std::int64_t of_ten) {
      if (dice_.upto(9) < of_ten) plugins.push_back({name, {}, {}});
      return !plugins.empty() && plugins.back().name == name;
    };
    plugin("priority", 8);
    plugin("gang", 8);
    plugin("conformance", 5);
    plugin("drf", 3);
    plugin("nodeorder", 2);
    plugin("binpack", 2);
    predicates_ = plugin("predicates", 8);
    if (plugin("overcommit", 4) && dice_.one_in(2))
      plugins.back().arguments["overcommit-factor"] = pick<const char*>(dice_, {"1.0", "1.1", "2", "1.37"});
    if (plugin("nodegroup", 2)) {
      groups_ = true;
      if (dice_.one_in(2)) plugins.back().arguments["strict"] = dice_.one_in(3) ? "true" : "false";
      if (dice_.one_in(2)) plugins.back().flags["enableHierarchy"] = true;
    }
    if (plugin("capacity", 9)) {
      if (!dice_.one_in(3)) plugins.back().flags["enableHierarchy"] = true;
      if (dice_.one_in(20)) plugins.back().flags["enabledAllocatable"] = false;
    }
    for (std::size_t i = plugins.size(); i > 1; --i)
      std::swap(plugins[i - 1], plugins[static_cast<std::size_t>(dice_.upto(static_cast<std::int64_t>(i) - 1))]);
    config.tiers.resize(2);
    for (auto& one : plugins) config.tiers[dice_.one_in(2) ? 0 : 1].push_back(std::move(one));
    if (config.tiers[1].empty()) config.tiers.pop_back();
    if (config.tiers[0].empty()) config.tiers.erase(config.tiers.begin());
  }

  void put_node() {
    nodes_.push_back("n" + std::to_string(made_nodes_++));
    put_node(nodes_.back());
  }

  // One that comes back after it was removed would be taken to be empty by the real scheduler: none does.
  void update_node() { put_node(any(dice_, nodes_)); }

  void put_node(const std::string& name) {
    Node& node = add(Step::Do::PutNode).node;
    node.name = name;
    node.allocatable = {{"cpu", 1000 * (2 + dice_.upto(14))}, {"memory", kGi * (2 + dice_.upto(14))}, {"pods", 110}};
    if (predicates_ && dice_.one_in(5)) node.allocatable["pods"] = 1 + dice_.upto(4);
    // Onto a node that has less of something than it gave away, pods that ask for 0 of it go now and then: scheduler.h.
    node.allocatable = sizes_.try_emplace(name, node.allocatable).first->second;
    if (!dice_.one_in(4)) node.allocatable[kGpu] = dice_.upto(8);
    if (dice_.one_in(4)) node.allocatable[kSlice] = 1 + dice_.upto(6);
    if (dice_.one_in(2)) node.labels["pool"] = pick<const char*>(dice_, {"a", "b"});
    if (groups_ && !dice_.one_in(4)) node.labels["volcano.sh/nodegroup-name"] = group();
    if (dice_.one_in(6))
      node.taints.push_back({"kind", pick<const char*>(dice_, {"gpu", ""}),
                             pick<const char*>(dice_, {"NoSchedule", "NoExecute", "PreferNoSchedule"})});
    if (dice_.one_in(20)) node.unschedulable = true;
  }

  std::string group() { return pick<const char*>(dice_, {"g0", "g1", "g2"}); }

  std::vector<std::string> some_groups() {
    std::vector<std::string> groups;
    for (const char* name : {"g0", "g1", "g2"})
      if (dice_.one_in(3)) groups.emplace_back(name);
    return groups;
  }

  // Of each resource nothing, 0, or an amount about what one node or all have.
  Amounts amounts(std::int64_t of_ten, bool small = false) {
    Amounts result;
    const auto draw_one = [&](const char* resource, std::int64_t unit, std::int64_t few, std::int64_t many) {
      const auto most = small || dice_.one_in(2) ? few : many;
      if (dice_.upto(9) < of_ten) result[resource] = dice_.one_in(6) ? 0 : unit * (1 + dice_.upto(most));
    };
    draw_one("cpu", 500, 12, 40);
    draw_one("memory", kGi, 6, 24);
    draw_one(kGpu, 1, 3, 14);
    if (dice_.one_in(3)) draw_one(kSlice, 1, 2, 6);
    if (dice_.one_in(25))
      result[pick<const char*>(dice_, {"example.com/none", "pods", "ephemeral-storage", "odd"})] = 2;
    return result;
  }

  void fill(Queue& queue) {
    queue.capability = dice_.one_in(3) ? Amounts{} : amounts(6);
    queue.deserved = dice_.one_in(2) ? Amounts{} : amounts(6);
    queue.guarantee = dice_.one_in(2) ? Amounts{} : amounts(3, !dice_.one_in(6));
    queue.priority = dice_.one_in(4) ? dice_.upto(2) : 0;
    if (queue.name == kRootQueue) {
      if (!dice_.one_in(4)) queue.capability = {};
    }
    if (groups_ && !dice_.one_in(3)) {
      queue.affinity = {some_groups(), some_groups()};
      if (dice_.one_in(3)) queue.anti_affinity = {some_groups(), some_groups()};
    }
  }

  // By name as by the time of creation.
  std::string next_name() const { return (queues_.size() < 10 ? "t0" : "t") + std::to_string(queues_.size()); }

  void put_queue(const std::string& name) {
    Queue queue;
    queue.name = name;
    if (name[0] == 't' && !queues_.empty() && !dice_.one_in(3)) {
      const auto& [parent, depth] = any(dice_, queues_);
      if (depth < 4) {
        queue.parent = parent;
        depth_ = depth + 1;
      }
    }
    if (dice_.one_in(150)) queue.parent = "missing";
    fill(queue);
    if (name[0] == 't') queues_.emplace_back(name, queue.parent == kRootQueue ? 1 : depth_);
    known_.push_back(queue);
    add(Step::Do::PutQueue).queue = queue;
  }

  // Mostly a leaf; a job elsewhere stops everything.
  std::string queue_of_job() {
    if (dice_.one_in(12)) return kDefaultQueue;
    if (dice_.one_in(60)) return pick<const char*>(dice_, {kRootQueue, "nowhere"});
    const std::string& name = any(dice_, queues_).first;
    const auto is_child = [&](const Queue& queue) { return queue.parent == name; };
    if (std::ranges::none_of(known_, is_child) || dice_.one_in(60)) return name;
    return queues_.back().first;
  }

  static bool is_zero(const Amounts& amounts) {
    return std::ranges::all_of(amounts, [](const auto& entry) { return entry.second == 0; });
  }

  Pod pod(const Job& job, bool first) {
    Pod result = first ? Pod{} : job.pods.back();
    result.name = "ns/p" + std::to_string(made_pods_++);
    if (!first && !dice_.one_in(5)) return result;
    result.requests.clear();
    if (dice_.one_in(9)) return result;
    if (!dice_.one_in(6)) result.requests["cpu"] = 500 * (1 + dice_.upto(dice_.one_in(4) ? 8 : 2));
    if (dice_.one_in(3)) result.requests["memory"] = kGi * (1 + dice_.upto(2));
    if (dice_.one_in(2)) result.requests[kGpu] = dice_.one_in(8) ? 0 : 1 + dice_.upto(dice_.one_in(4) ? 3 : 1);
    if (is_zero(result.requests)) result.requests.clear();
    if (dice_.one_in(12)) result.requests[kSlice] = 1 + dice_.upto(1);
    if (dice_.one_in(10)) result.node_selector["pool"] = pick<const char*>(dice_, {"a", "b"});
    if (dice_.one_in(6))
      result.tolerations.push_back({pick<const char*>(dice_, {"kind", "node.kubernetes.io/unschedulable"}),
                                    pick<const char*>(dice_, {"Exists", "Equal"}),
                                    "",
                                    pick<const char*>(dice_, {"NoSchedule", ""}),
                                    {}});
    for (auto& toleration : result.tolerations)
      if (toleration.op == "Equal" && dice_.one_in(2)) toleration.value = "gpu";
    return result;
  }

  void put_job() {
    Job job;
    job.name = "ns/j" + std::to_string(jobs_.size());
    job.queue = queue_of_job();
    const auto pods = 1 + dice_.upto(3);
    for (std::int64_t i = 0; i < pods; ++i) {
      job.pods.push_back(pod(job, i == 0));
      pods_.push_back(job.pods.back().name);
    }
    job.min_member = dice_.one_in(2) ? pods : 1 + dice_.upto(pods - 1);
    if (dice_.one_in(30)) job.min_member = pods + 1;
    if (dice_.one_in(60)) job.min_member = 0;
    if (!dice_.one_in(3)) {
      job.min_resources.emplace();
      for (std::int64_t i = 0; i < std::min(pods, job.min_member); ++i)
        for (const auto& [resource, amount] : job.pods[static_cast<std::size_t>(i)].requests)
          (*job.min_resources)[resource] += amount;
      if (dice_.one_in(6)) job.min_resources = amounts(5);
    }
    if (dice_.one_in(3)) job.priority = 1 + dice_.upto(2);
    jobs_.push_back(job);
    add(Step::Do::PutJob).job = job;
  }

  void scale_up() {
    Job& job = any(dice_, jobs_);
    if (job.pods.size() > 8 || job.queue.empty()) return;
    Job more = job;
    more.pods.assign(1, pod(job, false));
    job.pods.push_back(more.pods.back());
    pods_.push_back(more.pods.back().name);
    add(Step::Do::PutJob).job = more;
  }

  void change() {
    const auto what = dice_.upto(13);
    if (what < 4) return delete_pod();
    if (what < 7) return gone();
    if (what < 9) return update_queue();
    if (what == 9) return scale_up();
    if (what == 10) return dice_.one_in(2) ? put_node() : update_node();
    if (what == 11 && nodes_.size() > 1 && dice_.one_in(2)) {
      add(Step::Do::RemoveNode, nodes_.front());
      nodes_.erase(nodes_.begin());
    }
    if (what == 12 && dice_.one_in(2)) put_queue(next_name());
    if (what == 13 && dice_.one_in(4)) remove();
  }

  void delete_pod() {
    if (!pods_.empty()) add(Step::Do::Delete, any(dice_, pods_));
  }

  void gone() {
    if (pods_.empty()) return;
    std::swap(any(dice_, pods_), pods_.back());
    add(Step::Do::Gone, pods_.back());
    pods_.pop_back();
  }

  // Of one below root, and not below itself.
  void move(Queue& queue) {
    const std::string& to = any(dice_, known_).name;
    std::string above = to;
    for (std::size_t i = 0; i <= known_.size() && above != queue.name && above != kRootQueue; ++i) {
      const auto found = std::ranges::find_if(known_, [&](const Queue& other) { return other.name == above; });
      if (found == known_.end()) return;
      above = found->parent;
    }
    if (above == kRootQueue) queue.parent = to;
  }

  void update_queue() {
    Queue& queue = any(dice_, known_);
    fill(queue);
    if (queue.name[0] == 't' && dice_.one_in(6)) move(queue);
    Step& step = add(Step::Do::PutQueue);
    step.queue = queue;
    step.open = queue.name == kRootQueue || !dice_.one_in(5);
  }

  // A PodGroup, or a queue that has no children.
  void remove() {
    if (dice_.one_in(2) && !jobs_.empty()) {
      Job& job = any(dice_, jobs_);
      if (!job.queue.empty()) add(Step::Do::RemoveJob, job.name);
      job.queue.clear();
      return;
    }
    const std::string name = known_.back().name;
    if (name[0] != 't' || removed_ || known_.size() < 2) return;
    removed_ = true;
    add(Step::Do::RemoveQueue, name);
    known_.pop_back();
  }

  Dice dice_;
  History history_;
  bool predicates_ = false, groups_ = false, removed_ = false;
  std::int64_t made_nodes_ = 0, made_pods_ = 0;
  int depth_ = 1;
  std::vector<std::string> nodes_, pods_;
  std::map<std::string, Amounts> sizes_;             // of nodes: what does not change
  std::vector<std::pair<std::string, int>> queues_;  // with their depths
  std::vector<Queue> known_;                         // as they are now
  std::vector<Job> jobs_;
};

}  // namespace

History draw(std::uint64_t seed) { return Drawing(seed).draw(); }

}  // namespace gpol::volcano::histories
