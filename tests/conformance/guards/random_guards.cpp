#include "tests/conformance/guards/random_guards.h"

namespace gpol::random_guards {

namespace {

const std::vector<std::string> kKeys = {"team", "gpol.dev/role", "gpol.dev/class", "queue"};
const std::vector<std::string> kTexts = {"a", "batch", "", "serving", "gpol.dev/role", "12"};
const std::vector<std::string> kParts = {"gpol.dev/", "b", "", "ing", "gpol.dev/r"};

std::string quoted(const std::string& text) { return "'" + text + "'"; }

std::string labels(Dice& dice) { return dice.one_in(4) ? "oldObject.metadata.labels" : "object.metadata.labels"; }

std::string text(Dice& dice, int depth, bool wild);
std::string number(Dice& dice, int depth, bool wild);

// Of an open type: what a request has somewhere.
std::string anything(Dice& dice, int depth, bool wild) {
  switch (dice.below(wild ? 12 : 7)) {
    case 0:
      return labels(dice) + "[" + quoted(dice.of(kKeys)) + "]";
    case 1:
      return "object.spec.grace";
    case 2:
      return "object.spec.name";
    case 3:
      return "object.spec.on";
    case 4:
      return "object.spec.containers[" + std::to_string(dice.below(2)) + "].name";
    case 5:
      return "object.metadata.?labels[?" + quoted(dice.of(kKeys)) + "].orValue(" + quoted(dice.of(kTexts)) + ")";
    case 6:
      return "request.userInfo.username";
    case 7:
      return "object.spec.?none.?more.orValue(dyn(" + std::to_string(dice.below(3)) + "))";
    case 8:
      return "dyn(" + text(dice, depth - 1, wild) + ")";
    case 9:
      return "object.metadata.labels.team.more";
    case 10:
      return "oldObject";
    default:
      return "object.metadata";
  }
}

std::string text(Dice& dice, int depth, bool wild) {
  if (depth <= 0 || dice.one_in(2)) return quoted(dice.of(kTexts));
  switch (dice.below(wild ? 5 : 3)) {
    case 0:
    case 1:
      return anything(dice, depth - 1, wild);
    case 2:
      return "request.operation";
    case 3:
      return "(" + text(dice, depth - 1, wild) + " + " + text(dice, depth - 1, wild) + ")";
    default:
      return "string(" + number(dice, depth - 1, wild) + ")";
  }
}

std::string number(Dice& dice, int depth, bool wild) {
  if (depth <= 0 || dice.one_in(2)) return std::to_string(dice.below(4) - 1);
  switch (dice.below(wild ? 7 : 4)) {
    case 0:
    case 1:
      return "object.spec.grace";
    case 2:
      return dice.one_in(2) ? "object.spec.containers.size()" : "size(" + labels(dice) + ")";
    case 3:
      return "int(" + text(dice, depth - 1, wild) + ")";
    case 4: {
      const std::vector<std::string> kSigns = {" + ", " - ", " * ", " / ", " % "};
      return "(" + number(dice, depth - 1, wild) + dice.of(kSigns) + number(dice, depth - 1, wild) + ")";
    }
    case 5:
      return "-" + number(dice, depth - 1, wild);
    default:
      return dice.one_in(2) ? "1.5" : "double(1)";
  }
}

// Something to go through, with what can be said of an element `x`.
std::string walk(Dice& dice, int depth, bool wild) {
  const std::vector<std::string> kWalks = {"all", "exists", "all", "exists", "exists_one"};
  const std::string how = "." + dice.of(kWalks);
  const auto of_text = [&](const std::string& x) -> std::string {
    switch (dice.below(4)) {
      case 0:
        return x + ".startsWith(" + quoted(dice.of(kParts)) + ")";
      case 1:
        return x + (dice.one_in(2) ? " == " : " != ") + quoted(dice.of(kTexts));
      case 2:
        return x + " in [" + quoted(dice.of(kTexts)) + ", " + quoted(dice.of(kKeys)) + "]";
      default:
        return depth > 0 ? x + " in " + labels(dice) : x + ".endsWith(" + quoted(dice.of(kParts)) + ")";
    }
  };
  switch (dice.below(wild ? 6 : 4)) {
    case 0: {
      const std::string more = dice.one_in(2) ? " && " + labels(dice) + "[k] " + (dice.one_in(2) ? "==" : "!=") + " " +
                                                    (dice.one_in(2) ? quoted(dice.of(kTexts)) : labels(dice) + "[k]")
                                              : "";
      return labels(dice) + how + "(k, " + (dice.one_in(3) ? "!" : "") + of_text("k") + more + ")";
    }
    case 1:
      return "object.metadata.finalizers" + how + "(f, " + of_text("f") + ")";
    case 2:
      return "object.spec.containers" + how + "(c, " + (dice.one_in(2) ? "has(c.limits) && " : "") +
             (dice.one_in(2) ? "c.limits.exists(k, " + of_text("k") + ")" : of_text("c.name")) + ")";
    case 3:
      return "request.userInfo.groups" + how + "(g, " + of_text("g") + ")";
    case 4:
      return "object.metadata.finalizers.filter(f, " + of_text("f") + ").map(f, f + 'x')" + how + "(y, " +
             of_text("y") + ")";
    default:
      return "[1, 2, object.spec.grace].map(x, x * 2)" + how + "(x, x > " + number(dice, 0, wild) + ")";
  }
}

}  // namespace

std::string expression(Dice& dice, int depth, bool wild) {
  if (depth > 0 && dice.one_in(2)) {
    const auto next = [&] { return expression(dice, depth - 1, wild); };
    switch (dice.below(4)) {
      case 0:
        return "(" + next() + " && " + next() + ")";
      case 1:
        return "(" + next() + " || " + next() + ")";
      case 2:
        return "!(" + next() + ")";
      default:
        return "(" + next() + " ? " + next() + " : " + next() + ")";
    }
  }
  const std::vector<std::string> kFields = {"object.metadata.labels",    "object.metadata.finalizers",
                                            "object.spec.grace",         "object.spec.name",
                                            "oldObject.metadata.labels", "object.spec.name.x",
                                            "request.userInfo.groups",   "object.metadata.labels.team"};
  const std::vector<std::string> kOrders = {" < ", " <= ", " > ", " >= ", " == ", " != "};
  switch (dice.below(wild ? 12 : 9)) {
    case 0:
      return "has(" + dice.of(kFields) + ")";
    case 1:
      return quoted(dice.of(kKeys)) + " in " + labels(dice);
    case 2:
      return anything(dice, depth, wild) + (dice.one_in(2) ? " == " : " != ") + text(dice, depth, wild);
    case 3:
      return "object.spec.grace" + dice.of(kOrders) + number(dice, depth, wild);
    case 4:
      return "object.spec.on == " + std::string(dice.one_in(2) ? "true" : "false");
    case 5: {
      if (dice.one_in(2)) return dice.one_in(2) ? "oldObject == null" : "request.operation == 'CREATE'";
      const std::string part = dice.of({".metadata.labels", ".metadata", ".spec", ".spec.containers", ""});
      return "object" + part + (dice.one_in(2) ? " == " : " != ") + "oldObject" + part;
    }
    case 6:
    case 7:
    case 8:
      return walk(dice, depth, wild);
    case 9:
      return number(dice, depth, wild) + dice.of(kOrders) +
             (dice.one_in(4) ? text(dice, depth, wild) : number(dice, depth, wild));
    case 10:
      return text(dice, depth, wild) + "." + dice.of({"startsWith", "contains", "endsWith", "matches"}) + "(" +
             quoted(dice.of(kParts)) + ")";
    default: {
      const std::vector<std::string> kQuantities = {"'1'", "'500m'", "'1Ki'", "'1.5'",
                                                    "'x'", "'1e3'",  "'2G'",  "object.spec.name"};
      return "quantity(" + dice.of(kQuantities) + ")." + dice.of({"isLessThan", "isGreaterThan"}) + "(quantity(" +
             dice.of(kQuantities) + "))";
    }
  }
}

cel::Value pod(Dice& dice) {
  cel::Map metadata{{"name", dice.of({"a", "special"})}}, spec;
  const auto some_labels = [&] {
    cel::Map map;
    for (const auto& key : kKeys)
      if (dice.one_in(3)) map[key] = dice.of(kTexts);
    return map;
  };
  if (cel::Map map = some_labels(); !map.empty()) metadata["labels"] = std::move(map);
  cel::List finalizers, containers;
  for (int i = dice.below(3); i > 0; --i) finalizers.emplace_back(dice.of(kTexts));
  if (!finalizers.empty()) metadata["finalizers"] = std::move(finalizers);
  if (dice.one_in(2)) spec["grace"] = dice.below(5) - 1;
  if (dice.one_in(8)) spec["grace"] = 1.5;
  if (dice.one_in(2)) spec["name"] = dice.of(kTexts);
  if (dice.one_in(2)) spec["on"] = dice.one_in(2);
  for (int i = dice.below(3); i > 0; --i) {
    cel::Map container{{"name", dice.of(kTexts)}};
    if (dice.one_in(2)) container["limits"] = some_labels();
    containers.emplace_back(std::move(container));
  }
  if (!containers.empty() || dice.one_in(3)) spec["containers"] = std::move(containers);
  return cel::Map{{"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", std::move(metadata)}, {"spec", std::move(spec)}};
}

cel::Value request(Dice& dice) {
  cel::Map out;
  const std::string operation = dice.of({"CREATE", "UPDATE", "DELETE"});
  out["operation"] = operation;
  out["kind"] = cel::Map{{"group", ""}, {"version", "v1"}, {"kind", "Pod"}};
  out["resource"] = cel::Map{{"group", ""}, {"version", "v1"}, {"resource", "pods"}};
  if (dice.one_in(4)) out["subResource"] = "status";
  out["name"] = dice.of({"a", "special"});
  const std::string ns = dice.of({"train", "chat"});
  out["namespace"] = ns;
  out["dryRun"] = false;
  cel::Map user{{"username", dice.of({"a", "batch"})}};
  if (dice.one_in(2)) user["groups"] = cel::List{dice.of(kTexts), "x"};
  out["userInfo"] = std::move(user);
  if (operation != "DELETE") out["object"] = pod(dice);
  if (operation != "CREATE") out["oldObject"] = pod(dice);
  if (operation == "UPDATE")  // most leave most as it was
    for (const char* part : {"metadata", "spec"})
      if (dice.one_in(2)) (*out["oldObject"].as<cel::Map>())[part] = (*out["object"].as<cel::Map>())[part];
  cel::Map labels{{"kubernetes.io/metadata.name", ns}};
  if (dice.one_in(2)) labels["team"] = dice.of(kTexts);
  out["namespaceObject"] = cel::Map{{"metadata", cel::Map{{"name", ns}, {"labels", std::move(labels)}}}};
  return out;
}

Set policies(Dice& dice, bool wild) {
  const auto selector = [&](const std::vector<std::string>& keys) {
    Selector out{true, {}, {}};
    if (!dice.one_in(8)) return out;
    const std::string op = dice.of({"In", "NotIn", "Exists", "DoesNotExist"});
    std::vector<std::string> values;
    if (op == "In" || op == "NotIn") values = {dice.of({"a", "batch", "train"})};
    out.expressions.push_back({dice.of(keys), op, std::move(values)});
    return out;
  };
  const auto rule = [&] {
    MatchResources::Rule out;
    out.groups = {dice.of({"", "*", ""})};
    out.versions = {dice.of({"v1", "*"})};
    out.operations = {dice.of({"CREATE", "UPDATE", "*", "*", "*", "*"})};
    out.resources = {dice.of({"pods", "pods/*", "*/*", "pods", "pods", "pods/*", "pods/status", "*", "jobs"})};
    if (dice.one_in(8)) out.names.push_back(dice.of({"a", "special"}));
    if (dice.one_in(12)) out.scope = dice.of({"Namespaced", "Cluster"});
    return out;
  };
  const auto match = [&](bool of_policy) {
    MatchResources out;
    if (of_policy || dice.one_in(6)) out.rules.push_back(rule());
    if (dice.one_in(12)) out.excluded.push_back(rule());
    out.namespaces = selector({"kubernetes.io/metadata.name", "team"});
    out.objects = selector(kKeys);
    out.equivalent = dice.one_in(2);
    return out;
  };
  Set set;
  for (int i = 1 + dice.below(2); i > 0; --i) {
    AdmissionPolicy policy;
    policy.name = "policy" + std::to_string(i);
    policy.fails_closed = !dice.one_in(4);
    policy.match = match(true);
    if (dice.one_in(3)) policy.conditions.push_back({"c", expression(dice, 1, wild)});
    if (dice.one_in(3)) policy.variables.push_back({"v", expression(dice, 1, wild)});
    for (int j = 1 + dice.below(2); j > 0; --j) {
      std::string text = expression(dice, 2, wild);
      if (!policy.variables.empty() && dice.one_in(2)) text = "(" + text + ") || variables.v";
      policy.validations.push_back({std::move(text), ""});
    }
    const std::string action = dice.of({"Deny", "Deny", "Deny", "Warn"});
    if (!dice.one_in(8)) set.bindings.push_back({"binding" + std::to_string(i), policy.name, {action}, match(false)});
    set.policies.push_back(std::move(policy));
  }
  return set;
}

}  // namespace gpol::random_guards
