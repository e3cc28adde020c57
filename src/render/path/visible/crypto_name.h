// SPDX-License-Identifier: MIT
// Names as ids of Cryptomatte 1.2 (Psyop 2018, github.com/Psyop/Cryptomatte, specification): the
// MurmurHash3 of the name, as a float that no conversion changes.
#pragma once
#include <stdint.h>

uint32_t firn_murmur3_32(const char* text, uint32_t seed);
// Id of a name: its hash with an exponent that is neither 0 nor 255.
uint32_t firn_crypto_id(const char* name);
float firn_crypto_float(uint32_t id);
