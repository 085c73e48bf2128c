#include "compiler/syntax/forms.h"

#include <algorithm>

#include "compiler/syntax/mistake.h"

namespace gpol::syntax {

namespace {

constexpr Form kForms[] = {
    {"", "language 1"},
    {"", "import \"teams/search.gpol\""},
    {"", "define NAME { ... }"},
    {"", "cluster NAME { ... }"},
    {"", "cohort NAME in PARENT { ... }"},
    {"", "window night = 22:00..06:00 Europe/Zurich daily"},
    {"", "class standard : B { ... }"},
    {"", "tenant NAME { ... }"},
    {"", "allow train to borrow up to 8 gpus of shared from search during night"},
    {"", "prove batch never holds realtime"},
    {"", "prove standard ready within 4min"},
    {"", "trust times-hold because \"...\" by @platform"},
    {"", "hardware NAME { ... }"},
    {"", "service NAME of TENANT { ... }"},
    {"", "limit TENANT at gateway NAME { ... }"},
    {"", "calendar holidays { 2026-12-25, 2027-01-01 }"},
    {"", "price 2.50 EUR per gpu h of burst paid by @ml"},
    {"", "incident paid by @platform"},
    {"", "lever NAME { ... }"},
    {"", "approve changes to realtime by @governance"},
    {"cluster", "scheduler kueue { round within 5s; release within 5s }"},
    {"cluster", "nodes NAME { ... }"},
    {"cluster", "pool live on h100 take 3 nodes"},
    {"cluster", "writers user \"...\", group \"...\""},
    {"cluster", "guard NAME deny"},
    {"scheduler", "round within 5s"},
    {"scheduler", "release within 5s"},
    {"nodes", "count 6"},
    {"nodes", "each 8 gpus, 192 cpu, 2 TiB, 110 pods"},
    {"nodes", "gpu H100-80GB"},
    {"nodes", "daemons take 8 cpu, 64 GiB, 10 pods"},
    {"nodes", "tolerate 1 lost"},
    {"nodes", "spot notice 120s"},
    {"nodes", "ceiling 64 gpus"},
    {"nodes", "lead time 8min"},
    {"class", "ready within 4min"},
    {"class", "grace 60s (saved in 45s)"},
    {"class", "kill margin 5s"},
    {"class", "checkpoint every 10min"},
    {"class", "runs Job, Pod"},
    {"class", "slo ttft p99 < 150ms"},
    {"class", "burst 10x within 60s"},
    {"class", "headroom at least 40%"},
    {"class", "floor 500 samples/s"},
    {"tenant", "namespace NAME"},
    {"tenant", "owner @search"},
    {"tenant", "class NAME"},
    {"tenant", "reserve 8 gpus of POOL"},
    {"tenant", "quota 8 gpus of POOL"},
    {"tenant", "replica 8 gpus"},
    {"tenant", "replicas 2, surge 1"},
    {"tenant", "shape 8 gpus of POOL"},
    {"tenant", "start schedule 5s, image 20s, weights 40s, load 25s, warm 20s"},
    {"tenant", "asks at 09:30"},
    {"tenant", "budget 5000 EUR per month"},
    {"tenant", "outside the queue"},
    {"queue", "lend at most 8 gpus of POOL"},
    {"queue", "borrow at most 8 gpus of POOL"},
    {"hardware", "memory 80 GiB"},
    {"hardware", "slices 7 compute, 8 memory"},
    {"hardware", "engines 1 me, 7 nvdec"},
    {"mig", "compute 1"},
    {"mig", "starts at 0, 1"},
    {"mig", "at most 2"},
    {"service", "replicas 4..12"},
    {"service", "each 1 gpu, 16 cpu"},
    {"service", "throughput 30 req/s"},
    {"service", "variation 1.2"},
    {"limit", "at most 200 req/s, 2M tokens/min"},
    {"limit", "queue 100 for 2s"},
    {"limit", "else 429 retry 1s"},
    {"lever", "no allow during night"},
    {"lever", "hold TENANT"},
    {"lever", "by @oncall"},
};

// The word that opens the block which holds the word at `at`; empty: none does.
std::string_view block_around(const Mistake& m, std::size_t at) {
  std::size_t closed = 0;
  for (std::size_t i = at; i-- > 0;) {
    if (m.tokens[i].kind == Kind::RBRACE) ++closed;
    if (m.tokens[i].kind != Kind::LBRACE) continue;
    if (closed > 0) {
      --closed;
      continue;
    }
    while (i > 0 && !items_of(m.tokens[i].kind)) --i;
    return kWords[static_cast<std::size_t>(m.tokens[i].kind)];
  }
  return {};
}

}  // namespace

std::span<const Form> forms() { return kForms; }

std::string_view form_of(std::string_view text, const Mistake& m) {
  constexpr std::size_t kFar = 64;  // words; no item is longer that is told in one line
  for (std::size_t n = 1; n <= std::min(m.at, kFar); ++n) {
    const std::size_t i = m.at - n;
    const Token& word = m.tokens[i];
    if (word.kind == Kind::SEMICOLON || word.kind == Kind::LBRACE || word.kind == Kind::RBRACE) return {};
    const bool begins =
        i == 0 || m.tokens[i - 1].kind == Kind::SEMICOLON || m.tokens[i - 1].kind == Kind::LBRACE ||
        m.tokens[i - 1].kind == Kind::RBRACE ||
        text.substr(m.tokens[i - 1].end, word.begin - m.tokens[i - 1].end).find('\n') != std::string_view::npos;
    const std::string_view written = kWords[static_cast<std::size_t>(word.kind)];
    if (!begins || written.empty()) continue;
    const std::string_view block = i == 0 ? std::string_view() : block_around(m, i);
    // Of its two forms, that which was begun.
    if (word.kind == Kind::PROVE &&
        std::ranges::any_of(m.tokens, [](const Token& t) { return t.kind == Kind::READY || t.kind == Kind::WITHIN; }))
      return "prove standard ready within 4min";
    for (const Form& form : kForms)
      if (form.block == block && form.form.substr(0, form.form.find(' ')) == written) return form.form;
  }
  return {};
}

}  // namespace gpol::syntax
