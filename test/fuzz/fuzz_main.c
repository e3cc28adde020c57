// SPDX-License-Identifier: MIT
// The entry point that libFuzzer calls; compiled once per target with FIRN_FUZZ_TARGET as its name.
#include "fuzz/fuzz.h"

#define JOIN(name) firn_fuzz_##name
#define FUNCTION(name) JOIN(name)

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    FUNCTION(FIRN_FUZZ_TARGET)(data, size);
    return 0;
}
