// The two questions of the fragmentation family to the solver, about one pool and one replica. In: what the pods of the
// adversary are and how far they go (checker/nodes/blocking.h). Out: formulas.
#pragma once

#include <string>
#include <vector>

#include "checker/nodes/blocking.h"
#include "checker/solver/terms.h"

namespace gpol {

// The same question with each resource counted in the largest unit of which the replica and every pod ask for a whole
// number; what a node and the limits have beside such units nobody can use. It has the same fillings where none asks
// for more than every pod does (`beyond`); else it is the question as it was. So one answer serves nodes of every size.
nodes::Question in_largest_units(nodes::Question question, const std::vector<nodes::Filling>& fillings);

// Unsat: whatever stands on a node that is closed to the replica holds one of these fillings. The numbers of pods of
// each kind, and how much more they ask for, are free.
Formula fillings_formula(const std::string& name, const nodes::Question& question,
                         const std::vector<nodes::Filling>& fillings);

// Unsat: so many nodes can never be closed at once. How many nodes hold which filling, and in whose queues the serving
// pods on them stand, is free. The symbol of filling i is nodes_i.
Formula closed_formula(const std::string& name, const nodes::Question& question,
                       const std::vector<nodes::Filling>& fillings, std::int64_t wanted);
// The same of nodes that hold fillings which leave too little of this resource.
Formula closed_by_formula(const std::string& name, const nodes::Question& question,
                          const std::vector<nodes::Filling>& fillings, std::uint32_t resource, std::int64_t wanted);
std::string nodes_symbol(std::size_t filling);
// Whether so many nodes of each filling make a `closed_formula` true, seen by evaluating it, without a solver. What
// several kinds could ask for beyond is split among them in one way, the first as much as it can: a solver tries all.
bool closes(const Formula& formula, const nodes::Question& question, const std::vector<nodes::Filling>& fillings,
            const std::vector<std::int64_t>& nodes);

}  // namespace gpol
