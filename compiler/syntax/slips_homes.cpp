// Words that stand elsewhere: of the queue in a tenant, of an engine in a service, the metric of a service level
// without its `slo`, what a definition names without the `$`. Each is put where it belongs.
#include <algorithm>

#include "compiler/source/text.h"
#include "compiler/syntax/look.h"

namespace gpol::syntax {

namespace {

// The last word of the item that begins at the mistake.
const Token& item_end(const Look& look) {
  constexpr std::size_t kLongest = 32;
  const Token* last = &look.found();
  for (std::size_t n = 1; n < kLongest && look.after(n) != nullptr; ++n) {
    const Token& next = *look.after(n);
    if (contains(kItemEnds, next.kind) || look.line_break(*last, next)) break;
    last = &next;
  }
  return *last;
}

// Kueue's settings of a queue, which stand there by their own names (compiler/policy/resolve_queue.cpp).
constexpr std::string_view kSettings[] = {"queueingStrategy",   "reclaimWithinCohort", "withinClusterQueue",
                                          "borrowWithinCohort", "whenCanBorrow",       "whenCanPreempt",
                                          "stopPolicy",         "namespaceSelector"};

// `queueing strategy` of several words, or of one in another spelling: the setting, and how many words it has.
std::optional<std::pair<std::string_view, std::size_t>> setting_at(const Look& look, const Token* first) {
  std::string joined;
  for (std::size_t n = 0; n < 3 && first + n < &look.mistake().tokens.back(); ++n) {
    for (const char c : look.word(first[n]).substr(0, 32))
      if (c != '-' && c != '_') joined += lowered(c);
    for (const std::string_view setting : kSettings) {
      const bool same =
          setting.size() == joined.size() && std::equal(setting.begin(), setting.end(), joined.begin(),
                                                        [](char a, char b) { return a == b || a - 'A' + 'a' == b; });
      if (same) return std::pair(setting, n + 1);
    }
  }
  return std::nullopt;
}

// `queueingStrategy StrictFIFO`, `cohort east`, `lend at most 8 gpus of shared` as items of a tenant.
std::optional<Slip> of_the_queue(const Look& look) {
  if (look.wants(Kind::RBRACE) && !look.wants(Kind::NAMESPACE) && !look.wants(Kind::ID))
    if (const auto setting = setting_at(look, &look.found()))
      return Slip{fmt::format("it stands in the queue of a tenant: `queue {{ {} ... }}`", setting->first), {}};
  const bool tenant = look.wants(Kind::NAMESPACE) && look.wants(Kind::OUTSIDE), opens = look.before_is(Kind::QUEUE);
  if (!tenant && !(opens && look.wants_only(Kind::LBRACE))) return std::nullopt;
  const auto setting = setting_at(look, opens ? look.before() : &look.found());
  const auto named = setting ? setting : setting_at(look, &look.found());
  const Token& last = item_end(look);
  const auto begin = opens ? look.before()->begin : look.found().begin;
  const auto in_queue = [&](const std::string& item) {
    return Slip{fmt::format("it stands in the tenant's queue: `queue {{ {} }}`", item),
                look.replaced(begin, last.end, fmt::format("queue {{ {} }}", item))};
  };
  if (named && last.kind == Kind::ID) return in_queue(fmt::format("{} {}", named->first, look.word(last)));
  if (contains({"StrictFIFO", "BestEffortFIFO"}, look.written()))
    return in_queue(fmt::format("queueingStrategy {}", look.written()));
  if (opens && look.is(Kind::ID) && look.after() == &last && last.kind == Kind::ID)
    return in_queue(fmt::format("{} {}", look.written(), look.word(last)));
  const bool cohort = look.is(Kind::COHORT) && look.after() == &last;
  const bool limit =
      (look.is(Kind::LEND) || look.is(Kind::BORROW)) && (look.after_is(Kind::AT) || look.after_is(Kind::WITHOUT));
  if (tenant && (cohort || limit))
    return in_queue(std::string(look.text().substr(begin, std::min(last.end - begin, 200U))));
  return std::nullopt;
}

// `queue { queueing strategy StrictFIFO }`, `queue { StrictFIFO }`.
std::optional<Slip> in_the_queue(const Look& look) {
  if (!look.wants_name()) return std::nullopt;
  for (std::size_t back = 1; back <= 3 && look.before(back) != nullptr; ++back) {
    const auto setting = setting_at(look, look.before(back));
    const Token* last = setting ? look.before(back) + setting->second - 1 : nullptr;
    if (last == nullptr || setting->second == 1) continue;
    return Slip{fmt::format("write `{}`, in one word", setting->first),
                look.replaced(look.before(back)->begin, last->end, std::string(setting->first))};
  }
  if (look.before() != nullptr && contains({"StrictFIFO", "BestEffortFIFO"}, look.word(*look.before())) &&
      (look.before_is(Kind::LBRACE, 2) || look.before_is(Kind::SEMICOLON, 2)))
    return Slip{fmt::format("write `queueingStrategy {}`", look.word(*look.before())),
                look.replaced(*look.before(), fmt::format("queueingStrategy {}", look.word(*look.before())))};
  return std::nullopt;
}

// `ttft p99 < 150ms` without `slo`; a knob of the engine beside it.
std::optional<Slip> without_its_word(const Look& look) {
  if (look.wants(Kind::SLO) && look.wants(Kind::RBRACE)) {
    if (contains({"ttft", "itl", "tpot", "e2e"}, look.written()))
      return Slip{"a service level begins with `slo`", look.put_before("slo ")};
    if (look.is(Kind::ID) && look.written().starts_with('p') && look.written().size() <= 5 &&
        look.written().find_first_not_of("0123456789.", 1) == std::string_view::npos)
      return Slip{"a service level is written `slo ttft p99 < 150ms`", {}};
  }
  const bool knob = look.written().find_first_of("-_") != std::string_view::npos;
  if (look.wants(Kind::THROUGHPUT) && look.wants(Kind::ENGINE) && look.is(Kind::ID) && knob &&
      (look.after_is(Kind::NUMBER) || look.after_is(Kind::MEASURE) || look.after_is(Kind::ID)))
    return Slip{fmt::format("what an engine is told stands in its block: `engine NAME {{ {} ... }}`", look.written()),
                {}};
  if (look.is(Kind::PREEMPTS) && look.wants(Kind::OUTSIDE))
    return Slip{"only what stands outside the queue preempts: `outside the queue, preempts batch`",
                look.put_before("outside the queue, ")};
  if (look.wants(Kind::NAMESPACE) && (look.is(Kind::ALLOW) || contains({"may", "borrows", "can"}, look.written())))
    return Slip{"what it may borrow is said outside of it: `allow TENANT to borrow up to 8 gpus of POOL from TENANT`",
                {}};
  // `engine sglang { mem-fraction-static }`
  if (look.before_is(Kind::ID) && look.wants(Kind::MEASURE) && look.wants(Kind::ON) && look.wants_name() &&
      (look.is(Kind::RBRACE) || look.is(Kind::SEMICOLON) || look.on_new_line()))
    return Slip{fmt::format("its value follows, such as `{0} 90%`, `{0} 8192` or `{0} on`", look.word(*look.before())),
                {}};
  return std::nullopt;
}

// `h100-node` alone, where the file says `define h100-node { ... }`.
std::optional<Slip> without_dollar(const Look& look) {
  // `start times (declared "a first guess")`
  if (look.is(Kind::LPAREN) && look.wants(Kind::MEASURE) && look.before_is(Kind::ID) &&
      defined_in(look.text(), look.word(*look.before()))) {
    const std::string mended = fmt::format("${}", look.word(*look.before()));
    return Slip{fmt::format("`{}` is a definition: `{}` stands for its words", look.word(*look.before()), mended),
                look.replaced(*look.before(), mended)};
  }
  if (!look.is(Kind::ID) || look.before_is(Kind::DEFINE) || !defined_in(look.text(), look.written()))
    return std::nullopt;
  return Slip{fmt::format("`{0}` is a definition: `${0}` stands for its words", look.written()), look.put_before("$")};
}

}  // namespace

bool defined_in(std::string_view text, std::string_view name) {
  constexpr std::size_t kFar = std::size_t{1} << 20U, kLongest = 64;  // of each mistake the text is searched again
  if (name.empty() || name.size() > kLongest) return false;
  const std::string wanted = fmt::format("define {}", name);
  const std::string_view near = text.substr(0, kFar);
  for (auto at = near.find(wanted); at != std::string_view::npos; at = near.find(wanted, at + 1)) {
    const auto end = at + wanted.size();
    const bool line = at == 0 || near[at - 1] == '\n';
    if (line && (end == near.size() || std::string_view(" ({\t\r\n").find(near[end]) != std::string_view::npos))
      return true;
  }
  return false;
}

// `finetune may borrow up to ...`, `batch never holds standard`: a sentence without the word that declares it.
std::optional<Slip> sentence(std::string_view text, const Findings& findings, const Token& found) {
  // `lend train up to 8 gpus of shared`
  if (found.kind == Kind::LEND || found.kind == Kind::BORROW) {
    const auto rest = text.substr(found.end, 48);
    if (rest.substr(0, rest.find('\n')).find(" up to ") == std::string_view::npos) return std::nullopt;
    return Slip{"it is written as in `allow train to borrow up to 8 gpus of shared from search`", {}};
  }
  if (found.kind != Kind::ID && found.kind != Kind::BATCH) return std::nullopt;
  const std::string_view name = text.substr(found.begin, std::min(found.end - found.begin, 64U));
  const auto before = [&](std::string_view what) {
    return edit_of(findings, found.begin, found.end, fmt::format("{} {}", what, name));
  };
  if (defined_in(text, name))
    return Slip{fmt::format("`{0}` is a definition: `${0}` stands for its words", name),
                edit_of(findings, found.begin, found.end, fmt::format("${}", name))};
  const std::string_view line =
      text.substr(found.end, std::min<std::size_t>(text.find('\n', found.end), text.size()) - found.end).substr(0, 80);
  const auto says = [&](std::string_view words) { return line.starts_with(words); };
  if (says(" never holds ") || says(" ready within "))
    return Slip{fmt::format("write `prove` before `{}`", name), before("prove")};
  if (line.find(" never hold") < 16) return Slip{"it is written as in `prove batch never holds realtime`", {}};
  for (const std::string_view verb : {" may", " can"})
    if (says(fmt::format("{} borrow up to ", verb)))
      return Slip{fmt::format("an allow begins with its word: `allow {} to borrow up to ...`", name),
                  edit_of(findings, found.begin, found.end + static_cast<std::uint32_t>(verb.size()),
                          fmt::format("allow {} to", name))};
  if (line.find(" borrow") < 32 || says(" lends ") || line.find(" lend ") < 16)
    return Slip{"it is written as in `allow train to borrow up to 8 gpus of shared from search`", {}};
  return std::nullopt;
}

std::optional<Slip> slip_of_home(const Look& look) {
  return first_of(look, {without_dollar, of_the_queue, in_the_queue, without_its_word});
}

}  // namespace gpol::syntax
