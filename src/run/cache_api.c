// SPDX-License-Identifier: MIT
// Caches in the public API: reading a run's folder, describing a file, exporting.

#include "core/memory.h"
#include "output/export/export.h"
#include "output/run/cache.h"
#include "output/run/describe.h"
#include "output/run/measure.h"
#include "sim/entry.h"
#include "sim/sim.h"

firn_result firn_cache_read(const char* dir, bool verify, firn_cache_info* out_info,
                            firn_error* out_error)
{
    if (dir == NULL || out_info == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "firn_cache_read needs a folder and room for its summary");
    return firn_cache_summarize(dir, verify, out_info, out_error);
}

firn_result firn_file_describe(const char* path, char** out_text, firn_error* out_error)
{
    if (path == NULL || out_text == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "firn_file_describe needs a path and room for its text");
    return firn_describe_file(path, out_text, out_error);
}

firn_result firn_export(const firn_export_def* def, firn_error* out_error)
{
    if (def == NULL || def->cookie != FIRN_COOKIE || def->input_dir == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "firn_export needs a def from firn_default_export_def() with input_dir");
    if (!def->ply && !def->vtp && !def->vdb && !def->heights)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "nothing to export: choose ply, vtp, vdb or heights");
    const firn_entry entry = firn_enter(0);
    const firn_result r = firn_export_run(def, out_error);
    firn_leave(entry);
    return r;
}

firn_result firn_cache_measure(const firn_measure_def* def, firn_frame_measure** out_rows,
                               int* out_count, firn_error* out_error)
{
    if (def == NULL || def->cookie != FIRN_COOKIE || def->input_dir == NULL || out_rows == NULL ||
        out_count == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "firn_cache_measure needs a def from firn_default_measure_def() with "
                         "input_dir");
    const firn_entry entry = firn_enter(def->threads);
    const firn_result r = firn_measure_run(def, out_rows, out_count, out_error);
    firn_leave(entry);
    return r;
}

void firn_measure_free(firn_frame_measure* rows)
{
    firn_free(rows);
}
