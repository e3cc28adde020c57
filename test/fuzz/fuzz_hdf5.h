// SPDX-License-Identifier: MIT
// Frames and checkpoints from any bytes: what a forger with the source of firn can write.
#pragma once
#include "fuzz/fuzz.h"
#include "output/hdf5/seal.h"

// Writes the input with a correct seal in place of its first 512 bytes; path as of firn_fuzz_file.
const char* firn_fuzz_sealed(const char* ending, firn_seal_kind kind, const uint8_t* data,
                             size_t size);
