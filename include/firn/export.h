// SPDX-License-Identifier: MIT
// Which symbols leave the library: those marked FIRN_API. Compile a program that links the static
// library with FIRN_STATIC (firn::core_static does); FIRN_BUILDING is for firn's own files.
#pragma once

#if defined(FIRN_STATIC)
#define FIRN_API
#elif defined(_WIN32) && defined(FIRN_BUILDING)
#define FIRN_API __declspec(dllexport)
#elif defined(_WIN32)
#define FIRN_API __declspec(dllimport)
#elif defined(__GNUC__)
#define FIRN_API __attribute__((visibility("default")))
#else
#define FIRN_API
#endif
