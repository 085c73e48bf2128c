// What people apply already, whoever wrote it: any mix of files, of objects in any number of documents and Lists, in
// every version that Kueue serves, as tools print them and as `kubectl get -o yaml` does. In: files (path, bytes). Out:
// the cluster that they mean, as far as it goes: it may be a part. Fields that are absent take the defaults of Kueue
// v0.19.2. What is named and absent is listed, not refused; objects of other kinds are counted.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "checker/edge/facts.h"
#include "checker/observe/draft.h"
#include "checker/observe/left_out.h"
#include "checker/observe/observe.h"
#include "checker/observe/partition_files.h"
#include "compiler/cluster/node_facts.h"
#include "compiler/cluster/pod_facts.h"
#include "compiler/source/edit.h"

namespace gpol {

// What the API server or Kueue's webhooks would refuse, or what no reader of YAML can read.
struct Rejection {
  Span span;          // FileId: the index of the file; of an absent field its nearest present parent
  std::string field;  // as the file spells it; empty: the document
  std::string rule;   // "schema:enum", "webhook:..."; empty: it is no YAML, or no object
  std::string what, hint;
  std::vector<Edit> edits = {};  // a key that is misspelt, by the right one
};

// A field that Kueue acts on and gpol has no model of.
struct Unmodelled {
  Span span;
  std::string field, what;
  std::string kind, name;      // of the object that has it
  bool dropped = false;        // nothing of the object is known: it may be a queue, and no figure is
  bool changes = false;        // it may change any object that was read, too
  std::string directory = {};  // `changes`: only objects of this directory of the repository; empty: any
};

// An object that another one names and that is not among what was read.
struct Absent {
  std::string kind, name;
  Span span;  // of what names it
};

// A label of gpol.dev/, by which somebody says who serves, on whatever object.
struct RoleLabel {
  std::string kind, name;  // of the object
  std::string key, value;  // gpol.dev/role, gpol.dev/class or gpol.dev/batch-priority
  Span span;               // of the value
};

// What is there of Volcano.
struct VolcanoFacts {
  bool beside = false;     // the rest of the folder is judged, too
  volcano::Amounts kueue;  // what ClusterQueues of that own
  volcano::Setup setup;    // without a configuration of the scheduler where none was read
  struct At {
    Span name, parent, capability, deserved, guarantee;  // an absent field's is its nearest present parent's
    std::map<std::string, Span> limits, owned;           // the amounts of `capability`; of guarantee, else deserved
    bool dumped = false;                                 // it is there: the API server has given it a uid
    std::string closed;                                  // why it is not open; empty: it is
    volcano::Amounts allocated;                          // as its status says
  };
  std::vector<At> at;  // parallel to the queues
  Span configuration;  // of the text that is the scheduler's configuration; unknown: none was read
  // A PodGroup, a Job of Volcano, or a template of pods that names a queue of Volcano or asks for devices.
  struct Asks {
    std::string kind, name, queue;
    Span at;
    volcano::Amounts amounts = {};  // of all its pods together
    bool ends = false;              // a Job
    bool placed = true;             // by Volcano, which chooses its nodes
    bool owned = false;             // its controller is there, too, and asks for them
  };
  std::vector<Asks> asks;
  struct Silent {  // what Volcano takes and does nothing with, or not what it seems to say
    Span at;
    std::string what, hint;
  };
  std::vector<Silent> silent;
  std::vector<Rejection> rejections;
  std::vector<Unmodelled> unmodelled;

  // Something is to be judged; what only asks for a queue is none.
  bool any() const { return !setup.queues.empty() || configuration.known() || !rejections.empty(); }
};

struct Existing {
  manifest::GivenCuts cuts;
  Cluster cluster;
  manifest::Places places;  // parallel to the cluster's lists
  std::vector<Rejection> rejections;
  std::vector<Unmodelled> unmodelled;
  std::vector<Absent> absent;
  std::vector<NodeFacts> nodes;
  std::vector<OutsideFacts> outside;
  std::vector<PodFacts> rooms;            // that request anything; what serves outside the queue apart
  std::vector<PodFacts> pods;             // that ask for devices; what serves outside the queue apart
  std::vector<PodLimits> pod_limits;      // ResourceQuotas and LimitRanges
  std::vector<HeldFacts> held;            // by what a dump says
  std::vector<QuotaWayUse> quota_ways;    // round quota, that queues and cohorts say
  std::vector<QuotaWayUse> v1beta1;       // objects of Kueue in that version
  bool configured = false;                // a Configuration is among what was read
  std::string runs;                       // the version that Kueue's Deployment runs; empty: none is said
  std::set<std::string> inactive_checks;  // AdmissionChecks whose status says so
  std::set<std::string> inactive_queues;  // ClusterQueues from which, as they say, nobody can evict
  std::map<std::string, std::string> check_controllers;  // of AdmissionChecks: controllerName
  std::set<std::string> checks_of_flavors;               // those that a queue wants for some of its flavors only
  std::vector<std::pair<Span, Span>> copies;             // names of an object and of one that says the same
  std::vector<RoleLabel> role_labels;
  std::set<std::string> admission;            // "MutatingWebhookConfiguration `istio`": not Kueue's, not looked at
  std::map<std::string, std::size_t> others;  // "Deployment (apps/v1)" and how many, of kinds that say nothing here
  std::vector<Rejection> mistakes;            // that decide nothing, and are among what is left out
  std::vector<std::string> passed_over;       // objects of other kinds that could not be read, and why
  std::set<FileId> guards_in_part;  // files with an admission policy or binding of which not all was understood
  std::vector<std::string> twice;   // objects that are there twice, otherwise, and which of them counts
  std::vector<std::pair<FileId, FileId>> conflicts;  // files that say different things of one object
  std::vector<LeftOut> left_out;                     // in the order of the files, each once
  std::vector<std::string> trusted;                  // what a chart says elsewhere, in words
  VolcanoFacts volcano;                              // which is judged as a bundle of its own
  edge::Facts edge;                                  // gateways, routes, their policies, and what they lead to
  std::size_t objects = 0;
};

// Nothing is thrown.
Existing observe_existing(std::span<const YamlFile> files);
// The same of objects that were put together from the first `built` files, and of the files behind those.
Existing observe_built(std::span<const YamlFile> files, std::vector<manifest::Node> objects, std::size_t built);

}  // namespace gpol
