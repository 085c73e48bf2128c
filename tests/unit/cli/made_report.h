// A policy's report made by hand: `chat` (class A) and `search` (class B) serve, `train` is batch.
#pragma once

#include <memory>
#include <string>

#include "checker/families/codes.h"
#include "cli/render/run_report.h"

namespace gpol::test {

struct MadeReport {
  SourceSet sources;
  Planned planned;
  Report report;
  FileId file = 0;

  MadeReport() {
    file = sources.add("p.gpol",
                       "tenant chat\n\treserve 8 gpus of live  # größe\ntenant search\n  reserve 4 gpus of shared\n");
    for (const char* name : {"chat", "search", "train"}) {
      Queue queue;
      queue.name = name;
      planned.cluster.queues.push_back(queue);
      QueueRole role;
      role.tenant = name;
      planned.intent.roles.push_back(role);
    }
    planned.intent.roles[0].kind = planned.intent.roles[1].kind = QueueRole::Kind::Serving;
    planned.intent.roles[2].kind = QueueRole::Kind::Batch;
    planned.intent.roles[0].isolation = Isolation::A;
    planned.intent.roles[1].isolation = Isolation::B;
    report.analysed = {Family::Claim, Family::Reclaim, Family::Capacity};
    report.assumptions = {
        {"nodes are as declared", Assumption::Status::Trusted, "@platform", "", "nodes-as-declared"},
        {"no pod holds a GPU without admission", Assumption::Status::Enforced, "", "", "admission-only"}};
    for (const char* resource : {"cpu", "nvidia.com/gpu"}) {
      add(Family::Claim, code::Claim, "chat", "live", resource, true);
      add(Family::Claim, code::Claim, "search", "shared", resource, true);
      add(Family::Reclaim, code::ReclaimNever, "chat", "live", resource, false);
      add(Family::Reclaim, code::ReclaimNever, "search", "shared", resource, true);
    }
  }

  Obligation& add(Family family, Code code, std::string_view queue, std::string_view flavor, std::string_view resource,
                  bool required) {
    Obligation o;
    o.family = family;
    o.code = code;
    o.verdict = Verdict::Proven;
    o.required = required;
    o.subject = {"ClusterQueue", queue, queue, flavor, resource};
    const bool gpus = resource == "nvidia.com/gpu";
    o.figures.reserve = gpus ? 8 : 23'500;
    o.figures.claimable = 0;
    o.figures.slack = gpus ? 2 : 500;
    o.figures.unit = gpus ? Unit::Devices : Unit::Cores;
    if (family == Family::Reclaim && required) o.figures.back_within_ms = 125'500;
    o.span = {file, 13, 36};  // the reserve of chat
    o.core = std::make_shared<std::vector<Span>>(std::vector<Span>{{file, 13, 36}, {file, 0, 6}});
    report.obligations.push_back(o);
    return report.obligations.back();
  }

  // Every obligation of this queue and family, as the families do it: one detail for all.
  void refute(Family family, std::string_view queue, Code code) {
    auto detail = std::make_shared<Detail>();
    detail->message = "`train` can hold 8 of the 8 GPUs of `live` that `chat` reserves";
    detail->story = {{"02:00", "train", "is admitted with 8 GPUs"}, {"09:30", "chat", "asks for 8 GPUs and waits"}};
    detail->fix = Fix{"write `lend at most 0 gpus of live`", {{{file, 13, 13}, "lend at most 0 gpus of live "}}};
    for (Obligation& o : report.obligations) {
      if (o.family != family || o.subject.name != queue) continue;
      o.verdict = Verdict::Refuted;
      o.code = code;
      o.figures.claimable = o.figures.reserve;
      o.figures.slack.reset();
      o.detail = detail;
    }
  }

  void undecide(Family family, std::string_view queue, const std::string& reason) {
    auto detail = std::make_shared<Detail>();
    detail->reason = reason;
    detail->message = "it is not known when the reserve of `search` comes back";
    for (Obligation& o : report.obligations) {
      if (o.family != family || o.subject.name != queue) continue;
      o.verdict = Verdict::Undecided;
      o.detail = detail;
    }
  }

  RunReport run(std::vector<Family> gaps = {}) const {
    RunReport run;
    run.policies = {{&sources, &report, &planned, false}};
    run.allowed_gaps = std::move(gaps);
    run.version = "0.1.0";
    return run;
  }
};

}  // namespace gpol::test
