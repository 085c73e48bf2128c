#include "checker/volcano/claim/claim_tree.h"

#include <algorithm>
#include <map>

#include "checker/volcano/rules/amounts.h"

namespace gpol::volcano {

namespace {

std::int64_t plus(std::int64_t a, std::int64_t b) {
  return a == kNoLimit || b == kNoLimit || a > kNoLimit - b ? kNoLimit : a + b;
}

std::int64_t of(const QueueLimits& queue, const std::string& resource) {
  return queue.limit(resource).value_or(kNoLimit);
}

std::size_t parent_of(const QueueLimits& queue, std::size_t self) {
  return queue.path.size() > 1 ? queue.path[1] : self;
}

// What others leave there. A queue without a limit refuses nobody; nodes of which others may have any number are full.
std::int64_t left_at(const ClaimTree& tree, std::size_t q, const std::string& resource, std::int64_t others) {
  const std::int64_t limit = of(tree.limits.queues[q], resource);
  if (limit == kNoLimit && (q != tree.nodes || others != kNoLimit)) return kNoLimit;
  return others == kNoLimit ? 0 : std::max<std::int64_t>(0, limit - others);
}

}  // namespace

const char* lemma_name(ClaimLemma lemma) {
  constexpr const char* kNames[] = {"volcano/allocated", "volcano/sum", "volcano/inner", "volcano/owner"};
  return kNames[static_cast<std::size_t>(lemma)];
}

Formula lemma(ClaimLemma which) {
  const Term rc = int_symbol("realCapability"), bound = int_symbol("B");
  switch (which) {
    case ClaimLemma::Allocated: {
      const Term before = int_symbol("allocated"), request = int_symbol("request"),
                 later = int_symbol("allocated_next");
      return {lemma_name(which),
              "a queue has no more allocated than its bound, whichever pod is let in or ends next",
              {{"bounded", before <= bound},
               {"request", request >= integer(0)},
               {"next", (before + request <= rc && equal(later, before + request)) || later <= before},
               {"side-condition", rc <= bound}},
              later > bound};
    }
    case ClaimLemma::Sum: {
      const Term some = int_symbol("some"), one = int_symbol("one"), b_some = int_symbol("B_some"),
                 b_one = int_symbol("B_one");
      return {lemma_name(which),
              "two usages are together at most the sum of their bounds",
              {{"some", some <= b_some}, {"one", one <= b_one}},
              some + one > b_some + b_one};
    }
    case ClaimLemma::Inner: {
      const Term used = int_symbol("used"), sum = int_symbol("sum");
      return {lemma_name(which),
              "what is used below a queue is at most what its children may use and what it may itself",
              {{"children", used <= sum}, {"allocated", used <= rc}, {"side-condition", bound >= min(sum, rc)}},
              used > bound};
    }
    case ClaimLemma::Owner: {
      const Term used = int_symbol("others"), own = int_symbol("own"), request = int_symbol("request"),
                 reserve = int_symbol("reserve"), claimable = int_symbol("claimable");
      return {lemma_name(which),
              "a pod is let in whose queue has, with it, no more than its reserve less what others can hold of it",
              {{"others", used <= bound},
               {"within", own + request <= reserve - claimable},
               {"side-condition", claimable >= reserve - max(integer(0), rc - bound)},
               {"something", own >= integer(0) && request >= integer(1)}},
              used + own + request > rc};
    }
  }
  return {};
}

std::string unproven(LemmaBook& book) {
  for (const ClaimLemma one : kClaimLemmas)
    if (!book.holds(lemma_name(one), [&] { return lemma(one); })) return book.why();
  return {};
}

bool elsewhere(const ClaimTree& tree, std::size_t queue) {
  const QueueRole* role = tree.roles[queue];
  return tree.pool != kNone && (role == nullptr || role->pool != tree.pool);
}

ClaimTree claim_tree(Limits limits, const Setup& setup, std::span<const QueueRole> roles, const Total* nodes,
                     std::uint32_t pool) {
  ClaimTree tree{std::move(limits), {}, {}};
  tree.pool = pool;
  auto& queues = tree.limits.queues;
  if (nodes != nullptr) {
    tree.nodes = queues.size();
    QueueLimits& all = queues.emplace_back();
    all.leaf = false;
    all.real_capability = *nodes;
    for (QueueLimits& queue : queues) queue.path.push_back(tree.nodes);
  }
  tree.roles.assign(queues.size(), nullptr);
  for (std::size_t q = 0; q < setup.queues.size() && q < roles.size(); ++q) tree.roles[q] = &roles[q];
  for (std::size_t q = 0; q < queues.size(); ++q) tree.parents_last.push_back(q);
  std::ranges::stable_sort(tree.parents_last, std::ranges::greater{},
                           [&](std::size_t q) { return queues[q].path.size(); });
  return tree;
}

std::vector<std::int64_t> others(const ClaimTree& tree, std::size_t owner, const std::string& resource) {
  const auto& queues = tree.limits.queues;
  std::vector<std::int64_t> bounds(queues.size(), 0), sum(queues.size(), 0);
  for (const std::size_t q : tree.parents_last) {
    const std::int64_t limit = of(queues[q], resource);
    if (queues[q].leaf) {
      const QueueRole* role = tree.roles[q];
      bounds[q] = limit;
      if (role != nullptr && role->kind == QueueRole::Kind::Serving)
        bounds[q] = std::min(limit, std::max(volcano::of(role->reserve, resource), volcano::of(role->asked, resource)));
      if (q == owner || elsewhere(tree, q)) bounds[q] = 0;
    } else {
      bounds[q] = std::min(limit, sum[q]);
    }
    if (const std::size_t parent = parent_of(queues[q], q); parent != q) sum[parent] = plus(sum[parent], bounds[q]);
  }
  return bounds;
}

std::int64_t left_to(const ClaimTree& tree, std::size_t owner, const std::string& resource,
                     const std::vector<std::int64_t>& others) {
  std::int64_t left = kNoLimit;
  for (const std::size_t q : tree.limits.queues[owner].path)
    left = std::min(left, left_at(tree, q, resource, others[q]));
  return left;
}

std::size_t binding(const ClaimTree& tree, std::size_t owner, const std::string& resource,
                    const std::vector<std::int64_t>& others) {
  return *std::ranges::min_element(tree.limits.queues[owner].path, {},
                                   [&](std::size_t q) { return left_at(tree, q, resource, others[q]); });
}

std::int64_t left_by_one(const ClaimTree& tree, std::size_t owner, const std::string& resource) {
  const auto& queues = tree.limits.queues;
  std::int64_t least = kNoLimit;
  for (std::size_t one = 0; one < queues.size(); ++one) {
    if (one == owner || !queues[one].leaf || elsewhere(tree, one)) continue;
    std::vector<std::int64_t> held(queues.size(), 0);
    std::int64_t most = kNoLimit;
    for (const std::size_t q : queues[one].path) most = std::min(most, of(queues[q], resource));
    for (const std::size_t q : queues[one].path) held[q] = most;
    least = std::min(least, left_to(tree, owner, resource, held));
  }
  return least;
}

bool meets_side_conditions(const ClaimTree& tree, std::size_t owner, const std::string& resource, std::int64_t reserve,
                           const std::vector<std::int64_t>& others, std::int64_t claimable) {
  const auto& queues = tree.limits.queues;
  std::map<std::size_t, std::int64_t> sums;
  for (std::size_t q = 0; q < queues.size(); ++q)
    if (const std::size_t parent = parent_of(queues[q], q); parent != q)
      sums[parent] = plus(sums.try_emplace(parent, 0).first->second, others[q]);
  for (std::size_t q = 0; q < queues.size(); ++q) {
    const std::int64_t limit = of(queues[q], resource);
    const QueueRole* role = tree.roles[q];
    const bool keeps = q == owner || elsewhere(tree, q) || (role != nullptr && role->kind == QueueRole::Kind::Serving);
    if (!queues[q].leaf ? others[q] < std::min(sums[q], limit) : !keeps && others[q] < limit) return false;
  }
  for (const std::size_t q : queues[owner].path) {
    const std::int64_t left = left_at(tree, q, resource, others[q]);
    if (left != kNoLimit && claimable < reserve - left) return false;
  }
  return claimable >= 0;
}

}  // namespace gpol::volcano
