// What mends each finding about a queue's quota, written into the report: the place of the field to change, the edit,
// and its text. In: a report of what was observed. Out: the same report; findings for which nothing was found keep the
// place of their quota, and say so.
#pragma once

#include <span>

#include "checker/families/families.h"
#include "checker/families/table.h"
#include "checker/observe/fields.h"
#include "checker/repair/changes.h"
#include "compiler/source/source_set.h"

namespace gpol {

// `proof`: the observed cluster, in whose Origins the queues' places are. `repairs`: one for the whole report, so that
// all edits can be made together.
void mend(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Repairs& repairs, Report& report);

// The same of class A that waits although nobody can hold it: after judge_waits.
void mend_waits(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Repairs& repairs,
                Report& report);

// Of findings that are no figures: selectors, second doors, priorities, what is stopped; and quotas beyond the devices.
void mend_premises(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Repairs& repairs,
                   Report& report);

// Of Queues of Volcano, whose names stand at `queues`.
void mend_volcano(const Planned& planned, const Evidence& evidence, std::span<const Span> queues,
                  const SourceSet& sources, manifest::Fields& fields, Report& report);

// What findings of gateways say is to be written, as edits.
void mend_edge(const SourceSet& sources, manifest::Fields& fields, Report& report);

// One of mend_premises.
void mend_closed(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Repairs& repairs,
                 Report& report, Obligation& o);
void mend_capacity(const Proof& proof, const SourceSet& sources, manifest::Fields& fields, Repairs& repairs,
                   Report& report, Obligation& o);

}  // namespace gpol
