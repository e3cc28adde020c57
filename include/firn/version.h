// SPDX-License-Identifier: MIT
// Version of these headers, for the preprocessor; the build takes its own version from here.
// firn_version() tells that of the library, which may be newer. While the major version is 0, each
// minor version has its own soname: a program runs on the minor version that it was linked with.
// Within it, definitions (they have `bytes`) and structs that are filled by inline functions may
// become longer at their end; all other structs stay as they are.
#pragma once

#define FIRN_VERSION_MAJOR 0
#define FIRN_VERSION_MINOR 2
#define FIRN_VERSION_PATCH 0

// As a number, to compare: #if FIRN_VERSION >= 200 is 0.2.0 or newer.
#define FIRN_VERSION (FIRN_VERSION_MAJOR * 10000 + FIRN_VERSION_MINOR * 100 + FIRN_VERSION_PATCH)

// As text: "0.2.0"
#define FIRN_VERSION_QUOTE(x) #x
#define FIRN_VERSION_JOIN(a, b, c) FIRN_VERSION_QUOTE(a.b.c)
#define FIRN_VERSION_TEXT \
    FIRN_VERSION_JOIN(FIRN_VERSION_MAJOR, FIRN_VERSION_MINOR, FIRN_VERSION_PATCH)
