// Who is protected, where no policy says it: from the labels gpol.dev/role (serving, batch, bounded) and gpol.dev/class
// (A, B) of queues and priority classes. In: an observed cluster. Out: the intent that the families prove. Facts that
// nobody states (nodes, times, premises) are left out of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/cluster/intent.h"

namespace gpol {

// What one unit of a resource is in its base unit: a core is 1,000 millicores, memory comes in GiB, all else in ones.
std::int64_t one_unit(std::string_view resource);
// What a pod of the queue's demand asks for of a resource: 0 of what it leaves out.
std::int64_t unit_asked(const Cluster& cluster, const QueueRole& role, std::uint32_t resource);

using NamedAmounts = std::map<std::string, std::int64_t>;  // base units, by resource

// By index into Cluster::resources; what the cluster does not know is left out.
std::vector<std::int64_t> by_resource(const Cluster& cluster, const NamedAmounts& amounts);

// What somebody says of a queue beside its labels, and before them.
struct NamedRole {
  QueueRole::Kind kind = QueueRole::Kind::None;
  std::optional<Isolation> isolation;    // absent: the label's, or A
  std::optional<TimeConstant> deadline;  // absent: untimed
  std::string pool = {};  // a Queue of Volcano: whose nodes its pods stand on, and no others'; empty: any
  // Serving: what is promised of it, by flavor, no more than its nominal quota (empty: all of that); what one replica
  // asks for (empty: pods of one unit of everything); how long one takes to start.
  std::map<std::string, NamedAmounts> reserve = {};
  NamedAmounts replica = {};
  StartTerms start = {};
  // Batch: the devices that each of its pods asks for, by flavor; how long they may take to end.
  std::map<std::string, NamedAmounts> shapes = {};
  std::optional<TimeConstant> grace = {}, kill_margin = {};
};
using NamedRoles = std::map<std::string, NamedRole>;  // by queue

// The reserve of a queue is each nominal quota. A serving queue asks single pods of one unit of every resource it
// covers: as many as the sum over a group's flavors of the least nominal quota, in whole units, of the group with the
// least; where it covers several devices, once for each of which it has quota, without the others. A priority class
// with a role gives the one priority that the role uses; where there is none, or several, or the queue is labelled
// `gpol.dev/batch-priority: any`, every priority is open. The priority of each role of a queue, by the labels of the
// priority classes as they are now.
void set_priorities(const Cluster& cluster, Intent& intent);
Intent intent_from_labels(const Cluster& cluster, const NamedRoles& named = {});

// As soon as somebody serves, in a queue or outside, each queue without a role is batch.
void take_others_as_batch(Intent& intent);

}  // namespace gpol
