// What a user did wrong, as a value: never an exception, never an exit. Whoever finds a mistake pushes a Diagnostic;
// the renderers in cli/render print it as text or JSON. Wording: lower case, no full stop, user text in back-ticks,
// one cause per diagnostic; the message states what was seen, the hint says what to do (docs/architecture.md).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compiler/source/code.h"
#include "compiler/source/edit.h"
#include "compiler/source/span.h"

namespace gpol {

enum class Severity { Error, Warning, Note };

// A second place that the reader must see, with what it has to do with the first.
struct Label {
  Span span;
  std::string text;
};

struct Diagnostic {
  Code code;
  Severity severity = Severity::Error;
  Span span;  // unknown span: the diagnostic concerns the run, not a place
  std::string message;
  std::vector<Label> labels;
  std::string hint;              // empty: none
  std::vector<Edit> edits = {};  // what the hint says, where it can be followed to the letter
  bool sure = false;             // nothing else can have been meant: `check --fix` makes the edits
  std::string field = {};        // of a manifest, where `span` is only the nearest parent of what is absent
};

// A mistake as most are: at a place, with what to do about it.
inline Diagnostic error_at(Code code, Span span, std::string message, std::string hint = {}) {
  return {code, Severity::Error, span, std::move(message), {}, std::move(hint)};
}
inline Diagnostic warning_at(Code code, Span span, std::string message, std::string hint = {}) {
  return {code, Severity::Warning, span, std::move(message), {}, std::move(hint)};
}

// A stage's result: a value and whatever was found on the way. `ok` when nothing found is an error.
template <class T>
struct Outcome {
  T value;
  std::vector<Diagnostic> diagnostics;

  bool ok() const {
    for (const auto& d : diagnostics)
      if (d.severity == Severity::Error) return false;
    return true;
  }
};

}  // namespace gpol
