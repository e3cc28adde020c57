// SPDX-License-Identifier: MIT
// What Algorithm 1 does not number: culling, bodies and their temperatures, size of the step.
#include <math.h>

#include "math/vec3.h"
#include "scene/data/scene.h"
#include "solver/grains/step01_neighbours.h"
#include "solver/grains/support/grains_solver.h"

void firn_grains_refresh_pointers(firn_grains* m)
{
    int f = 0;
#define POINT(field, type, kind, unit, step, changes) m->p.field = m->store.fields[f++].data;
    FIRN_GRAINS_FIELDS(POINT)
#undef POINT
    m->p.count = m->store.count;
}

// The fastest grain; gives the first that is not finite or too far away for cells.
static firn_local measure(firn_grains* m)
{
    firn_real most = 0;
    firn_local bad = m->p.count;
    const firn_real far = (firn_real)(m->radius * FIRN_GRAINS_FAR);
#pragma omp parallel for schedule(static) num_threads(m->threads) reduction(max     \
                                                                            : most) \
    reduction(min                                                                   \
              : bad)
    for (firn_local i = 0; i < m->p.count; i++) {
        const firn_real speed2 = firn_v3_dot(m->p.velocity[i], m->p.velocity[i]);
        const firn_vec3 x = m->p.position[i];
        const bool here = firn_abs(x.x) < far && firn_abs(x.y) < far && firn_abs(x.z) < far;
        if (!(speed2 < FIRN_REAL_MAX && here) && i < bad) bad = i;
        most = firn_max(speed2, most);
    }
    m->max_speed = sqrt((double)most);
    return bad;
}

firn_grains_dt_rules firn_grains_dt_rules_of(const firn_grains* m)
{
    return (firn_grains_dt_rules){m->def.dt > 0, m->dt_usual, m->radius};
}

static void take_temperatures(firn_grains* m)
{
    const firn_scene_data* scene = m->scene;
    m->air = firn_air_temperature(scene, m->time);
    m->heats = !isnan(m->air);
    for (firn_local b = 0; b < m->collider_count; b++) {
        const double T = firn_body_temperature(scene, &scene->colliders[b], m->time);
        m->body_temperature[b] = (firn_real)T;
        m->heats |= !isnan(T);
    }
}

firn_result firn_grains_prepare(firn_grains* m, double time, double dt_limit, double dt_scale,
                                firn_error* error)
{
    m->time = time;
    take_temperatures(m);
    firn_grains_refresh_pointers(m);
    if (m->scene->cull.active) FIRN_TRY(firn_grains_recall_lists(m, error));
    FIRN_TRY(firn_cull(&m->culler, m->scene, &m->store, time, m->threads, &m->culled, error));
    firn_grains_refresh_pointers(m);
    const firn_local bad = measure(m);
    if (bad < m->p.count) {
        const firn_grains_culprit culprit = firn_grains_culprit_of(m, bad);
        return firn_grains_fault_lost(m, &culprit, error);
    }
    for (firn_local k = 0; k < m->free_count; k++)
        m->free_of[m->free[k].collider] =
            firn_free_body_take(&m->free[k], m->colliders, time) ? k : -1;
    for (firn_local c = 0; c < m->collider_count; c++)
        FIRN_TRY(firn_collider_move(&m->colliders[c], &m->scene->shapes, time, error));
    const firn_grains_dt_rules rules = firn_grains_dt_rules_of(m);
    m->dt = firn_grains_dt_choose(&rules, m->max_speed, dt_scale, dt_limit);
    m->constants.damping_most = firn_grains_damping_most(m->constants.mass, m->dt);
    const double* g = m->scene->gravity;
    m->gravity = firn_v3((firn_real)g[0], (firn_real)g[1], (firn_real)g[2]);
    return FIRN_OK;
}
