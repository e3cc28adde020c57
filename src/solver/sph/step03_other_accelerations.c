// SPDX-License-Identifier: MIT
#include "solver/sph/step03_other_accelerations.h"

#include "physics/drag.h"
#include "scene/data/scene.h"
#include "scene/run/wind.h"

// Drag is implicit: v' = (v + dt rate v_air) / (1 + dt rate), stable however light the
// flake. The rate, which grows with the speed, is that of v, with gravity and without drag.
static firn_vec3 drag(const firn_sph_other_accelerations_args* a, firn_local i, firn_vec3 v)
{
    const firn_air_block* air = &a->scene->air;
    const firn_vec3 wind = firn_wind(a->scene, a->p.position[i], a->time);
    const firn_vec3 past = firn_v3_sub(v, wind);
    const firn_real exposed = firn_drag_exposure((firn_real)a->neighbours[i]);
    if (!(exposed > 0)) return v;
    // the sphere with the volume of the snow that the particle stands for
    const firn_real volume = a->p.mass[i] / a->p.fresh_density[i];
    const firn_real diameter =
        (firn_real)firn_cbrt_double(1.9098593171027440 * (double)volume);  // 6/pi
    const firn_real rate =
        exposed * firn_drag_rate(firn_sqrt(firn_v3_dot(past, past)), diameter, a->p.mass[i],
                                 (firn_real)air->density, (firn_real)air->viscosity);
    return firn_v3_scale(firn_v3_madd(v, a->dt * rate, wind), 1 / (1 + a->dt * rate));
}

void firn_sph_other_accelerations(const firn_sph_other_accelerations_args* a)
{
    const bool airy = a->scene->air.active && a->scene->air.drag;
#pragma omp parallel for schedule(static) num_threads(a->threads)
    for (firn_local i = 0; i < a->p.count; i++) {
        firn_vec3 v = firn_v3_madd(a->p.velocity[i], a->dt, a->gravity);
        if (airy) v = drag(a, i, v);
        a->v_star[i] = (firn_vec4){v.x, v.y, v.z, 0};
    }
#pragma omp parallel for schedule(static) num_threads(a->threads)
    for (firn_local t = 0; t < a->contact_count; t++) {
        const firn_vec3 pull = a->contact[t].adhesion;
        a->v_star[a->contact[t].particle] +=
            (firn_vec4){a->dt * pull.x, a->dt * pull.y, a->dt * pull.z, 0};
    }
}
