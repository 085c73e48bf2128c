// Questions about guards that were answered before gpol was built. Most policies ask nearly the same ones, of gpol's
// own guard texts: a question is put into a form in which it does not matter how somebody calls his namespaces, queues
// and classes, and looked up by its digest in a table of questions that the solver answered with "denied"
// (answered.table, which the test `answered` makes anew).
//
// The form holds the target, the bad request, and of each policy that is needed all that the formula has of it, with
// one of its validations: of one that fails closed each validation must hold, so that it denies what it denies with one
// alone. A name is a text that is only ever compared with others: an operand of == and !=, an element of a list of
// texts behind `in`, a value of a selector, the name of an object in a rule. It is written as $n where every
// startsWith, endsWith, contains, isInt and isQuantity of the question says the same of `$n` as of it, and nothing else
// in the question is that text; else it stays as it is. Names that stand in the same lists, and nowhere else, are a
// group, $gn: how many they are is not in the form. Where texts are put together, or one is asked about a part that is
// no literal, all names stay. An integer that is only ever compared, or chosen by ?:, is written as its place among the
// others and 0. Then two questions of one form have formulas that differ in which texts the numbers of `Strings` stand
// for, in these integers, in how many texts a group has and, where it is asked for, in the size of a name. The test
// `answered` proves a row with all such integers in this order, no size of a name in the formula, and groups that have
// as many names as the formula has symbols for texts: a request of a formula with other groups uses no more of them, so
// that it is one of this formula with its names exchanged. Where that fails there is no row.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "checker/guards/guard.h"

namespace gpol {

struct OneValidation {
  const PreparedPolicy* policy = nullptr;
  std::size_t index = 0;  // into its validations
};
// What a form is made of: what a bad request is, one of what it is together (&&), or one validation.
struct FormPart {
  std::string text;                          // the digest of its text, with gaps where names and numbers stand
  std::vector<std::string> names;            // what they are
  std::vector<std::set<std::string>> lists;  // likewise, of lists of names
  std::vector<std::int64_t> numbers;         // likewise
  std::vector<std::string> kept;             // all other texts in it, sorted
  bool dollar = false;                       // there may be a $ in one of them
  std::set<std::pair<std::string, std::string>> asked;  // functions and arguments: "startsWith", "system:"
  const PreparedPolicy* policy = nullptr;               // of a validation; its rules are written for a target
};
std::vector<FormPart> parts_of(const cel::Expr& bad);
FormPart part_of(const OneValidation& one);
// The digest of their texts.
std::string text_of(const AdmissionTarget& target, const std::vector<const FormPart*>& parts);
// Of these parts together.
struct Form {
  std::string digest;                        // 32 hex digits
  std::map<std::string, std::string> names;  // what stands for each, alike for all of a group; empty: it stays
};
Form form_of(const AdmissionTarget& target, const std::vector<const FormPart*>& parts);

// A row of the table: by the text of the target and the bad request, sorted; those of the validations, and the digest
// of the whole question. Only the last one decides: the others say where to look.
struct AnsweredQuestion {
  std::string_view bad, validations, whole;  // of `validations` with a space between
};
extern const std::span<const AnsweredQuestion> kAnsweredQuestions;

// Of the policies of one cluster (prepare_policies).
class AnsweredGuards {
 public:
  explicit AnsweredGuards(const std::vector<PreparedPolicy>& policies) : policies_(policies) {}
  // The policies, sorted, of which the table says that they deny what is bad; nothing: it says so of none.
  std::optional<std::vector<std::string>> deniers(const AdmissionTarget& target, const std::string& bad);

 private:
  using Validations = std::multimap<std::string_view, const FormPart*>;  // by their texts
  const Validations& of_target(const AdmissionTarget& target);
  std::vector<const FormPart*> asked(std::string_view bad);  // empty: it is not understood

  const std::vector<PreparedPolicy>& policies_;
  std::map<const PreparedPolicy*, std::vector<FormPart>> parts_;
  std::unordered_map<std::string, std::vector<FormPart>> asked_;  // by what was to be parsed
  std::map<AdmissionTarget, Validations> by_target_;
};

}  // namespace gpol
