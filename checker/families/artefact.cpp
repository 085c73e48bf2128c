// Artefact: the emitted manifests, read back from their bytes alone, mean what was proven.
// Closed form only: two normal forms are equal byte for byte, or their first differing line is shown.
#include "checker/families/codes.h"
#include "checker/families/families.h"
#include "compiler/cluster/normal_form.h"

namespace gpol {

void prove_artefact(const Cluster& planned, const Cluster& observed, const std::string& place, Report& report) {
  Obligation obligation;
  obligation.family = Family::Artefact;
  obligation.code = code::Artefact;
  obligation.required = true;
  obligation.subject.kind = "Manifests";
  const std::string expected = normal_form(planned);
  const std::string found = normal_form(observed);
  auto detail = std::make_shared<Detail>();
  detail->place.file = place;
  if (expected == found) {
    obligation.verdict = Verdict::Proven;
    detail->message = "the manifests, read back, mean what was proven";
  } else {
    obligation.verdict = Verdict::Refuted;
    detail->message = "the manifests do not mean what was proven: " + first_difference(expected, found);
  }
  obligation.detail = std::move(detail);
  report.obligations.push_back(std::move(obligation));
  report.analysed.push_back(Family::Artefact);
}

}  // namespace gpol
