// SPDX-License-Identifier: MIT
// Initial grains, with density and temperature of their snow.
#include "scene/data/snow.h"
#include "solver/grains/support/grains_solver.h"

firn_result firn_grains_take_seeds(firn_grains* m, const firn_seeds* seeds)
{
    FIRN_TRY(firn_base_append(&m->base, seeds, &m->next_id));
    firn_grains_refresh_pointers(m);
    const firn_grain_constants* c = &m->constants;
    for (firn_local p = 0; p < seeds->count; p++) {
        const firn_real r =
            seeds->size != NULL ? seeds->size[p] / 2 : m->start_radius[m->p.material[p]];
        const double T = seeds->temperature != NULL ? (double)seeds->temperature[p]
                                                    : (double)FIRN_SNOW_TEMPERATURE;
        m->p.mass[p] = c->mass;
        m->p.radius[p] = r;
        m->p.origin_radius[p] = m->def.solid ? r : 0;
        m->p.origin[p] = m->p.position[p];
        m->p.whole[p] = (uint8_t)(m->def.solid ? FIRN_GRAIN_INTACT : FIRN_GRAIN_LOOSE);
        if (seeds->spin != NULL && c->lever > 0) m->p.spin[p] = seeds->spin[p];
        m->p.phase[p] = (uint8_t)(r > c->r_ice ? FIRN_SNOW : FIRN_ICE);
        const double h = firn_grain_enthalpy(c, T < 0 ? T : 0, r, m->p.phase[p]);
        const firn_grain_heat heat = firn_grain_heat_of(h);
        m->p.enthalpy[p] = heat.high;
        m->p.enthalpy_rest[p] = heat.low;
        m->p.temperature[p] = (firn_real)(T < 0 ? T : 0);
    }
    return FIRN_OK;
}
