// SPDX-License-Identifier: MIT
// Materials of the scene as steps see them; those with keys change over time.
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "solver/mpm/material/mpm_material_at.h"
#include "solver/mpm/mpm_state.h"

firn_mpm_material_def firn_mpm_material_def_of(const firn_mpm* m, firn_local k)
{
    const firn_material* material = &m->base.scene->materials[k];
    firn_mpm_material_def def = {.snow = material->snow, .key_count = material->key_count};
    for (int32_t i = 0; i < def.key_count; i++) def.keys[i] = material->keys[i];
    return def;
}

void firn_mpm_take_materials(firn_mpm* m, double time)
{
    for (firn_local k = 0; k < m->material_count; k++) {
        const firn_mpm_material_def def = firn_mpm_material_def_of(m, k);
        m->materials[k] = firn_mpm_material_at(&def, (firn_real)m->def.cell, time);
    }
}
