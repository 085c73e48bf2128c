// Questions about guards that were answered before gpol was built. Most policies ask nearly the same ones, of gpol's
// own guard texts: a question is put into a form in which it does not matter how somebody calls his namespaces, queues
// and classes, and looked up by its digest in a table of questions that the solver answered with "denied"
// (answered.table, which the test `answered` makes anew).
//
// The form holds the target, the bad request, and of each policy that is needed all that the formula has of it, with
// one of its validations: of one that fails closed each validation must hold, so that it denies what it denies with one
// alone. A name is a text that is only ever compared with others: an operand of == and !=, an element of a list behind
// `in`, a value of a selector, the name of an object in a rule. It is written as $n where every startsWith, endsWith,
// contains, isInt and isQuantity of the question says the same of `$n` as of it, and nothing else in the question is
// that text; else it stays as it is. Then two questions of one form have formulas that differ in which texts the
// numbers of `Strings` stand for, and in nothing else. Where a size is asked of a text, texts are put
// together, or one is asked about a part that is no literal, no name is replaced.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/guards/guard.h"

namespace gpol {

struct OneValidation {
  const PreparedPolicy* policy = nullptr;
  std::size_t index = 0;  // into its validations
};
// What a form is made of: a bad request, or one validation. A text with gaps where names stand.
struct FormPart {
  std::string text;
  std::vector<std::pair<std::size_t, std::string>> names;  // where in the text they are missing
  std::vector<std::string> kept;                           // all other texts in it, sorted
  std::set<std::pair<std::string, std::string>> asked;     // functions and arguments: "startsWith", "system:"
};
FormPart part_of(const AdmissionTarget& target, const cel::Expr& bad);
FormPart part_of(const AdmissionTarget& target, const OneValidation& one);
// Of the form of these parts together, 32 hex digits. `sizes`: no name is replaced.
std::string digest_of(const AdmissionTarget& target, const std::vector<const FormPart*>& parts, bool sizes);

// A row of the table: by the bad request's own digest, sorted; each validation's own, and that of the whole question.
// Only the last one decides: the others say where to look.
struct AnsweredQuestion {
  std::string_view bad, validations, whole;  // of `validations` with a space between
  bool sizes = false;
};
extern const std::span<const AnsweredQuestion> kAnsweredQuestions;

// Of the policies of one cluster (prepare_policies).
class AnsweredGuards {
 public:
  explicit AnsweredGuards(const std::vector<PreparedPolicy>& policies) : policies_(policies) {}
  // The policies, sorted, of which the table says that they deny what is bad; nothing: it says so of none.
  std::optional<std::vector<std::string>> deniers(const AdmissionTarget& target, const std::string& bad);

 private:
  struct Validation {
    const PreparedPolicy* policy;
    FormPart part;
  };
  using Validations = std::multimap<std::string, Validation, std::less<>>;  // by their own digests
  const Validations& of_target(const AdmissionTarget& target);

  const std::vector<PreparedPolicy>& policies_;
  std::map<AdmissionTarget, Validations> by_target_;
};

}  // namespace gpol
