// The parts of the partition family (partition.cpp): what it says of devices that pods share, and of what is there.
#pragma once

#include "checker/families/layout_places.h"
#include "checker/families/table.h"

namespace gpol {

// Who may share a card with whom: one obligation for the pool.
void judge_shared_pool(const Proof& proof, const SharedPool& pool, Report& report);
// GP1804. The report keeps a view of the name.
void clash(std::string_view kind, std::string_view name, Span span, std::string message, std::string fix,
           Report& report);
// What the device plugin and the GPU Operator are told, where it does not agree: an obligation for each.
void judge_plugin_configs(const Proof& proof, Report& report);

// Configurations of mig-parted among the manifests, one obligation for each layout, and files with faults.
void judge_given_layouts(const Proof& proof, LemmaBook& book, Report& report);
// Of manifests: who is promised devices of its own and has shared ones, by Nodes, flavors and configurations.
void judge_given_sharing(const Proof& proof, const Evidence& evidence, Report& report);
// Of manifests: what Nodes offer beyond their GPUs or their configuration, and under other names than quotas count.
void judge_given_offers(const Proof& proof, const Evidence& evidence, Report& report);

}  // namespace gpol
