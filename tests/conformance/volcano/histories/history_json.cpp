#include <yaml-cpp/yaml.h>

#include <sstream>

#include "tests/conformance/volcano/histories/history.h"

namespace gpol::volcano::histories {

namespace {

// Names and values have nothing that JSON escapes but the ends of lines.
std::string json_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text)
    if (c == '\n')
      result += "\\n";
    else if (c == '"' || c == '\\')
      (result += '\\') += c;
    else
      result += c;
  return result + '"';
}

template <class Items, class Write>
std::string joined(const Items& items, char open, char close, const Write& write) {
  std::string result(1, open);
  for (const auto& item : items) {
    if (result.size() > 1) result += ',';
    result += write(item);
  }
  return result + close;
}

std::string strings(const std::map<std::string, std::string>& of) {
  return joined(of, '{', '}', [](const auto& entry) { return json_text(entry.first) + ":" + json_text(entry.second); });
}

std::string list(const std::vector<std::string>& of) {
  return joined(of, '[', ']', [](const auto& name) { return json_text(name); });
}

std::string amounts(const Amounts& of) {
  return joined(of, '{', '}', [](const auto& entry) {
    return json_text(entry.first) + ":" + json_text(std::to_string(entry.second) + (entry.first == "cpu" ? "m" : ""));
  });
}

std::string groups(const NodeGroups& of) {
  return "{\"requiredDuringSchedulingIgnoredDuringExecution\":" + list(of.required) +
         ",\"preferredDuringSchedulingIgnoredDuringExecution\":" + list(of.preferred) + "}";
}

std::string conf(const SchedulerConfig& config) {
  std::ostringstream text;
  text << "actions: \"";
  for (std::size_t i = 0; i < config.actions.size(); ++i) text << (i > 0 ? ", " : "") << config.actions[i];
  text << "\"\ntiers:\n";
  for (const auto& tier : config.tiers) {
    text << "- plugins:\n";
    for (const auto& plugin : tier) {
      text << "  - name: " << plugin.name << "\n";
      for (const auto& [flag, on] : plugin.flags) text << "    " << flag << ": " << (on ? "true" : "false") << "\n";
      if (!plugin.arguments.empty()) text << "    arguments:\n";
      for (const auto& [name, value] : plugin.arguments) text << "      " << name << ": " << value << "\n";
    }
  }
  return text.str();
}

std::string node(const Node& of) {
  return "\"do\":\"node\",\"name\":" + json_text(of.name) + ",\"labels\":" + strings(of.labels) +
         ",\"allocatable\":" + amounts(of.allocatable) + ",\"unschedulable\":" + (of.unschedulable ? "true" : "false") +
         ",\"taints\":" + joined(of.taints, '[', ']', [](const Taint& taint) {
           return "{\"key\":" + json_text(taint.key) + ",\"value\":" + json_text(taint.value) +
                  ",\"effect\":" + json_text(taint.effect) + "}";
         });
}

std::string queue(const Queue& of, bool open) {
  std::string spec = "{\"reclaimable\":true,\"weight\":1,\"priority\":" + std::to_string(of.priority);
  if (of.name != kRootQueue) spec += ",\"parent\":" + json_text(of.parent);
  if (!of.capability.empty()) spec += ",\"capability\":" + amounts(of.capability);
  if (!of.deserved.empty()) spec += ",\"deserved\":" + amounts(of.deserved);
  if (!of.guarantee.empty()) spec += ",\"guarantee\":{\"resource\":" + amounts(of.guarantee) + "}";
  if (of.affinity != NodeGroups{} || of.anti_affinity != NodeGroups{})
    spec += ",\"affinity\":{\"nodeGroupAffinity\":" + groups(of.affinity) +
            ",\"nodeGroupAntiAffinity\":" + groups(of.anti_affinity) + "}";
  return "\"do\":\"queue\",\"object\":{\"metadata\":{\"name\":" + json_text(of.name) + "},\"spec\":" + spec +
         "},\"status\":{\"state\":" + (open ? "\"Open\"" : "\"Closed\"") + "}}";
}

std::string pod(const Pod& of) {
  return "{\"name\":" + json_text(of.name.substr(of.name.find('/') + 1)) + ",\"requests\":" + amounts(of.requests) +
         ",\"nodeSelector\":" + strings(of.node_selector) + ",\"tolerations\":" +
         joined(of.tolerations, '[', ']',
                [](const Toleration& toleration) {
                  return "{\"key\":" + json_text(toleration.key) + ",\"operator\":" + json_text(toleration.op) +
                         ",\"value\":" + json_text(toleration.value) + ",\"effect\":" + json_text(toleration.effect) +
                         "}";
                }) +
         "}";
}

std::string split_name(const std::string& name) {
  const std::size_t slash = name.find('/');
  return "\"namespace\":" + json_text(name.substr(0, slash)) + ",\"name\":" + json_text(name.substr(slash + 1));
}

std::string job(const Job& of) {
  std::string text = "\"do\":\"job\"," + split_name(of.name) + ",\"queue\":" + json_text(of.queue) +
                     ",\"minMember\":" + std::to_string(of.min_member);
  if (of.min_resources) text += ",\"minResources\":" + amounts(*of.min_resources);
  if (of.priority != 0) text += ",\"priority\":" + std::to_string(of.priority);
  return text + ",\"pods\":" + joined(of.pods, '[', ']', pod);
}

std::string step(const Step& of) {
  switch (of.action) {
    case Step::Do::PutNode:
      return node(of.node);
    case Step::Do::RemoveNode:
      return "\"do\":\"remove-node\",\"name\":" + json_text(of.name);
    case Step::Do::PutQueue:
      return queue(of.queue, of.open);
    case Step::Do::RemoveQueue:
      return "\"do\":\"remove-queue\",\"name\":" + json_text(of.name);
    case Step::Do::PutJob:
      return job(of.job);
    case Step::Do::RemoveJob:
      return "\"do\":\"remove-job\"," + split_name(of.name);
    case Step::Do::Session:
      return "\"do\":\"session\"";
    case Step::Do::Delete:
      return "\"do\":\"delete\",\"pod\":" + json_text(of.name);
    case Step::Do::Gone:
      return "\"do\":\"gone\",\"pod\":" + json_text(of.name);
  }
  return {};
}

std::map<std::string, std::string> strings_of(const YAML::Node& node) {
  std::map<std::string, std::string> result;
  for (const auto& entry : node) result.emplace(entry.first.as<std::string>(), entry.second.as<std::string>());
  return result;
}

}  // namespace

std::string to_json(const History& history) {
  return "{\"name\":" + json_text(history.name) + ",\"repeats\":" + std::to_string(history.repeats) +
         ",\"conf\":" + json_text(conf(history.scheduler)) +
         ",\"steps\":" + joined(history.steps, '[', ']', [](const Step& of) { return "{" + step(of) + "}"; }) + "}\n";
}

Answer read_answer(const std::string& line) {
  const YAML::Node root = YAML::Load(line);
  Answer answer{root["name"].as<std::string>(), root["error"].as<std::string>(), {}};
  for (const auto& run : root["runs"]) {
    answer.runs.emplace_back();
    for (const auto& session : run["sessions"]) {
      Seen& seen = answer.runs.back().emplace_back();
      seen.bound = strings_of(session["bound"]);
      seen.podgroups = strings_of(session["podgroups"]);
      seen.evicted = session["evicted"].size();
      for (const auto& queue : session["limits"])
        for (const auto& entry : queue.second)
          seen.limits[queue.first.as<std::string>()][entry.first.as<std::string>()] = entry.second.as<double>();
      for (const auto& queue : session["held"])
        for (const auto& entry : queue.second)
          seen.held[queue.first.as<std::string>()][entry.first.as<std::string>()] = entry.second.as<std::int64_t>();
    }
  }
  return answer;
}

}  // namespace gpol::volcano::histories
