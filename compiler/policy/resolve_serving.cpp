// Services: what one replica does, how many there are, which requests share it, and what its engine is told. Nothing of
// it is proven yet; its units, names and bounds are checked.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <span>
#include <sstream>
#include <string_view>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

// What serving engines can be told, by their own names: which knobs gpol knows and what kind of value each takes.
enum class KnobKind {
  Count,    // a whole number
  Percent,  // 90%, above 0% and at most 100%; the engine takes it as a fraction
  Number,   // 0.3
  Memory,   // 60GiB
  Time,     // 100ms
  Switch,   // on | off
  Word      // one of `words`
};

struct EngineKnob {
  std::string_view name;
  KnobKind kind;
  std::string_view words = {};  // `fcfs priority`
};
struct Engine {
  std::string_view name;
  std::span<const EngineKnob> knobs;
};

// vLLM: config/scheduler.py and config/cache.py; the command line's names without `--`.
constexpr EngineKnob kVllm[] = {{"max-num-seqs", KnobKind::Count},
                                {"max-num-batched-tokens", KnobKind::Count},
                                {"enable-chunked-prefill", KnobKind::Switch},
                                {"gpu-memory-utilization", KnobKind::Percent},
                                {"kv-cache-memory-bytes", KnobKind::Memory},
                                {"max-model-len", KnobKind::Count},
                                {"scheduling-policy", KnobKind::Word, "fcfs priority"},
                                {"max-num-queued-reqs", KnobKind::Count},
                                {"max-num-queued-tokens", KnobKind::Count},
                                {"tensor-parallel-size", KnobKind::Count},
                                {"pipeline-parallel-size", KnobKind::Count}};
// SGLang: server arguments.
constexpr EngineKnob kSglang[] = {{"context-length", KnobKind::Count},       {"mem-fraction-static", KnobKind::Percent},
                                  {"max-running-requests", KnobKind::Count}, {"chunked-prefill-size", KnobKind::Count},
                                  {"max-prefill-tokens", KnobKind::Count},   {"tp-size", KnobKind::Count}};
// TGI: launcher arguments.
constexpr EngineKnob kTgi[] = {
    {"max-concurrent-requests", KnobKind::Count}, {"max-batch-prefill-tokens", KnobKind::Count},
    {"max-batch-total-tokens", KnobKind::Count},  {"max-input-tokens", KnobKind::Count},
    {"max-total-tokens", KnobKind::Count},        {"waiting-served-ratio", KnobKind::Number},
    {"max-waiting-tokens", KnobKind::Count},      {"cuda-memory-fraction", KnobKind::Percent}};
// Triton: dynamic_batching of model_config.proto; its times are microseconds there, and times here.
constexpr EngineKnob kTriton[] = {{"max_queue_delay_microseconds", KnobKind::Time},
                                  {"preferred_batch_size", KnobKind::Count},
                                  {"priority_levels", KnobKind::Count},
                                  {"default_priority_level", KnobKind::Count},
                                  {"timeout_action", KnobKind::Word, "REJECT DELAY"},
                                  {"default_timeout_microseconds", KnobKind::Time},
                                  {"allow_timeout_override", KnobKind::Switch},
                                  {"max_queue_size", KnobKind::Count}};

constexpr Engine kEngines[] = {{"vllm", kVllm}, {"sglang", kSglang}, {"tgi", kTgi}, {"triton", kTriton}};

struct Reading {
  Resolver& r;
  Service& made;
  std::optional<Span> replicas, each, throughput, variation, requests, unavailable, longest, label, from, engine;

  void plan(std::string_view construct, std::string text, Span span) {
    note_planned(r, construct, "service", made.name, std::move(text), span);
  }
};

void read(Reading& in, const ast::ServiceReplicas& item, Span span) {
  const bool first = first_time(in.r, in.replicas, span, "replicas");
  const auto least = count(item.least, "a number of replicas", in.r.diagnostics);
  const auto most = item.most ? count(*item.most, "a number of replicas", in.r.diagnostics) : least;
  if (!first || !least || !most) return;
  if (*least > *most || *most == 0) {
    const bool backwards = *least > *most;
    error(in.r, code::OutOfRange, span,
          backwards ? fmt::format("replicas run backwards, from {} to {}", *least, *most) : "a service of 0 replicas",
          backwards ? fmt::format("write `replicas {}..{}`", *most, *least) : "state how many replicas it runs");
    return;
  }
  in.made.replicas_min = *least;
  in.made.replicas_max = *most;
}

void read(Reading& in, const ast::ServiceEach& item, Span span) {
  if (!first_time(in.r, in.each, span, "each")) return;
  ast::Amounts others;
  bool devices = false;
  for (const auto& part : item.amounts) {
    devices = devices || is_slices(part) || is_unit(part.unit, Dimension::Gpus);
    if (!is_slices(part))
      others.push_back(part);
    else if (const auto number = measure(part, Dimension::Slices, "slices", "2 x 3g.40gb", in.r.diagnostics))
      in.made.each[slices_of(in.r, profile_in(part))] += *number;
  }
  if (const auto beside = resources(others, "an amount", in.r.diagnostics)) in.made.each += beside->amounts;
  if (!devices)
    error(in.r, code::MissingClause, span, "`each` states neither gpus nor slices",
          "write what one replica has: `each 1 gpu` or `each 2 x 3g.40gb`");
}

void read(Reading& in, const ast::ServiceThroughput& item, Span span) {
  if (!first_time(in.r, in.throughput, span, "throughput")) return;
  std::map<std::string, std::optional<Span>> first;
  for (const ast::Rate& written : item.rates)
    if (auto rate = rate_of(in.r, written, "a rate or streams", "30 req/s",
                            {Dimension::Requests, Dimension::Tokens, Dimension::Streams});
        rate && first_time(in.r, first[rate->of], written.amount.span, rate->of)) {
      if (rate->of == "tokens") in.plan("serviceThroughput", "throughput " + text_of(written), span);
      in.made.throughput.push_back(std::move(*rate));
    }
  in.made.throughput_span = span;
}

void read(Reading& in, const ast::ServiceVariation& item, Span span) {
  const bool first = first_time(in.r, in.variation, span, "variation");
  ast::Quantity thousandths = item.value;  // a number without a unit may have a fraction here
  thousandths.unit = "x";
  const auto value = measure(thousandths, Dimension::Factor, "a variation", "1.2", in.r.diagnostics);
  if (!first || !value) return;
  in.made.variation = value;
  in.plan("serviceVariation", "variation " + item.value.number.substr(0, 32), span);
}

void read(Reading& in, const ast::ServiceRequests& item, Span span) {
  if (!first_time(in.r, in.requests, span, "requests")) return;
  std::map<std::string_view, std::optional<Span>> first;
  for (const auto& one : item.classes) {
    if (!contains(kRequestClasses, one.name.text)) {
      error(in.r, code::BadValue, one.name.span, fmt::format("`{}` is not a class of requests", one.name.text),
            choice_hint(one.name.text, kRequestClasses));
      continue;
    }
    const auto streams = measure(one.streams, Dimension::Streams, "streams", "300 streams", in.r.diagnostics);
    if (!first_time(in.r, first[one.name.text], one.name.span, one.name.text) || !streams) continue;
    in.made.requests.emplace_back(one.name.text, *streams);
  }
  in.made.requests_span = span;
}

void read(Reading& in, const ast::ServiceUnavailable& item, Span span) {
  const bool first = first_time(in.r, in.unavailable, span, "at most");
  if (item.count.unit != "unavailable") {
    error(in.r, code::WrongUnit, item.count.span, "`at most` of a service takes replicas that are unavailable",
          "write `at most 1 unavailable`: as many as its Deployment's maxUnavailable");
    return;
  }
  const auto number = count({item.count.number, "", item.count.span}, "a number of replicas", in.r.diagnostics);
  if (first && number) in.made.unavailable = *number;
  in.made.unavailable_span = span;
}

void read(Reading& in, const ast::ServiceLongest& item, Span span) {
  if (!first_time(in.r, in.longest, span, "longest")) return;
  in.made.longest_span = span;
  std::map<std::string, std::optional<Span>> first;
  for (const auto& [of, amount] : item.list) {
    const bool answer = of.text == "answer", tokens = is_unit(amount.unit, Dimension::TokenCount);
    if (!answer && of.text != "prompt") {
      error(in.r, code::BadValue, of.span, fmt::format("`longest {}` says nothing", of.text),
            "write `longest answer 60s` or `longest prompt 8000 tokens`");
      continue;
    }
    if (!first_time(in.r, first[of.text + (tokens ? " tokens" : "")], of.span, of.text)) continue;
    if (answer && !tokens) {
      if (const auto time = time_constant(in.r, amount, "longest answer", Zero::Refused)) in.made.longest = time->value;
    } else if (const auto number = measure(amount, Dimension::TokenCount, "tokens", "8000 tokens", in.r.diagnostics)) {
      (answer ? in.made.answer_tokens : in.made.prompt_tokens) = number;
    }
  }
}

std::optional<PodLabel> read_label(Resolver& r, const ast::Name& written) {
  const auto mark = label_of_pods(r, written);
  return mark ? std::optional(PodLabel{mark->key, mark->value}) : std::nullopt;
}

void read(Reading& in, const ast::ServiceLabel& item, Span span) {
  if (!first_time(in.r, in.label, span, "label")) return;
  std::map<std::string, std::optional<Span>> first;
  for (const ast::Name& written : item.labels)
    if (auto label = read_label(in.r, written);
        label && first_time(in.r, first[label->first], written.span, label->first))
      in.made.labels.push_back(std::move(*label));
}

void read(Reading& in, const ast::ServiceFrom& item, Span span) {
  if (!first_time(in.r, in.from, span, "from")) return;
  for (const auto& [ns, label] : item.callers) {
    require_kubernetes_name("namespace", ns.text, ns.span, in.r.diagnostics);
    in.made.callers.push_back({ns.text, label ? read_label(in.r, *label) : std::nullopt, ns.span});
  }
}

// Why the value is not of the kind that the knob takes; empty: it is.
std::string mismatch(const EngineKnob& knob, const ast::EngineKnob& written) {
  const std::string& value = written.value;
  const std::size_t letters = std::min(value.find_first_not_of("0123456789."), value.size());
  const std::string unit = value.substr(letters);
  const bool number = letters > 0, whole = value.find('.') == std::string::npos;
  const auto of = [&](Dimension dimension) { return number && is_unit(unit, dimension); };
  switch (knob.kind) {
    case KnobKind::Count:
      return number && unit.empty() && whole ? "" : "a whole number, such as `256`";
    case KnobKind::Number:
      return number && unit.empty() ? "" : "a number, such as `0.3`";
    case KnobKind::Percent:
      return of(Dimension::Percent) ? "" : "a share, such as `90%`";
    case KnobKind::Memory:
      return of(Dimension::Memory) ? "" : "an amount of memory, such as `60GiB`";
    case KnobKind::Time:
      return of(Dimension::Time) ? "" : "a time, such as `100ms`";
    case KnobKind::Switch:
      return value == "on" || value == "off" ? "" : "`on` or `off`";
    case KnobKind::Word: {
      std::istringstream words{std::string(knob.words)};
      std::string all;
      for (std::string word; words >> word;) {
        if (word == value) return "";
        add_to_list(all, fmt::format("`{}`", word), " or ");
      }
      return all;
    }
  }
  return "";
}

// The fractions of memory that engines are given are shares of one device.
bool out_of_range(const EngineKnob& knob, const std::string& value) {
  if (knob.kind != KnobKind::Percent) return false;
  std::vector<Diagnostic> unused;
  const auto share = measure({value.substr(0, value.size() - 1), "%", {}}, Dimension::Percent, "", "", unused);
  return !share || *share == 0 || *share > 100 * 100;
}

// `0.9` of a share: `90%`.
std::string value_hint(const EngineKnob& knob, const std::string& value) {
  constexpr std::size_t kLongest = 4;
  if (knob.kind != KnobKind::Percent || value.size() > kLongest || !value.starts_with("0.")) return {};
  std::string digits = value.substr(2);
  if (!only_digits(digits) || digits.find_first_not_of('0') == std::string::npos) return {};
  digits.resize(2, '0');
  return fmt::format("did you mean `{}%`?", digits.front() == '0' ? digits.substr(1) : digits);
}

// What another engine calls so.
std::string other_engine(std::string_view knob) {
  for (const Engine& engine : kEngines)
    for (const EngineKnob& known : engine.knobs)
      if (known.name == knob) return fmt::format("it is one of {}; ", engine.name);
  return {};
}

void read_knob(Reading& in, const Engine& engine, const ast::EngineKnob& written) {
  std::vector<std::string_view> names;
  const EngineKnob* knob = nullptr;
  for (const EngineKnob& known : engine.knobs) {
    names.push_back(known.name);
    if (known.name == written.knob.text) knob = &known;
  }
  if (knob == nullptr) {
    std::string hint = choice_hint(written.knob.text, names);
    if (const std::string other = other_engine(written.knob.text); hint.empty() || !other.empty())
      hint = fmt::format("{}{} has `{}`", other, engine.name, fmt::join(names, "`, `"));  // may be more than eight
    error(in.r, code::BadValue, written.knob.span,
          fmt::format("`{}` is not a knob of {} that gpol knows", written.knob.text, engine.name), std::move(hint));
    return;
  }
  if (const std::string expected = mismatch(*knob, written); !expected.empty())
    error(in.r, code::WrongUnit, written.span,
          fmt::format("`{}` takes {}, found `{}`", knob->name, expected, written.value.substr(0, 32)),
          value_hint(*knob, written.value));
  else if (out_of_range(*knob, written.value))
    error(in.r, code::OutOfRange, written.span, fmt::format("`{}` of `{}`", written.value.substr(0, 32), knob->name),
          "write more than `0%` and at most `100%`");
  else
    in.made.knobs.push_back({written.knob.text, written.value});
}

void read(Reading& in, const ast::ServiceEngine& item, Span span) {
  if (!first_time(in.r, in.engine, span, "engine")) return;
  std::vector<std::string_view> names;
  const Engine* engine = nullptr;
  for (const Engine& known : kEngines) {
    names.push_back(known.name);
    if (known.name == item.engine.text) engine = &known;
  }
  if (engine == nullptr) {
    error(in.r, code::BadValue, item.engine.span,
          fmt::format("`{}` is not an engine that gpol knows", item.engine.text), choice_hint(item.engine.text, names));
    return;
  }
  in.made.engine = item.engine.text;
  std::map<std::string_view, std::optional<Span>> first;
  for (const auto& knob : item.knobs)
    if (first_time(in.r, first[knob.knob.text], knob.knob.span, knob.knob.text)) read_knob(in, *engine, knob);
  in.plan("serviceEngine", "engine " + item.engine.text, span);
}

// The classes share the streams of one replica.
void check_classes(Resolver& r, const Service& made) {
  std::int64_t sum = 0;
  for (const auto& [name, streams] : made.requests) sum = sum_of({sum, streams});
  const Rate* streams = find_by(made.throughput, "streams", &Rate::of);
  if (streams != nullptr && sum > streams->thousandths / 1000)
    error(r, code::OutOfRange, made.requests_span,
          fmt::format("the classes of `{}` take {} streams, and a replica has {}", made.name, sum,
                      streams->thousandths / 1000),
          "let them take less, or measure more: `throughput`");
}

}  // namespace

void resolve_services(Resolver& r) {
  for (std::size_t i = 0; i < r.policy.services.size(); ++i) {
    const ast::Service& written = *r.declared.services[i];
    Service& made = r.policy.services[i];
    Reading in{r, made, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
    made.tenant = r.tenants.find(written.tenant);
    if (isolation_of_tenant(r, made.tenant) == Isolation::C)
      error(r, code::ClassMismatch, written.tenant.span,
            fmt::format("tenant `{}` is of class C, and batch serves nobody", written.tenant.text),
            "name a tenant of class A or B")
          .labels.push_back({r.policy.tenants[made.tenant].class_span, "its class"});
    for (const auto& item : written.items) std::visit([&](const auto& node) { read(in, node, item.span); }, item.node);
    if (!in.each)
      error(r, code::MissingClause, written.name.span, fmt::format("service `{}` has no `each`", made.name),
            "add what one replica has: `each 1 gpu`");
    if (in.from && !in.label)
      error(r, code::MissingClause, *in.from, fmt::format("which pods are those of `{}` is not stated", made.name),
            "add the label that they have: `label app=assistant`");
    check_classes(r, made);
  }
}

}  // namespace gpol
