#include "checker/repair/mend.h"

#include <map>
#include <unordered_map>

#include <algorithm>

#include <fmt/format.h>

#include "checker/families/pairs.h"
#include "checker/repair/selectors.h"
#include "checker/repair/write.h"
#include "compiler/cluster/quantity.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

using Field = Change::Field;

class Mender {
 public:
  Mender(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Repairs& repairs, Report& report)
      : proof_(proof), sources_(sources), fields_(fields), repairs_(repairs), report_(report) {}

  void run() {
    std::unordered_map<std::string_view, std::uint32_t> queues;
    for (std::uint32_t q = 0; q < proof_.cluster.queues.size(); ++q) queues.emplace(proof_.cluster.queues[q].name, q);
    struct Found {
      std::vector<std::size_t> pairs;
      std::vector<Obligation*> claims, reclaims;
    };
    std::map<std::uint32_t, Found> found;
    std::map<std::pair<Family, std::uint32_t>, std::size_t> next;  // an obligation's pair: they come in order
    for (Obligation& o : report_.obligations) {
      if ((o.family != Family::Claim && o.family != Family::Reclaim) || o.subject.kind != "ClusterQueue") continue;
      const auto at = queues.find(o.subject.name);
      if (at == queues.end()) continue;
      const std::size_t pair = next[{o.family, at->second}]++;
      if (!o.detail || o.verdict == Verdict::Proven || o.verdict == Verdict::NotAnalysed) continue;
      // What others hold is not counted: no limit keeps them from it.
      const bool uncounted = o.family == Family::Claim && o.verdict == Verdict::Undecided && !o.figures.claimable;
      if (!o.required || uncounted) {
        take_away(o);
        continue;
      }
      // Others can hold none of it: it is undecided for pods on its nodes, and no limit lends less.
      if (o.family == Family::Claim && o.verdict == Verdict::Undecided && *o.figures.claimable == 0) continue;
      Found& of = found[at->second];
      if (o.family == Family::Claim) of.pairs.push_back(pair);
      (o.family == Family::Claim ? of.claims : of.reclaims).push_back(&o);
    }
    for (auto& [queue, of] : found) {
      if (!of.claims.empty()) tell_claims(queue, of.pairs, of.claims);
      if (!of.reclaims.empty()) tell_reclaim(queue, of.reclaims);
    }
  }

  // Class A that waits although nobody can hold it.
  void waits() {
    for (Obligation& o : report_.obligations) {
      if (o.family != Family::Vacuity || !o.detail || o.detail->waits.empty()) continue;
      for (std::uint32_t q = 0; q < proof_.cluster.queues.size(); ++q)
        if (proof_.cluster.queues[q].name == o.subject.name)
          if (const auto remedy = repairs_.of_waits(q); !remedy.changes.empty()) tell({&o}, remedy);
    }
  }

  // A serving queue that admits nothing. Where nothing opens it, it is said all the same what shuts it.
  void closed(Obligation& o) {
    for (std::uint32_t q = 0; q < proof_.cluster.queues.size(); ++q)
      if (proof_.cluster.queues[q].name == o.subject.name)
        if (const auto remedy = repairs_.of_closed(q); !remedy.changes.empty()) return tell({&o}, remedy);
  }

  void capacity(Obligation& o) {
    const auto& flavors = proof_.cluster.flavors;
    const auto& resources = proof_.cluster.resources;
    const auto flavor = std::ranges::find(flavors, o.subject.flavor, &Flavor::name);
    const auto resource = std::ranges::find(resources, o.subject.resource);
    if (flavor == flavors.end() || resource == resources.end()) return;
    const auto remedy = repairs_.of_capacity(static_cast<std::uint32_t>(flavor - flavors.begin()),
                                             static_cast<std::uint32_t>(resource - resources.begin()));
    // Nobody is told to take a queue all its quota because nodes are away today: both numbers are said.
    const bool to_nothing = std::ranges::any_of(
        remedy.changes, [](const Change& change) { return change.field == Field::NominalQuota && change.amount == 0; });
    if (!remedy.changes.empty() && !to_nothing) tell({&o}, remedy, ", or add nodes");
  }

 private:
  // Each pair has a limit of its own; where another change does without one, all are told of all.
  void tell_claims(std::uint32_t queue, const std::vector<std::size_t>& pairs, const std::vector<Obligation*>& claims) {
    const auto [changes, alone, whole] = repairs_.of_claim(queue, pairs);
    std::vector<std::vector<Change>> own(claims.size());
    std::vector<Change> rest;
    for (const Change& change : changes) {
      const auto pair = std::ranges::find(pairs, change.pair);
      const bool limit = change.field == Field::LendingLimit && change.queue == queue && pair != pairs.end();
      (limit ? own[static_cast<std::size_t>(pair - pairs.begin())] : rest).push_back(change);
    }
    if (whole || std::ranges::any_of(own, [](const auto& limits) { return limits.empty(); }))
      return tell(claims, {changes, alone, whole});
    for (std::size_t i = 0; i < claims.size(); ++i) {
      if (i == 0) own[i].insert(own[i].end(), rest.begin(), rest.end());
      tell({claims[i]}, {own[i], alone, false});
    }
  }

  // Quotas beyond the devices are another finding: where no edit is known of it and that is all that is left, this
  // one's fields are told without it.
  void tell_reclaim(std::uint32_t queue, const std::vector<Obligation*>& reclaims) {
    const Remedy remedy = repairs_.of_reclaim(queue);
    tell(reclaims, remedy);
    if (!remedy.changes.empty() || proof_.intent.capacities.empty()) return;
    Intent paper = proof_.intent;
    paper.capacities.clear();
    const Proof proof{proof_.cluster, paper, proof_.origins, proof_.solver};
    tell(reclaims, repairs_.of(proof).of_reclaim(queue));
    for (Obligation* o : reclaims) {
      Detail detail = *o->detail;
      const std::string rest = "lower the quotas to what the nodes have";
      detail.fix = Fix{detail.fix ? detail.fix->text + "; " + rest : rest};
      o->say(std::move(detail));
    }
  }

  static void take_away(Obligation& o) {
    Detail detail = *o.detail;
    detail.fix.reset();
    o.say(std::move(detail));
  }

  std::vector<FieldStep> path_of(const Change& change) const {
    std::string_view amount;
    switch (change.field) {
      case Field::ReclaimWithinCohort:
        return {"spec", "preemption", "reclaimWithinCohort"};
      case Field::QueueingStrategy:
        return {"spec", "queueingStrategy"};
      case Field::StopPolicy:
      case Field::DoorStopPolicy:
        return {"spec", "stopPolicy"};
      case Field::WhenCanPreempt:
        return {"spec", "flavorFungibility", "whenCanPreempt"};
      case Field::NamespaceSelector:
        return {"spec", "namespaceSelector"};
      case Field::RoleLabel:
        return {"metadata", "labels", "gpol.dev/role"};
      case Field::LendingLimit:
        amount = "lendingLimit";
        break;
      case Field::BorrowingLimit:
        amount = "borrowingLimit";
        break;
      case Field::NominalQuota:
        amount = "nominalQuota";
        break;
    }
    std::size_t pair = change.pair;
    const auto& groups = proof_.cluster.queues[change.queue].groups;
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (std::size_t f = 0; f < groups[g].flavors.size(); ++f) {
        if (pair < groups[g].covered.size())
          return {"spec", "resourceGroups", g, "flavors", f, "resources", pair, std::string(amount)};
        pair -= groups[g].covered.size();
      }
    return {};
  }

  // The older version has a word of its own for it.
  std::string value_of(const Change& change, Span object) {
    if (change.field == Field::NamespaceSelector) return selector_of(change.namespaces);
    if (change.field == Field::LendingLimit || change.field == Field::BorrowingLimit ||
        change.field == Field::NominalQuota) {
      const Queue& queue = proof_.cluster.queues[change.queue];
      return plain_quantity(proof_.cluster.resources[pairs_of(queue).at(change.pair).resource], change.amount);
    }
    const manifest::Node* node = change.field == Field::WhenCanPreempt ? fields_.object(object) : nullptr;
    const manifest::Node* version = node == nullptr ? nullptr : manifest::field(*node, "apiVersion");
    if (version != nullptr && version->text == "kueue.x-k8s.io/v1beta1") return "Preempt";
    return std::string(change.word);
  }

  std::string object_of(const Change& change) const {
    if (change.field == Field::RoleLabel)
      return fmt::format("WorkloadPriorityClass `{}`", proof_.cluster.priority_classes[change.queue].name);
    if (change.field != Field::DoorStopPolicy)
      return fmt::format("ClusterQueue `{}`", proof_.cluster.queues[change.queue].name);
    const LocalQueue& local = proof_.cluster.local_queues[change.queue];
    return fmt::format("LocalQueue `{}/{}`", local.ns, local.name);
  }

  FieldEdit field_edit(const Change& change, const std::string& value) const {
    const auto path = path_of(change);
    FieldEdit edit{object_of(change), std::get<std::string>(path.back()), value, {}, false};
    if (change.field != Field::LendingLimit && change.field != Field::BorrowingLimit &&
        change.field != Field::NominalQuota)
      return edit;
    const Pair pair = pairs_of(proof_.cluster.queues[change.queue]).at(change.pair);
    edit.of =
        fmt::format("{} of `{}`", proof_.cluster.resources[pair.resource], proof_.cluster.flavors[pair.flavor].name);
    const QueueRole& role = proof_.intent.roles[change.queue];
    edit.ends_loan =
        change.field == Field::LendingLimit && change.amount == 0 && promised(role) && role.isolation == Isolation::B;
    return edit;
  }

  void tell(const std::vector<Obligation*>& obligations, const Remedy& remedy, std::string_view or_else = {}) {
    std::optional<Fix> fix;
    std::optional<WrittenChange> first;
    bool whole = true;  // each change has an edit
    for (const Change& change : remedy.changes) {
      const auto& origins = proof_.origins;
      const Span object = change.field == Field::DoorStopPolicy ? origins.local_queue.at(change.queue)
                          : change.field == Field::RoleLabel    ? origins.priority_class.at(change.queue)
                                                                : origins.queue.at(change.queue);
      const std::string value = value_of(change, object);
      const auto write = change.field == Field::NamespaceSelector ? write_whole : write_change;
      auto written = write(sources_, fields_, object, path_of(change), value);
      if (!written) {
        fix.reset();
        break;
      }
      if (!fix) fix.emplace();
      add_to_list(fix->text, fmt::format("set `{}` of {} to `{}`", written->field, object_of(change), value), "; ");
      fix->tried.push_back(field_edit(change, value));
      whole = whole && !written->edits.empty();
      fix->edits.insert(fix->edits.end(), written->edits.begin(), written->edits.end());
      if (!first) first = std::move(written);
    }
    if (fix && !whole) {
      fix->edits.clear();
      fix->text += ", by hand: what stands there stands for other fields, too";
    }
    const bool labels = contains(remedy.changes, Field::RoleLabel, &Change::field);
    if (fix && labels) fix->text += " (each role then uses the priority that is labelled for it, and no other)";
    if (fix) fix->text += or_else;
    if (fix && remedy.alone) fix->text += ", and nothing else before it is verified again";
    for (Obligation* o : obligations) {
      Detail detail = *o->detail;
      detail.fix = fix;
      if (first && fix) {
        detail.place.field = first->field;
        o->span = first->at;
      }
      o->say(std::move(detail));
    }
  }

  const Proof& proof_;
  const SourceSet& sources_;
  manifest::Fields& fields_;
  Repairs& repairs_;
  Report& report_;
};

}  // namespace

void mend_waits(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Repairs& repairs,
                Report& report) {
  Mender(proof, sources, fields, repairs, report).waits();
}

void mend_closed(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Repairs& repairs,
                 Report& report, Obligation& o) {
  Mender(proof, sources, fields, repairs, report).closed(o);
}

void mend_capacity(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Repairs& repairs,
                   Report& report, Obligation& o) {
  Mender(proof, sources, fields, repairs, report).capacity(o);
}

void mend(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Repairs& repairs, Report& report) {
  Mender(proof, sources, fields, repairs, report).run();
}

}  // namespace gpol
