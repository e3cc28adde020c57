// SPDX-License-Identifier: MIT
// Samples 3D textures.
#include "geometry/levelset/texture.h"

#include <math.h>

#include "core/input.h"
#include "core/memory.h"
#include "geometry/levelset/texture_vdb.h"

#define FAR 1e9  // [voxels] outside any table: coordinates still fit in integers

firn_result firn_texture_read(const char* path, const char* grid, firn_texture* out_texture,
                              firn_error* error)
{
    FIRN_TRY(firn_input_check(path, error));
#ifdef FIRN_HAVE_VDB
    char message[500] = "";
    firn_texture texture = {0};
    const firn_result result = firn_texture_vdb_read(path, grid, &texture, message, sizeof message);
    if (result != FIRN_OK) {
        firn_texture_destroy(&texture);
        return firn_fail(error, result, "cannot read '%s': %s", path, message);
    }
    *out_texture = texture;
    return FIRN_OK;
#else
    (void)grid, (void)out_texture;
    return firn_fail(error, FIRN_REFUSED_BACKEND,
                     "cannot read '%s': this firn was built without OpenVDB; install the package "
                     "libopenvdb-dev and build libfirn again (libfirn-core never has it)",
                     path);
#endif
}

void firn_texture_destroy(firn_texture* texture)
{
    firn_free(texture->table);
    firn_free(texture->value);
    firn_free(texture->constant);
    *texture = (firn_texture){0};
}

static double voxel(const firn_texture* t, const int32_t i[3])
{
    size_t at = 0;
    for (int d = 0; d < 3; d++) {
        const int32_t b = (i[d] >> 3) - t->first[d];
        if (b < 0 || b >= t->size[d]) return t->constant_count > 0 ? (double)t->constant[0] : 0;
        at = at * (size_t)t->size[d] + (size_t)b;
    }
    const int32_t entry = t->table[at];
    if (entry < 0) return (double)t->constant[-1 - entry];
    const int32_t in_block = (i[0] & 7) << 6 | (i[1] & 7) << 3 | (i[2] & 7);
    return (double)t->value[(size_t)entry * FIRN_TEXTURE_NODES + (size_t)in_block];
}

double firn_texture_sample(const firn_texture* t, firn_vec3 x)
{
    int32_t base[3];
    double part[3];  // fraction of the way to the next voxel
    for (int d = 0; d < 3; d++) {
        const double* m = t->to_index[d];
        const double u = m[0] * (double)x.x + m[1] * (double)x.y + m[2] * (double)x.z + m[3];
        const double below = floor(fmin(fmax(u, -FAR), FAR));
        base[d] = (int32_t)below;
        part[d] = fmin(fmax(u - below, 0), 1);
    }
    double sum = 0;
    for (int c = 0; c < 8; c++) {
        const int32_t i[3] = {base[0] + (c >> 2), base[1] + (c >> 1 & 1), base[2] + (c & 1)};
        double weight = 1;
        for (int d = 0; d < 3; d++) weight *= i[d] > base[d] ? part[d] : 1 - part[d];
        if (weight > 0) sum += weight * voxel(t, i);
    }
    return sum;
}
