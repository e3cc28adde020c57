// SPDX-License-Identifier: MIT
// Targets manifest and frame. The target computes the checksums, so that damage gets behind them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "firn/firn.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_hdf5.h"
#include "output/run/describe.h"
#include "output/run/manifest_json.h"
#include "output/run/measure.h"

#define FRAME_CAP_RATIO 16384  // arrays of a frame are deflated (up to 1032:1), and may be many

static void add_to_text(void* text, const void* part, size_t bytes)
{
    firn_text_add_bytes(text, part, bytes);
}

// The input is a manifest without its last line, the checksum.
bool firn_fuzz_manifest(const uint8_t* data, size_t size)
{
    firn_fuzz_run run = firn_fuzz_begin(firn_fuzz_cap(size));
    char tail[64];
    const int tail_bytes = snprintf(tail, sizeof tail, "\"checksum\": \"%016llx\"\n}\n",
                                    (unsigned long long)firn_hash(data, size, 0));
    char* text = malloc(size + (size_t)tail_bytes + 1);
    firn_fuzz_require(text != NULL, "no memory for the input");
    if (size > 0) memcpy(text, data, size);
    memcpy(text + size, tail, (size_t)tail_bytes + 1);
    firn_manifest manifest = {0}, again = {0};
    firn_error error;
    firn_result result =
        firn_manifest_parse(text, size + (size_t)tail_bytes, "fuzz", &manifest, &error);
    free(text);
    firn_fuzz_check(result, &error);
    if (result == FIRN_OK) {
        firn_text printed = {0};
        result = firn_manifest_print(&manifest, add_to_text, &printed, &error);
        firn_fuzz_check(result, &error);
        result = firn_manifest_parse(printed.data, printed.length, "again", &again, &error);
        firn_fuzz_require(result == FIRN_OK && again.count == manifest.count,
                          "a printed manifest is refused");
        firn_text_destroy(&printed);
        firn_manifest_destroy(&again);
        firn_manifest_destroy(&manifest);
    }
    firn_fuzz_end(&run);
    return result == FIRN_OK;
}

static void measure(const firn_frame* frame)
{
    firn_measure_def def = firn_default_measure_def();
    firn_frame_measure row;
    firn_error error;
    const firn_result result = firn_measure_frame(frame, &def, &row, &error);
    if (result != FIRN_BROKEN_MEMORY) firn_fuzz_check(result, &error);
}

bool firn_fuzz_frame(const uint8_t* data, size_t size)
{
    firn_fuzz_run run = firn_fuzz_begin(FIRN_FUZZ_BASE + FRAME_CAP_RATIO * (uint64_t)size);
    const char* path = firn_fuzz_sealed("hdf", FIRN_SEAL_FRAME, data, size);
    firn_frame frame;
    firn_error error;
    firn_result result = firn_frame_read(path, &frame, &error);
    const bool accepted = result == FIRN_OK;
    firn_fuzz_check(result, &error);
    if (result == FIRN_OK) {
        if (frame.mass != NULL && frame.count < 4096) measure(&frame);
        firn_frame_destroy(&frame);
    }
    char* text = NULL;
    result = firn_describe_file(path, &text, &error);
    firn_fuzz_check(result, &error);
    if (result == FIRN_OK) firn_free(text);
    firn_fuzz_end(&run);
    return accepted;
}
