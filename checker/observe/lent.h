// Whose pods they are, when all was read: what another object lends to those that name it (borrowed.h), and what
// another one owns. In: facts of pods as each object says them. Out: the facts of whoever runs them, once.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "checker/observe/dumps.h"
#include "checker/observe/pods.h"

namespace gpol::manifest {

// Of all objects that have templates, "GROUP/KIND/ns/name", their owners and uids.
using Owners = std::map<std::string, Owner>;

class Lent {
 public:
  // True: others may take pods from it. `counted_as`: where nobody does; empty: it is counted already.
  bool add(const Node& object, const Place& place, std::string counted_as);

  // What is taken from what is there is said of whoever takes it, and who takes it is an owner of what is made.
  void settle(std::vector<PodFacts>& pods, std::vector<PodFacts>& rooms, Owners& owners);

  // Those that nobody took from, once for each.
  std::vector<std::string> unused() const;

 private:
  struct Lender {
    std::vector<PodFacts> pods, rooms;
    std::string whose, counted_as;  // whose: "ServingRuntime `a`"
    bool used = false;
  };
  Lender* of(const PodFacts& taker);
  void give(std::vector<PodFacts>& takers, std::vector<PodFacts> Lender::* what);

  std::map<std::string, Lender> lenders_;
};

// What another one of them owns is counted with its owner, where that can have made it, and what runs nothing with
// nobody. `scaled`: "kind/ns/name" of what an autoscaler scales.
void settle_pods(const Owners& owners, const Scaled& scaled, std::vector<PodFacts>& pods);

}  // namespace gpol::manifest
