#include "checker/observe/schema/configuration_rules.h"

#include <arpa/inet.h>

#include <array>
#include <cmath>
#include <set>

#include "checker/observe/schema/syntax.h"
#include "compiler/cluster/feature_gates.h"
#include "compiler/source/duration.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol::manifest::schema {
namespace {

bool is_older(const Look& root) {
  const Look api = root.get("apiVersion");
  return api.text().ends_with("/v1beta1");
}

void gates(const Look& root, const Report& report) {
  const Look given = root.get("featureGates");
  bool many = false;
  for (const Entry& entry : given.entries()) {
    many = many || entry.key == "AllAlpha" || entry.key == "AllBeta";
    const auto why = gate_not_understood(entry.key, entry.value.text == "true");
    if (why.find("does not start") != std::string::npos) report(given.entry(entry), why);
  }
  if (many) return;  // which are on is not known
  for (const GateNeed& broken : gates_without_need([&](std::string_view gate) { return gate_is_on(root, gate); })) {
    const auto named = [&](std::string_view gate) { return contains(given.entries(), gate, &Entry::key); };
    const bool off = named(broken.needed);
    const std::string gate(broken.gate), needed(broken.needed);
    for (const Entry& entry : given.entries())
      if (entry.key == (off ? needed : gate))
        report(given.entry(entry),
               off ? "is off, and `" + gate + "` is on, which needs it" : "needs `" + needed + "`, which is off");
  }
}

// Of v1beta1 it counts where it is enabled.
void wait_for_pods_ready(const Look& root, const Report& report) {
  const Look wait = root.get("waitForPodsReady"), enable = wait.get("enable"), timeout = wait.get("timeout");
  const bool older = is_older(root);
  if (!wait.present() || (older && !enable.is_true()) || gate_is_on(root, "DisableWaitForPodsReady")) return;
  const Look recovery = wait.get("recoveryTimeout");
  for (const Look* time : {&timeout, &recovery})
    if (time->present() && go_duration(time->text()).value_or(0) < 0) report(*time, "must be 0s or more");
  if (older && timeout.present() && go_duration(timeout.text()) == 0) report(timeout, "must be more than 0s");
  const Look strategy = wait.get("requeuingStrategy"), timestamp = strategy.get("timestamp");
  if (timestamp.present() && timestamp.text() != "Creation" && timestamp.text() != "Eviction")
    report(timestamp, shown(timestamp.text()) + " is none of `Creation`, `Eviction`");
  for (const auto key : {"backoffLimitCount", "backoffBaseSeconds", "backoffMaxSeconds"})
    if (const Look count = strategy.get(key); count.integer().value_or(0) < 0) report(count, "must be at least 0");
}

void fair_sharing(const Look& root, const Report& report) {
  const Look fair = root.get("fairSharing"), enable = fair.get("enable"), list = fair.get("preemptionStrategies");
  const bool older = is_older(root);
  if (!fair.present() || (older && (!enable.is_true() || list.size() == 0))) return;
  std::string names;
  for (const Look name : list.items()) names += std::string(name.text()) + ",";
  if (names != "LessThanOrEqualToFinalShare," && names != "LessThanInitialShare," &&
      names != "LessThanOrEqualToFinalShare,LessThanInitialShare,")
    report(list, "must be LessThanOrEqualToFinalShare, LessThanInitialShare, or both in this order");
}

bool is_dns1035_label(std::string_view text) { return is_label(text) && !is_digit(text[0]); }

void certificates(const Look& root, const Report& report) {
  const Look own = root.get("internalCertManagement"), enable = own.get("enable");
  if (enable.present() && !enable.is_true()) return;
  const Look service = own.get("webhookServiceName"), secret = own.get("webhookSecretName");
  if (service.present() && !is_dns1035_label(service.text()))
    report(service, shown(service.text()) + " is not " + std::string(described(Syntax::Label)) +
                        ", a letter first, at most 63 of them");
  if (secret.present() && !is_subdomain(secret.text()))
    report(secret, shown(secret.text()) + " is not " + std::string(described(Syntax::Subdomain)));
}

void transformations(const Look& list, const Report& report) {
  std::set<std::string_view> seen;
  for (const Look item : list.items())
    if (const Look input = item.get("input"); !seen.insert(input.text()).second)
      report(input, shown(input.text()) + " has a transformation already");
}

void quota_check(const Look& root, const Report& report) {
  const Look resources = root.get("resources"), strategy = resources.get("quotaCheckStrategy");
  if (!strategy.present() || !gate_is_on(root, "QuotaCheckStrategy")) return;
  const Look excluded = resources.get("excludeResourcePrefixes");
  const bool ignores = strategy.text() == "IgnoreUndeclared";
  if (ignores && excluded.size() > 0) report(excluded, "is refused beside quotaCheckStrategy IgnoreUndeclared");
  if (!ignores && strategy.text() != "BlockUndeclared")
    report(strategy, shown(strategy.text()) + " is none of `BlockUndeclared`, `IgnoreUndeclared`");
}

void ciphers(const Look& tls, const Report& report) {
  const Look least = tls.get("minVersion"), suites = tls.get("cipherSuites");
  if (least.text() == "VersionTLS13" && suites.size() > 0)
    report(suites, "must be empty where `minVersion` is `VersionTLS13`");
}

// As the Go with which Kueue v0.19.2 is built names them.
void curves(const Look& list, const Report& report) {
  std::set<std::int64_t> seen;
  for (const Look curve : list.items()) {
    const auto id = curve.integer().value_or(0);
    if (!contains(std::array{23, 24, 25, 29, 4587, 4588, 4589}, id)) report(curve, "is no curve that Go's TLS knows");
    if (!seen.insert(id).second) report(curve, "is in the list twice");
  }
}

void address(const Look& at, const Report& report) {
  in_addr four = {};
  in6_addr six = {};
  const std::string text(at.text());
  if (inet_pton(AF_INET, text.c_str(), &four) != 1 && inet_pton(AF_INET6, text.c_str(), &six) != 1)
    report(at, shown(text) + " is no IP address");
}

void narrow(const Look& number, const Report& report) {
  if (std::isinf(static_cast<float>(std::strtod(number.node()->text.c_str(), nullptr))))
    report(number, "is more than 32 bits can hold");
}

constexpr Rule kRules[] = {
    {"config:feature-gates", "", "", gates},
    {"config:wait-for-pods-ready", "", "", wait_for_pods_ready},
    {"config:fair-sharing", "", "", fair_sharing},
    {"config:certificate-names", "", "", certificates},
    {"config:transformation-twice", "", "resources.transformations", transformations},
    {"config:quota-check", "", "", quota_check},
    {"config:tls-ciphers", "", "tls", ciphers},
    {"config:tls-curves", "", "tls.curvePreferences", curves},
    {"config:address", "", "visibilityServer.bindAddress", address},
    {"config:number", "", "clientConnection.qps", narrow},
};

}  // namespace

std::span<const Rule> configuration_rules() { return kRules; }

bool gate_is_on(const Look& root, std::string_view gate) {
  const Look given = root.get("featureGates");
  const auto found = std::ranges::find(given.entries(), gate, &Entry::key);
  return found == given.entries().end() ? is_on_by_default(gate) : found->value.text == "true";  // null is false
}

}  // namespace gpol::manifest::schema
