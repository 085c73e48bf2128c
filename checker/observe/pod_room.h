// What a pod takes of a node, from what its containers request: AggregateContainerRequests and PodRequests of
// k8s.io/component-helpers resource/helpers.go, defaultPodRequests of pkg/apis/core/v1/defaults.go. In: requests, a
// limit without a request being one, in gpol's units (cpu in thousandths). A sum beyond 64 bits is the largest number.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "checker/observe/documents.h"

namespace gpol::manifest {

class PodRoom {
 public:
  using Amounts = std::map<std::string, std::int64_t>;

  void container(const Amounts& requests);
  // In the order in which the pod lists them. `stays`: its restartPolicy is Always, so that it runs beside all later
  // ones.
  void init_container(const Amounts& requests, bool stays);
  // The pod's own `resources`. `requests`: what it writes there; `limits`: what it writes there, requests or not.
  void of_pod(const Amounts& requests, const Amounts& limits);
  void overhead(const Amounts& amounts);

  // Once all is said: what is more than nothing.
  Amounts total() const;

 private:
  Amounts together_, staying_,
      most_;  // at once; of init containers that stay; what one init container needs with these
  Amounts requests_, limits_, overhead_;
};

// Of a mapping there; as much as can be where an amount cannot be read.
PodRoom::Amounts amounts_at(const Node& map, std::string_view key);
// Of what stands in a file, as it is; as much as can be where an amount cannot be read.
PodRoom::Amounts room_of_pod(const Node& pod);
PodRoom::Amounts room_of_container(
    const Node& resources);  // alone; a claim of a volume asks for `storage`: not counted

}  // namespace gpol::manifest
