// A change to the text of a policy that somebody proposes: what a hint says, to the letter. In: a place and what is to
// stand there; nothing: it is taken out. Out: the text after it. A declaration or an item that is taken out takes along
// what belongs to it alone: its lines with the comment behind it, the comment above it where no other line follows that
// comment directly, its `;`, a blank, and the blank line that would be left doubled.
#pragma once

#include <span>
#include <string>

#include "compiler/source/source_set.h"
#include "compiler/source/span.h"

namespace gpol {

struct Edit {
  Span replace;  // empty: it is put in there
  std::string with;
  std::string field = {};  // of a manifest: what is written; empty: what stands at the place
};

// The edit as it is made and shown: with what it takes along.
Edit settled(const SourceSet& sources, const Edit& edit);

// The text of the file with those of the edits that are of it and overlap none before them. Lines
// that go one after the other go as one.
std::string edited(const SourceSet& sources, FileId file, std::span<const Edit> edits);

}  // namespace gpol
