// What the statements of the family `gateway` share, and those of its statements that have a file of their own. Each is
// of one tenant's service and of what is let in to it; what nobody stated leaves it undecided, with the clause to add.
#pragma once

#include <cstdint>
#include <string>

#include "checker/families/lemma_book.h"
#include "compiler/cluster/intent.h"

namespace gpol::gateway {

// Undecided, with the lines that it rests on.
Obligation statement(const PlannedEdge& edge, Code code, Span span);
// Adds it as it is: `about` ("whether ... is not known"), what is missing, and the clause that states it (may be
// empty).
void add_undecided(Report& report, Obligation o, const std::string& about, std::string missing, std::string add);

std::int64_t streams_of_one_proxy(const PlannedLimit& limit);  // 1,024 where none is stated
std::int64_t streams_let_in(const PlannedLimit& limit);        // by all proxies, which must be known
std::int64_t streams_sustained(const PlannedEdge& edge);       // replicas and streams must be known
// "`public`"; where the tenant has several limits there, "route `chat/batch` of `public`".
std::string place_of(const PlannedEdge& edge, const PlannedLimit& limit);
std::string ordinal(std::int64_t number);  // "273rd request"

// The solver proves how sums are folded: over proxies, a bucket, two windows, and within what is sustained.
bool sums_hold(LemmaBook& book);

// What is not stated, and the clause that states it: of the replicas that stand, of one limit, of all that streams
// need. Empty: nothing is missing.
std::string missing_of_replicas(const PlannedEdge& edge, std::string& add);
std::string missing_of_limit(const PlannedLimit& limit, std::string& add);
std::string missing_of_streams(const PlannedEdge& edge, std::string& add);

// What waits is answered within the gateway's timeout, and that is over before the client's deadline.
void judge_queues(const PlannedEdge& edge, LemmaBook& book, Report& report);
// Each class of requests finds the streams that it has of each replica, whatever is let in of the others.
void judge_classes(const PlannedEdge& edge, LemmaBook& book, Report& report);
// Nobody of another tenant reaches the service's pods past the gateway.
void judge_callers(const PlannedEdge& edge, LemmaBook& book, Report& report);

}  // namespace gpol::gateway
