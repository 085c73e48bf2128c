// Volcano's objects, while manifests are read: Queues, PodGroups and Jobs, and the ConfigMap with the scheduler's
// configuration. In: objects' nodes, nulls dropped. Out: VolcanoFacts (existing.h). What Volcano passes over in silence
// is told as such; what it would refuse is a rejection.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "checker/observe/draft.h"
#include "checker/observe/existing.h"

namespace gpol::manifest {

class VolcanoReader {
 public:
  explicit VolcanoReader(std::span<const YamlFile> files) : files_(files) {}
  // Whether it is one of Volcano's, and nothing else is to be said of it.
  bool read(const Node& object, const Place& place);
  std::vector<Rejection>& rejections() { return facts().rejections; }
  // Nothing: there was none. Once everything is read.
  std::optional<VolcanoFacts> take() { return std::move(facts_); }

 private:
  VolcanoFacts& facts() { return facts_ ? *facts_ : facts_.emplace(); }
  // False: an object of that name said the same, or something else, which is refused.
  bool is_first(const Node& object, const std::string& kind, const Place& place);
  void read_queue(const Node& object, const Place& place);
  void read_asker(const Node& object, const std::string& kind, const Place& place);
  void read_configuration(const Node& object, const Node& text, const Place& place);
  void tell_silence(const volcano::Queue& queue, Span at);

  struct Known {
    std::size_t meaning = 0;
    Span at;  // of the name
  };
  std::span<const YamlFile> files_;
  std::map<std::string, Known> known_;  // by kind and name
  std::optional<VolcanoFacts> facts_;
};

}  // namespace gpol::manifest
