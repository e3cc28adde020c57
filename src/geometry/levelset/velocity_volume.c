// SPDX-License-Identifier: MIT
// Wind fields: reads, shares and samples them.
#include "geometry/levelset/velocity_volume.h"

#include <math.h>

#include "core/hash.h"
#include "core/input.h"
#include "core/memory.h"
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

static firn_vec3 node(const firn_velocity_volume* v, const int64_t at[3], firn_vec3 outside)
{
    const int32_t* size = v->grid.size;
    for (int d = 0; d < 3; d++)
        if (at[d] < 0 || at[d] >= size[d]) return outside;
    const size_t n =
        ((size_t)at[2] * (size_t)size[1] + (size_t)at[1]) * (size_t)size[0] + (size_t)at[0];
    return v->known[n] != 0 ? v->grid.value[n] : outside;
}

firn_vec3 firn_velocity_volume_sample(const firn_velocity_volume* v, firn_vec3 x, firn_vec3 outside)
{
    const firn_vec3 from = firn_v3_sub(x, v->grid.origin);
    const double position[3] = {(double)from.x, (double)from.y, (double)from.z};
    int64_t base[3];
    firn_real fraction[3];
    for (int d = 0; d < 3; d++) {
        const double u = position[d] / (double)v->grid.voxel;
        if (!(u > -1 && u < (double)v->grid.size[d])) return outside;
        const double below = floor(u);
        base[d] = (int64_t)below;
        fraction[d] = (firn_real)(u - below);
    }
    firn_vec3 row[4];  // along x, at (y, z) = (0, 0), (1, 0), (0, 1), (1, 1)
    for (int r = 0; r < 4; r++) {
        const int64_t a[3] = {base[0], base[1] + (r & 1), base[2] + (r >> 1)};
        const int64_t b[3] = {a[0] + 1, a[1], a[2]};
        row[r] = firn_velocity_mix(node(v, a, outside), node(v, b, outside), fraction[0]);
    }
    return firn_velocity_mix(firn_velocity_mix(row[0], row[1], fraction[1]),
                             firn_velocity_mix(row[2], row[3], fraction[1]), fraction[2]);
}
