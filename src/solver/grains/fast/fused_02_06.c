// SPDX-License-Identifier: MIT
// Steps 2 to 6 in one pass over the grains, in steps without heat: neighbours read the records of
// step 1, so that a grain may change as soon as its forces are known. Calls the functions of
// grain_step.h in the order of the steps. The bits of one step after the other:
// test_grains_promises.
#include "solver/grains/step02_cohesion.h"

// Steps 4 to 6 of grain i. Returns false if it would move too far.
static bool finish(const firn_grains_cohesion_args* a, firn_local i, const firn_grains_sum* s)
{
    const firn_grain_constants* c = a->constants;
    const firn_grains_particles* p = &a->p;
    const firn_grain* self = &a->w.grain[i];
    const firn_grain_heat heat = {p->enthalpy[i], p->enthalpy_rest[i]};
    const int solid = firn_grains_byte(s->solid);
    const int most = firn_grains_neighbours_max(p->neighbours_max[i], solid, self);
    const bool breaks =
        self->phase != FIRN_WATER && firn_grain_breaks(c, solid, most, self->broken);
    firn_grains_matter g = {self->r,       self->phase, self->broken,
                            (uint8_t)most, self->state, self->spin};
    firn_grains_settle(c, heat, breaks, firn_grain_compression_force(&s->compression), a->dt, &g);
    firn_grains_motion m = {self->x, self->v, g.spin, self->slip, self->twist};
    firn_grains_accelerate(c, s->force, s->torque, g.radius, a->dt, &m.v, &m.spin);
    const bool stays = firn_grains_move(&a->rules, s->slides, &m);
    a->w.force[i] = s->force;  // as step 2 stores it
    p->bonds[i] = (uint32_t)s->bonds;
    p->bonds_more[i] = (uint32_t)(s->bonds >> 32);
    p->neighbours[i] = (uint8_t)solid;
    p->neighbours_max[i] = g.neighbours_max;
    p->radius[i] = g.radius;
    p->phase[i] = g.phase;
    p->broken[i] = g.broken;
    p->whole[i] = g.state;
    p->position[i] = m.x;
    p->velocity[i] = m.v;
    p->spin[i] = m.spin;
    p->slip[i] = m.slip;
    p->twist[i] = m.twist;
    return stays;
}

void firn_grains_finish_04_06(const firn_grains_cohesion_args* a, firn_local begin, firn_local end,
                              const firn_grains_sum* block, firn_grains_sums* sums)
{
    for (firn_local i = begin; i < end; i++)
        if (!finish(a, i, &block[i - begin]) && i < sums->runaway) sums->runaway = i;
}
