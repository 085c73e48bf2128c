// Node groups: how many nodes of which capacity, what daemons take of them, how many may be lost at once.
#include <fmt/format.h>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

constexpr std::int64_t kLargestProduct = std::int64_t{1} << 58;  // units.h

// Where each clause of a group was given.
struct Given {
  std::optional<Span> count, each, gpu, daemons, tolerate, spot, ceiling, lead;
};

struct Reading {
  Resolver& r;
  NodeGroup& group;
  GroupFacts& facts;
  Given given;
  bool daemons_sound = true;
  std::optional<std::int64_t> lost;
};

void read(Reading& in, const ast::NodesCount& item, Span span) {
  const bool first = first_time(in.r, in.given.count, span, "count");
  const auto least = count(item.least, "a number of nodes", in.r.diagnostics);
  const auto most = item.most ? count(*item.most, "a number of nodes", in.r.diagnostics) : least;
  if (!first || !least || !most) return;
  if (*least > *most) {
    error(in.r, code::OutOfRange, span, fmt::format("count runs backwards, from {} to {}", *least, *most),
          fmt::format("write `count {}..{}`", *most, *least));
  } else if (*most == 0) {
    error(in.r, code::OutOfRange, span, fmt::format("node group `{}` never has a node", in.group.name),
          "state a count above 0");
  } else {
    in.group.count_min = *least;
    in.group.count_max = *most;
    in.facts.count_sound = true;
  }
}

void read(Reading& in, const ast::NodesEach& item, Span span) {
  const bool first = first_time(in.r, in.given.each, span, "each");
  const auto found = resources(item.amounts, "an amount", in.r.diagnostics);
  if (!first || !found) return;
  bool sound = true;
  std::string missing;
  for (const auto resource : {Resource::Gpu, Resource::Cpu, Resource::Memory, Resource::Pods}) {
    const std::string_view word = row_of(in.r, resource).words;
    if (!found->stated[static_cast<std::size_t>(resource)]) {
      add_to_list(missing, word);
    } else if (found->amounts[resource] == 0) {
      error(in.r, code::OutOfRange, span, fmt::format("a node of `{}` has 0 {}", in.group.name, word),
            fmt::format("state more than 0 {}", word));
      sound = false;
    }
  }
  if (!missing.empty())
    error(in.r, code::MissingClause, span, fmt::format("`each` states no {}", missing),
          "write all four: `each 8 gpus, 192 cpu, 2 TiB, 110 pods`");
  in.group.each = found->amounts;
  in.facts.each_sound = sound && missing.empty();
}

void read(Reading& in, const ast::NodesGpu& item, Span span) {
  check_model(in.r, item.model);
  if (first_time(in.r, in.given.gpu, span, "gpu")) in.group.gpu_model = item.model.text;
}

void read(Reading& in, const ast::NodesDaemons& item, Span span) {
  const bool first = first_time(in.r, in.given.daemons, span, "daemons take");
  const auto found = resources(item.amounts, "an amount", in.r.diagnostics);
  if (!first) return;
  in.daemons_sound = found.has_value();
  if (found) in.group.daemons = found->amounts;
}

void read(Reading& in, const ast::NodesTolerate& item, Span span) {
  const bool first = first_time(in.r, in.given.tolerate, span, "tolerate");
  const auto lost = count(item.lost, "a number of nodes", in.r.diagnostics);
  if (first) in.lost = lost;
}

void read(Reading& in, const ast::NodesSpot& item, Span span) {
  const bool first = first_time(in.r, in.given.spot, span, "spot notice");
  const auto notice = time_constant(in.r, item.notice, "spot notice", Zero::Allowed);
  if (!first) return;
  in.facts.spot = span;
  if (notice) in.group.spot_notice = notice->value;
}

// What the provider lets be had: it says how far the group can grow, which no proof uses yet.
void read(Reading& in, const ast::NodesCeiling& item, Span span) {
  const bool first = first_time(in.r, in.given.ceiling, span, "ceiling");
  const auto gpus = measure(item.amount, Dimension::Gpus, "a number of GPUs", "64 gpus", in.r.diagnostics);
  if (!first || !gpus) return;
  if (*gpus == 0) {
    error(in.r, code::OutOfRange, span, "`ceiling` of 0 gpus", "state more than 0 gpus");
    return;
  }
  in.group.ceiling = gpus;
  note_planned(in.r, "nodesCeiling", "nodes", in.group.name, "ceiling " + text_of(item.amount), span);
}

void read(Reading& in, const ast::NodesLead& item, Span span) {
  const bool first = first_time(in.r, in.given.lead, span, "lead time");
  const auto time = time_constant(in.r, item.time, "lead time", Zero::Allowed);
  if (!first || !time) return;
  in.group.lead_time = time->value;
  note_planned(in.r, "nodesLead", "nodes", in.group.name, "lead time " + text_of(item.time), span);
}

void check_ceiling(Reading& in) {
  const NodeGroup& group = in.group;
  if (!group.ceiling || !in.facts.each_sound || !in.facts.count_sound) return;
  const std::int64_t least = times(group.count_min, group.each[Resource::Gpu]);
  if (*group.ceiling >= least) return;
  error(in.r, code::OutOfRange, *in.given.ceiling,
        fmt::format("{} nodes have {}, more than the provider lets be had", group.count_min,
                    human_amount(Resource::Gpu, least)),
        fmt::format("write `ceiling {} gpus` or more, or lower the count", least))
      .labels.push_back({*in.given.count, "the count"});
}

// `64 GiB` of `64 GB` looks like no more than it.
std::string_view bases(const Reading& in) {
  const auto binary = [&](Resource resource, const Resources& of) {
    return human_amount(resource, of[resource]).ends_with("iB");
  };
  return binary(Resource::Memory, in.group.daemons) == binary(Resource::Memory, in.group.each)
             ? ""
             : "; GiB count in powers of 1024, GB in powers of 1000";
}

void check_daemons(Reading& in) {
  if (!in.facts.each_sound || !in.given.daemons) return;
  for (const auto& [resource, each] : in.group.each) {
    if (in.group.daemons[resource] < each) continue;
    error(in.r, code::OutOfRange, *in.given.daemons,
          fmt::format("daemons take {} of a node that has {}", human_amount(resource, in.group.daemons[resource]),
                      human_amount(resource, each)),
          fmt::format("leave something of each resource to pods{}", resource == Resource::Memory ? bases(in) : ""))
        .labels.push_back({*in.given.each, "the node"});
    in.facts.each_sound = false;
    return;
  }
}

void check_numbers(Reading& in) {
  const NodeGroup& group = in.group;
  if (!in.facts.count_sound) return;
  if (in.lost && *in.lost >= group.count_max)
    error(in.r, code::OutOfRange, *in.given.tolerate,
          fmt::format("of {} node{} {} cannot be lost with any left", group.count_max, group.count_max == 1 ? "" : "s",
                      *in.lost),
          fmt::format("tolerate at most {} lost", group.count_max - 1))
        .labels.push_back({*in.given.count, "the count"});
  else if (in.lost)
    in.group.tolerate_lost = *in.lost;
  if (!in.facts.each_sound) return;
  for (const auto& [resource, each] : group.each) {
    if (each <= kLargestProduct / group.count_max) continue;
    error(in.r, code::OutOfRange, *in.given.count,
          fmt::format("{} nodes of {} are too much to count with", group.count_max, human_amount(resource, each)),
          "state fewer or smaller nodes");
    in.facts.each_sound = false;
    return;
  }
}

void resolve_group(Resolver& r, std::size_t index) {
  const ast::Nodes& written = *r.declared.groups[index];
  Reading in{r, r.policy.groups[index], r.group_facts[index], {}, true, std::nullopt};
  for (const auto& item : written.items) std::visit([&](const auto& node) { read(in, node, item.span); }, item.node);
  if (!in.given.count)
    error(r, code::MissingClause, written.name.span, fmt::format("node group `{}` has no `count`", in.group.name),
          "add `count N`");
  if (!in.given.each)
    error(r, code::MissingClause, written.name.span, fmt::format("node group `{}` has no `each`", in.group.name),
          "add what each node has: `each 8 gpus, 192 cpu, 2 TiB, 110 pods`");
  check_daemons(in);
  if (!in.daemons_sound) in.facts.each_sound = false;
  check_numbers(in);
  check_ceiling(in);
}

}  // namespace

void resolve_groups(Resolver& r) {
  for (std::size_t i = 0; i < r.policy.groups.size(); ++i) resolve_group(r, i);
}

}  // namespace gpol
