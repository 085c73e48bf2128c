#include <fmt/format.h>

#include "compiler/source/code.h"

namespace gpol {

namespace {
constexpr CodeInfo kCodes[] = {
    {Code{101}, "unexpected text"},
    {Code{102}, "a block is not closed"},
    {Code{103}, "a character that gpol does not know"},
    {Code{104}, "the input is over a limit of size or depth"},
    {Code{201}, "a name is not declared"},
    {Code{202}, "a name is declared twice"},
    {Code{203}, "a quantity has the wrong unit"},
    {Code{204}, "a unit is not known"},
    {Code{205}, "a required clause is missing"},
    {Code{206}, "a clause is given twice"},
    {Code{207}, "a number is out of range"},
    {Code{208}, "a value is not one of those allowed"},
    {Code{209}, "a name is not legal in kubernetes"},
    {Code{301}, "cohorts contain each other"},
    {Code{302}, "a clause does not fit the tenant's class"},
    {Code{304}, "a checkpoint is not saved within the grace"},
    {Code{305}, "an allow cannot mean what it says"},
    {Code{306}, "pools take more nodes than the group has"},
    {Code{307}, "a trust accepts a premise that nothing rests on"},
    {Code{308}, "windows overlap in too many ways"},
    {Code{309}, "the replicas that a tenant runs do not fit its reserve"},
    {Code{310}, "a writer is everybody, or somebody of a tenant"},
    {Code{311}, "a definition cannot be used so"},
    {Code{312}, "an import cannot be followed"},
    {Code{319}, "a time to a node is shorter than kube-scheduler's back-off"},
    {Code{321}, "a label or taint does not set a pool's nodes apart"},
    {Code{401}, "a definition is never used"},
    {Code{402}, "nothing of an import is used"},
    {Code{403}, "a declaration is never used"},
    {Code{404}, "an allow permits nothing that another does not"},
    {Code{405}, "a promise follows from another one"},
    {Code{501}, "a file cannot be read"},
    {Code{502}, "there is no policy here"},
    {Code{503}, "a file or directory cannot be written"},
    {Code{504}, "the output directory holds files that are not this policy's"},
    {Code{505}, "what the policy uses cannot be written yet"},
    {Code{506}, "the output directory is not what the policy gives"},
    {Code{507}, "the Configuration of Kueue that was given contradicts the proof"},
    {Code{508}, "the Configuration of Kueue that was given cannot be read, or no line can be added to it"},
    {Code{509}, "what an earlier build wrote cannot be read"},
    {Code{510}, "what an earlier build had cannot be kept as it was"},
    {Code{511}, "no tenant of that name has left the policy"},
    {Code{601}, "a document is no Kubernetes object that can be read"},
    {Code{602}, "the cluster would reject an object"},
    {Code{603}, "a role is given that a queue cannot have"},
    {Code{604}, "gpol.yaml cannot be understood"},
    {Code{605}, "a queue names a ResourceFlavor that nothing defines"},
    {Code{1001}, "others can hold serving's reserve"},
    {Code{1101}, "serving's reserve does not come back"},
    {Code{1102}, "serving's reserve comes back after the deadline"},
    {Code{1103}, "a sibling queue can block serving's reclaim for ever"},
    {Code{1104}, "a queue's nominal quota is below its reserve"},
    {Code{1105}, "a time constant that the deadline needs is not declared"},
    {Code{1106}, "an allow's loan is not back within its time"},
    {Code{1201}, "quotas exceed the devices that are surely there"},
    {Code{1301}, "a premise of the proof is neither enforced nor trusted"},
    {Code{1401}, "a batch pod can stand on serving's nodes"},
    {Code{1402}, "a serving pod can stand on spot nodes, or on nodes that are not its own"},
    {Code{1403}, "the pods of a flavor fit on no node"},
    {Code{1411}, "a serving replica finds no node although its quota is free"},
    {Code{1421}, "a priority class of batch reaches serving's"},
    {Code{1501}, "a statement of the policy says nothing, or can never be used"},
    {Code{1601}, "a construct is not proven yet"},
    {Code{1602}, "a field that matters is not modelled yet"},
    {Code{1801}, "a GPU cannot be cut into such slices"},
    {Code{1802}, "the layouts of a pool do not give the slices that are counted on"},
    {Code{1901}, "the emitted files do not mean what was proven"},
};
}  // namespace

std::span<const CodeInfo> all_codes() { return kCodes; }

std::string to_string(Code code) { return fmt::format("GP{:04}", static_cast<int>(code)); }

}  // namespace gpol
