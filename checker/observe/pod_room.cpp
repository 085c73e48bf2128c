#include "checker/observe/pod_room.h"

#include <algorithm>

#include "checker/observe/fields.h"
#include "checker/observe/quantity.h"

namespace gpol::manifest {

PodRoom::Amounts amounts_at(const Node& map, std::string_view key) {
  PodRoom::Amounts out;
  const Node* amounts = field(map, key);
  if (amounts == nullptr) return out;
  for (const Entry& entry : amounts->entries) {
    const Amount amount = amount_of(entry.value.text, entry.key);
    const bool known = amount.status == Amount::Status::Ok;
    if (!known || amount.value >= 0) out.emplace(entry.key, known ? amount.value : INT64_MAX);
  }
  return out;
}

namespace {

void add(const PodRoom::Amounts& amounts, PodRoom::Amounts& sum) {
  for (const auto& [resource, amount] : amounts)
    if (std::int64_t& of = sum[resource]; __builtin_add_overflow(of, amount, &of)) of = INT64_MAX;
}

void raise(const PodRoom::Amounts& amounts, PodRoom::Amounts& most) {
  for (const auto& [resource, amount] : amounts) most[resource] = std::max(most[resource], amount);
}

bool may_be_of_pod(const std::string& resource) {
  return resource == "cpu" || resource == "memory" || resource.starts_with("hugepages-");
}

PodRoom::Amounts requests_of(const Node& resources) {
  PodRoom::Amounts out = amounts_at(resources, "requests");
  out.merge(amounts_at(resources, "limits"));
  return out;
}

PodRoom::Amounts requests_of_container(const Node& container) {
  const Node* resources = field(container, "resources");
  return resources == nullptr ? PodRoom::Amounts() : requests_of(*resources);
}

}  // namespace

void PodRoom::container(const Amounts& requests) { add(requests, together_); }

void PodRoom::init_container(const Amounts& requests, bool stays) {
  if (stays) add(requests, together_);
  Amounts then = staying_;
  add(requests, then);
  raise(then, most_);
  if (stays) staying_ = std::move(then);
}

void PodRoom::of_pod(const Amounts& requests, const Amounts& limits) { requests_ = requests, limits_ = limits; }

void PodRoom::overhead(const Amounts& amounts) { overhead_ = amounts; }

PodRoom::Amounts PodRoom::total() const {
  Amounts room = together_;
  raise(most_, room);
  for (const auto& [resource, amount] : limits_)
    if (may_be_of_pod(resource)) room.emplace(resource, amount);
  for (const auto& [resource, amount] : requests_)
    if (may_be_of_pod(resource)) room[resource] = amount;
  add(overhead_, room);
  std::erase_if(room, [](const auto& of) { return of.second <= 0; });
  return room;
}

PodRoom::Amounts room_of_pod(const Node& pod) {
  PodRoom room;
  if (const Node* list = field(pod, "containers"))
    for (const Node& container : list->items) room.container(requests_of_container(container));
  if (const Node* list = field(pod, "initContainers"))
    for (const Node& container : list->items) {
      const Node* policy = field(container, "restartPolicy");
      room.init_container(requests_of_container(container), policy != nullptr && policy->text == "Always");
    }
  if (const Node* own = field(pod, "resources")) room.of_pod(amounts_at(*own, "requests"), amounts_at(*own, "limits"));
  room.overhead(amounts_at(pod, "overhead"));
  return room.total();
}

PodRoom::Amounts room_of_container(const Node& resources) {
  PodRoom room;
  PodRoom::Amounts requests = requests_of(resources);
  requests.erase("storage");
  room.container(requests);
  return room.total();
}

}  // namespace gpol::manifest
