// SPDX-License-Identifier: MIT
#include "solver/sph/step10_heat.h"

#include <math.h>

#include "core/threads/team.h"
#include "geometry/collider/collider.h"
#include "math/vec3.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "solver/sph/laws/heat.h"

// Power from the neighbours [W]; out_near: how many are near.
static firn_real conducted(const firn_sph_heat_args* a, firn_local i, firn_real* out_near)
{
    const firn_real near2 = firn_sph_heat_near(a->h);
    const firn_vec4 x = a->work->place[i];
    const firn_real k_i = a->scene->materials[a->p.material[i]].snow.conductivity;
    const firn_real T_i = a->p.temperature[i];
    firn_real sum = 0;
    *out_near = 0;
    for (int k = 0; k < a->pairs->neighbours[i]; k++) {
        const firn_pair pair = firn_pair_at(a->pairs, i, k);
        const firn_vec4 y = a->work->place[pair.j];
        const firn_vec3 x_ij = firn_v3(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
        const firn_real r2 = firn_v3_dot(x_ij, x_ij);
        *out_near += r2 < near2 ? 1 : 0;
        sum += firn_heat_pair(T_i, a->p.temperature[pair.j], k_i,
                              a->scene->materials[a->p.material[pair.j]].snow.conductivity, x[3],
                              y[3], firn_v3_dot(x_ij, pair.g), r2, a->h);
    }
    return sum;
}

// T: of the air; NaN: it exchanges no heat. near: of `conducted`.
static firn_real from_air(const firn_sph_heat_args* a, firn_local i, double T, firn_real near)
{
    return firn_sph_heat_from_air(
        a->p.temperature[i], T, a->scene->materials[a->p.material[i]].snow.conductivity,
        (firn_real)a->scene->air.heat_transfer, a->h, near, a->work->wall_kernel[i]);
}

double firn_sph_heat_limit(const firn_scene_data* scene, double time, firn_real h)
{
    double limit = INFINITY, transfer = scene->air.active ? scene->air.heat_transfer : 0;
    for (firn_local c = 0; c < scene->collider_count; c++)
        if (!isnan(firn_body_temperature(scene, &scene->colliders[c], time)))
            transfer = fmax(transfer, (double)scene->colliders[c].heat_transfer);
    for (firn_local k = 0; k < scene->material_count; k++) {
        const firn_snow_material* s = &scene->materials[k].snow;
        const firn_real surface =
            firn_heat_transfer_to((firn_real)transfer, s->conductivity, h / 2);
        limit = fmin(limit, (double)firn_heat_step_limit(s->density, s->heat_capacity,
                                                         s->conductivity, h, 2 * surface));
    }
    return 0.5 * limit;
}

typedef struct heat_pass {
    const firn_sph_heat_args* a;
    double air;    // its temperature; NaN: it exchanges no heat
    firn_real dt;  // [s] of the substep
} heat_pass;

static void power_range(const void* self, firn_local begin, firn_local end)
{
    const heat_pass* pass = self;
    const firn_sph_heat_args* a = pass->a;
    firn_real* power = a->work->source;
    for (firn_local i = begin; i < end; i++) {
        firn_real near;
        power[i] = conducted(a, i, &near);
        power[i] += from_air(a, i, pass->air, near);
    }
    const firn_sph_range near = firn_sph_contacts_of(a->contact, a->contact_count, begin, end);
    for (firn_local t = near.begin; t < near.end; t++) {
        const firn_local i = a->contact[t].particle;
        power[i] += a->contact[t].heat_power - a->contact[t].heat_rate * a->p.temperature[i];
    }
}

static void warm_range(const void* self, firn_local begin, firn_local end)
{
    const heat_pass* pass = self;
    const firn_sph_heat_args* a = pass->a;
    const firn_real* power = a->work->source;
    for (firn_local i = begin; i < end; i++) {
        const firn_sph_material* mat = &a->materials[a->p.material[i]];
        const firn_real c = a->scene->materials[a->p.material[i]].snow.heat_capacity;
        const firn_snow_warmth before = {a->p.temperature[i], a->p.water[i]};
        const firn_snow_warmth now =
            firn_sph_warmed(mat, c, before, power[i], a->p.mass[i], pass->dt);
        a->p.temperature[i] = now.temperature;
        a->p.water[i] = now.water;
    }
}

static void heat_part(const firn_sph_heat_args* a, double dt)
{
    const heat_pass pass = {a, firn_air_temperature(a->scene, a->time), (firn_real)dt};
    firn_share(a->p.count, FIRN_SPH_SLICES * FIRN_SLICE, power_range, &pass);
    firn_share(a->p.count, FIRN_SPH_SIMPLE / 2, warm_range, &pass);
}

void firn_sph_heat(const firn_sph_heat_args* a)
{
    if (!(a->dt > 0)) return;
    const double limit = firn_sph_heat_limit(a->scene, a->time, a->h);
    const int parts = firn_sph_heat_parts(a->dt, limit);
    for (int k = 0; k < parts; k++) heat_part(a, fmin(a->dt / parts, limit));
}
