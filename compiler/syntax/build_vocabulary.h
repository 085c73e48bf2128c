// The declarations and items beyond quotas (ast_vocabulary.h), from what was parsed. Private to compiler/syntax.
#pragma once

#include "compiler/syntax/reader.h"

namespace gpol::syntax {

ast::Date date(const Reader& r, std::uint32_t token);
ast::Partition partition(const Reader& r);
decltype(ast::ClassItem::node) class_item_beyond_quotas(const Reader& r);
decltype(ast::Decl::node) declaration_beyond_quotas(const Reader& r);

}  // namespace gpol::syntax
