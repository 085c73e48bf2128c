// Copying, moving and ending the large structs of this folder.
#include "compiler/cluster/cluster.h"
#include "compiler/cluster/intent.h"
#include "compiler/cluster/pod_facts.h"

namespace gpol {

Cluster::Cluster() = default;
Cluster::Cluster(const Cluster&) = default;
Cluster::Cluster(Cluster&&) noexcept = default;
Cluster& Cluster::operator=(const Cluster&) = default;
Cluster& Cluster::operator=(Cluster&&) noexcept = default;
Cluster::~Cluster() = default;

QueueRole::QueueRole() = default;
QueueRole::QueueRole(const QueueRole&) = default;
QueueRole::QueueRole(QueueRole&&) noexcept = default;
QueueRole& QueueRole::operator=(const QueueRole&) = default;
QueueRole& QueueRole::operator=(QueueRole&&) noexcept = default;
QueueRole::~QueueRole() = default;

Intent::Intent() = default;
Intent::Intent(const Intent&) = default;
Intent::Intent(Intent&&) noexcept = default;
Intent& Intent::operator=(const Intent&) = default;
Intent& Intent::operator=(Intent&&) noexcept = default;
Intent::~Intent() = default;

PodFacts::PodFacts() = default;
PodFacts::PodFacts(const PodFacts&) = default;
PodFacts::PodFacts(PodFacts&&) noexcept = default;
PodFacts& PodFacts::operator=(const PodFacts&) = default;
PodFacts& PodFacts::operator=(PodFacts&&) noexcept = default;
PodFacts::~PodFacts() = default;

}  // namespace gpol
