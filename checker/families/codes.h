// The codes of what the families of proof find; titles: docs/explain.
#pragma once

#include "compiler/source/code.h"

namespace gpol::code {

inline constexpr Code UnusedTrust{307};
inline constexpr Code Claim{1001};
inline constexpr Code ReclaimNever{1101};
inline constexpr Code ReclaimLate{1102};
inline constexpr Code ReclaimBlocked{1103};
inline constexpr Code ReclaimShort{1104};
inline constexpr Code ReclaimTimeUnknown{1105};
inline constexpr Code BackLate{1106};
inline constexpr Code Capacity{1201};
inline constexpr Code OpenPremise{1301};
inline constexpr Code PlacementBatch{1401};
inline constexpr Code PlacementServing{1402};
inline constexpr Code PlacementNowhere{1403};
inline constexpr Code Fragmentation{1411};
inline constexpr Code PriorityInversion{1421};
inline constexpr Code Vacuity{1501};
inline constexpr Code SurplusReplicas{1502};
inline constexpr Code Planned{1601};
inline constexpr Code NotModelled{1602};
inline constexpr Code Layout{1801};
inline constexpr Code SliceCount{1802};
inline constexpr Code SharedCard{1803};
inline constexpr Code PluginClash{1804};
inline constexpr Code IdleQuota{1805};
inline constexpr Code Artefact{1901};
inline constexpr Code GatewayStreams{2001};
inline constexpr Code GatewayRequests{2002};
inline constexpr Code GatewayQueue{2003};
inline constexpr Code GatewayCallers{2004};
inline constexpr Code GatewayClasses{2005};
inline constexpr Code PolicyTarget{2011};
inline constexpr Code PolicyReplaced{2012};
inline constexpr Code RouteWithoutLimit{2013};
inline constexpr Code PolicyField{2014};
inline constexpr Code RetriesMultiply{2015};
inline constexpr Code DeadlineOrder{2016};
inline constexpr Code WaitsUnbounded{2017};
inline constexpr Code RefusesAll{2018};
inline constexpr Code RouteNotLetIn{2019};

}  // namespace gpol::code
