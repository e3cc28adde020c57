// SPDX-License-Identifier: MIT
// Initial grains, with density and temperature of their snow.
#include "scene/data/snow.h"
#include "solver/grains/support/grains_solver.h"

void firn_grains_dress_seeds(firn_grains* m, const firn_seeds* seeds)
{
    firn_grains_refresh_pointers(m);
    const firn_grain_constants* c = &m->constants;
    const firn_local first = m->p.count - seeds->count;
    for (firn_local s = 0; s < seeds->count; s++) {
        const firn_local p = first + s;
        const firn_real r =
            seeds->size != NULL ? seeds->size[s] / 2 : m->start_radius[m->p.material[p]];
        const double T = seeds->temperature != NULL ? (double)seeds->temperature[s]
                                                    : (double)FIRN_SNOW_TEMPERATURE;
        m->p.mass[p] = c->mass;
        m->p.radius[p] = r;
        m->p.origin_radius[p] = m->def.solid ? r : 0;
        m->p.origin[p] = m->p.position[p];
        m->p.whole[p] = (uint8_t)(m->def.solid ? FIRN_GRAIN_INTACT : FIRN_GRAIN_LOOSE);
        if (seeds->spin != NULL && c->lever > 0) m->p.spin[p] = seeds->spin[s];
        m->p.phase[p] = (uint8_t)(r > c->r_ice ? FIRN_SNOW : FIRN_ICE);
        const double h = firn_grain_start_enthalpy(c, T, r, m->p.phase[p]);
        const firn_grain_heat heat = firn_grain_heat_of(h);
        m->p.enthalpy[p] = heat.high;
        m->p.enthalpy_rest[p] = heat.low;
        m->p.temperature[p] = (firn_real)(T < 0 ? T : 0);
        m->p.water[p] = firn_grain_water(c, h);
    }
}

firn_result firn_grains_take_seeds(firn_grains* m, const firn_seeds* seeds)
{
    FIRN_TRY(firn_base_append(&m->base, seeds, &m->next_id));
    firn_grains_dress_seeds(m, seeds);
    return FIRN_OK;
}
