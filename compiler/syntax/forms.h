// How each declaration and item is written, for who left a part of it out. In: a mistake. Out: a whole one, to read.
#pragma once

#include <string_view>
#include <vector>

namespace gpol::syntax {

struct Mistake;

struct Form {
  std::string_view block;  // that it stands in, `tenant`; empty: a declaration
  std::string_view form;   // begins with its own word
};
std::vector<Form> forms();

// Of the item or declaration that the mistake is in, behind its first word; empty where it is none of them.
std::string_view form_of(const Mistake& mistake);

}  // namespace gpol::syntax
