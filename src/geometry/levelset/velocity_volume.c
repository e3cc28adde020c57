// SPDX-License-Identifier: MIT
// Wind fields: reads, shares and samples them.
#include "geometry/levelset/velocity_volume.h"

#include "core/hash.h"
#include "core/input.h"
#include "core/memory.h"
#include "geometry/deform/velocity_sample.h"
#include "geometry/levelset/velocity_vdb.h"

#ifdef FIRN_HAVE_VDB
static firn_result fill(const char* path, const char* name, firn_velocity_volume* volume,
                        firn_error* error)
{
    char message[500] = "";
    bool found = false;
    firn_box3 box;
    firn_real voxel;
    firn_result result =
        firn_vdb_velocity_box(path, name, &box, &voxel, &found, message, sizeof message);
    if (result == FIRN_OK && !found)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "cannot read '%s': it has no grid of velocities called 'v', 'vel' or "
                         "'velocity'; name the one that is meant with 'grid'",
                         path);
    if (result != FIRN_OK) return firn_fail(error, result, "cannot read '%s': %s", path, message);
    firn_error cause = {0};
    result = firn_velocity_grid_create(box, voxel, &volume->grid, &cause);
    if (result != FIRN_OK)
        return firn_fail(error, result, "cannot read '%s': %s", path, cause.text);
    volume->known = firn_alloc((size_t)firn_velocity_grid_count(&volume->grid), 1);
    if (volume->known == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the velocities of '%s'",
                         path);
    result = firn_vdb_velocities(path, name, &volume->grid, volume->known, &found, message,
                                 sizeof message);
    if (result != FIRN_OK) return firn_fail(error, result, "cannot read '%s': %s", path, message);
    return FIRN_OK;
}
#else
static firn_result fill(const char* path, const char* name, firn_velocity_volume* volume,
                        firn_error* error)
{
    (void)name, (void)volume;
    return firn_fail(error, FIRN_REFUSED_BACKEND,
                     "cannot read '%s': this firn was built without OpenVDB; install the package "
                     "libopenvdb-dev and build libfirn again (libfirn-core never has it)",
                     path);
}
#endif

firn_result firn_velocity_volume_read(const char* path, const char* name,
                                      const firn_velocity_volume** out_volume, firn_error* error)
{
    FIRN_TRY(firn_input_check(path, error));
    firn_velocity_volume* volume = firn_alloc(1, sizeof *volume);
    if (volume == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the velocities of '%s'",
                         path);
    volume->users = 1;
    const firn_result result = fill(path, name, volume, error);
    if (result != FIRN_OK) {
        firn_velocity_volume_release(volume);
        return result;
    }
    *out_volume = volume;
    return FIRN_OK;
}

const firn_velocity_volume* firn_velocity_volume_share(const firn_velocity_volume* volume)
{
    if (volume != NULL)
        __atomic_add_fetch(&((firn_velocity_volume*)volume)->users, 1, __ATOMIC_RELAXED);
    return volume;
}

void firn_velocity_volume_release(const firn_velocity_volume* volume)
{
    firn_velocity_volume* v = (firn_velocity_volume*)volume;
    if (v == NULL || __atomic_sub_fetch(&v->users, 1, __ATOMIC_ACQ_REL) > 0) return;
    firn_velocity_grid_destroy(&v->grid);
    firn_free(v->known);
    firn_free(v);
}

uint64_t firn_velocity_volume_hash(const firn_velocity_volume* volume)
{
    const firn_velocity_grid* g = &volume->grid;
    const firn_real frame[4] = {g->origin.x, g->origin.y, g->origin.z, g->voxel};
    uint64_t hash = firn_hash(frame, sizeof frame, 0);
    hash = firn_hash(g->size, sizeof g->size, hash);
    hash = firn_hash(g->value, firn_velocity_grid_bytes(g), hash);
    return firn_hash(volume->known, (size_t)firn_velocity_grid_count(g), hash);
}

firn_vec3 firn_velocity_volume_sample(const firn_velocity_volume* v, firn_vec3 x, firn_vec3 outside)
{
    return firn_velocity_sample(&v->grid, v->known, x, outside);
}
