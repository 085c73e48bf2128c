// Copying, moving and ending of large structs, which are declared in the struct and defined in one file: else every
// file that sees one would compile those of all its parts.
#pragma once

#define GPOL_SPECIAL_MEMBERS(Struct)    \
  Struct();                             \
  Struct(const Struct&);                \
  Struct(Struct&&) noexcept;            \
  Struct& operator=(const Struct&);     \
  Struct& operator=(Struct&&) noexcept; \
  ~Struct()

#define GPOL_SPECIAL_MEMBERS_OF(Struct)                   \
  Struct::Struct() = default;                             \
  Struct::Struct(const Struct&) = default;                \
  Struct::Struct(Struct&&) noexcept = default;            \
  Struct& Struct::operator=(const Struct&) = default;     \
  Struct& Struct::operator=(Struct&&) noexcept = default; \
  Struct::~Struct() = default
