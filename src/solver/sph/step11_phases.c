// SPDX-License-Identifier: MIT
#include "solver/sph/step11_phases.h"

#include <math.h>

#include "core/threads/team.h"
#include "math/mat3.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"

firn_sph_becomes firn_sph_becomes_of(const firn_becomes* b)
{
    return (firn_sph_becomes){.active = b->active,
                              .by_heat = firn_becomes_by_heat(b),
                              .material = b->material,
                              .after = b->after,
                              .below = b->below,
                              .above = b->above,
                              .over = b->over};
}

// The longest `over` of those that become this material.
static double ramp_time(const firn_scene_data* scene, firn_local material)
{
    double over = 0;
    for (firn_local k = 0; k < scene->material_count; k++) {
        const firn_sph_becomes b = firn_sph_becomes_of(&scene->materials[k].becomes);
        over = fmax(over, firn_sph_phase_ramp_time(&b, 1, material));
    }
    return over;
}

static void become(const firn_sph_phases_args* a, firn_local i, const firn_sph_becomes* b,
                   firn_sph_phase* now)
{
    firn_sph_phase_become(now, b, &a->materials[b->material],
                          a->scene->materials[b->material].snow.heat_capacity);
    a->p.def_grad_elastic[i] = firn_m3_identity();
    a->p.plastic_det[i] = 1;
    a->p.shear_acceleration[i] = firn_v3(0, 0, 0);
}

static void change_particle(const firn_sph_phases_args* a, firn_local i)
{
    const firn_sph_particles* p = &a->p;
    const bool heats = p->temperature != NULL;
    firn_sph_phase now = {.material = p->material[i],
                          .density = p->density[i],
                          .fresh_density = p->fresh_density[i],
                          .age = p->age[i] + (firn_real)a->dt,
                          .birth_density = p->birth_density[i],
                          .pressure = p->pressure[i],
                          .heats = heats};
    if (heats) now.warmth = (firn_snow_warmth){p->temperature[i], p->water[i]};
    const firn_sph_becomes b = firn_sph_becomes_of(&a->scene->materials[now.material].becomes);
    if (firn_sph_phase_is_due(&now, &b, &a->materials[now.material]))
        become(a, i, &b, &now);
    else if (now.birth_density > 0)
        firn_sph_phase_ramp(&now, &a->materials[now.material], ramp_time(a->scene, now.material));
    p->material[i] = (uint8_t)now.material;
    p->fresh_density[i] = now.fresh_density;
    p->age[i] = now.age;
    p->birth_density[i] = now.birth_density;
    p->pressure[i] = now.pressure;
    if (!heats) return;
    p->temperature[i] = now.warmth.temperature;
    p->water[i] = now.warmth.water;
}

static void phases_range(const void* self, firn_local begin, firn_local end)
{
    for (firn_local i = begin; i < end; i++) change_particle(self, i);
}

void firn_sph_phases(const firn_sph_phases_args* a)
{
    firn_share(a->p.count, FIRN_SPH_SIMPLE, phases_range, a);
}
