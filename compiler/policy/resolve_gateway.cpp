// Limits at gateways: how much is let in, how long the rest waits, what is said to who is turned away.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/text.h"
#include "compiler/syntax/codes.h"

namespace gpol {

namespace {

struct Reading {
  Resolver& r;
  GatewayLimit& made;
  std::string of;  // "chat at public"
  std::optional<Span> most, queue, otherwise;

  void plan(std::string_view construct, std::string text, Span span) {
    note_planned(r, construct, "limit", of, std::move(text), span);
  }
};

void read(Reading& in, const ast::GatewayAtMost& item, Span span) {
  if (!first_time(in.r, in.most, span, "at most")) return;
  std::map<std::string, std::optional<Span>> first;
  std::string text;
  for (const ast::Rate& written : item.rates) {
    auto rate = rate_of(in.r, written, "a rate or streams", "200 req/s",
                        {Dimension::Requests, Dimension::Tokens, Dimension::Streams});
    if (!rate || !first_time(in.r, first[rate->of], written.amount.span, rate->of)) continue;
    add_to_list(text, text_of(written));
    in.made.most.push_back(std::move(*rate));
  }
  in.plan("gatewayAtMost", "at most " + text, span);
}

void read(Reading& in, const ast::GatewayQueue& item, Span span) {
  const bool first = first_time(in.r, in.queue, span, "queue");
  const auto length = count(item.length, "how many may wait", in.r.diagnostics);
  const auto wait = time_constant(in.r, item.wait, "queue ... for", Zero::Refused);
  if (!first || !length || !wait) return;
  in.made.queue = {*length, wait->value};
  in.plan("gatewayQueue", fmt::format("queue {} for {}", *length, text_of(item.wait)), span);
}

void read(Reading& in, const ast::GatewayElse& item, Span span) {
  const bool first = first_time(in.r, in.otherwise, span, "else");
  const auto status = count(item.status, "an HTTP status", in.r.diagnostics);
  const auto retry = time_constant(in.r, item.retry, "retry", Zero::Refused);
  if (status && *status != 429 && *status != 503)
    error(in.r, code::OutOfRange, item.status.span, fmt::format("a gateway that is full does not answer {}", *status),
          "write 429 (ask less) or 503 (not now)");
  if (!first || !status || !retry) return;
  in.made.otherwise = {*status, retry->value};
  in.plan("gatewayElse", fmt::format("else {} retry {}", *status, text_of(item.retry)), span);
}

}  // namespace

void resolve_limits(Resolver& r) {
  std::map<std::string, std::optional<Span>> seen;
  for (const auto& placed : r.declared.limits) {
    const ast::GatewayLimit& written = *placed.node;
    GatewayLimit made;
    made.tenant = r.tenants.find(written.tenant);
    made.gateway = written.gateway.text;
    made.span = placed.span;
    Reading in{r, made, written.tenant.text + " at " + written.gateway.text, {}, {}, {}};
    require_kubernetes_name("gateway", written.gateway.text, written.gateway.span, r.diagnostics);
    if (auto& first = seen[in.of]; first)
      error(r, code::DuplicateName, join(written.tenant.span, written.gateway.span),
            fmt::format("tenant `{}` is limited twice at gateway `{}`", written.tenant.text, written.gateway.text),
            "make them one")
          .labels.push_back({*first, "first limited here"});
    else
      first = join(written.tenant.span, written.gateway.span);
    for (const auto& item : written.items) std::visit([&](const auto& node) { read(in, node, item.span); }, item.node);
    if (!in.most)
      error(r, code::MissingClause, join(written.tenant.span, written.gateway.span), "this limit limits nothing",
            "add how much is let in: `at most 200 req/s`");
    if (made.tenant != kNone) r.policy.limits.push_back(std::move(made));
  }
}

}  // namespace gpol
