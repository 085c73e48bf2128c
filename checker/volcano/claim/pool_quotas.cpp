// What Volcano's queues can use of one pool: the sum of what each that stands there is let have. Formula: the claim
// family's lemmas of one queue and of a sum. Closed form: the sum of the real capabilities.
#include "checker/families/pool_quotas.h"

#include "checker/volcano/claim/claim_tree.h"
#include "checker/volcano/claim/stories.h"

namespace gpol {

namespace {

class VolcanoQuotas final : public PoolQuotas {
 public:
  explicit VolcanoQuotas(const Proof& proof) : proof_(proof) {
    volcano::Total total;
    for (const std::string& resource : proof.cluster.resources) total.emplace(resource, std::nullopt);
    limits_ = volcano::limits_of(*proof.cluster.volcano, total, true);
  }

  PoolQuota of(std::uint32_t flavor, std::uint32_t resource) const override {
    const std::string& name = proof_.cluster.resources[resource];
    const auto& roles = proof_.intent.volcano_roles;
    PoolQuota all;
    if (name == "pods") return all;  // no queue counts them
    for (std::size_t q = 0; q < roles.size(); ++q) {
      all.serving_covers = all.serving_covers || roles[q].reserve.contains(name);
      if (roles[q].kind == volcano::QueueRole::Kind::Inner || roles[q].pool != flavor) continue;
      const volcano::Limit limit = limits_.queues[q].limit(name);
      all.quotas = limit && all.quotas <= kUncountable - *limit ? all.quotas + *limit : kUncountable;
      if (limit.value_or(1) > 0) all.lines.push_back(roles[q].reserve_span);
    }
    return all;
  }

  std::string unproven() override {
    LemmaBook book(proof_);
    return volcano::unproven(book);
  }

  std::optional<Story> tell(const PoolCapacity& capacity, std::uint32_t resource, std::int64_t devices) override {
    const std::int64_t of_one = capacity.of_one.size() > resource ? capacity.of_one[resource] : 0;
    if (of_one <= 0) return std::nullopt;
    auto steps = volcano::tell_capacity(proof_, capacity, resource, devices / of_one);
    return steps ? std::optional(Story{{}, *std::move(steps)}) : std::nullopt;
  }

 private:
  const Proof& proof_;
  volcano::Limits limits_;
};

}  // namespace

std::unique_ptr<PoolQuotas> volcano_quotas(const Proof& proof) { return std::make_unique<VolcanoQuotas>(proof); }

}  // namespace gpol
