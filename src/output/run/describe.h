// SPDX-License-Identifier: MIT
// Describes files for `firn info`: frames, checkpoints, PLY files.
#pragma once
#include "core/result.h"

// Lines of text, owned by the caller (firn_free). FIRN_REFUSED_NAME: another kind of file; the
// caller may try other readers.
firn_result firn_describe_file(const char* path, char** out_text, firn_error* error);
