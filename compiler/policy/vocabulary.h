// What a policy says beyond quotas, once every name and unit is settled: hardware, partitions, service levels,
// services, gateways, calendars, money, control. Part of Policy (policy.h); immutable after resolve(). Most of it is
// parsed and checked today and proven later: what a policy uses of that is listed in Policy::planned, and each use
// keeps the verdict from being proven (compiler/policy/constructs.h says which family will prove it).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/policy/resources.h"
#include "compiler/source/span.h"

namespace gpol {

// One use of a construct whose proof is planned.
struct PlannedUse {
  std::string construct;   // its rule in the grammar: "classSlo"
  std::string kind, name;  // what it is said of: "class", "realtime"
  std::string text;        // for people: "slo ttft p99 < 150ms"
  Span span;
};

// --- hardware
using Engines = std::vector<std::pair<std::string, std::int64_t>>;  // by name
struct MigProfile {
  std::string name;
  std::int64_t compute = 0;
  std::optional<std::int64_t> memory;  // memory slices; absent: nobody is known to have seen it
  std::vector<std::int64_t> starts;    // memory slices at which it may begin; empty: likewise
  std::optional<std::int64_t> most;    // of one device
  Engines engines;
};
struct Hardware {
  std::string name;
  std::optional<std::int64_t> memory;                  // bytes
  std::int64_t compute_slices = 0, memory_slices = 0;  // 0: it cannot be cut, or nobody is known to have seen how
  std::string placements;                              // sourced | template | unsourced; empty: it cannot be cut
  Engines engines;                                     // what all instances share
  std::vector<MigProfile> profiles;
  Span span;  // unknown: of the shipped catalogue
};

// --- partitions
struct Slices {
  std::string profile;
  std::int64_t count = 0;
};
// A slice where it stands: the first of its memory slices.
struct Instance {
  std::string profile;
  std::int64_t start = 0;
  friend bool operator==(const Instance&, const Instance&) = default;
};
struct Partition {
  enum class Mode : std::uint8_t { Whole, Mig, TimeSlices, Mps, Fractions, Dra } mode = Mode::Whole;
  std::vector<Slices> layout;       // of each device: Mig: its slices; TimeSlices, Mps: its shares (kShares)
  std::optional<Hardware> device;   // Mig: what is known of the devices
  bool counted = false;             // Mig: `layout` is what the whole pool offers, and how it is cut is worked out
  std::int64_t share = 0;           // TimeSlices, Mps, Fractions: how many share a device
  std::vector<Instance> held = {};  // Mig: those of `layout` that each device holds already
  bool unmanaged = false;           // others cut and share the devices so: nothing is written for it
  Span span;
};

// --- classes
struct Slo {
  std::string metric, percentile;  // ttft | itl | e2e | tpot; p50 .. p99.9
  std::int64_t below_ms = 0;
  std::uint32_t window = UINT32_MAX;  // into Policy::windows; none: always
};
struct Burst {
  std::int64_t factor = 0;  // in thousandths
  std::int64_t within_ms = 0;
};
// So many of something within a window, as it was written: 200 req/s is no 12,000 req/min, which may all come at once.
struct Rate {
  std::string of;                // "req", "tokens", "samples", "streams"
  std::int64_t thousandths = 0;  // of one
  std::int64_t window_ms = 0;    // 0: at once (streams)
};

// --- services and gateways
// The classes of requests that share a server.
inline constexpr std::array<std::string_view, 3> kRequestClasses = {"interactive", "standard", "opportunistic"};
struct Knob {
  std::string name, value;
};
using PodLabel = std::pair<std::string, std::string>;  // of pods: key, value
// Who reaches the pods of a service: pods of a namespace, with a label or any.
struct Caller {
  std::string ns;
  std::optional<PodLabel> label;
  Span span;
};
struct Service {
  std::string name;
  std::uint32_t tenant = 0;                                    // into Policy::tenants
  std::int64_t replicas_min = 0, replicas_max = 0;             // 0: not stated
  Resources each;                                              // of one replica
  std::vector<Rate> throughput;                                // of one replica
  std::optional<std::int64_t> variation;                       // in thousandths
  std::vector<std::pair<std::string, std::int64_t>> requests;  // class and its streams at once
  std::int64_t unavailable = 0;                                // replicas that may be away while it is updated
  std::optional<std::int64_t> longest;                         // answer, in ms
  std::optional<std::int64_t> prompt_tokens, answer_tokens;    // likewise
  std::vector<PodLabel> labels;                                // of its pods
  std::vector<Caller> callers;  // who reaches them, beside themselves; empty: nobody said
  std::string engine;
  std::vector<Knob> knobs;
  Span span, throughput_span, requests_span, unavailable_span, longest_span;
};
// Who counts: each proxy for itself, or the rate-limit service for all of them.
enum class CountedBy : std::uint8_t { NobodySaid, EachProxy, RateLimitService };
struct LimitAmount {
  Rate rate;
  CountedBy by = CountedBy::NobodySaid;
};
// An HTTPRoute that is written: which requests it takes, and where it leads them.
struct RouteHost {
  std::string host, path;  // a prefix, "/" for all
  std::string listener;    // of the Gateway
  std::string service;
  std::int64_t port = 0;
};
struct GatewayLimit {
  std::uint32_t tenant = 0;
  std::string gateway, gateway_ns;  // no namespace: that of the route
  std::string route, route_ns;      // an HTTPRoute; empty: not stated
  std::optional<RouteHost> host;    // the HTTPRoute is written, `gpol-` and its name; else it is there already
  std::optional<std::int64_t> longest_request;  // bytes
  std::vector<LimitAmount> most;
  bool unlimited = false;               // said: nobody limits it
  std::vector<std::string> classes;     // of requests; empty: not stated
  std::optional<std::int64_t> proxies;  // that run at most, those of an update included
  std::optional<std::int64_t> queue;    // how many wait
  CountedBy queue_by = CountedBy::NobodySaid;
  std::optional<std::int64_t> timeout, deadline;  // of the gateway, of the client; ms
  std::int64_t retries = 0;
  std::optional<std::pair<std::int64_t, std::int64_t>> otherwise;  // HTTP status, retry after (ms)
  Span span, most_span, waits_span;
};

// --- calendars, money, control
struct Calendar {
  std::string name;
  std::vector<std::string> dates;  // "2026-12-25", sorted
  Span span;
};
struct Money {
  std::int64_t thousandths = 0;
  std::string currency;
};
struct Price {
  Money money;      // for one GPU and one `per`
  std::string per;  // a unit of time
  std::uint32_t pool = 0;
  std::string payer;
};
struct Lever {
  std::string name, by;
  struct Stop {
    bool hold = false;                 // the queue of a tenant; else allows
    std::uint32_t index = UINT32_MAX;  // hold: into Policy::tenants; else into Policy::windows, or none: every allow
  };
  std::vector<Stop> stops;
  Span span;
};
inline constexpr std::string_view kApproveAll = "all";  // whatever changes
struct Approval {
  std::string what, by;
  bool guard = false;  // it can only be the name of a guard, which is known once they are planned
  Span span;           // of the name
};

}  // namespace gpol
