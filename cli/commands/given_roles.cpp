#include "cli/commands/given_roles.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/observe/classes_file.h"
#include "compiler/source/edit_distance.h"

namespace gpol {

namespace {

using Kind = QueueRole::Kind;

Diagnostic mistake(Span span, std::string message, std::string hint) {
  return {Code::BadRole, Severity::Error, span, std::move(message), {}, std::move(hint)};
}

class Roles {
 public:
  explicit Roles(const Existing& existing) : existing_(existing) {
    for (const Queue& queue : existing.cluster.queues) names_.push_back(queue.name);
  }

  Outcome<NamedRoles> of(const VerifyOptions& options, const std::string& classes) {
    labels();
    flags(options);
    if (!classes.empty()) file(options.classes, classes);
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
    for (const std::string& queue : options.batch) {
      if (!known(queue, "--batch")) continue;
      const auto [at, fresh] = out_.value.try_emplace(queue, NamedRole{Kind::Batch, std::nullopt, std::nullopt});
      if (!fresh && at->second.kind == Kind::Serving)
        out_.diagnostics.push_back(mistake({}, fmt::format("`{}` is given both roles, serving and batch", queue),
                                           "name it in one of `--serving` and `--batch`"));
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

  void labels() {
    const Cluster& cluster = existing_.cluster;
    for (std::size_t q = 0; q < cluster.queues.size(); ++q) {
      const auto& labels = cluster.queues[q].labels;
      check_word(labels, "gpol.dev/role", {"serving", "batch"}, existing_.places.queues[q]);
      check_word(labels, "gpol.dev/class", {"A", "B", "C"}, existing_.places.queues[q]);
    }
    for (std::size_t c = 0; c < cluster.priority_classes.size(); ++c)
      check_word(cluster.priority_classes[c].labels, "gpol.dev/role", {"serving", "batch"},
                 existing_.places.priority_classes[c]);
  }

  void check_word(const std::map<std::string, std::string>& labels, const std::string& key,
                  const std::vector<std::string_view>& words, Span span) {
    const auto found = labels.find(key);
    if (found == labels.end() || std::find(words.begin(), words.end(), found->second) != words.end()) return;
    const auto near = nearest(found->second, words);
    std::string known;
    for (const std::string_view word : words) known += fmt::format("{}`{}`", known.empty() ? "" : ", ", word);
    out_.diagnostics.push_back(
        mistake(span, fmt::format("the label `{}` cannot be `{}`", key, found->second),
                near ? fmt::format("did you mean `{}`?", *near) : fmt::format("it is one of {}", known)));
  }

  bool known(const std::string& queue, const std::string& where) {
    if (std::find(names_.begin(), names_.end(), queue) != names_.end()) return true;
    if (!existing_.rejections.empty()) return false;  // it may be among those
    const auto near = nearest(queue, names_);
    out_.diagnostics.push_back(
        mistake({}, fmt::format("`{}` names `{}`, and no ClusterQueue is called so", where, queue),
                near ? fmt::format("did you mean `{}`?", *near) : "give the file that holds it, or leave it out"));
    return false;
  }

  const Existing& existing_;
  std::vector<std::string_view> names_;
  Outcome<NamedRoles> out_;
};

}  // namespace

Outcome<NamedRoles> given_roles(const VerifyOptions& options, const std::string& classes, const Existing& existing) {
  return Roles(existing).of(options, classes);
}

}  // namespace gpol
