// Tenants: who they are, what is theirs, and what their class lets them state.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/codes.h"
#include "compiler/source/lookup.h"
#include "compiler/syntax/codes.h"

namespace gpol {

namespace {

struct Given {
  std::optional<Span> namespaces, owner, latency_class, replica, replicas, start, asks, queue, outside, budget, jobs;
  std::optional<Span> reserve;  // the first of them
};

struct Misfit {
  std::string clause;
  Span span;
  std::string hint;
  std::vector<Edit> edits;
};

struct Reading {
  Resolver& r;
  std::uint32_t index;
  std::unordered_map<std::string_view, std::pair<std::uint32_t, Span>>& namespace_owners;
  std::map<std::uint32_t, std::optional<Span>> reserved, quoted, shaped;  // by pool
  Given given;
  const ast::TenantReplica* replica = nullptr;
  const ast::TenantReplicas* replicas = nullptr;
  std::vector<Misfit> misfits;

  Tenant& tenant() const { return r.policy.tenants[index]; }

  // A clause that the tenant's class does not have.
  void mismatch(std::string_view clause, Span span, std::string hint) {
    misfits.push_back({std::string(clause), span, std::move(hint), {}});
  }
  // The word that the clause begins with, for the one that was meant.
  template <class Meant>
  void other_word(std::string_view clause, std::string_view meant, Span span, std::string_view who) {
    const auto& items = r.declared.tenants[index]->items;
    const bool both =
        std::ranges::any_of(items, [](const auto& item) { return std::holds_alternative<Meant>(item.node); });
    Span word = span;
    word.end = word.begin + static_cast<std::uint32_t>(clause.size());
    mismatch(clause, span, fmt::format("{} states a `{}`", who, meant));
    if (!both) misfits.back().edits.push_back({word, std::string(meant)});
  }
  bool is_batch() const { return isolation_of_tenant(r, index) == Isolation::C; }
  bool is_serving() const {
    const auto isolation = isolation_of_tenant(r, index);
    return isolation && *isolation != Isolation::C;
  }
};

void read(Reading& in, const ast::TenantNamespace& item, Span span) {
  const bool first = first_time(in.r, in.given.namespaces, span, "namespace");
  for (const auto& name : item.names) {
    require_kubernetes_name("namespace", name.text, name.span, in.r.diagnostics);
    // Kueue's webhooks leave them out, and its Configuration may not name them (pkg/config/validation.go).
    if (name.text == "kube-system" || name.text == "kueue-system")
      error(in.r, code::BadValue, name.span, fmt::format("Kueue does not manage namespace `{}`", name.text),
            "give the tenant a namespace of its own");
    if (const auto [owner, fresh] = in.namespace_owners.try_emplace(name.text, in.index, name.span); !fresh) {
      const bool own = owner->second.first == in.index;
      const bool twin = !own && in.r.policy.tenants[owner->second.first].name == in.tenant().name;
      if (twin) continue;  // the tenant is declared twice: said already
      error(in.r, code::DuplicateName, name.span,
            own ? fmt::format("namespace `{}` is listed twice", name.text)
                : fmt::format("namespace `{}` already belongs to tenant `{}`", name.text,
                              in.r.policy.tenants[owner->second.first].name),
            own ? "keep one of them" : "a namespace belongs to one tenant: split it, or make the two tenants one")
          .labels.push_back({owner->second.second, "first given here"});
    } else if (first) {
      in.tenant().namespaces.push_back(name.text);
    }
  }
}

void read(Reading& in, const ast::TenantOwner& item, Span span) {
  if (first_time(in.r, in.given.owner, span, "owner")) in.tenant().owner = item.handle.text;
}

// Read before the others: resolve_tenant() sees to it.
void read(Reading& in, const ast::TenantClass& item, Span span) {
  const std::uint32_t found = in.r.classes.find(item.name);
  if (!first_time(in.r, in.given.latency_class, span, "class")) return;
  in.tenant().latency_class = found;
  in.tenant().class_span = span;
}

// What of a pool is owned; nothing is read where it is said of that pool a second time, or is no share of it.
void own(Reading& in, const ast::PoolAmounts& written, Span span, const std::string& word, Zero zero,
         std::map<std::uint32_t, std::optional<Span>>& said, std::vector<PoolAmount>& owned) {
  auto share = share_of_pool(in.r, written.amounts, written.pool, written.span, word, zero);
  if (share && zero == Zero::Refused && !one_kind(in.r, share->amount.amount, written.span, word)) share.reset();
  const std::uint32_t pool = in.r.pools.look_up(written.pool.text);
  if (pool != kNone && !first_time(in.r, said[pool], span, word + " ... of " + written.pool.text)) share.reset();
  if (share)
    owned.push_back(std::move(share->amount));
  else
    in.r.tenant_facts[in.index].owned_sound = false;
}

void read(Reading& in, const ast::TenantReserve& item, Span span) {
  if (!in.given.reserve) in.given.reserve = span;
  if (!in.is_batch()) return own(in, item.amounts, span, "reserve", Zero::Refused, in.reserved, in.tenant().reserves);
  in.other_word<ast::TenantQuota>("reserve", "quota", span, "a class C tenant");
  in.r.tenant_facts[in.index].owned_sound = false;
}

void read(Reading& in, const ast::TenantQuota& item, Span span) {
  if (!in.is_serving()) return own(in, item.amounts, span, "quota", Zero::Allowed, in.quoted, in.tenant().quotas);
  if (!in.given.reserve) in.given.reserve = span;  // it was meant
  in.other_word<ast::TenantReserve>("quota", "reserve", span, "a serving tenant");
  in.r.tenant_facts[in.index].owned_sound = false;
}

void read(Reading& in, const ast::TenantReplica& item, Span span) {
  if (!first_time(in.r, in.given.replica, span, "replica")) return;
  if (in.is_batch()) return in.mismatch("replica", span, "remove it: a class C tenant is promised no place");
  in.replica = &item;
}

void read(Reading& in, const ast::TenantReplicas& item, Span span) {
  if (!first_time(in.r, in.given.replicas, span, "replicas")) return;
  if (in.is_batch()) return in.mismatch("replicas", span, "remove it: a class C tenant is promised no place");
  in.replicas = &item;
}

// `shape 8 gpus of shared`: that many devices in each pod, and nothing else is said of it.
void read(Reading& in, const ast::TenantShape& item, Span span) {
  if (in.is_serving()) return in.mismatch("shape", span, "a serving tenant states a `replica`");
  const auto& written = item.amounts;
  const std::uint32_t pool = in.r.is_module() ? kNone : in.r.pools.find(written.pool);
  const auto found = amounts_on(in.r, written.amounts, pool, written.span, "a shape");
  if (pool == kNone || !first_time(in.r, in.shaped[pool], span, "shape ... of " + written.pool.text)) return;
  if (!found || !pool_sound(in.r, pool)) return;
  const bool cut = is_cut(in.r, pool);
  const Resources node = room_of_node(in.r, pool);
  const std::string one =
      cut ? in_words(in.r, slices_of(in.r, in.r.policy.pools[pool].partition.layout.front().profile), 1) : "1 gpu";
  const std::string hint = fmt::format("write `shape {} of {}`, or as many as one node has", one, written.pool.text);
  for (std::size_t i = 0; i < kCommonResources; ++i)
    if (found->stated[i] != (!cut && static_cast<Resource>(i) == Resource::Gpu)) {
      error(in.r, code::BadValue, written.span,
            fmt::format("a shape states the {} of each pod and nothing else", cut ? "slices" : "gpus"), hint);
      return;
    }
  if (!one_kind(in.r, found->amounts, written.span, "shape")) return;
  for (const auto& [resource, amount] : found->amounts) {
    if (amount >= 1 && amount <= node[resource]) continue;
    error(in.r, code::OutOfRange, written.span,
          fmt::format("a pod of {} cannot run on `{}`, whose nodes have {}", in_words(in.r, resource, amount),
                      written.pool.text, in_words(in.r, resource, node[resource])),
          hint);
    return;
  }
  in.tenant().shapes.push_back({pool, found->amounts, span});
}

std::string source_text(const ast::Source& source) {
  std::string text = source.kind == ast::Source::Kind::Measured   ? "measured"
                     : source.kind == ast::Source::Kind::Declared ? "declared"
                                                                  : "derived";
  if (!source.detail.empty()) text += " " + source.detail;
  return text;
}

void read(Reading& in, const ast::TenantStart& item, Span span) {
  const bool first = first_time(in.r, in.given.start, span, "start");
  if (in.is_batch()) return in.mismatch("start", span, "remove it: a class C tenant has no deadline to meet");
  constexpr std::string_view kTerms[] = {"schedule", "image", "weights", "load", "warm"};
  StartTerms& terms = in.tenant().start;
  std::optional<TimeConstant>* const places[] = {&terms.schedule, &terms.image, &terms.weights, &terms.load,
                                                 &terms.warm};
  std::optional<Span> seen[std::size(kTerms)];
  for (const auto& term : item.terms) {
    const auto time = time_constant(in.r, term.time, term.name.text, Zero::Allowed);
    const auto at = static_cast<std::size_t>(std::ranges::find(kTerms, term.name.text) - std::begin(kTerms));
    if (at == std::size(kTerms)) {
      error(in.r, code::BadValue, term.name.span, fmt::format("`{}` is not a term of the start", term.name.text),
            choice_hint(term.name.text, kTerms));
    } else if (first_time(in.r, seen[at], term.name.span, term.name.text) && first && time) {
      *places[at] = time;
      if (item.source) (*places[at])->source = source_text(*item.source);
    }
  }
  if (item.source && item.source->date) month_or_day(in.r, item.source->detail, *item.source->date);
  if (!item.source && first)
    error(in.r, code::MissingClause, span, "`start` does not say where its times come from",
          "add `(measured 2026-10)`, `(declared \"by whom\")` or `(derived \"how\")` at its end");
}

void read(Reading& in, const ast::TenantAsks& item, Span span) {
  const bool first = first_time(in.r, in.given.asks, span, "asks at");
  const auto time = time_of_day(in.r, item.at);
  if (first) in.tenant().asks_at = time;
}

void read(Reading& in, const ast::TenantBudget& item, Span span) {
  const bool first = first_time(in.r, in.given.budget, span, "budget");
  const auto money = money_of(in.r, item.money, "a budget");
  constexpr std::string_view kPeriods[] = {"day", "week", "month", "quarter", "year"};
  if (!contains(kPeriods, item.period.text))
    error(in.r, code::BadValue, item.period.span, fmt::format("no budget is for a `{}`", item.period.text),
          choice_hint(item.period.text, kPeriods));
  if (!first) return;
  in.tenant().budget = money;
  in.tenant().budget_per = item.period.text;
}

// A ResourceQuota counts them (`count/jobs.batch`), also those that have ended.
void read(Reading& in, const ast::TenantJobs& item, Span span) {
  const bool first = first_time(in.r, in.given.jobs, span, "at most ... jobs");
  const auto most = measure(item.most, Dimension::Jobs, "the number of Jobs", "200 jobs", in.r.diagnostics);
  if (in.is_serving()) return in.mismatch("at most ... jobs", span, "remove it: only the Jobs of class C are bounded");
  if (most && *most < 1)
    error(in.r, code::OutOfRange, item.most.span, "a tenant of batch without a Job runs nothing",
          "write `at most 1 job`, or more");
  if (!first || !most || *most < 1) return;
  in.tenant().jobs_at_most = most;
  in.tenant().jobs_span = span;
}

void read(Reading& in, const ast::TenantQueue& item, Span span) {
  if (!first_time(in.r, in.given.queue, span, "queue")) return;
  resolve_queue(in.r, item, span, in.index);
  if (const auto& stop = in.tenant().queue.stop_policy; in.is_serving() && stop && stop->value != "None")
    in.mismatch("stopPolicy " + stop->value, stop->span,
                "remove it: a stopped queue admits nobody, so no promise can hold");
}

void read(Reading& in, const ast::TenantOutside& item, Span span) {
  if (!first_time(in.r, in.given.outside, span, "outside the queue")) return;
  if (in.is_batch())
    return in.mismatch("outside the queue", span, "remove it: what is promised nothing stands in a queue");
  in.tenant().outside = span;
  in.tenant().preempts = item.preempts;
  if (item.preempts && isolation_of_tenant(in.r, in.index) == Isolation::A)
    in.mismatch("preempts batch", span,
                "remove it, and reserve on a pool that batch cannot use: class A waits for nobody's pods to end");
  if (const std::uint32_t c = in.tenant().latency_class; item.preempts && c != kNone)
    for (const auto& [prefix, whose] : {std::pair{"system-", "Kubernetes'"}, {"gpol-", "gpol's"}})
      if (const LatencyClass& named = in.r.policy.classes[c]; named.name.starts_with(prefix))
        error(in.r, code::BadKubernetesName, span,
              fmt::format("its PriorityClass would be `{}`, and such names are {} own", named.name, whose),
              "give the class another name");
}

void require_clauses(Reading& in) {
  const ast::Name& name = in.r.declared.tenants[in.index]->name;
  const auto missing = [&](const std::optional<Span>& given, std::string_view clause, std::string_view hint) {
    if (!given)
      error(in.r, code::MissingClause, name.span, fmt::format("tenant `{}` has no `{}`", name.text, clause),
            std::string(hint));
  };
  missing(in.given.namespaces, "namespace", "add `namespace NAME`");
  missing(in.given.latency_class, "class", "add `class NAME`");
  if (in.is_serving()) missing(in.given.reserve, "reserve", "add what is always its own: `reserve 8 gpus of POOL`");
}

// Where several clauses are those of another class it is the class that is wrong: one mistake.
bool wrong_class(Reading& in) {
  std::string clauses;
  std::size_t many = 0;
  for (const Misfit& misfit : in.misfits) {
    const std::string word = misfit.clause.substr(0, misfit.clause.find(' '));
    if (word == "stopPolicy" || word == "preempts") return false;  // no class has them
    if (clauses.find(fmt::format("`{}`", word)) != std::string::npos) continue;
    clauses += fmt::format("{}`{}`", many++ == 0 ? "" : ", ", word);
  }
  if (many < 2) return false;
  const LatencyClass& c = in.r.policy.classes[in.tenant().latency_class];
  const bool batch = in.is_batch();
  std::string named;
  for (std::size_t i = 0; i < in.r.policy.classes.size(); ++i) {
    const LatencyClass& other = in.r.policy.classes[i];
    if (named.empty() && in.r.class_sound[i] && (other.isolation == Isolation::C) != batch)
      named = fmt::format("`class {}`", other.name);
  }
  if (named.empty()) named = batch ? "a class A or B" : "a class C";
  error(in.r, code::ClassMismatch, in.tenant().class_span,
        fmt::format("class `{}` is {}, and tenant `{}` states what fits {} alone: {}", c.name, letter(c.isolation),
                    in.tenant().name, batch ? "classes A and B" : "class C", clauses),
        fmt::format("write {}, or leave these out and state a `{}`", named, batch ? "quota" : "reserve"))
      .labels.push_back({in.misfits.front().span, "the first of them"});
  in.r.tenant_facts[in.index].class_in_doubt = true;
  return true;
}

// GP0302.
void report_misfits(Reading& in) {
  if (in.misfits.empty() || wrong_class(in)) return;
  const LatencyClass& c = in.r.policy.classes[in.tenant().latency_class];
  for (Misfit& misfit : in.misfits) {
    Diagnostic& told = error(in.r, code::ClassMismatch, misfit.span,
                             fmt::format("`{}` does not fit tenant `{}`, whose class `{}` is {}", misfit.clause,
                                         in.tenant().name, c.name, letter(c.isolation)),
                             std::move(misfit.hint));
    told.labels.push_back({in.tenant().class_span, "its class"});
    told.edits = std::move(misfit.edits);
  }
}

void resolve_tenant(Reading& in, const ast::Tenant& written) {
  in.tenant().latency_class = kNone;
  // The class first: it decides what the other clauses may be, wherever it stands.
  for (const auto& item : written.items)
    if (const auto* node = std::get_if<ast::TenantClass>(&item.node)) read(in, *node, item.span);
  for (const auto& item : written.items)
    if (!std::holds_alternative<ast::TenantClass>(item.node))
      std::visit([&](const auto& node) { read(in, node, item.span); }, item.node);
  report_misfits(in);
  require_clauses(in);
  if (in.given.outside && in.given.queue)
    error(in.r, code::BadValue, *in.given.queue, "a tenant outside the queue has no queue to set up",
          "remove the `queue` block, or `outside the queue`")
        .labels.push_back({*in.given.outside, "it is outside"});
  if (in.replica != nullptr) resolve_replica(in.r, *in.replica, *in.given.replica, in.index);
  if (in.replicas != nullptr && in.replica == nullptr)
    error(in.r, code::MissingClause, *in.given.replicas, "`replicas` does not say what one of them asks for",
          "add `replica N gpus`, the shape of one");
  else if (in.replicas != nullptr)
    resolve_replicas(in.r, *in.replicas, *in.given.replicas, in.index);
  resolve_queue_lends(in.r, in.index);
}

}  // namespace

// What a check of so many takes is known (docs/benchmarks.md), and no cluster has nearly as many namespaces.
constexpr std::size_t kMostTenants = 100'000;

void resolve_tenants(Resolver& r) {
  if (!r.is_module() && r.policy.tenants.size() > kMostTenants)
    error(r, code::TooDeepOrLarge, r.declared.tenants[kMostTenants]->name.span,
          fmt::format("there are {} tenants, and gpol proves no more than {}", r.policy.tenants.size(), kMostTenants),
          "let tenants that are promised the same be one, with a namespace each, or give each cluster a policy");
  std::unordered_map<std::string_view, std::pair<std::uint32_t, Span>> namespace_owners;
  namespace_owners.reserve(r.policy.tenants.size());
  for (std::uint32_t i = 0; i < r.policy.tenants.size(); ++i) {
    Reading in{r, i, namespace_owners, {}, {}, {}, {}, nullptr, nullptr, {}};
    resolve_tenant(in, *r.declared.tenants[i]);
  }
  check_queue_names(r);
}

}  // namespace gpol
