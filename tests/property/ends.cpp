// `check` always ends. Random policies with whole, cut and shared pools, lost nodes, tenants of every class, replicas,
// shapes and loans, some of them with layouts that no card has: each is proven in process, and what the solver was
// asked must have taken no more steps than a bound, whatever the answers are. GPOL_POLICIES in the environment sets how
// many (default 100, with GPOL_CI=full 2,000), GPOL_SEED where they begin (default 1).
#include <chrono>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands/session.h"
#include "tests/support/catch.h"
#include "tests/support/random_tree.h"

using namespace gpol;
using gpol::testing::Dice;

namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

struct Card {
  const char* name;
  std::int64_t per_node, cpu;
  std::vector<const char*> profiles;  // the larger ones last
  std::vector<const char*> layouts;   // the last one is none
};

const std::vector<Card>& cards() {
  static const std::vector<Card> kCards = {{"H100-80GB",
                                            8,
                                            192,
                                            {"1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "7g.80gb"},
                                            {"1 x 3g.40gb, 4 x 1g.10gb", "7 x 1g.10gb", "2 x 3g.40gb", "1 x 7g.80gb",
                                             "3 x 2g.20gb, 1 x 1g.10gb", "2 x 3g.40gb, 1 x 1g.10gb"}},
                                           {"A30-24GB",
                                            4,
                                            64,
                                            {"1g.6gb", "2g.12gb", "4g.24gb"},
                                            {"4 x 1g.6gb", "2 x 2g.12gb", "1 x 2g.12gb, 2 x 1g.6gb", "3 x 2g.12gb"}}};
  return kCards;
}

struct RandomPool {
  std::string name, as;            // as it is written; "": whole
  std::string of_owner;            // MPS: the owner of its tenants
  std::vector<std::string> units;  // what amounts of it count: "gpus", "shares", "x 3g.40gb"
  std::vector<std::int64_t> left;  // of each unit, for quotas to come
  std::int64_t of_node = 0;        // units of one node at most
  bool shared = false;
};

// One policy as text.
class Author {
 public:
  explicit Author(std::uint64_t seed) : dice_(seed) {}

  std::string policy() {
    const std::int64_t groups = 1 + dice_.upto(1);
    text_ = "cluster demo {\n  scheduler kueue 0.19.2 { round within 5s; release within 5s }\n";
    for (std::int64_t g = 0; g < groups; ++g) group(g);
    text_ += "  writers user \"system:serviceaccount:flux-system:kustomize-controller\"\n}\n";
    text_ += "window night = 22:00..06:00 Europe/Zurich daily\nclass realtime : A { }\n";
    text_ += "class standard : B { ready within 9min }\n";
    text_ += "class batch : C { runs Job; grace 60s (saved in 45s); kill margin 5s }\n";
    for (RandomPool& pool : pools_) tenants(pool);
    for (const char* key : {"controller-as-emitted", "nodes-as-declared", "requests-within-share", "times-hold",
                            "batch-runs-on", "requests-as-declared"})
      if (!dice_.one_in(5)) text_ += fmt::format("trust {} because \"it is looked at\" by @platform\n", key);
    return text_;
  }

 private:
  void group(std::int64_t g) {
    const Card& card = cards()[dice_.one_in(3) ? 1 : 0];
    const std::int64_t count = 2 + dice_.upto(dice_.one_in(4) ? 10 : 3), lost = dice_.upto(1);
    text_ += fmt::format("  nodes n{} {{ gpu {}; count {}; each {} gpus, {} cpu, 1 TiB, 110 pods{} }}\n", g, card.name,
                         count, card.per_node, card.cpu, lost > 0 ? "; tolerate 1 lost" : "");
    const bool parted = count >= 4 && dice_.one_in(3);
    const std::int64_t first = parted ? 2 + dice_.upto(count - 4) : count;
    pool(g, card, first - lost, first, parted ? fmt::format(" take {} nodes", first) : "");
    if (parted) pool(g, card, count - first - lost, count - first, " take the rest");
  }

  void pool(std::int64_t g, const Card& card, std::int64_t surely, std::int64_t nodes, const std::string& take) {
    RandomPool pool;
    pool.name = fmt::format("p{}", pools_.size());
    pool.of_node = card.per_node;
    const std::int64_t devices = surely * card.per_node, kind = dice_.upto(7);
    if (kind < 2) {
      pool.units = {"gpus"};
      pool.left = {devices};
    } else if (kind < 4) {
      const auto chosen = static_cast<std::size_t>(
          dice_.upto(static_cast<std::int64_t>(card.layouts.size()) - (dice_.one_in(6) ? 1 : 2)));
      pool.as = fmt::format("mig {{ {} }}", card.layouts[chosen]);
      slices_of_layout(pool, card.layouts[chosen], devices);
    } else if (kind < 6) {
      counted(pool, card, devices, nodes * card.per_node);
    } else {
      pool.shared = true;
      const std::int64_t shares = 2 + dice_.upto(2);
      pool.as = fmt::format("{} {}", kind == 6 ? "mps" : "time-slices", shares);
      if (kind == 6) pool.of_owner = "; owner @web";
      pool.units = {"shares"};
      pool.left = {devices * shares};
    }
    text_ += fmt::format("  pool {} on n{}{}{}{}\n", pool.name, g, take, pool.as.empty() ? "" : " as ", pool.as);
    pools_.push_back(std::move(pool));
  }

  static void slices_of_layout(RandomPool& pool, const std::string& layout, std::int64_t devices) {
    for (std::size_t at = 0; at < layout.size(); at = layout.find(',', at), at += at < layout.size() ? 2 : 0) {
      const std::string part = layout.substr(at, layout.find(',', at) - at);
      pool.units.push_back(part.substr(part.find('x')));
      pool.left.push_back(devices * std::stoll(part));
    }
  }

  // What the pool is to offer: most of the time less than its cards have, now and then as much as is never there.
  void counted(RandomPool& pool, const Card& card, std::int64_t surely, std::int64_t devices) {
    const std::int64_t most = dice_.one_in(6) ? devices : std::max<std::int64_t>(1, devices / 4);
    std::vector<std::string> parts;
    for (const char* profile : card.profiles) {
      if (!dice_.one_in(2)) continue;
      const std::int64_t count = 1 + dice_.upto(most - 1);
      parts.push_back(fmt::format("{} x {}", count, profile));
      pool.units.push_back(fmt::format("x {}", profile));
      pool.left.push_back(std::max<std::int64_t>(1, count * surely / devices));
    }
    if (parts.empty()) {
      parts.push_back(fmt::format("{} x {}", most, card.profiles.front()));
      pool.units.push_back(fmt::format("x {}", card.profiles.front()));
      pool.left.push_back(most);
    }
    pool.as = fmt::format("mig for {}", fmt::join(parts, ", "));
  }

  // Some of what is left; now and then more than that.
  std::int64_t take(RandomPool& pool, std::size_t unit) {
    const std::int64_t amount =
        dice_.one_in(12) ? pool.left[unit] + 1 : 1 + dice_.upto(std::max<std::int64_t>(pool.left[unit], 1) - 1);
    pool.left[unit] = std::max<std::int64_t>(0, pool.left[unit] - amount);
    return std::max<std::int64_t>(1, amount);
  }

  std::size_t any_unit(const RandomPool& pool) {
    return static_cast<std::size_t>(dice_.upto(static_cast<std::int64_t>(pool.units.size()) - 1));
  }

  void tenants(RandomPool& pool) {
    const bool turns = pool.shared && pool.of_owner.empty();
    for (std::int64_t serving = dice_.upto(turns && !dice_.one_in(4) ? 0 : 2); serving > 0; --serving) serves(pool);
    if (!pool.of_owner.empty() && !dice_.one_in(4)) return;  // no others beside the clients of MPS
    for (std::int64_t batch = dice_.upto(2); batch > 0; --batch) trains(pool);
  }

  std::string tenant(const RandomPool& pool, const char* latency_class) {
    const std::string name = fmt::format("t{}", tenants_++);
    text_ += fmt::format("tenant {0} {{ namespace {0}{1}; class {2}", name, pool.of_owner, latency_class);
    return name;
  }

  void serves(RandomPool& pool) {
    const bool standard = pool.shared || dice_.one_in(2);
    const std::string name = tenant(pool, standard ? "standard" : "realtime");
    const std::size_t unit = any_unit(pool);
    const std::int64_t reserve = take(pool, unit);
    text_ += fmt::format("; reserve {} {} of {}", reserve, pool.units[unit], pool.name);
    if (standard || dice_.one_in(2))
      text_ += fmt::format("; replica {} {}", of_one_pod(pool, reserve), pool.units[unit]);
    if (standard) text_ += "; start schedule 5s, image 20s, weights 40s, load 25s, warm 20s (measured 2026-10)";
    text_ += " }\n";
    if (!standard || pool.shared || !dice_.one_in(2)) return;
    const std::string loan = tenant(pool, "batch");
    if (dice_.one_in(2))
      text_ += fmt::format("; shape {} {} of {}", of_one_pod(pool, reserve), pool.units[unit], pool.name);
    text_ += fmt::format(" }}\nallow {} to borrow up to {}", loan, 1 + dice_.upto(reserve - 1));
    text_ += fmt::format(" {} of {} from {}", pool.units[unit], pool.name, name);
    text_ += dice_.one_in(2) ? " during night" : "";
    text_ += fmt::format(", back within {}min\n", 3 + dice_.upto(3));
  }

  void trains(RandomPool& pool) {
    tenant(pool, "batch");
    const std::size_t unit = any_unit(pool);
    const std::int64_t quota = take(pool, unit);
    text_ += fmt::format("; quota {} {} of {}", quota, pool.units[unit], pool.name);
    if (dice_.one_in(2))
      text_ += fmt::format("; shape {} {} of {}", of_one_pod(pool, quota), pool.units[unit], pool.name);
    text_ += " }\n";
  }

  // A power of two that a node may have room for; a share is one card's.
  std::int64_t of_one_pod(const RandomPool& pool, std::int64_t most) {
    if (pool.shared) return 1;
    const std::int64_t amount = std::int64_t{1} << dice_.upto(3);
    return std::min({amount, most, pool.of_node});
  }

  Dice dice_;
  std::string text_;
  std::vector<RandomPool> pools_;
  int tenants_ = 0;
};

}  // namespace

TEST_CASE("every policy is judged within a bound of the solver's steps") {
  using Seconds = std::chrono::duration<double>;
  constexpr std::uint64_t kMostSteps = 200'000'000;  // of all questions about one policy: ten that spend their limit
  const char* played = std::getenv("GPOL_CI");
  const bool full = played != nullptr && std::string(played) == "full";
  const std::uint64_t first = from_environment("GPOL_SEED", 1),
                      count = from_environment("GPOL_POLICIES", full ? 2000 : 100);
  struct Run {
    std::uint64_t seed = 0, steps = 0, hardest = 0, unanswered = 0;
    std::string question;  // the one that took most
    Seconds took{0};
  };
  Run slowest, longest;
  std::map<Overall, int> verdicts;
  std::uint64_t not_proven = 0, given_up = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string text = Author(seed).policy();
    INFO("GPOL_SEED=" << seed << "\n" << text);
    Run run;
    run.seed = seed;
    SessionOptions options;
    options.ear = [&](const Formula& formula, const Answer& answer) {
      run.steps += answer.steps;
      if (answer.kind == Answer::Kind::Unknown) ++run.unanswered;
      if (answer.steps > run.hardest) run.hardest = answer.steps, run.question = formula.name;
    };
    const auto began = std::chrono::steady_clock::now();
    const auto session = check_policy({"random.gpol", text}, options);
    run.took = std::chrono::steady_clock::now() - began;
    CHECK(run.steps <= kMostSteps);
    if (session->reached != Phase::Proven) ++not_proven;
    given_up += run.unanswered > 0 ? 1 : 0;
    ++verdicts[session->reached == Phase::Proven ? overall(session->report) : Overall::Error];
    if (run.steps > slowest.steps) slowest = run;
    if (run.took > longest.took) longest = run;
  }
  std::printf("ends: %d proven, %d refuted, %d undecided, %d with mistakes; the solver gave up in %d\n",
              verdicts[Overall::Proven], verdicts[Overall::Refuted], verdicts[Overall::Undecided],
              verdicts[Overall::Error], static_cast<int>(given_up));
  for (const auto& [what, run] : {std::pair{"most steps", &slowest}, {"longest", &longest}})
    std::printf("%s: GPOL_SEED=%lu, %lu steps in %.2fs, %lu of them for %s, %lu questions without an answer\n", what,
                run->seed, run->steps, run->took.count(), run->hardest, run->question.c_str(), run->unanswered);
  CHECK(not_proven < count / 10 + 1);  // real policies, not mistakes
}
