// GPU models: what a device has and how it can be cut, of the policy itself or of the shipped catalogue.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "compiler/policy/catalogue.h"
#include "compiler/policy/codes.h"
#include "compiler/policy/mig_layout.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/codes.h"
#include "compiler/source/lookup.h"
#include "compiler/source/split.h"
#include "compiler/syntax/parse.h"

namespace gpol {

namespace {

constexpr std::size_t kMostItems = 64;  // of one model; layouts are looked up among them
constexpr std::string_view kBases[] = {"sourced", "template", "unsourced"};

std::optional<std::int64_t> within(Resolver& r, const ast::Quantity& written, std::int64_t least, std::int64_t most,
                                   std::string_view what) {
  const auto value = count(written, "a whole number", r.diagnostics);
  if (!value || (*value >= least && *value <= most)) return value;
  error(r, code::OutOfRange, written.span, fmt::format("{} is {}", what, *value),
        fmt::format("write {} to {}", least, most));
  return std::nullopt;
}

Engines engines_of(Resolver& r, const std::vector<ast::EngineCount>& written) {
  Engines out;
  std::map<std::string_view, std::optional<Span>> first;
  for (const auto& one : written) {
    const auto number = within(r, one.count, 1, 64, "a number of engines");
    if (first_time(r, first[one.engine.text], one.engine.span, one.engine.text) && number)
      out.emplace_back(one.engine.text, *number);
  }
  return out;
}

struct Reading {
  Resolver& r;
  Hardware& made;
  std::optional<Span> memory, slices, engines, placements;
  std::map<std::string_view, std::optional<Span>> profiles;
};

void read(Reading& in, const ast::HardwareMemory& item, Span span) {
  const bool first = first_time(in.r, in.memory, span, "memory");
  const auto memory = measure(item.memory, Dimension::Memory, "an amount of memory", "80 GiB", in.r.diagnostics);
  if (first) in.made.memory = memory;
}

void read(Reading& in, const ast::HardwareSlices& item, Span span) {
  if (!first_time(in.r, in.slices, span, "slices")) return;
  in.made.compute_slices = within(in.r, item.compute, 1, kMostMemorySlices, "the number of compute slices").value_or(0);
  in.made.memory_slices = within(in.r, item.memory, 1, kMostMemorySlices, "the number of memory slices").value_or(0);
}

void read(Reading& in, const ast::HardwareEngines& item, Span span) {
  if (first_time(in.r, in.engines, span, "engines")) in.made.engines = engines_of(in.r, item.engines);
}

void read(Reading& in, const ast::HardwarePlacements& item, Span span) {
  if (!first_time(in.r, in.placements, span, "placements")) return;
  in.made.placements = item.basis.text;
  if (!contains(kBases, item.basis.text))
    error(in.r, code::BadValue, item.basis.span, fmt::format("placements cannot be `{}`", item.basis.text),
          choice_hint(item.basis.text, kBases));
}

// Read after the others: what it may say follows from what the device has.
void read(Reading& in, const ast::MigProfile& item, Span span) {
  if (!first_time(in.r, in.profiles[item.name.text], span, "mig " + item.name.text)) return;
  MigProfile made;
  made.name = item.name.text;
  const std::int64_t memory_slices = in.made.memory_slices > 0 ? in.made.memory_slices : kMostMemorySlices;
  std::map<ast::MigItem::Kind, std::optional<Span>> first;
  bool compute = false;
  for (const ast::MigItem& part : item.items) {
    constexpr std::string_view kWords[] = {"compute", "memory", "starts at", "at most", "engines"};
    if (!first_time(in.r, first[part.kind], part.span, kWords[static_cast<std::size_t>(part.kind)])) continue;
    switch (part.kind) {
      case ast::MigItem::Kind::Compute:
        compute = true;
        made.compute = within(in.r, part.numbers[0], 1,
                              in.made.compute_slices > 0 ? in.made.compute_slices : kMostMemorySlices, "its compute")
                           .value_or(1);
        break;
      case ast::MigItem::Kind::Memory:
        made.memory = within(in.r, part.numbers[0], 1, memory_slices, "its memory");
        break;
      case ast::MigItem::Kind::Starts:
        for (const auto& number : part.numbers)
          if (const auto start = within(in.r, number, 0, memory_slices - 1, "a start")) made.starts.push_back(*start);
        break;
      case ast::MigItem::Kind::Most:
        made.most = within(in.r, part.numbers[0], 1, kMostMemorySlices, "its number");
        break;
      case ast::MigItem::Kind::Engines:
        made.engines = engines_of(in.r, part.engines);
    }
  }
  if (!compute)
    error(in.r, code::MissingClause, item.name.span, fmt::format("profile `{}` has no `compute`", made.name),
          "add how many compute slices it takes: `compute 1`");
  for (const std::int64_t start : made.starts)
    if (made.memory && start + *made.memory > memory_slices) {
      error(in.r, code::OutOfRange, span,
            fmt::format("`{}` that starts at {} would end after memory slice {}", made.name, start, memory_slices - 1),
            "leave that start out");
      break;
    }
  for (const auto& [engine, number] : made.engines)
    if (std::ranges::none_of(in.made.engines, [&](const auto& e) { return e.first == engine; }))
      error(in.r, code::UnknownName, span, fmt::format("the device has no engines `{}`", engine),
            "say how many it has: `engines N NAME`");
  in.made.profiles.push_back(std::move(made));
}

void resolve_one(Resolver& r, const ast::Hardware& written, Hardware& made) {
  Reading in{r, made, {}, {}, {}, {}, {}};
  const auto is_profile = [](const ast::HardwareItem& item) {
    return std::holds_alternative<ast::MigProfile>(item.node);
  };
  if (written.items.size() > kMostItems) {
    error(r, code::OutOfRange, written.name.span,
          fmt::format("hardware `{}` has {} clauses", made.name, written.items.size()),
          fmt::format("it may have {} at most", kMostItems));
    return;
  }
  for (const bool profiles : {false, true})
    for (const auto& item : written.items)
      if (is_profile(item) == profiles) std::visit([&](const auto& node) { read(in, node, item.span); }, item.node);
  if (!made.profiles.empty() && made.placements.empty()) made.placements = "sourced";
}

}  // namespace

void resolve_hardware(Resolver& r) {
  for (std::size_t i = 0; i < r.policy.hardware.size(); ++i)
    resolve_one(r, *r.declared.hardware[i], r.policy.hardware[i]);
}

void check_model(Resolver& r, const ast::Name& model) {
  if (r.hardware.look_up(model.text) != kNone || catalogue_model(model.text)) return;
  std::vector<std::string_view> known = catalogue_models();
  for (const Hardware& own : r.policy.hardware) known.push_back(own.name);
  std::vector<std::string_view> larger;  // `H100` alone leaves open how much memory it has; `L40S-48GB` says too much
  for (const std::string_view name : known)
    if (name.starts_with(model.text + "-") || model.text.starts_with(std::string(name) + "-")) larger.push_back(name);
  std::string hint = suggested(r, model.text, larger.empty() ? known : larger);
  if (hint.empty()) hint = fmt::format("declare it: `hardware {} {{ memory 80 GiB }}`", model.text);
  error(r, code::UnknownName, model.span, fmt::format("`{}` is not a GPU that gpol knows", model.text),
        std::move(hint));
}

const Hardware* hardware_of(Resolver& r, std::uint32_t group) {
  const std::string& model = r.policy.groups[group].gpu_model;
  if (const std::uint32_t own = r.hardware.look_up(model); own != kNone) return &r.policy.hardware[own];
  if (const auto known = r.shipped.find(model); known != r.shipped.end()) return &known->second;
  auto made = catalogue_hardware(model);
  return made ? &r.shipped.emplace(model, std::move(*made)).first->second : nullptr;
}

std::optional<Hardware> catalogue_hardware(std::string_view model) {
  const auto text = catalogue_model(model);
  if (!text) return std::nullopt;
  SourceSet sources;
  const auto parsed = parse(sources, sources.add("policies/hardware.gpol", std::string(*text)));
  Resolver reader;
  Hardware made;
  made.name = model;
  if (parsed.ok()) resolve_one(reader, std::get<ast::Hardware>(parsed.value.decls.at(0).node), made);
  if (!parsed.ok() || !reader.diagnostics.empty())
    throw std::logic_error("the shipped hardware catalogue does not read: " + made.name);
  return made;
}

std::optional<Hardware> hardware_of_product(std::string_view product, std::int64_t memory_mib) {
  // Sold under other names, cut alike (tables of NVIDIA's MIG User Guide and of mig-parted).
  constexpr std::pair<std::string_view, std::string_view> kAlso[] = {
      {"A100", "A800"}, {"H100", "H800"}, {"H100", "H20"}, {"H100", "GH200"}};
  const std::vector<std::string_view> said = split(product, '-');
  const auto stands = [&](std::string_view word) { return contains(said, word); };
  const auto says = [&](std::string_view word) {
    return stands(word) ||
           std::ranges::any_of(kAlso, [&](const auto& also) { return also.first == word && stands(also.second); });
  };
  // How far its memory is from what is said of it, in MiB: the nearest is meant.
  std::map<std::int64_t, std::vector<std::string_view>> fitting;
  for (const std::string_view model : catalogue_models()) {
    std::vector<std::string_view> parts = split(model, '-');
    const std::string_view memory = parts.back().ends_with("GB") ? parts.back() : "";
    if (!memory.empty()) parts.pop_back();
    if (!std::ranges::all_of(parts, says)) continue;
    const std::int64_t mib = memory.empty() ? 0 : 1024 * std::stoll(std::string(memory.substr(0, memory.size() - 2)));
    const std::int64_t off = std::abs(memory_mib - mib);
    if (memory.empty() || says(memory))
      fitting[0].push_back(model);
    else if (memory_mib > 0 && off * 20 < mib)
      fitting[off].push_back(model);
  }
  if (fitting.empty() || fitting.begin()->second.size() > 1) return std::nullopt;
  return catalogue_hardware(fitting.begin()->second.front());
}

}  // namespace gpol
