// What guards deny, asked once for many clusters. A policy can only deny, never admit: a request that some policies
// were proven to deny is denied wherever these policies are the same, whatever the other policies say.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "checker/families/guard_book.h"

namespace gpol::mutation {

// The guards of a cluster as text: each policy with its bindings, and the namespaces that they select.
struct GuardTexts {
  explicit GuardTexts(const Cluster& cluster);
  std::map<std::string, std::string> policies;
  std::string namespaces;
};

class GuardMemory {  // used by several threads
 public:
  Reach answer(const GuardTexts& guards, const GuardQuestion& question, const std::function<Reach()>& ask);
  int asked() const { return asked_; }

 private:
  struct Entry {
    std::map<std::string, std::string> need;  // policies by name; of what is not denied: all of them
    bool all = true;
    Reach reach;
  };
  std::mutex mutex_;
  std::map<std::string, std::deque<Entry>> entries_;  // by question
  int asked_ = 0;
};

}  // namespace gpol::mutation
