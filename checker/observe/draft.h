// The cluster while it is being read: names become indices in the order in which they are met, whether as a definition
// or as a reference; what can only be judged at the end (references to objects that are not there) is kept with its
// place. finish() judges it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "checker/observe/problems.h"
#include "checker/observe/view.h"
#include "compiler/cluster/cluster.h"

namespace gpol::manifest {

// A field that names an object which may come later.
struct Reference {
  Place place;
  std::string field, name;
  int line = 0;
  Span span = {};
};

// Where what was read stands.
struct Places {
  std::vector<Span> queues, cohorts, priority_classes, local_queues;  // the names; parallel to the lists of the cluster
  std::vector<Span> pod_priority_classes;                             // their values, likewise
  std::vector<Span> role_bindings;                                    // the names, likewise
  std::map<std::string, Span> node_labels;  // of each flavor; where they are absent, what would hold them
  std::vector<std::vector<Span>> quotas;    // of each queue: one per quota, in order of groups, flavors, resources
};

// What is read: files that `build` wrote, which must say all there is; or files that somebody applies, which may be a
// part of what is in the cluster.
enum class Scale : std::uint8_t { Whole, Part };

class Draft {
 public:
  explicit Draft(Scale of = Scale::Whole) : scale(of) {}
  const Scale scale;
  Cluster cluster;
  Problems problems;
  Places places;
  std::vector<Reference> absent_flavors, absent_queues;  // of a part: named, and not among what was read

  std::uint32_t resource(const std::string& name);
  std::uint32_t flavor(const View& at, const std::string& name);  // a reference: `at` is reported if it never comes
  Flavor& define_flavor(const std::string& name);

  // A ClusterQueue that has been read, to be found again by patches and local queues.
  void define_queue(const std::string& name);
  Queue* find_queue(const std::string& name);
  void refer_to_queue(const View& at, const std::string& name);

  // False, with a problem, when this object has been read before.
  bool define_object(const View& metadata, const std::string& kind, const std::string& ns, const std::string& name);

  // Labels that are not kept, but would matter if a selector asked for them.
  void note_namespace_label(const View& at, const std::string& key);
  void note_selector(const Selector& selector);

  bool configuration_seen = false;
  std::set<std::string> checks_of_flavors;  // AdmissionChecks that a queue wants for some of its flavors only

  void finish();

 private:
  std::unordered_map<std::string, std::uint32_t> resources_, flavors_, queues_;
  std::map<std::uint32_t, Reference> undefined_flavors_;
  std::vector<Reference> queue_references_;
  std::unordered_set<std::string> objects_;
  std::vector<Reference> namespace_labels_;
  std::set<std::string> selector_keys_;
};

}  // namespace gpol::manifest
