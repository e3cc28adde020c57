// SPDX-License-Identifier: MIT
// Which characters a scene may hold.
#pragma once
#include "firn/types.h"

// Bytes of the UTF-8 character at `text`; 0 when it is none, or one that a scene may not hold.
int firn_character_length(const char* text, size_t left);
