// SPDX-License-Identifier: MIT
// Finding font files: a path, or the name of an installed font.
#pragma once
#include "core/result.h"

// A font file by its path, or by its file name with or without ending ("DejaVuSans-Bold") in the
// folders where fonts are installed: $XDG_DATA_HOME/fonts (~/.local/share/fonts), ~/.fonts,
// /usr/local/share/fonts, /usr/share/fonts and all folders in them. The first of those that has it
// wins, in it the first path by alphabet. FIRN_REFUSED_NAME: says where it looked, and a name that
// is near. The path is owned by the caller.
firn_result firn_font_find(const char* name, char** out_path, firn_error* error);
