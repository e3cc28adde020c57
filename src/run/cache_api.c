// SPDX-License-Identifier: MIT
// Caches in the public API: reading a run's folder, describing a file, measuring.

#include "core/memory.h"
#include "output/run/cache.h"
#include "output/run/describe.h"
#include "output/run/measure.h"
#include "sim/defs.h"
#include "sim/entry.h"
#include "sim/sim.h"

firn_result firn_cache_read_sized(const char* dir, bool verify, firn_cache_info* out_info,
                                  uint32_t size, firn_error* out_error)
{
    out_error = firn_call(out_error);
    if (dir == NULL || out_info == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "firn_cache_read needs a folder and room for its summary");
    firn_cache_info info = {0};
    const firn_result r = firn_cache_summarize(dir, verify, &info, out_error);
    if (r == FIRN_OK) firn_give(out_info, size, &info, sizeof info);
    return r;
}

firn_result firn_file_describe(const char* path, char** out_text, firn_error* out_error)
{
    out_error = firn_call(out_error);
    if (path == NULL || out_text == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "firn_file_describe needs a path and room for its text");
    return firn_describe_file(path, out_text, out_error);
}

firn_result firn_cache_measure_sized(const firn_measure_def* def, uint32_t size,
                                     firn_frame_measure** out_rows, int* out_count,
                                     firn_error* out_error)
{
    out_error = firn_call(out_error);
    firn_measure_def own;
    FIRN_TRY(firn_def_take(FIRN_DEF_MEASURE, def, &own, out_error));
    if (own.input_dir == NULL || out_rows == NULL || out_count == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "firn_cache_measure needs the folder of a run (input_dir) and room for "
                         "its rows");
    FIRN_TRY(firn_rows_give(NULL, 0, sizeof **out_rows, size, out_error));
    const firn_entry entry = firn_enter(own.threads);
    const firn_result r = firn_measure_run(&own, out_rows, out_count, out_error);
    firn_leave(entry);
    return r == FIRN_OK ? firn_rows_give(*out_rows, *out_count, sizeof **out_rows, size, out_error)
                        : r;
}

void firn_measure_free(firn_frame_measure* rows)
{
    firn_free(rows);
}
