// What `gpol verify` says to change, changed: in random bundles each finding's edit takes it away and brings nothing
// new, and so do all of them together but those that say that they are to be made by themselves.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "cli/commands/verify.h"
#include "tests/conformance/verdicts/bundle.h"
#include "tests/support/catch.h"
#include "tests/support/random_tree.h"

using namespace gpol;
using namespace gpol::testing;

namespace {

constexpr std::uint64_t kBundles = 150;

// Queues that are stopped more often than people stop them, LocalQueues that are, and some that let nobody in.
std::string with_stops(const std::string& bundle, std::uint64_t seed) {
  Dice dice(seed);
  std::string out, locals;
  std::size_t queues = 0;
  for (std::size_t at = 0; at < bundle.size();) {
    const std::size_t end = std::min(bundle.find("---\n", at), bundle.size() - 4) + 4;
    std::string document = bundle.substr(at, end - at);
    at = end;
    const std::size_t spec = document.find("  namespaceSelector: {}\n");
    if (spec != std::string::npos) {
      const std::size_t name = document.find("  name: ") + 8;
      const std::string queue = document.substr(name, document.find('\n', name) - name);
      if (dice.one_in(3) && document.find("stopPolicy") == std::string::npos)
        document.insert(spec, dice.one_in(2) ? "  stopPolicy: Hold\n" : "  stopPolicy: HoldAndDrain\n");
      if (dice.one_in(2))
        locals +=
            "\n---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: main, namespace: " + queue +
            "}\nspec:\n  clusterQueue: " + queue + (dice.one_in(2) ? "\n  stopPolicy: Hold\n" : "\n");
      if (dice.one_in(6)) document.erase(document.find("  namespaceSelector: {}\n"), 24);
      ++queues;
    }
    out += document;
  }
  REQUIRE(queues > 0);
  return out + locals;
}

std::unique_ptr<Session> verified(const std::string& text) {
  VerifyOptions options;
  options.kueue = "0.19.2";
  std::vector<std::string> notes;
  auto session = verify_manifests({{"bundle.yaml", text}}, "", options, notes);
  for (const Diagnostic& d : session->report.diagnostics)
    if (d.severity == Severity::Error) FAIL(d.message << " in\n" << text);
  return session;
}

// What is not proven; why may change with an edit of another finding.
using Found = std::tuple<Family, std::string, std::string, std::string>;

Found found_in(const Obligation& o) {
  return {o.family, std::string(o.subject.name), std::string(o.subject.flavor), std::string(o.subject.resource)};
}

bool finds(const Obligation& o) { return o.required && o.verdict != Verdict::Proven; }

std::set<Found> findings(const Report& report) {
  std::set<Found> all;
  for (const Obligation& o : report.obligations)
    if (finds(o)) all.insert(found_in(o));
  return all;
}

// From the last to the first; of those at one place the first stands first.
std::string with(std::string text, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.replace.begin < b.replace.begin; });
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
    text.replace(edit->replace.begin, edit->replace.end - edit->replace.begin, edit->with);
  return text;
}

void nothing_new(const std::set<Found>& before, const std::set<Found>& after) {
  for (const Found& one : after) {
    const auto& [family, name, flavor, resource] = one;
    INFO(family_name(family) << " of " << name << " " << flavor << " " << resource << " is new");
    CHECK(before.contains(one));
  }
}

struct Made {
  std::size_t followed = 0, alone = 0, together = 0;
};

void follow(const std::string& text, Made& made) {
  const auto before = verified(text);
  const std::set<Found> known = findings(before->report);
  std::set<Found> mended;
  std::vector<Edit> all;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::string>> edits;
  std::set<std::pair<std::uint32_t, std::uint32_t>> replaced;
  bool clash = false;  // two values for one field: one of them has to be chosen
  std::map<std::string, std::set<Found>> tried;
  for (const Obligation& o : before->report.obligations) {
    if (!finds(o) || !o.detail || !o.detail->fix || o.detail->fix->edits.empty()) continue;
    const Fix& fix = *o.detail->fix;
    INFO(o.detail->message);
    INFO(fix.text);
    if (!tried.contains(fix.text)) {
      ++made.followed;
      tried[fix.text] = findings(verified(with(text, fix.edits))->report);
    }
    const auto& left = tried[fix.text];
    CHECK_FALSE(left.contains(found_in(o)));
    nothing_new(known, left);
    if (fix.text.ends_with("before it is verified again")) {
      ++made.alone;
      continue;
    }
    mended.insert(found_in(o));
    for (const Edit& edit : fix.edits) {
      const std::pair at{edit.replace.begin, edit.replace.end};
      if (!edits.emplace(at.first, at.second, edit.with).second) continue;
      clash = clash || (at.first < at.second && !replaced.insert(at).second);
      all.push_back(edit);
    }
  }
  if (mended.size() < 2 || clash) return;
  ++made.together;
  const auto left = findings(verified(with(text, all))->report);
  for (const Found& one : mended) {
    INFO(std::get<1>(one));
    CHECK_FALSE(left.contains(one));
  }
  nothing_new(known, left);
}

}  // namespace

TEST_CASE("edits: each takes its finding away and brings nothing new, and all together do") {
  Made made;
  for (std::uint64_t seed = 0; seed < kBundles; ++seed) {
    INFO("seed " << seed);
    std::string text = verdicts::random_bundle(seed);
    if (seed % 2 == 1) text = with_stops(text, seed);
    if (seed % 4 == 3)  // class A alone
      for (std::size_t at = 0; (at = text.find("class: B", at)) != std::string::npos;) text[at + 7] = 'A';
    follow(text, made);
  }
  std::printf("edits: %zu followed, %zu of them by themselves; %zu times all together\n", made.followed, made.alone,
              made.together);
  CHECK(made.followed > kBundles / 4);
  CHECK(made.together > kBundles / 10);
  CHECK(made.alone * 50 < made.followed);
}
