// SPDX-License-Identifier: MIT
// Step 9, the loop over particles.
#include "solver/mpm/step09_particle_collide.h"

#include "core/threads/team.h"

#define COLLIDE_CHUNK 1024  // particles, of fixed size: sums do not depend on threads

static void collide_chunks(const void* self, firn_local begin, firn_local end)
{
    const firn_mpm_particle_collide_args* a = self;
    for (firn_local chunk = begin; chunk < end; chunk++) {
        firn_mpm_pending pending = {-1, {0}};
        const firn_mpm_bodies bodies = firn_mpm_particle_bodies(a, &pending);
        const firn_local from = chunk * COLLIDE_CHUNK, left = a->particle_count - from;
        const firn_local to = from + (left < COLLIDE_CHUNK ? left : COLLIDE_CHUNK);
        for (firn_local p = from; p < to; p++)
            a->velocity[p] = firn_mpm_collide_particle(&bodies, &a->hold, a->cell, true, p,
                                                       a->position[p], a->velocity[p], a->mass[p]);
        firn_mpm_flush(&bodies);
    }
}

static void particle_collide(const firn_mpm_particle_collide_args* a)
{
    const firn_local chunks = a->particle_count / COLLIDE_CHUNK + 1;
    firn_share(chunks, 1, collide_chunks, a);
}
