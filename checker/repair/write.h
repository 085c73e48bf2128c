// A change of a field as an edit of the manifest that the object stands in. In: the object's place, the field, its new
// value. Out: the edit, and the field as the file spells it. Block and flow style, JSON, Lists; what is absent is put
// in behind the last field of its nearest present parent, in the style of that parent.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "checker/observe/fields.h"
#include "compiler/source/edit.h"

namespace gpol {

using FieldStep = std::variant<std::string, std::size_t>;  // a key, or an index

struct WrittenChange {
  // One, and one for each copy of the object; none where any would change more than the field: what an alias shares.
  std::vector<Edit> edits;
  Span at;            // of the field's value (of an alias on the way), or of its nearest present parent
  std::string field;  // from the document's root
};

// `object`: a place in the object. Nothing where the object cannot be read again or the field is no scalar.
std::optional<WrittenChange> write_change(const SourceSet& sources, manifest::Fields& fields, Span object,
                                          const std::vector<FieldStep>& path, const std::string& value);

// The same for a whole mapping, in flow style; it replaces what is there.
std::optional<WrittenChange> write_whole(const SourceSet& sources, manifest::Fields& fields, Span object,
                                         const std::vector<FieldStep>& path, const std::string& value);

}  // namespace gpol
