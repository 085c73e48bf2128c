// The syntax tree of what lies beyond quotas: hardware, partitions, service levels, gateways, calendars, money,
// control. As in ast.h: what was written, where, and nothing more.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/syntax/ast_basics.h"

namespace gpol::ast {

struct Date {
  std::string text;  // "2026-12-25", "2026-10"
  Span span;
};

// `2M tokens/min`: the number may carry `k`, `M` or `G`.
struct Rate {
  Quantity amount;
  std::string thousands;  // as written; empty: none
};

// --- items of blocks of ast.h
struct NodesCeiling {
  Quantity amount;
};
struct NodesLead {
  Quantity time;
};
struct Partition {
  enum class Mode { Whole, Mig, TimeSlices, Mps, Fractions, Dra } mode = Mode::Whole;
  Amounts layout;                               // Mig: of each device
  std::vector<std::optional<Quantity>> starts;  // of `layout`, not `counted`: where those begin that are there already
  std::optional<Quantity> share;                // TimeSlices, Mps, Fractions: how many share a device
  bool counted = false;                         // Mig: `layout` is of the whole pool
  std::optional<Span> unmanaged;                // others cut and share the devices
  Span span;
};
struct ClassSlo {
  Name metric, percentile;
  Quantity below;
  std::optional<Name> window;
};
struct ClassBurst {
  Quantity factor, within;
};
struct ClassHeadroom {
  Quantity least;
};
struct ClassFloor {
  Rate rate;
};
struct ClassPreemptible {};
struct TenantBudget {
  Quantity money;
  Name period;
};

// --- hardware
struct EngineCount {
  Quantity count;
  Name engine;
};
struct MigItem {
  enum class Kind { Compute, Memory, Starts, Most, Engines } kind = Kind::Compute;
  std::vector<Quantity> numbers;
  std::vector<EngineCount> engines;
  Span span;
};
struct MigProfile {
  Name name;
  std::vector<MigItem> items;
};
struct HardwareMemory {
  Quantity memory;
};
struct HardwareSlices {
  Quantity compute, memory;
};
struct HardwareEngines {
  std::vector<EngineCount> engines;
};
struct HardwarePlacements {
  Name basis;
};
using HardwareItem = Item<HardwareMemory, HardwareSlices, HardwareEngines, HardwarePlacements, MigProfile>;
struct Hardware {
  Name name;
  std::vector<HardwareItem> items;
};

// --- services and gateways
struct ServiceReplicas {
  Quantity least;
  std::optional<Quantity> most;
};
struct ServiceEach {
  Amounts amounts;
};
struct ServiceThroughput {
  std::vector<Rate> rates;
};
struct ServiceVariation {
  Quantity value;
};
struct RequestClass {
  Name name;
  Quantity streams;
};
struct ServiceRequests {
  std::vector<RequestClass> classes;
};
struct EngineKnob {
  Name knob;
  std::string value;  // as written
  Span span;          // of the value
};
struct ServiceEngine {
  Name engine;
  std::vector<EngineKnob> knobs;
};
struct ServiceUnavailable {
  Quantity count;
};
struct Longest {
  Name of;  // `answer`, `prompt`
  Quantity amount;
};
struct ServiceLongest {
  std::vector<Longest> list;
};
struct ServiceLabel {
  std::vector<Name> labels;  // "app=assistant"
};
struct Caller {
  Name ns;
  std::optional<Name> label;
};
struct ServiceFrom {
  std::vector<Caller> callers;
};
using ServiceItem = Item<ServiceReplicas, ServiceEach, ServiceThroughput, ServiceVariation, ServiceUnavailable,
                         ServiceLongest, ServiceLabel, ServiceFrom, ServiceRequests, ServiceEngine>;
struct Service {
  Name name, tenant;
  std::vector<ServiceItem> items;
};

struct GatewayAmount {
  Rate rate;
  std::optional<Name> per;  // `proxy`, `global`
};
struct GatewayAtMost {
  std::vector<GatewayAmount> amounts;
  std::optional<Name> per;  // of all of them
};
struct GatewayProxies {
  std::optional<Quantity> least;  // of an autoscaler
  Quantity count;
};
struct GatewayHost {
  Name address, listener_word, listener, service, port_word;  // host and path; `listener` and its name; `port`
  Quantity port;
};
struct GatewayRoute {
  Name route;
  std::optional<Name> ns;
  std::optional<GatewayHost> host;  // the route is written, for this one
};
struct GatewayNoLimit {};
struct GatewayClass {
  std::vector<Name> classes;
};
struct GatewayQueue {
  Quantity length;
  std::optional<Name> per;
};
struct GatewayTimeout {
  Quantity time;
};
struct GatewayDeadline {
  Quantity time;
};
struct GatewayRetries {
  Quantity count;
};
struct GatewayLongest {
  Name what;  // `request`
  Quantity size;
};
struct GatewayElse {
  Quantity status, retry;
};
using GatewayItem = Item<GatewayAtMost, GatewayProxies, GatewayRoute, GatewayNoLimit, GatewayClass, GatewayQueue,
                         GatewayTimeout, GatewayDeadline, GatewayRetries, GatewayLongest, GatewayElse>;
struct GatewayLimit {
  Name tenant, gateway;
  std::optional<Name> ns;  // of the Gateway
  std::vector<GatewayItem> items;
};

// --- calendars, money, control
struct Calendar {
  Name name;
  std::vector<Date> dates;
};
struct Price {
  Quantity money;
  Name per;  // a unit of time
  Name pool;
  Name payer;  // with its @
};
struct Incident {
  Name payer;  // with its @
};

struct LeverNoAllow {
  std::optional<Name> window;
};
struct LeverHold {
  Name tenant;
};
struct LeverBy {
  Name handle;
};
using LeverItem = Item<LeverNoAllow, LeverHold, LeverBy>;
struct Lever {
  Name name;
  std::vector<LeverItem> items;
};
struct Approve {
  Name what;
  Name by;  // with its @
};

}  // namespace gpol::ast
