// SPDX-License-Identifier: MIT
// Materials of the scene as steps see them; those with keys change over time.
#include "math/time_keys.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "solver/mpm/mpm_state.h"

static firn_real softening_of(const firn_mpm* m, const firn_snow_material* s, firn_lame lame)
{
    if (s->cam_clay.friction > 0) return 0;
    if (!(s->fracture_energy > 0)) return s->hardening;
    return firn_snow_softening(lame, s->critical_stretch, (firn_real)m->def.cell,
                               s->fracture_energy);
}

// Constants of a material at a time [s].
static firn_snow_material material_at(const firn_material* material, double time)
{
    firn_snow_material s = material->snow;
    double factors[FIRN_MATERIAL_KEY_COLUMNS];
    if (material->key_count == 0) return s;
    for (size_t c = 1; c < FIRN_MATERIAL_KEY_COLUMNS; c++)
        factors[c] = firn_time_keys_at(&material->keys[0].time, (int)FIRN_MATERIAL_KEY_COLUMNS,
                                       material->key_count, (int)c, time);
    s.young *= (firn_real)factors[1];
    s.hardening *= (firn_real)factors[2];
    s.critical_compression *= (firn_real)factors[3];
    s.critical_stretch *= (firn_real)factors[4];
    return s;
}

void firn_mpm_take_materials(firn_mpm* m, double time)
{
    for (firn_local k = 0; k < m->material_count; k++) {
        const firn_snow_material own = material_at(&m->base.scene->materials[k], time);
        const firn_snow_material* s = &own;
        const firn_lame lame = firn_snow_lame(s->young, s->poisson);
        const bool clay = s->cam_clay.friction > 0;  // its return mapping is elastic: no creep
        m->materials[k] =
            (firn_mpm_material){.lame_0 = lame,
                                .xi = clay ? 0 : s->hardening,
                                .xi_t = softening_of(m, s, lame),
                                .theta_c = s->critical_compression,
                                .theta_s = s->critical_stretch,
                                .hardening_max = s->hardening_max,
                                .density = s->density,
                                .sound_squared = (lame.lambda + 2 * lame.mu) / s->density,
                                .clay = firn_cam_clay_law_of(s),
                                .creep = {clay ? 0 : s->viscosity, s->viscosity_growth, s->density},
                                .sintering = {s->sintering, s->sintering_time}};
    }
}
