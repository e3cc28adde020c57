// SPDX-License-Identifier: MIT
#include "solver/sph/step09_advect.h"

#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "geometry/collider/collider.h"
#include "geometry/sdf/shape.h"
#include "math/vec3.h"
#include "solver/shared/impulse.h"
#include "solver/shared/lumps.h"
#include "solver/sph/laws/keep_out.h"

// `lump`: the collider gives way; null: it does not.
static void keep_out_of(const firn_sph_advect_args* a, const firn_collider* c,
                        const firn_lump* lump, firn_local i, firn_impulse* taken)
{
    const firn_sph_mover mover = {a->position[i], a->velocity[i], a->dt, a->h};
    const firn_shape_tables tables = firn_shapes_tables(a->shapes);
    firn_sph_kept kept;
    if (!firn_sph_is_inside(c, &tables, &mover, &kept)) return;
    const firn_vec3 n = kept.normal;
    if (kept.stopped) {
        const firn_vec3 before = a->velocity[i];
        a->velocity[i] = firn_v3_madd(before, -kept.inward, n);
        if (lump != NULL) {
            const firn_vec3 change = firn_v3_scale(n, -kept.inward);
            const firn_real share = firn_lump_share(lump, a->position[i], change);
            a->velocity[i] = firn_v3_madd(before, share, change);
        }
        firn_impulse_take(taken, firn_v3_sub(a->position[i], c->pose.position), a->mass[i], before,
                          a->velocity[i]);
    }
    a->position[i] = firn_v3_madd(a->position[i], -kept.phi, n);
}

static void keep_out_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_advect_args* a = self;
    firn_impulse* taken = firn_loads_mine(a->loads);
    for (firn_local k = begin; k < end; k++)
        for (firn_local c = 0; c < a->collider_count; c++) {
            const firn_local lump = a->lumps->count > 0 ? a->lumps->of[c] : -1;
            keep_out_of(a, &a->colliders[c], lump >= 0 ? &a->lumps->all[lump] : NULL,
                        a->contact[k].particle, &taken[c]);
        }
}

static void move_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_advect_args* a = self;
    firn_local bad = a->count;
    const firn_real limit = 2 * a->h / a->dt, limit2 = limit * limit;
    for (firn_local i = begin; i < end; i++) {
        const firn_real speed2 = firn_v3_dot(a->velocity[i], a->velocity[i]);
        if (!(speed2 < limit2) && i < bad) bad = i;
        a->position[i] = firn_v3_madd(a->position[i], a->dt, a->velocity[i]);
    }
    firn_atomic_min(a->out_bad, bad);
}

void firn_sph_advect(const firn_sph_advect_args* a)
{
    *a->out_bad = a->count;
    firn_share(a->count, FIRN_SPH_SIMPLE, move_range, a);
    if (*a->out_bad < a->count) return;
    firn_share(a->contact_count, FIRN_SPH_CONTACTS / 4, keep_out_range, a);
}
