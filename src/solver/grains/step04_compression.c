// SPDX-License-Identifier: MIT
#include "solver/grains/step04_compression.h"

static void change_phase(const firn_grains_compression_args* a, firn_local i, uint8_t phase)
{
    a->p.phase[i] = phase;
    a->p.radius[i] = firn_grain_radius_after(a->constants, phase);
    a->p.neighbours_max[i] = 0;  // what it was bonded to is another matter
    a->p.broken[i] = 0;
}

void firn_grains_compression(const firn_grains_compression_args* a)
{
    const firn_grain_constants* c = a->constants;
#pragma omp parallel for schedule(static) num_threads(a->threads)
    for (firn_local i = 0; i < a->p.count; i++) {
        const firn_grain_heat heat = {a->p.enthalpy[i], a->p.enthalpy_rest[i]};
        const uint8_t phase = firn_grain_phase_after(c, a->p.phase[i], firn_grain_heat_value(heat));
        if (phase != a->p.phase[i]) {
            change_phase(a, i, phase);
            continue;
        }
        a->p.broken[i] = a->w.broken[i];
        if (phase == FIRN_WATER) continue;
        a->p.radius[i] = firn_grain_compress(c, a->p.radius[i], a->w.press[i], a->dt);
        if (!(a->p.radius[i] > c->r_ice)) a->p.phase[i] = FIRN_ICE;
    }
}
