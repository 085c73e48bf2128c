// Latency classes: what each letter promises, and which clauses it may state.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/codes.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

struct Given {
  std::optional<Span> ready, grace, kill_margin, checkpoint, runs;
};

struct Reading {
  Resolver& r;
  LatencyClass& made;
  std::optional<Isolation> isolation;  // absent: the letter is wrong, so nothing is said of what fits it
  Given given;

  // GP0302 unless the class is of the one kind that may state the clause.
  void only_for(Isolation wanted, std::string_view clause, Span span) {
    if (!isolation || *isolation == wanted) return;
    error(r, code::ClassMismatch, span,
          fmt::format("`{}` does not fit class `{}`, which is {}", clause, made.name, letter(*isolation)),
          fmt::format("remove it: only a class {} states it", letter(wanted)));
  }
};

void read(Reading& in, const ast::ClassReady& item, Span span) {
  const bool first = first_time(in.r, in.given.ready, span, "ready within");
  in.only_for(Isolation::B, "ready within", span);
  const auto time = time_constant(in.r, item.within, "ready within", Zero::Refused);
  if (first) in.made.ready_within = time;
}

void read(Reading& in, const ast::ClassGrace& item, Span span) {
  const bool first = first_time(in.r, in.given.grace, span, "grace");
  const auto grace = time_constant(in.r, item.grace, "grace", Zero::Refused);
  // Kubernetes counts it in seconds, and a pod with none is gone before its containers are.
  if (grace && grace->value < 1000)
    error(in.r, code::OutOfRange, item.grace.span, "a grace of less than a second", "state `1s` or more");
  const auto saved = item.saved_in ? time_constant(in.r, *item.saved_in, "saved in", Zero::Allowed) : std::nullopt;
  if (!first) return;
  if (grace && saved && saved->value > grace->value)
    error(in.r, code::CheckpointTooSlow, saved->span,
          fmt::format("a checkpoint takes {} and the grace ends after {}", human_duration(saved->value),
                      human_duration(grace->value)),
          fmt::format("raise the grace to `{}s`, or save faster", (saved->value + 999) / 1000))
        .labels.push_back({grace->span, "the grace"});
  in.made.grace = grace;
  in.made.saved_in = saved;
}

void read(Reading& in, const ast::ClassKillMargin& item, Span span) {
  const bool first = first_time(in.r, in.given.kill_margin, span, "kill margin");
  const auto time = time_constant(in.r, item.margin, "kill margin", Zero::Allowed);
  if (first) in.made.kill_margin = time;
}

void read(Reading& in, const ast::ClassCheckpoint& item, Span span) {
  const bool first = first_time(in.r, in.given.checkpoint, span, "checkpoint every");
  in.only_for(Isolation::C, "checkpoint every", span);
  const auto time = time_constant(in.r, item.every, "checkpoint every", Zero::Refused);
  if (first) in.made.checkpoint_every = time;
}

// The kinds that Kueue has integrations for. Proofs speak of Jobs and Pods; one of the others beside them leaves open
// what batch runs, so that nothing is proven of it that a Job or a Pod alone would keep.
void read(Reading& in, const ast::ClassRuns& item, Span span) {
  constexpr std::string_view kKinds[] = {
      "Job",        "Pod",    "JobSet",    "RayJob",          "RayCluster",  "PyTorchJob", "MPIJob",    "TFJob",
      "XGBoostJob", "JAXJob", "PaddleJob", "LeaderWorkerSet", "StatefulSet", "Deployment", "AppWrapper"};
  const bool first = first_time(in.r, in.given.runs, span, "runs");
  in.only_for(Isolation::C, "runs", span);
  std::map<std::string_view, std::optional<Span>> seen;
  for (const auto& kind : item.kinds) {
    if (!contains(kKinds, kind.text)) {
      std::string hint = choice_hint(kind.text, kKinds);
      if (hint.empty()) hint = "write a kind that Kueue manages, such as `Job`, `Pod`, `JobSet` or `RayJob`";
      error(in.r, code::BadValue, kind.span, fmt::format("`{}` is not a kind of job that gpol knows", kind.text),
            std::move(hint));
    } else if (first_time(in.r, seen[kind.text], kind.span, kind.text) && first) {
      if (kind.text == "Job" || kind.text == "Pod")
        in.made.runs.push_back(kind.text == "Job" ? JobKind::Job : JobKind::Pod);
      else
        in.made.other_kinds.push_back(kind.text);
    }
  }
  if (in.made.other_kinds.empty()) return;
  in.made.runs.clear();
  note_planned(in.r, "classRuns", "class", in.made.name, fmt::format("runs {}", fmt::join(in.made.other_kinds, ", ")),
               span);
}

// Service levels: resolve_levels() reads them.
template <class Level>
void read(Reading&, const Level&, Span) {}

}  // namespace

// Each class of batch has guards of its own, and every pair of them is asked about.
constexpr std::size_t kMostClasses = 256;

void resolve_classes(Resolver& r) {
  if (!r.is_module() && r.policy.classes.size() > kMostClasses)
    error(r, code::TooDeepOrLarge, r.declared.classes[kMostClasses]->name.span,
          fmt::format("there are {} classes, and gpol proves no more than {}", r.policy.classes.size(), kMostClasses),
          "let tenants that are promised the same share a class");
  for (std::size_t i = 0; i < r.policy.classes.size(); ++i) {
    const ast::Class& written = *r.declared.classes[i];
    Reading in{r, r.policy.classes[i], std::nullopt, {}};
    if (written.letter.text == "A") in.isolation = Isolation::A;
    if (written.letter.text == "B") in.isolation = Isolation::B;
    if (written.letter.text == "C") in.isolation = Isolation::C;
    r.class_sound[i] = in.isolation.has_value();
    if (in.isolation)
      in.made.isolation = *in.isolation;
    else
      error(r, code::BadValue, written.letter.span,
            fmt::format("`{}` is not a class of isolation", written.letter.text),
            "write A (never held by batch), B (back within a deadline) or C (no promise)");
    for (const auto& item : written.items) std::visit([&](const auto& node) { read(in, node, item.span); }, item.node);
    resolve_levels(r, static_cast<std::uint32_t>(i), written.items);
    if (in.isolation == Isolation::B && !in.given.ready)
      error(r, code::MissingClause, written.name.span,
            fmt::format("class `{}` is B and has no `ready within`", in.made.name),
            "add its deadline: `ready within 4min`");
  }
}

}  // namespace gpol
