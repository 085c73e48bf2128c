#include "compiler/syntax/build_vocabulary.h"

#include <algorithm>

namespace gpol::syntax {
namespace {

ast::Rate rate(const Reader& r) {
  const std::string written = r.text_of(r.first());
  const std::size_t letters = std::min(written.find_first_not_of("0123456789."), written.size());
  ast::Rate out{{written.substr(0, letters), r.text_of(r.first() + 1), r.span()}, written.substr(letters)};
  if (r.last() - r.first() == 3) out.amount.unit += " " + r.text_of(r.first() + 2);
  return out;
}

std::optional<ast::Name> during(const Reader& r) {
  if (const auto clause = r.find(Rule::duringClause)) return name(clause->the(Rule::name));
  return std::nullopt;
}

std::vector<ast::EngineCount> engine_counts(const Reader& r) {
  std::vector<ast::EngineCount> out;
  for (const Reader& one : r.all(Rule::engineCount))
    out.push_back({number(one, one.first()), name(one.the(Rule::name))});
  return out;
}

ast::MigItem mig_item(const Reader& r) {
  using Item = ast::MigItem::Kind;
  const Kind kind = r.first_kind();
  ast::MigItem out{kind == Kind::COMPUTE  ? Item::Compute
                   : kind == Kind::MEMORY ? Item::Memory
                   : kind == Kind::STARTS ? Item::Starts
                   : kind == Kind::AT     ? Item::Most
                                          : Item::Engines,
                   {},
                   {},
                   r.span()};
  if (out.kind == Item::Engines) {
    out.engines = engine_counts(r.the(Rule::engineCounts));
    return out;
  }
  for (std::uint32_t token = r.first(); token < r.last(); ++token)
    if (r.kind(token) == Kind::NUMBER) out.numbers.push_back(number(r, token));
  return out;
}

decltype(ast::HardwareItem::node) hardware_item(const Reader& r) {
  const Kind kind = r.first_kind();
  if (kind == Kind::MEMORY) return ast::HardwareMemory{quantity(r.the(Rule::quantity))};
  if (kind == Kind::SLICES)  // slices 7 compute, 8 memory
    return ast::HardwareSlices{number(r, r.first() + 1), number(r, r.first() + 4)};
  if (kind == Kind::ENGINES) return ast::HardwareEngines{engine_counts(r.the(Rule::engineCounts))};
  if (kind == Kind::PLACEMENTS) return ast::HardwarePlacements{name(r.the(Rule::name))};
  const Reader block = r.only();
  ast::MigProfile profile{block.word(block.first() + 1), {}};
  for (const Reader& item : block.all(Rule::migItem)) profile.items.push_back(mig_item(item));
  return profile;
}

ast::Hardware hardware(const Reader& r) {
  return {name(r.the(Rule::name)), items<ast::HardwareItem>(r, Rule::hardwareItem, hardware_item)};
}

ast::ServiceRequests requests(const Reader& r) {
  ast::ServiceRequests out;
  for (const Reader& item : r.all(Rule::requestItem))
    out.classes.push_back({name(item.the(Rule::name)), quantity(item.the(Rule::quantity))});
  return out;
}

ast::ServiceEngine engine(const Reader& r) {
  ast::ServiceEngine out{name(r.the(Rule::name)), {}};
  for (const Reader& item : r.all(Rule::engineItem)) {
    const Reader value = item.the(Rule::engineValue);
    out.knobs.push_back({name(item.the(Rule::name)), value.text_of(value.first()), value.span()});
  }
  return out;
}

decltype(ast::ServiceItem::node) service_item(const Reader& r) {
  const Kind kind = r.first_kind();
  if (kind == Kind::REPLICAS) {
    ast::ServiceReplicas replicas{number(r, r.first() + 1), {}};
    if (r.last() - r.first() == 4) replicas.most = number(r, r.first() + 3);
    return replicas;
  }
  if (kind == Kind::EACH) return ast::ServiceEach{amounts(r.the(Rule::amounts))};
  if (kind == Kind::THROUGHPUT) {
    ast::ServiceThroughput throughput;
    for (const Reader& one : r.all(Rule::rate)) throughput.rates.push_back(rate(one));
    return throughput;
  }
  if (kind == Kind::VARIATION) return ast::ServiceVariation{number(r, r.first() + 1)};
  if (kind == Kind::AT) return ast::ServiceUnavailable{quantity(r.the(Rule::quantity))};
  if (kind == Kind::LONGEST) {
    ast::ServiceLongest longest;
    for (const Reader& one : r.all(Rule::longest))
      longest.list.push_back({name(one.the(Rule::name)), quantity(one.the(Rule::quantity))});
    return longest;
  }
  if (kind == Kind::LABEL) {
    ast::ServiceLabel out;
    for (const Reader& pair : r.all(Rule::keyValue)) out.labels.push_back(key_value(pair));
    return out;
  }
  if (kind == Kind::FROM) {
    ast::ServiceFrom out;
    for (const Reader& one : r.all(Rule::caller)) {
      const auto label = one.find(Rule::keyValue);
      out.callers.push_back(
          {namespace_name(one.the(Rule::namespaceName)), label ? std::optional(key_value(*label)) : std::nullopt});
    }
    return out;
  }
  if (kind == Kind::REQUESTS) return requests(r.only());
  return engine(r.only());
}

ast::Service service(const Reader& r) {
  const auto called = names(r);
  return {called[0], called[1], items<ast::ServiceItem>(r, Rule::serviceItem, service_item)};
}

// `per proxy` or `global`, or nothing.
std::optional<ast::Name> scope(const Reader& r) {
  const auto all = r.all(Rule::gatewayScope);
  if (all.empty()) return std::nullopt;
  const Reader& written = all.front();
  return written.first_kind() == Kind::GLOBAL ? written.word(written.first()) : name(written.the(Rule::name));
}

ast::GatewayHost gateway_host(const Reader& r) {
  const auto called = names(r);
  return {called[0], called[1], called[2], called[3], called[4], number(r, r.last() - 1)};
}

decltype(ast::GatewayItem::node) gateway_item(const Reader& r) {
  const Kind kind = r.first_kind();
  if (kind == Kind::AT) {
    ast::GatewayAtMost most;
    for (const Reader& one : r.all(Rule::gatewayAmount))
      if (one.first_kind() == Kind::PER || one.first_kind() == Kind::GLOBAL)
        most.per = scope(one);
      else
        most.amounts.push_back({rate(one.the(Rule::rate)), scope(one)});
    return most;
  }
  if (kind == Kind::ON) {
    const std::uint32_t most = r.last() - 2;  // the number before the unit
    return ast::GatewayProxies{most > r.first() + 1 ? std::optional(number(r, r.first() + 1)) : std::nullopt,
                               {r.text_of(most), r.text_of(most + 1), r.span_of(most, most + 2)}};
  }
  if (kind == Kind::ROUTE) {
    const auto called = names(r);
    const auto written = r.find(Rule::gatewayHost);
    return ast::GatewayRoute{called[0], called.size() > 1 ? std::optional(called[1]) : std::nullopt,
                             written ? std::optional(gateway_host(*written)) : std::nullopt};
  }
  if (kind == Kind::NO) return ast::GatewayNoLimit{};
  if (kind == Kind::CLASS) return ast::GatewayClass{names(r)};
  if (kind == Kind::QUEUE) return ast::GatewayQueue{number(r, r.first() + 1), scope(r)};
  if (kind == Kind::TIMEOUT) return ast::GatewayTimeout{quantity(r.the(Rule::quantity))};
  if (kind == Kind::DEADLINE) return ast::GatewayDeadline{quantity(r.the(Rule::quantity))};
  if (kind == Kind::LONGEST) return ast::GatewayLongest{name(r.the(Rule::name)), quantity(r.the(Rule::quantity))};
  if (kind == Kind::RETRIES) return ast::GatewayRetries{number(r, r.first() + 1)};
  return ast::GatewayElse{number(r, r.first() + 1), quantity(r.the(Rule::quantity))};
}

ast::GatewayLimit gateway(const Reader& r) {
  const auto called = names(r);
  return {called[0], called[1], called.size() > 2 ? std::optional(called[2]) : std::nullopt,
          items<ast::GatewayItem>(r, Rule::gatewayItem, gateway_item)};
}

ast::Calendar calendar(const Reader& r) {
  ast::Calendar out{name(r.the(Rule::name)), {}};
  for (std::uint32_t token = r.first(); token < r.last(); ++token)
    if (r.kind(token) == Kind::DATE) out.dates.push_back(date(r, token));
  return out;
}

decltype(ast::LeverItem::node) lever_item(const Reader& r) {
  if (r.first_kind() == Kind::NO) return ast::LeverNoAllow{during(r)};
  if (r.first_kind() == Kind::HOLD) return ast::LeverHold{name(r.the(Rule::name))};
  return ast::LeverBy{r.word(r.first() + 1)};
}

ast::Lever lever(const Reader& r) {
  return {name(r.the(Rule::name)), items<ast::LeverItem>(r, Rule::leverItem, lever_item)};
}

}  // namespace

ast::Date date(const Reader& r, std::uint32_t token) { return {r.text_of(token), r.span_of(token, token + 1)}; }

ast::Partition partition(const Reader& r) {
  using Mode = ast::Partition::Mode;
  constexpr std::pair<Kind, Mode> kModes[] = {{Kind::WHOLE, Mode::Whole},
                                              {Kind::MIG, Mode::Mig},
                                              {Kind::TIME_SLICES, Mode::TimeSlices},
                                              {Kind::MPS, Mode::Mps},
                                              {Kind::FRACTIONS, Mode::Fractions}};
  const auto* const mode = std::ranges::find(kModes, r.first_kind(), &std::pair<Kind, Mode>::first);
  ast::Partition out;
  out.mode = mode == std::end(kModes) ? Mode::Dra : mode->second;
  out.span = r.span();
  if (out.mode != Mode::Mig) {
    if (r.last() - r.first() == 2) out.share = number(r, r.first() + 1);
    return out;
  }
  out.counted = r.kind(r.first() + 1) == Kind::FOR;
  if (out.counted) {
    out.layout = amounts(r.the(Rule::migCounts).the(Rule::amounts));
    return out;
  }
  for (const Reader& slices : r.the(Rule::migLayout).all(Rule::migSlices)) {
    const Reader written = slices.the(Rule::quantity);
    out.starts.emplace_back();
    if (written.last() != slices.last()) out.starts.back() = number(slices, slices.last() - 1);
    out.layout.push_back(quantity(written));
  }
  return out;
}

decltype(ast::ClassItem::node) class_item_beyond_quotas(const Reader& r) {
  const Kind kind = r.first_kind();
  if (kind == Kind::SLO) {
    const auto called = names(r);
    return ast::ClassSlo{called[0], called[1], quantity(r.the(Rule::quantity)), during(r)};
  }
  if (kind == Kind::BURST) {
    const auto both = r.all(Rule::quantity);
    return ast::ClassBurst{quantity(both[0]), quantity(both[1])};
  }
  if (kind == Kind::HEADROOM) return ast::ClassHeadroom{quantity(r.the(Rule::quantity))};
  if (kind == Kind::FLOOR) return ast::ClassFloor{rate(r.the(Rule::rate))};
  return ast::ClassPreemptible{};
}

decltype(ast::Decl::node) declaration_beyond_quotas(const Reader& r) {
  const Kind kind = r.first_kind();
  if (kind == Kind::HARDWARE) return hardware(r);
  if (kind == Kind::SERVICE) return service(r);
  if (kind == Kind::LIMIT) return gateway(r);
  if (kind == Kind::CALENDAR) return calendar(r);
  if (kind == Kind::PRICE) {
    const auto called = names(r);
    return ast::Price{quantity(r.the(Rule::quantity)), called[0], called[1], r.word(r.last() - 1)};
  }
  if (kind == Kind::INCIDENT) return ast::Incident{r.word(r.last() - 1)};
  if (kind == Kind::LEVER) return lever(r);
  return ast::Approve{name(r.the(Rule::name)), r.word(r.last() - 1)};
}

}  // namespace gpol::syntax
