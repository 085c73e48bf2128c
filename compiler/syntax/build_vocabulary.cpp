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
  ast::MigItem out;
  out.span = r.span();
  switch (r.first_kind()) {
    case Kind::COMPUTE:
      out.kind = Item::Compute;
      break;
    case Kind::MEMORY:
      out.kind = Item::Memory;
      break;
    case Kind::STARTS:
      out.kind = Item::Starts;
      break;
    case Kind::AT:
      out.kind = Item::Most;
      break;
    default:
      out.kind = Item::Engines;
      out.engines = engine_counts(r.the(Rule::engineCounts));
      return out;
  }
  for (std::uint32_t token = r.first(); token < r.last(); ++token)
    if (r.kind(token) == Kind::NUMBER) out.numbers.push_back(number(r, token));
  return out;
}

ast::HardwareItem hardware_item(const Reader& r) {
  ast::HardwareItem out{r.span(), {}};
  switch (r.first_kind()) {
    case Kind::MEMORY:
      out.node = ast::HardwareMemory{quantity(r.the(Rule::quantity))};
      break;
    case Kind::SLICES:  // slices 7 compute, 8 memory
      out.node = ast::HardwareSlices{number(r, r.first() + 1), number(r, r.first() + 4)};
      break;
    case Kind::ENGINES:
      out.node = ast::HardwareEngines{engine_counts(r.the(Rule::engineCounts))};
      break;
    case Kind::PLACEMENTS:
      out.node = ast::HardwarePlacements{name(r.the(Rule::name))};
      break;
    default: {
      const Reader block = r.only();
      ast::MigProfile profile{block.word(block.first() + 1), {}};
      for (const Reader& item : block.all(Rule::migItem)) profile.items.push_back(mig_item(item));
      out.node = std::move(profile);
    }
  }
  return out;
}

ast::Hardware hardware(const Reader& r) {
  ast::Hardware out{name(r.the(Rule::name)), {}};
  for (const Reader& item : r.all(Rule::hardwareItem)) out.items.push_back(hardware_item(item));
  return out;
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

ast::ServiceItem service_item(const Reader& r) {
  ast::ServiceItem out{r.span(), {}};
  switch (r.first_kind()) {
    case Kind::REPLICAS: {
      ast::ServiceReplicas replicas{number(r, r.first() + 1), {}};
      if (r.last() - r.first() == 4) replicas.most = number(r, r.first() + 3);
      out.node = std::move(replicas);
      break;
    }
    case Kind::EACH:
      out.node = ast::ServiceEach{amounts(r.the(Rule::amounts))};
      break;
    case Kind::THROUGHPUT:
      out.node = ast::ServiceThroughput{rate(r.the(Rule::rate))};
      break;
    case Kind::VARIATION:
      out.node = ast::ServiceVariation{number(r, r.first() + 1)};
      break;
    case Kind::REQUESTS:
      out.node = requests(r.only());
      break;
    default:
      out.node = engine(r.only());
  }
  return out;
}

ast::Service service(const Reader& r) {
  const auto called = names(r);
  ast::Service out{called[0], called[1], {}};
  for (const Reader& item : r.all(Rule::serviceItem)) out.items.push_back(service_item(item));
  return out;
}

ast::GatewayItem gateway_item(const Reader& r) {
  ast::GatewayItem out{r.span(), {}};
  if (r.first_kind() == Kind::AT) {
    ast::GatewayAtMost most;
    for (const Reader& one : r.all(Rule::rate)) most.rates.push_back(rate(one));
    out.node = std::move(most);
  } else if (r.first_kind() == Kind::QUEUE) {
    out.node = ast::GatewayQueue{number(r, r.first() + 1), quantity(r.the(Rule::quantity))};
  } else {
    out.node = ast::GatewayElse{number(r, r.first() + 1), quantity(r.the(Rule::quantity))};
  }
  return out;
}

ast::GatewayLimit gateway(const Reader& r) {
  const auto called = names(r);
  ast::GatewayLimit out{called[0], called[1], {}};
  for (const Reader& item : r.all(Rule::gatewayItem)) out.items.push_back(gateway_item(item));
  return out;
}

ast::Calendar calendar(const Reader& r) {
  ast::Calendar out{name(r.the(Rule::name)), {}};
  for (std::uint32_t token = r.first(); token < r.last(); ++token)
    if (r.kind(token) == Kind::DATE) out.dates.push_back(date(r, token));
  return out;
}

ast::Lever lever(const Reader& r) {
  ast::Lever out{name(r.the(Rule::name)), {}};
  for (const Reader& item : r.all(Rule::leverItem)) {
    ast::LeverItem made{item.span(), {}};
    if (item.first_kind() == Kind::NO)
      made.node = ast::LeverNoAllow{during(item)};
    else if (item.first_kind() == Kind::HOLD)
      made.node = ast::LeverHold{name(item.the(Rule::name))};
    else
      made.node = ast::LeverBy{item.word(item.first() + 1)};
    out.items.push_back(std::move(made));
  }
  return out;
}

}  // namespace

ast::Date date(const Reader& r, std::uint32_t token) { return {r.text_of(token), r.span_of(token, token + 1)}; }

ast::Partition partition(const Reader& r) {
  using Mode = ast::Partition::Mode;
  ast::Partition out;
  out.span = r.span();
  switch (r.first_kind()) {
    case Kind::WHOLE:
      out.mode = Mode::Whole;
      break;
    case Kind::MIG:
      out.mode = Mode::Mig;
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
    case Kind::TIME_SLICES:
      out.mode = Mode::TimeSlices;
      break;
    case Kind::MPS:
      out.mode = Mode::Mps;
      break;
    case Kind::FRACTIONS:
      out.mode = Mode::Fractions;
      break;
    default:
      out.mode = Mode::Dra;
  }
  if (r.last() - r.first() == 2) out.share = number(r, r.first() + 1);
  return out;
}

void class_item_beyond_quotas(const Reader& r, ast::ClassItem& out) {
  switch (r.first_kind()) {
    case Kind::SLO: {
      const auto called = names(r);
      out.node = ast::ClassSlo{called[0], called[1], quantity(r.the(Rule::quantity)), during(r)};
      break;
    }
    case Kind::BURST: {
      const auto both = r.all(Rule::quantity);
      out.node = ast::ClassBurst{quantity(both[0]), quantity(both[1])};
      break;
    }
    case Kind::HEADROOM:
      out.node = ast::ClassHeadroom{quantity(r.the(Rule::quantity))};
      break;
    case Kind::FLOOR:
      out.node = ast::ClassFloor{rate(r.the(Rule::rate))};
      break;
    default:
      out.node = ast::ClassPreemptible{};
  }
}

void build_beyond_quotas(const Reader& r, ast::Decl& out) {
  switch (r.first_kind()) {
    case Kind::HARDWARE:
      out.node = hardware(r);
      break;
    case Kind::SERVICE:
      out.node = service(r);
      break;
    case Kind::LIMIT:
      out.node = gateway(r);
      break;
    case Kind::CALENDAR:
      out.node = calendar(r);
      break;
    case Kind::PRICE: {
      const auto called = names(r);
      out.node = ast::Price{quantity(r.the(Rule::quantity)), called[0], called[1], r.word(r.last() - 1)};
      break;
    }
    case Kind::INCIDENT:
      out.node = ast::Incident{r.word(r.last() - 1)};
      break;
    case Kind::LEVER:
      out.node = lever(r);
      break;
    default:
      out.node = ast::Approve{name(r.the(Rule::name)), r.word(r.last() - 1)};
  }
}

}  // namespace gpol::syntax
