// SPDX-License-Identifier: MIT
// The group /firn: one attribute per member of firn_frame_info.
#include "output/frame/frame_info.h"

#include <stddef.h>

#define GROUP "/firn"
#define TIME_MAX 1e15    // [s], [1/s]; beyond those of any scene
#define LENGTH_MAX 1e15  // [m]

// One list drives writing and reading.
static const struct {
    const char* name;
    firn_h5_type type;
    size_t offset;
} numbers[] = {
    {"frame", FIRN_H5_I64, offsetof(firn_frame_info, frame)},
    {"step", FIRN_H5_I64, offsetof(firn_frame_info, step)},
    {"time", FIRN_H5_F64, offsetof(firn_frame_info, time)},
    {"fps", FIRN_H5_F64, offsetof(firn_frame_info, fps)},
    {"cell", FIRN_H5_F64, offsetof(firn_frame_info, cell)},
    {"scene_hash", FIRN_H5_U64, offsetof(firn_frame_info, scene_hash)},
    {"state_hash", FIRN_H5_U64, offsetof(firn_frame_info, state_hash)},
};
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

firn_result firn_frame_info_put(firn_h5* h5, const firn_frame_info* info)
{
    const int64_t real_bytes = sizeof(firn_real);
    FIRN_TRY(firn_h5_put_group(h5, GROUP));
    for (int k = 0; k < NUMBERS; k++)
        FIRN_TRY(firn_h5_put_number(h5, GROUP, numbers[k].name, numbers[k].type,
                                    (const char*)info + numbers[k].offset, 0));
    FIRN_TRY(firn_h5_put_number(h5, GROUP, "real_bytes", FIRN_H5_I64, &real_bytes, 0));
    FIRN_TRY(firn_h5_put_text(h5, GROUP, "scene", info->scene));
    return firn_h5_put_text(h5, GROUP, "solver", info->solver);
}

// Checks what later serves as an index, a size or a number of steps.
static firn_result check(firn_h5_input* h5, const firn_frame_info* info)
{
    const struct {
        const char* name;
        double value, low, high;
    } values[] = {{"frame", (double)info->frame, 0, FIRN_FRAME_NUMBER_MAX},
                  {"step", (double)info->step, 0, FIRN_FRAME_NUMBER_MAX},
                  {"time", info->time, 0, TIME_MAX},
                  {"fps", info->fps, 1 / TIME_MAX, TIME_MAX},
                  {"cell", info->cell, 1 / LENGTH_MAX, LENGTH_MAX}};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        if (!(values[k].value >= values[k].low && values[k].value <= values[k].high))
            return firn_fail(h5->error, FIRN_REFUSED_DAMAGED,
                             "'%s' is damaged: its %s is %g; expected is %g to %g", h5->path,
                             values[k].name, values[k].value, values[k].low, values[k].high);
    return FIRN_OK;
}

firn_result firn_frame_info_get(firn_h5_input* h5, firn_frame_info* out_info)
{
    firn_frame_info info = {0};
    int64_t real_bytes = 0;
    for (int k = 0; k < NUMBERS; k++)
        FIRN_TRY(firn_h5_get_number(h5, GROUP, numbers[k].name, numbers[k].type,
                                    (char*)&info + numbers[k].offset));
    FIRN_TRY(firn_h5_get_number(h5, GROUP, "real_bytes", FIRN_H5_I64, &real_bytes));
    FIRN_TRY(firn_h5_get_text(h5, GROUP, "scene", info.scene, sizeof info.scene));
    FIRN_TRY(firn_h5_get_text(h5, GROUP, "solver", info.solver, sizeof info.solver));
    FIRN_TRY(check(h5, &info));
    if (real_bytes != 4 && real_bytes != 8)
        return firn_fail(h5->error, FIRN_REFUSED_DAMAGED,
                         "'%s' is damaged: it claims real numbers of %lld bytes, not 4 or 8",
                         h5->path, (long long)real_bytes);
    info.real_bytes = (int)real_bytes;
    *out_info = info;
    return FIRN_OK;
}
