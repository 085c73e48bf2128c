// Catch2 under its v2 and its v3 name.
#pragma once

#ifdef GPOL_CATCH3
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
