// SPDX-License-Identifier: MIT
// Fuzz targets: one function per parser, which takes any bytes as its file. libFuzzer calls them
// (tools/fuzz; clang), and test_fuzz_corpus.c replays the corpora in the ordinary builds.
//
// A target never depends on switches in the library: where a checksum protects a file, the target
// computes the right one, so that what lies behind it is reached in every build.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "core/result.h"

// All targets; a corpus (test/fuzz/corpus/NAME.tar.gz) and a dictionary (NAME.dict) may exist.
#define FIRN_FUZZ_TARGETS(X) \
    X(scene)                 \
    X(obj)                   \
    X(ply)                   \
    X(stl)                   \
    X(points)                \
    X(gltf)                  \
    X(pc2)                   \
    X(png)                   \
    X(exr)                   \
    X(font)                  \
    X(manifest)              \
    X(frame)                 \
    X(checkpoint)            \
    X(state)                 \
    X(level_set)             \
    X(texture)               \
    X(wind)

// True if the input was accepted.
#define FIRN_FUZZ_DECLARE(name) bool firn_fuzz_##name(const uint8_t* data, size_t size);
FIRN_FUZZ_TARGETS(FIRN_FUZZ_DECLARE)

#define FIRN_FUZZ_BASE \
    ((uint64_t)96 << 20)     // [bytes] for the smallest file; see firn_input_allowance
#define FIRN_FUZZ_RATIO 256  // [bytes] of memory per byte of file beyond that

// Every use of the library is between these two. Memory is capped at `cap` bytes; firn_fuzz_end
// fails if blocks are left.
typedef struct firn_fuzz_run {
    struct firn_memory_budget* budget;
    uint64_t bytes_before;
} firn_fuzz_run;
firn_fuzz_run firn_fuzz_begin(uint64_t cap);
void firn_fuzz_end(firn_fuzz_run* run);

// The cap of readers: FIRN_FUZZ_BASE + FIRN_FUZZ_RATIO * size.
uint64_t firn_fuzz_cap(size_t size);
// A refusal must have a message, and no reader may reach its cap.
void firn_fuzz_check(firn_result result, const firn_error* error);
// The message of the last refusal; "" if there was none.
const char* firn_fuzz_refusal(void);
// Names the input that follows, for messages of firn_fuzz_require; both are borrowed.
void firn_fuzz_now(const char* target, const char* input);
// Reports on stderr and aborts unless `good`.
void firn_fuzz_require(int good, const char* what);
// A null-terminated copy that ends where the input ends, so that a read beyond it is found. Free it
// with free().
char* firn_fuzz_copy(const uint8_t* data, size_t size);
// Writes the input to a file of this process in $TMPDIR and returns its path, which is valid until
// the next call. The file is removed at exit.
const char* firn_fuzz_file(const char* ending, const uint8_t* data, size_t size);
