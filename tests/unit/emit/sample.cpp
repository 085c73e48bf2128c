#include "tests/unit/emit/sample.h"

namespace gpol::test {

namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

// cpu, memory, nvidia.com/gpu, pods of flavors h100 and spot.
ResourceGroup group(std::vector<Quota> h100, std::vector<Quota> spot) {
  return {{0, 1, 2, 3}, {{0, std::move(h100)}, {1, std::move(spot)}}};
}

Queue queue(std::string name, std::string cohort, std::string role) {
  Queue queue;
  queue.name = std::move(name);
  queue.cohort = std::move(cohort);
  queue.labels = {{"gpol.dev/role", std::move(role)}};
  queue.namespaces.present = true;
  queue.namespaces.match_labels = {{"kubernetes.io/metadata.name", queue.name + "-prod"}};
  queue.preemption.within_cluster_queue = Within::LowerPriority;
  return queue;
}

}  // namespace

std::vector<RenderedFile> Sample::files() const {
  std::vector<RenderedFile> rendered;
  for (const Artefact& artefact : emit({planned, sources, "0123456789abcdef"})) rendered.push_back(render(artefact));
  return rendered;
}

std::string Sample::file(const std::string& path) const {
  for (const RenderedFile& file : files())
    if (file.path == path) return file.bytes;
  return {};
}

std::string Sample::object(const std::string& kind, const std::string& name) const {
  const std::string head = "kind: " + kind + "\nmetadata:\n  name: " + name + "\n", separator = "---\n";
  for (const RenderedFile& file : files()) {
    const std::size_t at = file.bytes.find(head);
    if (at == std::string::npos) continue;
    const std::size_t before = file.bytes.rfind(separator, at), behind = file.bytes.find("\n" + separator, at);
    const std::size_t begin = before == std::string::npos ? 0 : before + separator.size();
    return file.bytes.substr(begin, behind == std::string::npos ? behind : behind + 1 - begin);
  }
  return {};
}

Sample sample() {
  Sample made;
  const std::string text =
      "language 1\n\ncluster one { }\ntenant search {\n  reserve 8 gpus of h100  # by day\n}\ntenant train {\n}\n";
  const FileId file = made.sources.add("policies/team.gpol", text);
  const auto span = [&](const std::string& words) {
    const auto begin = static_cast<std::uint32_t>(text.find(words));
    return Span{file, begin, begin + static_cast<std::uint32_t>(words.size())};
  };
  const Span search = span("search"), train = span("train");
  Cluster& cluster = made.planned.cluster;
  cluster.resources = {"cpu", "memory", "nvidia.com/gpu", "pods"};
  cluster.flavors.resize(2);
  cluster.flavors[0].name = "h100";
  cluster.flavors[0].node_labels = {{"gpol.dev/pool", "h100"}};
  cluster.flavors[0].taints = {{"gpol.dev/pool", "h100", "NoSchedule"}};
  cluster.flavors[0].tolerations = {{"gpol.dev/pool", "Exists", "", "NoSchedule", std::nullopt}};
  cluster.flavors[1].name = "spot";
  cluster.flavors[1].node_labels = {{"gpol.dev/pool", "spot"}};
  cluster.cohorts = {{"team", "org", {}, ""}, {"org", "", {}, ""}};
  cluster.cohorts[0].groups = {{{2}, {{0, {{0, 4, 0}}}}}};
  cluster.cohorts[1].groups = {{{2}, {{0, {{16, 1, 1}}}}}};

  cluster.queues.push_back(queue("train", "team", "batch"));
  cluster.queues[0].groups = {group({{0, {}, {}}, {0, {}, {}}, {0, 8, {}}, {0, {}, {}}},
                                    {{23500, {}, {}}, {248 * kGiB, {}, {}}, {40, {}, {}}, {1000, {}, {}}})};
  cluster.queues.push_back(queue("search", "team", "serving"));
  cluster.queues[1].preemption.reclaim_within_cohort = Reclaim::Any;
  cluster.queues[1].when_can_preempt = Search::MayStopSearch;
  cluster.queues[1].groups = {{{0, 2}, {{0, {{96000, 0, 0}, {8, 0, 0}}}}}};
  cluster.queues.push_back(queue("alone", "", "serving"));
  cluster.queues[2].groups = {{{2}, {{0, {{4, 0, 0}}}}}};

  cluster.local_queues = {{"train-prod", "train", "train", {{"gpol.dev/tenant", "train"}}, StopPolicy::None},
                          {"search-prod", "search", "search", {}, StopPolicy::Hold}};
  cluster.priority_classes = {{"standard", 1000, {{"gpol.dev/role", "serving"}}}, {"batch", -10, {}}};
  cluster.namespaces = {{"train-prod", {{"gpol.dev/tenant", "train"}}}, {"search-prod", {}}};
  cluster.config.manage_jobs_without_queue_name = true;
  cluster.config.frameworks = {"batch/job", "pod"};

  cluster.modes.resize(2);
  cluster.modes[0].name = "day";
  cluster.modes[1].name = "night";
  cluster.modes[1].changed[{"search", "h100", "nvidia.com/gpu"}] = {8, 0, 8};
  cluster.modes[1].changed[{"search", "h100", "cpu"}] = {48000, 0, std::nullopt};
  cluster.modes[1].changed[{"train", "h100", "memory"}] = {0, 64 * kGiB, std::nullopt};
  cluster.modes[1].changed[{"train", "spot", "pods"}] = {1000, std::nullopt, std::nullopt};  // as in the base
  cluster.modes[1].changed[{"alone", "h100", "nvidia.com/gpu"}] = {4, 2, 2};                 // no cohort, no limits

  made.planned.intent.roles.resize(3);
  made.planned.intent.roles[0].kind = QueueRole::Kind::Batch;
  made.planned.intent.roles[1].kind = QueueRole::Kind::Serving;
  made.planned.intent.roles[2].kind = QueueRole::Kind::Serving;
  made.planned.origins.queue = {train, search, Span{}};
  made.planned.origins.cohort = {search, Span{}};
  made.planned.origins.cluster = span("one");
  made.planned.origins.quotas = {{}, {span("8 gpus")}, {}};
  return made;
}

}  // namespace gpol::test
