// What answers requests: a Deployment, the streams that its arguments state, and how many of its replicas an update
// takes away. Flags: vLLM --max-num-seqs, SGLang --max-running-requests, Text Generation Inference
// --max-concurrent-requests.
#include <algorithm>
#include <charconv>

#include "checker/observe/edge.h"
#include "checker/observe/fields.h"
#include "compiler/source/lookup.h"
#include "compiler/source/number.h"

namespace gpol::manifest {
namespace {

// All words of a container's command and arguments: a shell's text is split, too.
std::vector<std::string> words_of(const Node& container) {
  std::vector<std::string> words(1);
  for (const char* key : {"command", "args"})
    for (const Node& item : items_at(&container, key)) {
      for (const char c : item.text + " ")
        if (std::string_view(" \t\r\n\\\"'").find(c) != std::string_view::npos)
          words.emplace_back();
        else
          words.back() += c;
    }
  std::erase(words, "");
  return words;
}

// argparse and clap both take `--flag N` and `--flag=N`, vLLM also `_` for `-`; of several the last one counts. With
// data parallelism a replica is several engines, each of which has so many: how many in all is not known.
void read_streams(const Node& container, edge::Server& server, std::size_t& stating) {
  constexpr std::string_view kFlags[] = {"--max-num-seqs", "--max-running-requests", "--max-concurrent-requests"},
                             kEngines[] = {"-dp", "--dp-size", "--dp"};
  const auto words = words_of(container);
  bool engines = false, states = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto equals = words[i].find('=');
    std::string flag = words[i].substr(0, equals);
    std::ranges::replace(flag, '_', '-');
    engines = engines || contains(kEngines, std::string_view(flag)) || flag.starts_with("--data-parallel");
    if (!contains(kFlags, std::string_view(flag))) continue;
    const std::string value = equals != std::string::npos ? words[i].substr(equals + 1)
                              : i + 1 < words.size()      ? words[i + 1]
                                                          : std::string();
    server.streams = whole_number(value);
    if (server.streams && *server.streams <= 0) server.streams.reset();
    server.flag = flag, states = true;
  }
  stating += states ? 1 : 0;
  if (engines || stating > 1) server.streams.reset();
}

// Of a rolling update: a percentage is rounded down (pkg/controller/deployment/util ResolveFenceposts), and where
// neither a surge nor an absence is left, one replica is away.
std::int64_t away_of(const Node* spec, std::int64_t replicas) {
  const Node* strategy = at(spec, "strategy");
  if (text_at(strategy, "type") == "Recreate") return 0;
  const Node* rolling = at(strategy, "rollingUpdate");
  const auto amount = [&](std::string_view key, bool up) -> std::int64_t {
    std::string text = text_at(rolling, key);
    if (text.empty()) text = "25%";
    const bool percent = text.ends_with('%');
    if (percent) text.pop_back();
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    number = std::clamp<std::int64_t>(number, 0, 1'000'000);
    return percent ? (number * replicas + (up ? 99 : 0)) / 100 : number;
  };
  const std::int64_t away = amount("maxUnavailable", false);
  return std::min(replicas, away == 0 && amount("maxSurge", true) == 0 ? 1 : away);
}

}  // namespace

edge::Server read_server(const Node& deployment, const Place& place) {
  edge::Server server;
  static_cast<edge::Named&>(server) = named(deployment, place);
  const Node* spec = field(deployment, "spec");
  const Node* pods = at(spec, "template");
  server.labels = labels_of(at(at(pods, "metadata"), "labels"));
  constexpr std::int64_t kMost = 1'000'000;
  if (const auto replicas = whole_at(spec, "replicas")) {
    server.replicas = std::min(*replicas, kMost);
    server.away = away_of(spec, *server.replicas);
  }
  server.grace_s = whole_at(at(pods, "spec"), "terminationGracePeriodSeconds").value_or(server.grace_s);
  std::size_t stating = 0;
  for (const Node& container : items_at(at(pods, "spec"), "containers")) read_streams(container, server, stating);
  return server;
}

}  // namespace gpol::manifest
