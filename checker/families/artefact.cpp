// Artefact: the emitted manifests, read back from their bytes alone, mean what was proven.
// Closed form only: two normal forms are equal byte for byte, or their first differing line is shown.
#include "checker/families/codes.h"
#include "checker/families/families.h"
#include "compiler/cluster/normal_form.h"

namespace gpol {

void prove_artefact(const Cluster& planned, const Cluster& observed, const std::string& place, Report& report) {
  const std::string expected = normal_form(planned);
  const std::string found = normal_form(observed);
  const bool same = expected == found;
  report.add(obligation(Family::Artefact, code::Artefact, same ? Verdict::Proven : Verdict::Refuted, {"Manifests"}),
             {.message = same ? "the manifests, read back, mean what was proven"
                              : "the manifests do not mean what was proven: " + first_difference(expected, found),
              .place = {.file = place}});
  report.analysed.push_back(Family::Artefact);
}

}  // namespace gpol
