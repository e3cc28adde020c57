// SPDX-License-Identifier: MIT
// What is in a file, in words: frames, checkpoints, PLY files.
#pragma once
#include "core/result.h"

// Lines of text, owned by the caller (firn_free). FIRN_REFUSED_NAME when it is none of the kinds
// above: the caller may try others.
firn_result firn_describe_file(const char* path, char** out_text, firn_error* error);
