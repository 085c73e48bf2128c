#include "cli/commands/given_roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "checker/observe/classes_file.h"
#include "cli/codes.h"
#include "compiler/source/edit_distance.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

using Kind = QueueRole::Kind;

Diagnostic mistake(Span span, std::string message, std::string hint) {
  return error_at(code::BadRole, span, std::move(message), std::move(hint));
}

class Roles {
 public:
  Roles(const Existing& existing, const std::set<std::string>* elsewhere, const volcano::Setup* volcano)
      : existing_(existing), elsewhere_(elsewhere), kind_(volcano == nullptr ? "ClusterQueue" : "Queue") {
    if (volcano != nullptr)
      for (const volcano::Queue& queue : volcano->queues) names_.push_back(queue.name);
    else
      for (const Queue& queue : existing.cluster.queues) names_.push_back(queue.name);
  }

  Outcome<NamedRoles> of(const VerifyOptions& options, const std::string& classes, const Config* config) {
    labels();
    flags(options);
    if (!classes.empty()) file(options.classes, classes);
    if (config != nullptr) configured(*config);
    lone_classes();
    return std::move(out_);
  }

 private:
  // A role by a flag: nothing else may give the other one in the same way.
  void flags(const VerifyOptions& options) {
    for (const auto& serving : options.serving) {
      if (!known(serving.queue, "--serving")) continue;
      NamedRole role{Kind::Serving, std::nullopt, std::nullopt};
      if (!serving.isolation.empty()) role.isolation = serving.isolation == "B" ? Isolation::B : Isolation::A;
      out_.value[serving.queue] = std::move(role);
    }
    flag(options.batch, Kind::Batch, "batch");
    flag(options.bounded, Kind::Bounded, "bounded");
  }

  void flag(const std::vector<std::string>& queues, Kind kind, std::string_view word) {
    for (const std::string& queue : queues) {
      if (!known(queue, fmt::format("--{}", word))) continue;
      const auto [at, fresh] = out_.value.try_emplace(queue, NamedRole{kind, std::nullopt, std::nullopt});
      if (fresh || at->second.kind == kind) continue;
      const std::string_view other = at->second.kind == Kind::Serving ? "serving" : "batch";
      out_.diagnostics.push_back(mistake({}, fmt::format("`{}` is given both roles, {} and {}", queue, other, word),
                                         fmt::format("name it in one of `--{}` and `--{}`", other, word)));
    }
  }

  void file(const std::string& path, const std::string& text) {
    const auto read = read_classes_file(text);
    for (const std::string& problem : read.problems)
      out_.diagnostics.push_back(mistake({}, fmt::format("`{}`: {}", path, problem),
                                         "write lines such as `chat: {role: serving, class: B, deadline: 4min}`"));
    for (const auto& [queue, said] : read.roles) {
      if (!known(queue, path)) continue;
      out_.value.try_emplace(queue, said);  // a flag comes first
    }
  }

  // Where a part of the repository is looked at, what it names may be elsewhere.
  void configured(const Config& config) {
    for (const auto& [queue, said] : config.said.roles)
      if (kind_ == "ClusterQueue" && !said.pool.empty() && here(queue))
        out_.diagnostics.push_back(
            mistake({}, fmt::format("`{}` gives `{}` a pool, and a ClusterQueue has flavors", config.path, queue),
                    "leave `pool` out: it is for Queues of Volcano"));
      else if (kind_ == "Queue" && here(queue) &&
               (!said.reserve.empty() || !said.replica.empty() || !said.shapes.empty()))
        out_.diagnostics.push_back(mistake(
            {}, fmt::format("`{}` gives `{}` what a Queue of Volcano has not", config.path, queue),
            "leave `reserve`, `replica` and `shapes` out: its reserve is what its `guarantee` and `deserved` say"));
      else if (config.whole ? known(queue, config.path) : here(queue))
        out_.value.try_emplace(queue, said);
  }

  using Words = std::span<const std::string_view>;
  static constexpr std::string_view kRoles[] = {"serving", "batch", "bounded"}, kClasses[] = {"A", "B", "C"},
                                    kPriorities[] = {"any"};

  static constexpr std::string_view kRead[] = {"gpol.dev/role", "gpol.dev/class", "gpol.dev/batch-priority"},
                                    kOthers[] = {"gpol.dev/revision", "gpol.dev/tenant", "gpol.dev/gpu-pool"};

  static bool has_no_role(std::string_view kind) {
    return kind == "LocalQueue" || kind == "Cohort" || kind == "ResourceFlavor";
  }

  void labels() {
    for (const RoleLabel& label : existing_.role_labels) {
      if ((label.kind == "Queue") != (kind_ == "Queue")) continue;
      if (!contains(kRead, label.key)) {
        // Anybody may have labels of their own; one that is nearly one of these was meant to be it.
        if (const auto near = nearest(label.key, kRead); near && !contains(kOthers, label.key))
          warn(label, "no label is called so", fmt::format("did you mean `{}`?", *near));
        continue;
      }
      const bool role = label.key == "gpol.dev/role", priority = label.key == "gpol.dev/batch-priority";
      if (!check_word(label, role ? Words(kRoles) : priority ? Words(kPriorities) : Words(kClasses))) continue;
      if (priority && label.kind != "ClusterQueue")
        warn(label, fmt::format("it opens priorities to the users of a queue, and a {} is none", label.kind),
             "label the ClusterQueue");
      else if (has_no_role(label.kind))
        warn(label, fmt::format("a {} has no {}", label.kind, role ? "role" : "class"), "label the ClusterQueue");
    }
  }

  // A class says how a serving queue is protected, and does not make one.
  void lone_classes() {
    std::set<std::pair<std::string_view, std::string_view>> with_role;  // kind and name
    for (const RoleLabel& label : existing_.role_labels)
      if (label.key == "gpol.dev/role") with_role.emplace(label.kind, label.name);
    for (const auto& [queue, role] : out_.value) with_role.emplace(kind_, queue);
    for (const RoleLabel& label : existing_.role_labels)
      if (label.key == "gpol.dev/class" && (label.kind == "Queue") == (kind_ == "Queue") && !has_no_role(label.kind) &&
          !with_role.contains({label.kind, label.name}))
        warn(label, "no label says that it serves", "label it `gpol.dev/role: serving`, too");
  }

  void warn(const RoleLabel& label, std::string_view why, std::string hint) {
    Diagnostic d = mistake(
        label.span, fmt::format("the label `{}` of {} `{}` says nothing: {}", label.key, label.kind, label.name, why),
        std::move(hint));
    d.severity = Severity::Warning;
    out_.diagnostics.push_back(std::move(d));
  }

  bool check_word(const RoleLabel& label, Words words) {
    if (contains(words, label.value)) return true;
    const auto near = nearest(label.value, words);
    std::string known;
    for (const std::string_view word : words) add_to_list(known, fmt::format("`{}`", word));
    out_.diagnostics.push_back(
        mistake(label.span, fmt::format("the label `{}` cannot be `{}`", label.key, label.value),
                near ? fmt::format("did you mean `{}`?", *near) : fmt::format("it is one of {}", known)));
    return false;
  }

  bool here(const std::string& queue) const { return contains(names_, queue); }

  bool known(const std::string& queue, const std::string& where) {
    if (here(queue)) return true;
    const auto& unread = existing_.unmodelled;
    if (!existing_.rejections.empty() ||  // it may be among those
        std::ranges::any_of(unread, [](const Unmodelled& one) { return one.dropped; }))
      return false;
    if (elsewhere_ != nullptr && elsewhere_->contains(queue)) return false;
    const auto near = nearest(queue, names_);
    out_.diagnostics.push_back(
        mistake({}, fmt::format("`{}` names `{}`, and no {} is called so", where, queue, kind_),
                near ? fmt::format("did you mean `{}`?", *near) : "give the file that holds it, or leave it out"));
    return false;
  }

  const Existing& existing_;
  const std::set<std::string>* elsewhere_;
  std::string_view kind_;  // of the queues
  std::vector<std::string_view> names_;
  Outcome<NamedRoles> out_;
};

}  // namespace

Outcome<NamedRoles> given_roles(const VerifyOptions& options, const std::string& classes, const Existing& existing,
                                const std::set<std::string>* elsewhere, const Config* config,
                                const volcano::Setup* volcano) {
  return Roles(existing, elsewhere, volcano).of(options, classes, config);
}

}  // namespace gpol
