// SPDX-License-Identifier: MIT
#include "solver/grains/step03_heat.h"

#include <math.h>

#include "core/threads/team.h"
#include "solver/grains/grain_step.h"

// Power from the neighbours [W]. Each flow is the negative of the neighbour's; summed in doubles,
// heat is conserved. out_around: the neighbours.
static double conducted(const firn_grains_heat_args* a, firn_local i, firn_grain_around* out_around)
{
    const firn_grain* self = &a->w.grain[i];
    double sum = 0;
    *out_around = firn_grain_around_none();
    const int32_t* list = a->list->j + a->list->first[i];
    for (int k = 0; k < a->list->count[i]; k++) {
        const firn_local j = list[k];
        const firn_grain* other = &a->w.grain[j];
        const firn_vec3 d = firn_v3_sub(other->x, self->x);
        const firn_real far = self->r + other->r + a->constants->reach;
        if (firn_v3_dot(d, d) >= far * far) continue;
        sum += (double)firn_grain_conducted(a->constants, a->p.temperature[i], a->p.temperature[j],
                                            self, other, out_around);
    }
    return sum;
}

// Power from outside [W].
static double gained(const firn_grains_heat_args* a, firn_local i, firn_grain_around around)
{
    double power = (double)a->w.body_power[i];
    if (!isnan(a->air))
        power += firn_grains_air_power(a->constants, &a->w.grain[i], a->p.temperature[i], a->air,
                                       a->w.near[i], a->w.touching[i], around, a->w.walls[i]);
    return power;
}

static void warm(const firn_grains_heat_args* a, firn_local i)
{
    const firn_grain* self = &a->w.grain[i];
    const firn_grain_heat heat = {a->p.enthalpy[i], a->p.enthalpy_rest[i]};
    const firn_grains_warmth after =
        firn_grains_warm(a->constants, heat, self->r, self->phase, a->w.power[i], a->dt);
    a->p.enthalpy[i] = after.heat.high;
    a->p.enthalpy_rest[i] = after.heat.low;
    a->p.temperature[i] = after.temperature;
    a->p.water[i] = after.water;
}

static void gain_chunks(const void* self, firn_local begin, firn_local end)
{
    const firn_grains_heat_args* a = self;
    for (firn_local k = begin; k < end; k++) {
        const firn_local from = k * FIRN_GRAINS_CHUNK, most = from + FIRN_GRAINS_CHUNK;
        double outside = 0;
        for (firn_local i = from; i < most && i < a->p.count; i++) {
            firn_grain_around around;
            const double inside = conducted(a, i, &around), power = gained(a, i, around);
            outside += power;
            a->w.power[i] = power + inside;
        }
        a->w.sums[k].heat = outside * a->dt;
    }
}

static void warm_range(const void* self, firn_local begin, firn_local end)
{
    for (firn_local i = begin; i < end; i++) warm(self, i);
}

void firn_grains_heat(const firn_grains_heat_args* a)
{
    firn_share(firn_grains_chunks(a->p.count), 1, gain_chunks, a);
    firn_share(a->p.count, 512, warm_range, a);
}
