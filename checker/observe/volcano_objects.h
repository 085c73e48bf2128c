// Volcano's objects, while manifests are read: Queues, PodGroups and Jobs, Commands, the ConfigMap with the scheduler's
// configuration and the scheduler's Deployment; and templates of pods, as far as they speak to Volcano. In: objects'
// nodes, nulls dropped. Out: VolcanoFacts (existing.h). What Volcano passes over in silence is told as such; what it
// would refuse is a rejection.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "checker/observe/draft.h"
#include "checker/observe/existing.h"

namespace gpol::manifest {

class VolcanoReader {
 public:
  // `facts` gets what is read, `conflicts` the files that say different things of one object.
  VolcanoReader(std::span<const YamlFile> files, VolcanoFacts& facts, std::vector<std::pair<FileId, FileId>>& conflicts)
      : files_(files), facts_(facts), conflicts_(conflicts) {}
  // Whether it is one of Volcano's, and nothing else is to be said of it.
  bool read(const Node& object, const Place& place);
  // Once everything is read.
  void settle();

 private:
  // False: an object of that name said the same, or something else, which is refused.
  bool is_first(const Node& object, const std::string& kind, const Place& place);
  void read_queue(const Node& object, const Place& place);
  void read_asker(const Node& object, const std::string& kind, const Place& place);
  void read_pods(const Node& object, const std::string& kind, const Place& place);
  void read_operated(const Node& object, const std::string& kind, const Place& place);
  void read_scheduler(const Node& object, const Node& container, const Place& place);
  void read_configuration(const Node& object, const Node& text, const Place& place);
  void tell_silence(const volcano::Queue& queue, Span at);
  void add_asker(const Node& object, VolcanoFacts::Asks one);
  void note_owned();
  void close_below();

  struct Known {
    std::size_t meaning = 0;
    Span at;  // of the name
    std::string name;
  };
  std::span<const YamlFile> files_;
  VolcanoFacts& facts_;
  std::vector<std::pair<FileId, FileId>>& conflicts_;
  std::map<std::string, Known> known_;  // by kind and name
  std::set<std::string> closed_;        // by a Command
  // Of VolcanoFacts::asks, parallel to these: the object, and its controller (pods.h).
  std::vector<std::pair<std::string, std::string>> askers_;
  std::set<std::string> mounted_;  // ConfigMaps, by the scheduler
  std::string configured_;         // the ConfigMap that was read
  bool scheduler_ = false;         // its Deployment was read
};

// What could not be read of texts that speak of Volcano alone is Volcano's, in `out`.
void part_volcano(std::span<const YamlFile> files, Existing& out);

}  // namespace gpol::manifest
