// SPDX-License-Identifier: MIT
// Which symbols leave the library: everything is hidden unless marked FIRN_API.
#pragma once

#if defined(__GNUC__)
#define FIRN_API __attribute__((visibility("default")))
#else
#define FIRN_API
#endif
