// What `gpol verify` says of manifests, as histories for the judge to play in the real Kueue code: every claim figure
// is reached and not passed, every proven reclaim attacked, every refuted one replayed. In: what verify made of them.
// Out: histories on standard output; what was counted, and what cannot be played, by reason.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "cli/commands/verify.h"
#include "tests/conformance/verdicts/attack.h"

namespace gpol::verdicts {

class Confirm {
 public:
  // `seed`: of the attacks, as many as `attacks`; of those on a proof every `judged_of`-th is printed, and all that
  // break it.
  void take(const std::string& name, const Session& session, std::uint64_t seed, std::int64_t attacks,
            std::int64_t judged_of);
  void counts() const;
  bool good() const;  // no escape
  // And of many random ones from seed `first` on: not too much undecided or not analysed of what is required, and not
  // too little proven of the serving queues that no attack breaks. Strict for the first thousand alone, which are
  // always the same: no sample of random seeds may fail by chance.
  bool good_of_many(std::uint64_t first) const;

 private:
  void count(const Session& session);
  void judge_claims(const Session& session);
  // What others can hold while victims have not ended is not passed, whatever they do.
  void judge_ending(const Session& session, std::uint64_t seed, std::int64_t attacks);
  void judge_vacuity(const Session& session, const Stage& stage, const Obligation& o);
  void judge_reclaims(const Session& session, std::uint64_t seed, std::int64_t attacks, std::int64_t judged_of);
  void judge_attack(const Session& session, Attack attack, bool judged,
                    const std::map<std::uint32_t, const Obligation*>& verdicts);
  void replay(const Session& session, std::uint32_t queue);
  void print(History history) const;

  std::string name_, yaml_;
  std::int64_t clusters_ = 0, rejected_ = 0, obligations_ = 0, required_ = 0, open_required_ = 0, serving_ = 0,
               open_serving_ = 0, claims_ = 0, claimable_ = 0, attacks_ = 0, replays_ = 0, escapes_ = 0, spared_ = 0,
               spared_unproven_ = 0, vacuities_ = 0, late_ = 0, debts_ = 0;
  std::map<std::string, std::int64_t> reclaims_, causes_, not_played_;
};

}  // namespace gpol::verdicts
