// SPDX-License-Identifier: MIT
// Checks the key frames that lie in files of their own. Other animations are read when opened.
#include <math.h>

#include "core/memory.h"
#include "geometry/deform/deform_source.h"
#include "geometry/levelset/level_set_vdb.h"
#include "geometry/levelset/velocity_vdb.h"
#include "mesh/io/sequence.h"

static firn_result check_vdb(const firn_deforming_def* def, const char* name, firn_error* error)
{
#ifdef FIRN_HAVE_VDB
    char message[400] = "";
    firn_result result = firn_vdb_check_surface(name, def->grid, message, sizeof message);
    if (result == FIRN_OK)
        result = firn_vdb_check_velocities(name, def->velocity_grid, message, sizeof message);
    if (result == FIRN_OK) return FIRN_OK;
    return firn_fail(error, result, "cannot use '%s': %s", name, message);
#else  // the first key was refused
    (void)def, (void)name, (void)error;
    return FIRN_OK;
#endif
}

static firn_result check_key(const firn_deforming_def* def, int64_t number, firn_error* error)
{
    char* name = firn_sequence_name(def->animation.file, number);
    if (name == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "'%s': out of memory", def->animation.file);
    firn_result result;
    if (firn_deform_is_vdb(name)) {
        result = check_vdb(def, name, error);
    } else {
        firn_mesh mesh = {0};
        result = firn_mesh_read(name, &mesh, error);
        if (result == FIRN_OK) firn_mesh_destroy(&mesh);
    }
    firn_free(name);
    return result;
}

firn_result firn_deforming_check(const firn_deforming_def* def, double until, firn_error* error)
{
    const firn_animation_def* a = &def->animation;
    if (!firn_sequence_is_pattern(a->file)) return FIRN_OK;
    // the key after `until`, and the one after that for the velocities of it
    const double keys = ceil((until - def->start) * def->speed * a->fps) + 1;
    int64_t last = a->last;
    if (!def->loop && keys < (double)(a->last - a->first)) last = a->first + (int64_t)fmax(keys, 0);
    for (int64_t number = a->first; number <= last; number++)
        FIRN_TRY(check_key(def, number, error));
    return FIRN_OK;
}
