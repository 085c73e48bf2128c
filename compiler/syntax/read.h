// The reader for whoever needs more than the tree: the words of each declaration, which rule matched which of them, and
// the comments. In: one file of a SourceSet. Out: `visit` is called for every declaration without mistakes (one that
// holds references is not looked at: Parsed without nodes), in the order of the text, and what was found wrong is
// returned. The limits are those of parse.h; nothing is thrown but by `visit`.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "compiler/source/diagnostic.h"
#include "compiler/source/source_set.h"
#include "compiler/syntax/build.h"

namespace gpol::syntax {

// `comments`, where not null, is filled on the way: when a declaration is visited it holds at least all comments before
// the declaration's end. `visit` may keep views of the text, not of the declaration.
std::vector<Diagnostic> read(const SourceSet& sources, FileId file, std::vector<Token>* comments,
                             const std::function<void(const Parsed&)>& visit);

// Of a text that is no file as it stands. It has no more than kMostBytes (parse.h). `tries`: see kMostTries; what is
// used of them is taken off.
std::vector<Diagnostic> read(std::string_view text, const Places& places, std::vector<Token>* comments,
                             const std::function<void(const Parsed&)>& visit, std::size_t& tries);

}  // namespace gpol::syntax
