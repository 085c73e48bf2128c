// What answers requests: a Deployment, the streams that its arguments state, and how many of its replicas an update
// takes away. Flags: vLLM --max-num-seqs, SGLang --max-running-requests, Text Generation Inference
// --max-concurrent-requests.
#include <algorithm>
#include <charconv>

#include "checker/observe/edge.h"
#include "checker/observe/fields.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest {
namespace {

// All words of a container's command and arguments: a shell's text is split, too.
std::vector<std::string> words_of(const Node& container) {
  std::vector<std::string> words(1);
  for (const std::string_view key : {"command", "args"})
    if (const Node* list = field(container, key))
      for (const Node& item : list->items) {
        for (const char c : item.text)
          if (std::string_view(" \t\r\n\\\"'").find(c) != std::string_view::npos)
            words.emplace_back();
          else
            words.back() += c;
        words.emplace_back();
      }
  std::erase(words, "");
  return words;
}

struct Stated {
  std::optional<std::int64_t> streams;
  std::string flag;
  bool any = false;
};

// argparse and clap both take `--flag N` and `--flag=N`, vLLM also `_` for `-`; of several the last one counts. With
// data parallelism a replica is several engines, each of which has so many.
Stated streams_of(const Node& container) {
  constexpr std::string_view kFlags[] = {"--max-num-seqs", "--max-running-requests", "--max-concurrent-requests"},
                             kEngines[] = {"--data-parallel-size", "-dp", "--dp-size", "--dp"};
  Stated stated;
  const auto words = words_of(container);
  bool engines = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto equals = words[i].find('=');
    std::string flag = words[i].substr(0, equals);
    std::ranges::replace(flag, '_', '-');
    engines = engines || contains(kEngines, std::string_view(flag));
    if (!contains(kFlags, std::string_view(flag))) continue;
    const std::string value = equals != std::string::npos ? words[i].substr(equals + 1)
                              : i + 1 < words.size()      ? words[i + 1]
                                                          : std::string();
    std::int64_t number = 0;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool whole = read.ec == std::errc() && read.ptr == value.data() + value.size() && number > 0;
    stated = {whole ? std::optional(number) : std::nullopt, flag, true};
  }
  if (engines) stated.streams.reset();
  return stated;
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
  edge::Server server{named(deployment, place), {}, {}, {}, {}, {}, {}, {}};
  const Node* spec = field(deployment, "spec");
  const Node* pods = at(spec, "template");
  server.labels = labels_of(at(at(pods, "metadata"), "labels"));
  constexpr std::int64_t kMost = 1'000'000;
  if (const auto replicas = whole_at(spec, "replicas")) {
    server.replicas = std::min(*replicas, kMost);
    server.away = away_of(spec, *server.replicas);
  }
  server.grace_s = whole_at(at(pods, "spec"), "terminationGracePeriodSeconds");
  std::size_t stating = 0;
  if (const Node* containers = at(at(pods, "spec"), "containers"))
    for (const Node& container : containers->items)
      if (Stated stated = streams_of(container); stated.any) {
        ++stating;
        server.streams = stated.streams, server.flag = std::move(stated.flag);
      }
  if (stating != 1) server.streams.reset();
  return server;
}

}  // namespace gpol::manifest
