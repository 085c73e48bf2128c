// Work that does not depend on its order, on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace gpol {

// How many run at once where nobody says: the processors of the machine.
unsigned processors();

// Calls body(0) to body(count - 1), each once, at most `threads` of them at a time (1: in order, on this thread). Where
// no more threads are to be had those that there are do it. What a body throws is thrown here, once all others have
// ended; of what was not begun by then nothing runs.
void in_parallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& body);

}  // namespace gpol
