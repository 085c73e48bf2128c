#include "compiler/syntax/forms.h"

#include <algorithm>

#include "compiler/syntax/mistake.h"

namespace gpol::syntax {

namespace {

// Of each block several, with this between them.
constexpr std::string_view kBetween = " | ";
constexpr Form kForms[] = {
    {"",
     "language 1 | import \"teams/search.gpol\" | define NAME { ... } | cluster NAME { ... } | "
     "cohort NAME in PARENT { ... } | window night = 22:00..06:00 Europe/Zurich daily | "
     "class standard : B { ... } | tenant NAME { ... } | "
     "allow train to borrow up to 8 gpus of shared from search during night | "
     "prove batch never holds realtime | prove standard ready within 4min | "
     "trust times-hold because \"...\" by @platform | hardware NAME { ... } | "
     "service NAME of TENANT { ... } | limit TENANT at gateway NAME { ... } | "
     "calendar holidays { 2026-12-25, 2027-01-01 } | price 2.50 EUR per gpu h of burst paid by @ml | "
     "incident paid by @platform | lever NAME { ... } | approve changes to realtime by @governance"},
    {"cluster",
     "scheduler kueue { round within 5s; release within 5s } | nodes NAME { ... } | "
     "pool live on h100 take 3 nodes | writers user \"...\", group \"...\" | guard NAME deny"},
    {"scheduler", "round within 5s | release within 5s"},
    {"nodes",
     "count 6 | each 8 gpus, 192 cpu, 2 TiB, 110 pods | gpu H100-80GB | "
     "daemons take 8 cpu, 64 GiB, 10 pods | tolerate 1 lost | spot notice 120s | ceiling 64 gpus | "
     "lead time 8min"},
    {"class",
     "ready within 4min | grace 60s (saved in 45s) | kill margin 5s | checkpoint every 10min | "
     "runs Job, Pod | slo ttft p99 < 150ms | burst 10x within 60s | headroom at least 40% | "
     "floor 500 samples/s"},
    {"tenant",
     "namespace NAME | owner @search | class NAME | reserve 8 gpus of POOL | quota 8 gpus of POOL | "
     "replica 8 gpus | replicas 2, surge 1 | shape 8 gpus of POOL | "
     "start schedule 5s, image 20s, weights 40s, load 25s, warm 20s | asks at 09:30 | "
     "budget 5000 EUR per month | at most 200 jobs | outside the queue"},
    {"queue", "lend at most 8 gpus of POOL | borrow at most 8 gpus of POOL"},
    {"hardware", "memory 80 GiB | slices 7 compute, 8 memory | engines 1 me, 7 nvdec"},
    {"mig", "compute 1 | starts at 0, 1 | at most 2"},
    {"service",
     "replicas 4..12 | each 1 gpu, 16 cpu | throughput 128 streams, 60 req/s | variation 1.2 | "
     "longest answer 60s | at most 1 unavailable | label app=assistant | from NAMESPACE (app=envoy)"},
    {"limit",
     "at most 200 streams, 50 req/s, per proxy | on 2 proxies | route NAME of NAMESPACE | class interactive | "
     "queue 50 per proxy | timeout 120s | deadline 180s | retries 1 | no limit | else 429 retry 1s"},
    {"lever", "no allow during night | hold TENANT | by @oncall"},
};

}  // namespace

std::vector<Form> forms() {
  std::vector<Form> all;
  for (const Form& block : kForms)
    for (std::size_t at = 0, end = 0; at < block.form.size(); at = end + kBetween.size()) {
      end = std::min(block.form.find(kBetween, at), block.form.size());
      all.push_back({block.block, block.form.substr(at, end - at)});
    }
  return all;
}

std::string_view form_of(const Mistake& m) {
  const auto word = [&](std::size_t item) { return kWords[static_cast<std::size_t>(m.tokens[item].kind)]; };
  const std::string_view begun = word(m.starts.back());
  const std::string_view block = m.starts.size() > 1 ? word(m.starts[m.starts.size() - 2]) : std::string_view();
  if (m.at == m.starts.back() || begun.empty()) return {};
  // Of its two forms, that which was begun.
  if (begun == "prove" &&
      std::ranges::any_of(m.tokens, [](const Token& t) { return t.kind == Kind::READY || t.kind == Kind::WITHIN; }))
    return "prove standard ready within 4min";
  for (const Form& form : forms())
    if (form.block == block && form.form.substr(0, form.form.find(' ')) == begun) return form.form;
  return {};
}

}  // namespace gpol::syntax
