// The registry of codes. Every GP0000 that gpol ever prints stands here once, with a page docs/explain/GP0000.md and at
// least one golden test; tests/unit/source/codes_test.cpp enforces both. Numbers are never reused.
//   GP01xx syntax   GP02xx names and types   GP03xx meaning of a policy   GP04xx lint   GP05xx files and running
//   GP06xx manifests of others
//   GP10xx claim    GP11xx reclaim   GP12xx capacity   GP13xx premises   GP14xx places on nodes, priorities
//   GP15xx vacuity   GP16xx planned   GP19xx artefact
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gpol {

// name, number, title (lower case, as `gpol explain` lists it)
#define GPOL_CODES(X)                                                                    \
  X(SyntaxError, 101, "unexpected text")                                                 \
  X(UnclosedBlock, 102, "a block is not closed")                                         \
  X(BadCharacter, 103, "a character that gpol does not know")                            \
  X(TooDeepOrLarge, 104, "the input is over a limit of size or depth")                   \
  X(UnknownName, 201, "a name is not declared")                                          \
  X(DuplicateName, 202, "a name is declared twice")                                      \
  X(WrongUnit, 203, "a quantity has the wrong unit")                                     \
  X(UnknownUnit, 204, "a unit is not known")                                             \
  X(MissingClause, 205, "a required clause is missing")                                  \
  X(DuplicateClause, 206, "a clause is given twice")                                     \
  X(OutOfRange, 207, "a number is out of range")                                         \
  X(BadValue, 208, "a value is not one of those allowed")                                \
  X(BadKubernetesName, 209, "a name is not legal in kubernetes")                         \
  X(CohortCycle, 301, "cohorts contain each other")                                      \
  X(ClassMismatch, 302, "a clause does not fit the tenant's class")                      \
  X(SpotServing, 303, "serving stands on spot nodes")                                    \
  X(CheckpointTooSlow, 304, "a checkpoint is not saved within the grace")                \
  X(BadAllow, 305, "an allow cannot mean what it says")                                  \
  X(PoolOverflow, 306, "pools take more nodes than the group has")                       \
  X(UnusedTrust, 307, "a trust accepts a premise that nothing rests on")                 \
  X(TooManyModes, 308, "windows overlap in too many ways")                               \
  X(TooManyReplicas, 309, "the replicas that a tenant runs do not fit its reserve")      \
  X(WriterIsTenant, 310, "a writer is everybody, or somebody of a tenant")               \
  X(BadDefinition, 311, "a definition cannot be used so")                                \
  X(BadImport, 312, "an import cannot be followed")                                      \
  X(NoPlacement, 313, "a GPU cannot be cut into such slices")                            \
  X(ShortBackOff, 319, "a time to a node is shorter than kube-scheduler's back-off")     \
  X(UnusedDefinition, 401, "a definition is never used")                                 \
  X(UnusedImport, 402, "nothing of an import is used")                                   \
  X(UnusedDeclaration, 403, "a declaration is never used")                               \
  X(IdleAllow, 404, "an allow permits nothing that another does not")                    \
  X(ShadowedPromise, 405, "a promise follows from another one")                          \
  X(CannotRead, 501, "a file cannot be read")                                            \
  X(NoPolicy, 502, "there is no policy here")                                            \
  X(CannotWrite, 503, "a file or directory cannot be written")                           \
  X(ForeignOutput, 504, "the output directory holds files that are not this policy's")   \
  X(NotWritten, 505, "what the policy uses cannot be written yet")                       \
  X(NoManifest, 601, "a document is no Kubernetes object that can be read")              \
  X(Rejected, 602, "the cluster would reject an object")                                 \
  X(BadRole, 603, "a role is given that a queue cannot have")                            \
  X(Claim, 1001, "others can hold serving's reserve")                                    \
  X(ReclaimNever, 1101, "serving's reserve does not come back")                          \
  X(ReclaimLate, 1102, "serving's reserve comes back after the deadline")                \
  X(ReclaimBlocked, 1103, "a sibling queue can block serving's reclaim for ever")        \
  X(ReclaimShort, 1104, "a queue's nominal quota is below its reserve")                  \
  X(ReclaimTimeUnknown, 1105, "a time constant that the deadline needs is not declared") \
  X(BackLate, 1106, "an allow's loan is not back within its time")                       \
  X(Capacity, 1201, "quotas exceed the devices that are surely there")                   \
  X(OpenPremise, 1301, "a premise of the proof is neither enforced nor trusted")         \
  X(PlacementBatch, 1401, "a batch pod can stand on serving's nodes")                    \
  X(PlacementServing, 1402, "a serving pod can stand on nodes that are not its own")     \
  X(PlacementNowhere, 1403, "the pods of a flavor fit on no node")                       \
  X(Fragmentation, 1411, "a serving replica finds no node although its quota is free")   \
  X(PriorityInversion, 1421, "a priority class of batch reaches serving's")              \
  X(Vacuity, 1501, "a statement of the policy says nothing, or can never be used")       \
  X(Planned, 1601, "a construct is not proven yet")                                      \
  X(NotModelled, 1602, "a field that matters is not modelled yet")                       \
  X(Artefact, 1901, "the emitted files do not mean what was proven")

enum class Code : std::uint16_t {
#define GPOL_CODE(name, number, title) name = number,
  GPOL_CODES(GPOL_CODE)
#undef GPOL_CODE
};

struct CodeInfo {
  Code code;
  std::string_view title;
};

std::span<const CodeInfo> all_codes();
std::string to_string(Code code);  // "GP0101"

}  // namespace gpol
