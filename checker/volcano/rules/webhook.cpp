#include "checker/volcano/rules/webhook.h"

#include <map>
#include <optional>

#include <fmt/format.h>

#include "checker/volcano/rules/amounts.h"
#include "compiler/cluster/quantity.h"
#include "compiler/source/lookup.h"

namespace gpol::volcano {

namespace {

constexpr int kMostDepth = 5;  // --max-queue-depth

bool below_root(const Queue& queue) { return !queue.parent.empty() && queue.parent != kRootQueue; }

class Webhook {
 public:
  explicit Webhook(std::span<const Queue> queues) : queues_(queues) {
    for (const Queue& queue : queues) last_.insert_or_assign(queue.name, &queue);
  }

  std::vector<Refused> run() {
    for (std::size_t q = 0; q < queues_.size(); ++q) {
      if (auto refused = judge(queues_[q])) {
        refused->queue = q;
        out_.push_back(std::move(*refused));
      }
      there_.insert_or_assign(queues_[q].name, &queues_[q]);
    }
    return std::move(out_);
  }

 private:
  using Answer = std::optional<Refused>;

  Answer judge(const Queue& queue) const {
    if (queue.name == kRootQueue || !below_root(queue)) return std::nullopt;
    if (queue.parent == queue.name)
      return Refused{0, "spec.parent", "webhook:volcano-parent", "a queue is not its own parent", "name another queue"};
    if (!there_.contains(queue.parent)) {
      if (!last_.contains(queue.parent)) return std::nullopt;  // not read: it may be there
      return Refused{
          0, "spec.parent", "webhook:volcano-order",
          fmt::format("its parent `{}` comes later, and the webhook takes no queue whose parent is not there",
                      queue.parent),
          fmt::format("put `{}` before it", queue.parent)};
    }
    if (depth(queue) > kMostDepth)
      return Refused{0, "spec.parent", "webhook:volcano-depth",
                     fmt::format("it stands more than {} levels below `root`, which is the most", kMostDepth),
                     "put it below a queue further up"};
    if (auto refused = above_ancestor(queue)) return refused;
    const Queue& parent = *there_.at(queue.parent);
    if (auto refused = sum_above(queue, parent.guarantee, &Queue::guarantee, "guarantee")) return refused;
    return sum_above(queue, parent.deserved, &Queue::deserved, "deserved");
  }

  const Queue* parent_of(const Queue& queue) const {
    return below_root(queue) ? value_or(there_, queue.parent, nullptr) : nullptr;
  }

  int depth(const Queue& queue) const {
    int depth = 1;
    for (const Queue* at = &queue; below_root(*at) && depth <= kMostDepth; ++depth) {
      at = parent_of(*at);
      if (at == nullptr) break;
    }
    return depth;
  }

  // Of each resource the nearest queue above with a capability that is not 0.
  Answer above_ancestor(const Queue& queue) const {
    for (const auto& [resource, amount] : counted(queue.capability)) {
      const Queue* above = parent_of(queue);
      for (int level = 0; above != nullptr && level < kMostDepth && of(counted(above->capability), resource) <= 0;
           ++level)
        above = parent_of(*above);
      const std::int64_t most = above == nullptr ? 0 : of(counted(above->capability), resource);
      if (most > 0 && amount > most)
        return Refused{0, "spec.capability", "webhook:volcano-capability",
                       fmt::format("its {} of `{}` is more than the {} of `{}` above it", quantity(resource, amount),
                                   resource, quantity(resource, most), above->name),
                       fmt::format("lower it to {} at most", quantity(resource, most))};
    }
    return std::nullopt;
  }

  // The children of one parent together. What the parent does not name is 0, and a device that it does not name is
  // refused even as 0.
  Answer sum_above(const Queue& queue, const Amounts& limit, Amounts Queue::* which, std::string_view word) const {
    Amounts total = counted(queue.*which);
    for (const auto& [name, sibling] : there_)
      if (name != queue.name && sibling->parent == queue.parent && name != kRootQueue)
        add(total, counted(sibling->*which));
    const Amounts own = counted(limit);
    for (const auto& [resource, amount] : total) {
      const bool native = resource == "cpu" || resource == "memory", named = own.contains(resource);
      if ((native || named) && amount <= of(own, resource)) continue;
      return Refused{0, word == "guarantee" ? "spec.guarantee" : "spec.deserved", "webhook:volcano-sum",
                     fmt::format("the {} of `{}` that the queues below `{}` have so far is {}, and that of `{}` is {}",
                                 word, resource, queue.parent, quantity(resource, amount), queue.parent,
                                 named ? quantity(resource, of(own, resource)) : "not set, which counts as 0"),
                     fmt::format("give `{}` {} of `{}` as `{}` at least", queue.parent, quantity(resource, amount),
                                 resource, word == "guarantee" ? "guarantee.resource" : "deserved")};
    }
    return std::nullopt;
  }

  std::span<const Queue> queues_;
  std::map<std::string_view, const Queue*> last_, there_;
  std::vector<Refused> out_;
};

}  // namespace

std::vector<Refused> refused_by_webhook(std::span<const Queue> queues) { return Webhook(queues).run(); }

}  // namespace gpol::volcano
