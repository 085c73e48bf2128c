// The enumerations of cluster.h in Kueue's spelling.
#pragma once

#include "compiler/cluster/cluster.h"

namespace gpol {

const char* word(QueueingStrategy value);
const char* word(Within value);
const char* word(Reclaim value);
const char* word(BorrowWithin value);
const char* word(Search value);
const char* word(StopPolicy value);
const char* word(KueueConfig::FairStrategies value);  // several joined by a comma and a space

}  // namespace gpol
