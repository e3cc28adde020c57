// SPDX-License-Identifier: MIT
#include "render/preview/empty_space.h"

#include "core/memory.h"

#define BLOCKS_MAX ((int64_t)1 << 18)  // of a table: larger ones take longer than they save
#define FARTHEST 255

// The smallest of the neighbours that a scan has passed, plus one. `way`: 1 up, -1 down.
static int passed(const firn_level_set* set, const uint8_t* away, const int32_t at[3], int way)
{
    int least = FARTHEST;
    for (int n = 0; n < 13; n++) {  // of 27 in order, those before the middle
        const int32_t i = at[0] + way * (n % 3 - 1), j = at[1] + way * (n / 3 % 3 - 1),
                      k = at[2] + way * (n / 9 - 1);
        if (i < 0 || j < 0 || k < 0 || i >= set->size[0] || j >= set->size[1] || k >= set->size[2])
            continue;
        const int one =
            1 +
            away[((size_t)k * (size_t)set->size[1] + (size_t)j) * (size_t)set->size[0] + (size_t)i];
        if (one < least) least = one;
    }
    return least;
}

// Chessboard distances in two scans (Rosenfeld and Pfaltz 1968).
static void scan(const firn_level_set* set, uint8_t* away, int way)
{
    const int64_t count = (int64_t)set->size[0] * set->size[1] * set->size[2];
    for (int64_t n = 0; n < count; n++) {
        const int64_t b = way > 0 ? n : count - 1 - n;
        if (away[b] == 0) continue;
        const int32_t at[3] = {(int32_t)(b % set->size[0]),
                               (int32_t)(b / set->size[0] % set->size[1]),
                               (int32_t)(b / set->size[0] / set->size[1])};
        const int least = passed(set, away, at, way);
        if (least < away[b]) away[b] = (uint8_t)least;
    }
}

firn_result firn_empty_space_create(const firn_level_set* set, firn_empty_space* out_space,
                                    firn_error* error)
{
    const int64_t count = (int64_t)set->size[0] * set->size[1] * set->size[2];
    *out_space = (firn_empty_space){NULL, NULL};
    if (count > BLOCKS_MAX) return FIRN_OK;
    uint8_t* away = firn_alloc((size_t)count + 1, 1);
    if (away == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the preview's colliders");
    for (int64_t b = 0; b < count; b++)
        away[b] = set->table[b] == FIRN_LEVEL_SET_OUTSIDE ? FARTHEST : 0;
    scan(set, away, 1);
    scan(set, away, -1);
    *out_space = (firn_empty_space){set, away};
    return FIRN_OK;
}

void firn_empty_space_destroy(firn_empty_space* space)
{
    firn_free(space->away);
    *space = (firn_empty_space){NULL, NULL};
}

firn_real firn_empty_space_at(const firn_empty_space* space, firn_vec3 x)
{
    const firn_level_set* set = space->set;
    if (set == NULL) return 0;
    const firn_real edge = (firn_real)FIRN_LEVEL_SET_EDGE * set->voxel;
    const firn_vec3 u = firn_v3_scale(firn_v3_sub(x, set->origin), 1 / edge);
    if (!(u.x >= 0 && u.y >= 0 && u.z >= 0 && u.x < (firn_real)set->size[0] &&
          u.y < (firn_real)set->size[1] && u.z < (firn_real)set->size[2]))
        return 0;
    const size_t row = (size_t)u.z * (size_t)set->size[1] + (size_t)u.y;
    const int away = space->away[row * (size_t)set->size[0] + (size_t)u.x];
    // the surface may lie up to a voxel before the first node of a block
    return away > 1 ? (firn_real)(away - 1) * edge - set->voxel : 0;
}
