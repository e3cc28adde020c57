// SPDX-License-Identifier: MIT
#include "solver/sph/step11_phases.h"

#include "core/threads/team.h"
#include "math/mat3.h"
#include "physics/heat.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"

static bool is_due(const firn_sph_phases_args* a, firn_local i, const firn_becomes* b)
{
    if (!b->active) return false;
    if ((double)a->p.age[i] >= b->after) return true;
    if (a->p.temperature == NULL) return false;
    const double T = (double)a->p.temperature[i];
    if (T < b->below || T > b->above) return true;  // NaN: neither
    if (!firn_becomes_by_heat(b)) return false;
    const bool snow = a->materials[a->p.material[i]].phase == FIRN_PHASE_SNOW;
    return snow ? a->p.water[i] >= 1 : !(a->p.water[i] > 0);
}

static void become(const firn_sph_phases_args* a, firn_local i, const firn_becomes* b)
{
    const firn_sph_particles* p = &a->p;
    const firn_sph_material* mat = &a->materials[b->material];
    p->material[i] = (uint8_t)b->material;
    p->age[i] = 0;
    p->birth_density[i] = p->fresh_density[i] = p->density[i];
    p->def_grad_elastic[i] = firn_m3_identity();
    p->plastic_det[i] = 1;
    p->shear_acceleration[i] = firn_v3(0, 0, 0);
    if (mat->phase != FIRN_PHASE_SNOW) p->pressure[i] = firn_max(p->pressure[i], 0);
    if (p->temperature == NULL || mat->heat != FIRN_HEAT_SNOW || firn_becomes_by_heat(b)) return;
    // snow is never warmer than 0 degC
    const firn_real c = a->scene->materials[b->material].snow.heat_capacity;
    const firn_snow_warmth now = firn_heat_warm((firn_snow_warmth){0, 0}, p->temperature[i], c);
    p->temperature[i] = now.temperature;
    p->water[i] = now.water;
}

// The material's density, from what it was at the change.
static void ramp(const firn_sph_phases_args* a, firn_local i, double over)
{
    const firn_sph_particles* p = &a->p;
    const firn_real birth = p->birth_density[i];
    if (!(birth > 0)) return;
    const firn_real to = a->materials[p->material[i]].density;
    const double share = over > 0 ? (double)p->age[i] / over : 1;
    firn_real now = share < 1 ? birth + (firn_real)share * (to - birth) : to;
    // snow that is born denser than its material would harden at once: it loosens as it takes room
    if (a->materials[p->material[i]].phase == FIRN_PHASE_SNOW)
        now = firn_max(now, firn_min(p->density[i], p->fresh_density[i]));
    p->fresh_density[i] = now;
    if (now == to) p->birth_density[i] = 0;
}

// How long the rest density of a particle of this material takes: by the material that became it.
static double ramp_time(const firn_scene_data* scene, firn_local material)
{
    double over = 0;
    for (firn_local k = 0; k < scene->material_count; k++) {
        const firn_becomes* b = &scene->materials[k].becomes;
        if (b->active && b->material == material && b->over > over) over = b->over;
    }
    return over;
}

static void phases_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_phases_args* a = self;
    for (firn_local i = begin; i < end; i++) {
        a->p.age[i] += (firn_real)a->dt;
        const firn_becomes* b = &a->scene->materials[a->p.material[i]].becomes;
        if (is_due(a, i, b))
            become(a, i, b);
        else if (a->p.birth_density[i] > 0)
            ramp(a, i, ramp_time(a->scene, a->p.material[i]));
    }
}

void firn_sph_phases(const firn_sph_phases_args* a)
{
    firn_share(a->p.count, FIRN_SPH_SIMPLE, phases_range, a);
}
