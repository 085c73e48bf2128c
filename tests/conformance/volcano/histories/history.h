// A life of a cluster in steps, which the judge plays in the real scheduler and play.h in the model.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "checker/volcano/rules/scheduler.h"
#include "compiler/model/volcano/setup.h"

namespace gpol::volcano::histories {

struct Step {
  enum class Do : std::uint8_t {
    PutNode,
    RemoveNode,
    PutQueue,
    RemoveQueue,
    PutJob,  // of one that is there: its pods are added
    RemoveJob,
    Session,
    Delete,
    Gone
  } action = Do::Session;
  std::string name;  // of what is removed, deleted or gone: "ns/pod" and "ns/job"
  Node node;
  Queue queue;
  bool open = true;  // the queue
  Job job;
};

struct History {
  std::string name;
  int repeats = 1;
  SchedulerConfig scheduler;
  std::vector<Step> steps;
};

// All that is random comes from the seed.
History draw(std::uint64_t seed);

// One line for the judge, with its end.
std::string to_json(const History& history);

// What the judge saw in one session.
struct Seen {
  std::map<std::string, std::string> bound;      // pod to node
  std::map<std::string, std::string> podgroups;  // to their phases
  std::map<std::string, Amounts> held;           // by queue
  std::size_t evicted = 0;
  std::map<std::string, std::map<std::string, double>> limits;  // by queue; where the judge says them
};

struct Answer {
  std::string name, error;
  std::vector<std::vector<Seen>> runs;
};

Answer read_answer(const std::string& line);

}  // namespace gpol::volcano::histories
