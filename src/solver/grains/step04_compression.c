// SPDX-License-Identifier: MIT
#include "solver/grains/step04_compression.h"

#include "core/threads/team.h"
#include "solver/grains/grain_step.h"

static void compress_range(const void* self, firn_local begin, firn_local end)
{
    const firn_grains_compression_args* a = self;
    for (firn_local i = begin; i < end; i++) {
        const firn_grain_heat heat = {a->p.enthalpy[i], a->p.enthalpy_rest[i]};
        firn_grains_matter g = {a->p.radius[i],         a->p.phase[i], a->p.broken[i],
                                a->p.neighbours_max[i], a->p.whole[i], a->p.spin[i]};
        firn_grains_settle(a->constants, heat, a->w.broken[i] != 0, a->w.compression[i], a->dt, &g);
        a->p.radius[i] = g.radius;
        a->p.phase[i] = g.phase;
        a->p.broken[i] = g.broken;
        a->p.neighbours_max[i] = g.neighbours_max;
        a->p.whole[i] = g.state;
        a->p.spin[i] = g.spin;
    }
}

void firn_grains_compression(const firn_grains_compression_args* a)
{
    firn_share(a->p.count, 512, compress_range, a);
}
