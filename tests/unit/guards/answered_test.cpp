// Questions of one form have one answer: their formulas are the same bytes, whatever names are put into them.
#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <set>

#include <fmt/format.h>

#include "checker/guards/answered.h"
#include "checker/guards/question.h"
#include "tests/answered/renamed.h"
#include "tests/support/catch.h"
#include "tests/unit/guards/support.h"

using namespace gpol;
using namespace gpol::guard_test;

namespace {

// Names that nothing knows, and texts that mean something to Kubernetes, to CEL or to the encoder.
const std::vector<std::string> kNames = {"chat",
                                         "train",
                                         "a",
                                         "kube-system",
                                         "Pod",
                                         "CREATE",
                                         "1",
                                         "-7",
                                         "8Gi",
                                         "system:nodes",
                                         "system:serviceaccount:a:b",
                                         "name",
                                         "labels",
                                         "metadata",
                                         "k",
                                         "",
                                         "pods",
                                         "team-chat",
                                         "chat-2",
                                         "$1",
                                         "$2",
                                         "kubernetes.io/metadata.name"};

// @0 to @3: names; %0 to %2: integers; &0 and &1: lists of names.
struct Template {
  std::string bad, validation;
  bool selects = true;  // the policy is not about all namespaces and objects
};
const std::vector<Template> kTemplates = {
    {"request.namespace in ['@0', '@1'] && has(object.metadata.labels) && 'k' in object.metadata.labels && "
     "object.metadata.labels['k'] == '@2'",
     "!has(object.metadata.labels) || !('k' in object.metadata.labels) || object.metadata.labels['k'] != '@2'"},
    {"request.userInfo.username.startsWith('system:') && request.userInfo.username != '@0'",
     "request.userInfo.username == '@1' || !request.userInfo.username.startsWith('system:serviceaccount:')"},
    {"has(object.metadata.annotations) && 'n' in object.metadata.annotations && "
     "int(object.metadata.annotations['n']) > 5 && object.metadata.annotations['n'] != '@0'",
     "!has(object.metadata.annotations) || object.metadata.annotations.all(k, k != '@1')"},
    {"has(object.metadata.annotations) && 'n' in object.metadata.annotations && "
     "quantity(object.metadata.annotations['n']).isGreaterThan(quantity('5'))",
     "!has(object.metadata.annotations) || !('n' in object.metadata.annotations) || object.metadata.annotations['n'] "
     "in ['@0', '@1']"},
    {"object.kind == '@0' && request.operation == '@1'", "object.kind != '@2' || request.resource.resource == '@3'"},
    {"has(object.metadata.labels) && object.metadata.labels.exists(k, k == '@0' && object.metadata.labels[k] == '@1')",
     "!has(object.metadata.labels) || object.metadata.labels.all(k, k.endsWith('-chat') || k != '@0')"},
    {"request.userInfo.username == '@0' || request.userInfo.username == '@1'",
     "!['system:', 'team-'].exists(p, request.userInfo.username.startsWith(p))"},
    {"request.userInfo.username == '@0' || request.userInfo.username == '@1'",
     "request.userInfo.username != 'team-' + 'chat'"},
    {"object.metadata.annotations.size() > %0 && request.namespace in ['@0', '@1']",
     "object.metadata.annotations.size() <= %1 || !(request.namespace in ['@0', '@1'])"},
    {"request.namespace == '@0' && object.spec.terminationGracePeriodSeconds > %0",
     "request.namespace != '@1' || object.spec.terminationGracePeriodSeconds <= %1"},
    {"request.namespace == '@0' && object.spec.priority in [%0, %1]",
     "object.spec.priority >= %2 || object.spec.priority != %0 && object.spec.priority < %1"},
    {"request.namespace == '@0' && object.spec.priority > (object.spec.kind == '@1' ? %0 : %1)",
     "object.spec.priority <= (object.spec.kind == '@1' ? %2 : %1)"},
    {"request.userInfo.groups.exists(g, g == '@0') && request.userInfo.username.matches('^chat$')",
     "!('@0' in request.userInfo.groups) || request.userInfo.username != '@1'"},
    {"request.namespace in [&0]", "!(request.namespace in [&0, &1])", false},
    {"request.namespace in [&0]", "!(request.namespace in [&1])", false},
    {"request.namespace in [&0] && request.userInfo.username in [&1]",
     "!(request.namespace in [&0]) || !(request.userInfo.username in [&1, '@0'])", false},
    {"request.namespace in [&0] && object.metadata.name in [&0] && object.metadata.name != request.namespace",
     "object.metadata.name == request.namespace || !(object.metadata.name in [&0]) || object.metadata.name in [&1]",
     false},
    {"request.namespace in [&0] && object.metadata.name in [&0] && object.metadata.name != request.namespace",
     "object.metadata.name != request.namespace", false},
    {"request.userInfo.username in [&0, &1] && !request.userInfo.username.startsWith('system:')",
     "!(request.userInfo.username in [&0])", false},
};

struct Filling {
  std::vector<std::string> names;
  std::vector<std::int64_t> numbers{1, 2, 3};
  std::vector<std::vector<std::string>> lists{};
  bool operator==(const Filling&) const = default;
};

std::string filled(std::string text, const Filling& with) {
  const auto fill = [&](const std::string& hole, const std::string& by) {
    while (text.find(hole) != std::string::npos) text.replace(text.find(hole), hole.size(), by);
  };
  for (std::size_t n = 0; n < with.names.size(); ++n) fill("@" + std::to_string(n), with.names[n]);
  for (std::size_t n = 0; n < with.numbers.size(); ++n) fill("%" + std::to_string(n), std::to_string(with.numbers[n]));
  for (std::size_t n = 0; n < with.lists.size(); ++n)
    fill("&" + std::to_string(n), fmt::format("'{}'", fmt::join(with.lists[n], "', '")));
  return text;
}

// Integers that stand in no formula for anything else.
const std::vector<std::int64_t> kNumbers = {-8'000'009, -8'000'008, 0, 9'000'001, 9'000'002, 9'000'070};

struct Asked {
  std::string form, formula;             // of six names in the place of each group
  bool denied = false, general = false;  // as it is asked; with six names
};

Asked ask(const Template& of, const Filling& with) {
  const auto& names = with.names;
  Cluster cluster = guarded(about("", "pods"), {filled(of.validation, with)});
  auto& match = cluster.admission_policies.front().match;
  if (of.selects) {
    match.namespaces.expressions.push_back({"kubernetes.io/metadata.name", "In", {names[0], names[1]}});
    match.objects.expressions.push_back({"team", "NotIn", {names[2]}});
  }
  const auto policies = prepare_policies(cluster.admission_policies, cluster.admission_bindings);
  REQUIRE(policies.front().exists == Tri::Yes);
  const AdmissionTarget pods = target("CREATE", "", "pods");
  const cel::Parsed bad = cel::parse(filled(of.bad, with));
  REQUIRE(bad.expr);
  const OneValidation one{&policies.front(), 0};
  const FormPart denies = part_of(one);
  const std::vector<FormPart> wanted = parts_of(*bad.expr);
  std::vector<const FormPart*> parts{&denies};
  for (const FormPart& part : wanted) parts.push_back(&part);
  const Form form = form_of(pods, parts);
  Asked asked{form.digest, "", false, false};
  std::set<std::int64_t> used{0};
  for (std::size_t n = 0; n < with.numbers.size(); ++n)
    if ((of.bad + of.validation).find("%" + std::to_string(n)) != std::string::npos) used.insert(with.numbers[n]);
  const auto place = [&](std::int64_t number) { return std::distance(used.begin(), used.find(number)); };
  std::map<std::int64_t, std::string> symbols;
  for (const std::int64_t number : used)
    if (number != 0) symbols[number] = "number " + std::to_string(place(number) - place(0));
  Solver solver({}, [&](const Formula& formula, const Answer&) {
    asked.formula += smtlib(answered::with_symbols(formula, symbols, {}));
  });
  const answered::Renaming how = answered::renaming_of(form, 6, 0);
  const answered::RenamedPolicies alike({one}, how);
  const auto denied = [&](const std::vector<const PreparedPolicy*>& asked_of, const cel::ExprPtr& expr, Solver& by) {
    std::map<std::string, symbolic::PathPlan> plan;
    return reach_past(Cluster{}, asked_of, pods, expr, by, plan).kind == Reach::Kind::Denied;
  };
  Solver quiet;
  asked.general = denied(alike.policies(), answered::renamed(bad.expr, how), solver);
  asked.denied = denied({&policies.front()}, bad.expr, quiet);
  return asked;
}

}  // namespace

TEST_CASE("questions about guards: of one form the formulas are the same bytes, but for the sizes of groups") {
  std::mt19937 dice(7);
  std::size_t again = 0, renamed = 0, denied = 0, of_lists = 0;
  for (const Template& of : kTemplates) {
    std::map<std::string, std::pair<std::string, Filling>> by_form;
    for (int i = 0; i < 120; ++i) {
      Filling with;
      for (int n = 0; n < 4; ++n) with.names.push_back(kNames[dice() % kNames.size()]);
      for (std::int64_t& number : with.numbers) number = kNumbers[dice() % kNumbers.size()];
      for (int n = 0; n < 2; ++n) {
        std::set<std::string> names;
        for (auto left = 1 + dice() % 4; left > 0; --left)
          names.insert(dice() % 6 == 0 ? kNames[dice() % kNames.size()] : fmt::format("team-{}", dice() % 8));
        with.lists.emplace_back(names.begin(), names.end());
        std::ranges::shuffle(with.lists.back(), dice);
      }
      const Asked asked = ask(of, with);
      INFO(filled(of.bad, with) << "\n" << filled(of.validation, with));
      if (asked.general) CHECK(asked.denied);
      denied += asked.denied ? 1 : 0;
      const auto [known, fresh] = by_form.emplace(asked.form, std::pair(asked.formula, with));
      if (fresh) continue;
      INFO("and " << filled(of.bad, known->second.second) << "\n" << filled(of.validation, known->second.second));
      CHECK(known->second.first == asked.formula);
      ++again;
      of_lists += known->second.second.lists[0].size() != with.lists[0].size() && asked.general ? 1 : 0;
      renamed += known->second.second != with ? 1 : 0;
    }
  }
  CHECK(again > 100);
  CHECK(renamed > 80);
  CHECK(denied > 80);
  CHECK(of_lists > 20);
}

TEST_CASE("questions about guards: a name that means something makes another form") {
  const Template& kind = kTemplates[4];
  const auto form = [&](const Template& of, const std::vector<std::string>& names) { return ask(of, {names}).form; };
  CHECK(form(kind, {"a", "b", "c", "d"}) == form(kind, {"w", "x", "y", "z"}));
  CHECK(form(kind, {"a", "b", "c", "d"}) != form(kind, {"a", "b", "a", "d"}));
  CHECK(form(kind, {"a", "CREATE", "c", "d"}) != form(kind, {"a", "b", "c", "d"}));
  CHECK(form(kind, {"a", "b", "c", "pods"}) != form(kind, {"a", "b", "c", "d"}));
  CHECK(form(kTemplates[1], {"system:x", "b", "c", "d"}) != form(kTemplates[1], {"a", "b", "c", "d"}));
  CHECK(form(kTemplates[2], {"12", "b", "c", "d"}) != form(kTemplates[2], {"a", "b", "c", "d"}));
  CHECK(form(kTemplates[0], {"a", "b", "k", "d"}) != form(kTemplates[0], {"a", "b", "c", "d"}));
}

TEST_CASE("questions about guards: integers in another order make another form") {
  const auto form = [&](std::vector<std::int64_t> numbers) {
    const auto& in = *std::ranges::find_if(kTemplates, [](const Template& of) { return of.bad.ends_with("[%0, %1]"); });
    return ask(in, {{"a", "b", "c", "d"}, std::move(numbers)}).form;
  };
  CHECK(form({1, 2, 3}) == form({5, 60, 7'000}));
  CHECK(form({1, 2, 3}) != form({1, 3, 2}));
  CHECK(form({1, 2, 3}) != form({1, 2, 2}));
  CHECK(form({1, 2, 3}) != form({0, 1, 2}));
  CHECK(form({1, 2, 3}) != form({-1, 2, 3}));
}
