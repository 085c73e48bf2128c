#include "compiler/syntax/build.h"

#include <utility>

#include "compiler/syntax/build_vocabulary.h"
#include "compiler/syntax/reader.h"

namespace gpol::syntax {
namespace {

ast::Limit limit(const Reader& r) {
  ast::Limit out;
  out.kind = r.first_kind() == Kind::LEND ? ast::Limit::Kind::Lend : ast::Limit::Kind::Borrow;
  if (const auto most = r.find(Rule::limitAtMost)) out.at_most = pool_amounts(*most);
  out.span = r.span();
  return out;
}

ast::Scheduler scheduler(const Reader& r) {
  ast::Scheduler out;
  const Reader called = r.the(Rule::name);
  out.name = name(called);
  const std::uint32_t after = called.last();
  if (after < r.last() && r.kind(after) != Kind::LBRACE) out.version = r.word(after);
  for (const Reader& item : r.all(Rule::schedulerItem))
    (item.first_kind() == Kind::ROUND ? out.round : out.release).push_back(quantity(item.the(Rule::quantity)));
  out.span = r.span();
  return out;
}

decltype(ast::NodesItem::node) nodes_item(const Reader& r) {
  const Kind kind = r.first_kind();
  if (kind == Kind::COUNT) {
    ast::NodesCount count{number(r, r.first() + 1), {}};
    if (r.last() - r.first() == 4) count.most = number(r, r.first() + 3);
    return count;
  }
  if (kind == Kind::EACH) return ast::NodesEach{amounts(r.the(Rule::amounts))};
  if (kind == Kind::GPU) return ast::NodesGpu{name(r.the(Rule::name))};
  if (kind == Kind::DAEMONS) return ast::NodesDaemons{amounts(r.the(Rule::amounts))};
  if (kind == Kind::TOLERATE) return ast::NodesTolerate{number(r, r.first() + 1)};
  if (kind == Kind::CEILING) return ast::NodesCeiling{quantity(r.the(Rule::quantity))};
  if (kind == Kind::LEAD) return ast::NodesLead{quantity(r.the(Rule::quantity))};
  return ast::NodesSpot{quantity(r.the(Rule::quantity))};
}

ast::Nodes nodes(const Reader& r) {
  return {name(r.the(Rule::name)), items<ast::NodesItem>(r, Rule::nodesItem, nodes_item), r.span()};
}

ast::Pool pool(const Reader& r) {
  const auto called = r.all(Rule::name);
  ast::Pool out{name(called[0]), name(called[1]), {}, false, {}, {}, {}, r.span()};
  if (const auto part = r.find(Rule::partition)) {
    out.partition = partition(*part);
    if (const std::uint32_t next = part->last(); next < r.last() && r.kind(next) == Kind::UNMANAGED)
      out.partition->unmanaged = r.span_of(next, next + 1);
  }
  if (const auto label = r.find(Rule::poolLabel)) out.label = key_value(label->the(Rule::keyValue));
  if (const auto taint = r.find(Rule::poolTaint)) out.taint = key_value(taint->the(Rule::keyValue));
  if (const std::uint32_t take = called[1].last(); take < r.last() && r.kind(take) == Kind::TAKE) {
    out.rest = r.kind(take + 1) == Kind::THE;
    if (!out.rest) out.take = number(r, take + 1);
  }
  return out;
}

ast::Writers writers(const Reader& r) {
  ast::Writers out{{}, r.span()};
  for (const Reader& writer : r.all(Rule::writer))
    out.list.push_back(
        {writer.first_kind() == Kind::GROUP, unquoted(writer.text_of(writer.first() + 1)), writer.span()});
  return out;
}

std::vector<ast::Name> namespaces(const Reader& r) {
  std::vector<ast::Name> out;
  r.each([&](const Reader& part) { out.push_back(namespace_name(part)); });
  return out;
}

ast::Cluster cluster(const Reader& r) {
  ast::Cluster out;
  out.name = name(r.the(Rule::name));
  for (const Reader& choice : r.all(Rule::clusterItem)) {
    const Reader item = choice.only();
    if (item.rule() == Rule::schedulerDecl)
      out.schedulers.push_back(scheduler(item));
    else if (item.rule() == Rule::nodesDecl)
      out.nodes.push_back(nodes(item));
    else if (item.rule() == Rule::writersDecl)
      out.writers.push_back(writers(item));
    else if (item.rule() == Rule::guardDecl)
      out.guards.push_back({names(item)[0], names(item)[1]});
    else if (item.rule() == Rule::exemptDecl)
      out.exempts.push_back({namespaces(item), item.span()});
    else
      out.pools.push_back(pool(item));
  }
  return out;
}

ast::Cohort cohort(const Reader& r) {
  ast::Cohort out;
  const auto called = names(r);
  out.name = called[0];
  if (called.size() > 1) out.parent = called[1];
  for (const Reader& choice : r.all(Rule::cohortItem)) {
    const Reader item = choice.only();
    if (item.rule() == Rule::quotaClause)
      out.quotas.push_back(pool_amounts(item));
    else
      out.limits.push_back(limit(item));
  }
  return out;
}

ast::Window window(const Reader& r) {
  const auto called = names(r);
  const std::uint32_t from = r.first() + 3;  // window NAME = FROM .. TO ZONE DAYS
  ast::Window out{called[0], time(r, from), time(r, from + 2), called[1], called[2], {}};
  if (const auto except = r.find(Rule::exceptClause)) out.except = name(except->the(Rule::name));
  return out;
}

decltype(ast::ClassItem::node) class_item(const Reader& r) {
  const Kind kind = r.first_kind();
  const auto times = r.all(Rule::quantity);
  if (kind == Kind::READY) return ast::ClassReady{quantity(times[0])};
  if (kind == Kind::GRACE) {
    ast::ClassGrace grace{quantity(times[0]), {}};
    if (times.size() > 1) grace.saved_in = quantity(times[1]);
    return grace;
  }
  if (kind == Kind::KILL) return ast::ClassKillMargin{quantity(times[0])};
  if (kind == Kind::CHECKPOINT) return ast::ClassCheckpoint{quantity(times[0])};
  if (kind == Kind::RUNS) return ast::ClassRuns{names(r)};
  return class_item_beyond_quotas(r);
}

ast::Class latency_class(const Reader& r) {
  const auto called = names(r);
  return {called[0], called[1], items<ast::ClassItem>(r, Rule::classItem, class_item)};
}

ast::Source source(const Reader& r) {
  ast::Source out;
  const std::uint32_t word = r.first() + 1;  // ( WORD DETAIL? )
  out.kind = r.kind(word) == Kind::MEASURED   ? ast::Source::Kind::Measured
             : r.kind(word) == Kind::DECLARED ? ast::Source::Kind::Declared
                                              : ast::Source::Kind::Derived;
  if (r.kind(word + 1) == Kind::STRING) out.detail = unquoted(r.text_of(word + 1));
  if (r.kind(word + 1) == Kind::DATE) {
    out.detail = r.text_of(word + 1);
    out.date = r.span_of(word + 1, word + 2);
  }
  out.span = r.span();
  return out;
}

ast::TenantStart start(const Reader& r) {
  ast::TenantStart out;
  for (const Reader& term : r.all(Rule::startTerm))
    out.terms.push_back({name(term.the(Rule::name)), quantity(term.the(Rule::quantity))});
  if (const auto from = r.find(Rule::source)) out.source = source(*from);
  return out;
}

ast::TenantQueue queue(const Reader& r) {
  ast::TenantQueue out;
  for (const Reader& item : r.all(Rule::queueItem)) {
    if (item.first_kind() == Kind::COHORT)
      out.cohorts.push_back(name(item.the(Rule::name)));
    else if (const auto clause = item.find(Rule::limitClause))
      out.limits.push_back(limit(*clause));
    else
      out.settings.push_back({item.word(item.first()), name(item.the(Rule::name))});
  }
  return out;
}

decltype(ast::TenantItem::node) tenant_item(const Reader& r) {
  const Kind kind = r.first_kind();
  if (kind == Kind::NAMESPACE) return ast::TenantNamespace{namespaces(r)};
  if (kind == Kind::OWNER) return ast::TenantOwner{r.word(r.first() + 1)};
  if (kind == Kind::CLASS) return ast::TenantClass{name(r.the(Rule::name))};
  if (kind == Kind::RESERVE) return ast::TenantReserve{pool_amounts(r)};
  if (kind == Kind::QUOTA) return ast::TenantQuota{pool_amounts(r.only())};
  if (kind == Kind::REPLICA) return ast::TenantReplica{amounts(r.the(Rule::amounts))};
  if (kind == Kind::REPLICAS) return ast::TenantReplicas{number(r, r.first() + 1), number(r, r.first() + 4)};
  if (kind == Kind::SHAPE) return ast::TenantShape{pool_amounts(r)};
  if (kind == Kind::START) return start(r);
  if (kind == Kind::OUTSIDE) return ast::TenantOutside{r.last() - r.first() > 3};
  if (kind == Kind::BUDGET) return ast::TenantBudget{quantity(r.the(Rule::quantity)), name(r.the(Rule::name))};
  if (kind == Kind::AT) return ast::TenantJobs{quantity(r.the(Rule::quantity))};
  if (kind == Kind::ASKS) return ast::TenantAsks{time(r, r.first() + 2)};
  return queue(r.only());
}

ast::Tenant tenant(const Reader& r) {
  return {name(r.the(Rule::name)), items<ast::TenantItem>(r, Rule::tenantItem, tenant_item)};
}

ast::Allow allow(const Reader& r) {
  const auto called = names(r);  // borrower, pool, lender and perhaps the window
  ast::Allow out{called[0], amounts(r.the(Rule::amounts)), called[1], called[2], {}, {}};
  if (called.size() > 3) out.window = called[3];
  if (const auto back = r.find(Rule::quantity)) out.back_within = quantity(*back);
  return out;
}

ast::Prove prove(const Reader& r) {
  const ast::Name subject = name(r.the(Rule::name));
  if (const auto holds = r.find(Rule::proveHolds)) return {ast::ProveHolds{subject, name(holds->the(Rule::name))}};
  return {ast::ProveReady{subject, quantity(r.the(Rule::proveReady).the(Rule::quantity))}};
}

ast::Trust trust(const Reader& r) {  // trust NAME because TEXT by @OWNER
  ast::Trust out{name(r.the(Rule::name)), unquoted(r.text_of(r.first() + 3)), r.word(r.first() + 5), {}};
  if (const auto until = r.find(Rule::untilClause)) out.until = date(*until, until->first() + 1);
  return out;
}

ast::Import import(const Reader& r) {
  const std::uint32_t target = r.first() + 1;
  if (r.kind(target) != Kind::STRING) return {r.word(target), true};
  return {{unquoted(r.text_of(target)), r.span_of(target, target + 1)}, false};
}

ast::Define define(const Parsed& parsed, const Reader& r) {
  const Reader body = r.the(Rule::words);
  return {name(r.the(Rule::name)), reference_names(parsed, r.first(), body.first()),
          words_of(parsed, body.first() + 1, body.last() - 1)};
}

decltype(ast::Decl::node) declaration(const Parsed& parsed, const Reader& r) {
  const Kind kind = r.first_kind();
  if (kind == Kind::LANGUAGE) return ast::Language{number(r, r.first() + 1)};
  if (kind == Kind::IMPORT) return import(r);
  if (kind == Kind::DEFINE) return define(parsed, r);
  if (kind == Kind::CLUSTER) return cluster(r);
  if (kind == Kind::COHORT) return cohort(r);
  if (kind == Kind::WINDOW) return window(r);
  if (kind == Kind::CLASS) return latency_class(r);
  if (kind == Kind::TENANT) return tenant(r);
  if (kind == Kind::ALLOW) return allow(r);
  if (kind == Kind::PROVE) return prove(r);
  if (kind == Kind::TRUST) return trust(r);
  return declaration_beyond_quotas(r);
}

}  // namespace

ast::Decl build(const Parsed& parsed) {
  if (parsed.nodes.empty()) {
    ast::Words words = words_of(parsed, 0, static_cast<std::uint32_t>(parsed.tokens.size() - 1));
    return {words.span, ast::Unexpanded{std::move(words)}};
  }
  const Reader r = Reader(parsed, 0).only();
  return {r.span(), declaration(parsed, r)};
}

}  // namespace gpol::syntax
