// SPDX-License-Identifier: MIT
// Cases of test_mpm_emit.c and test_mpm_cuda_outside.c: the mass and the momentum of what emitters
// give. Before it, define world_begin(w) and world_look(w), as for air_cases.h.
#pragma once
#include "scene/data/emitter.h"
#include "scene/run/flakes.h"
#include "solver/mpm/world.h"

#define SOURCES_H 0.02
#define SOURCES_ROUNDING (sizeof(firn_real) == 8 ? 1e-15 : 1e-7)

typedef struct sources {
    world* w;
    firn_emitter all[2];
} sources;

// A hose along x, and snowfall of `limit` particles above it.
static sources* sources_create(void)
{
    sources* s = firn_alloc(1, sizeof *s);
    world* w = s->w = world_create(SOURCES_H);
    const firn_shape_node hose = world_ball_node(firn_v3(0, 1, 0), 2 * SOURCES_H);
    const firn_shape_node cloud = world_ball_node(firn_v3(1, 1, 0), 8 * SOURCES_H);
    s->all[0] = (firn_emitter){.shape = world_add_shape(&w->scene, &hose),
                               .flow = 3,  // 7500 particles a second of 400 kg/m^3 * 1 cm^3
                               .velocity = {4, 1, 0},
                               .stop = INFINITY,
                               .limit = FIRN_EMITTER_NO_LIMIT,
                               .seed = 3};
    s->all[1] = (firn_emitter){.shape = world_add_shape(&w->scene, &cloud),
                               .rate = 4000,
                               .velocity = {0, -1, 0},
                               .size = SOURCES_H,
                               .stop = INFINITY,
                               .mass = 0.32,  // 100 particles of 3.2 g
                               .seed = 4};
    w->scene.emitters = s->all;
    w->scene.emitter_count = 2;
    firn_emitters_settle(&w->scene, 0.5 * SOURCES_H);
    return s;
}

static void sources_destroy(sources* s)
{
    world_destroy(s->w);
    firn_free(s);
}

// Every particle that is due is there once with its mass, and brings its momentum: nothing else
// acts on the snow, and inner forces change none. Rounding of floats is the tolerance.
static void mass_and_momentum(void** state)
{
    (void)state;
    any_source r = any_start(5);
    for (int implicit = 0; implicit < 2; implicit++) {
        sources* s = sources_create();
        world* w = s->w;
        w->def.integrator = implicit ? FIRN_MPM_SEMI_IMPLICIT : FIRN_MPM_EXPLICIT;
        w->def.tolerance = 1e-6;
        world_begin(w);
        assert_int_equal(w->m->p.count, 0);
        for (int n = 0; n < 100; n++) world_step(w, any_between(&r, 1e-4, 4e-4));
        world_look(w);
        const double time = w->time - w->report.dt;  // particles are due at a step's start
        const double one = 400 * pow(SOURCES_H / 2, 3);
        const firn_local hose = (firn_local)floor(time * 3 / one + 1e-6);
        const firn_local cloud = (firn_local)fmin(floor(time * 4000 + 1e-6), 100);
        assert_int_equal(w->m->p.count, hose + cloud);
        assert_int_equal(cloud == 100 ? 1 : 0, time >= 0.025 ? 1 : 0);
        double mass[3] = {0}, momentum[3] = {0};
        for (firn_local p = 0; p < w->m->p.count; p++) {
            const firn_vec3 v = w->m->p.velocity[p];
            const double m = (double)w->m->p.mass[p];
            mass[w->m->p.emitter[p]] += m;
            momentum[0] += m * (double)v.x;
            momentum[1] += m * (double)v.y;
            momentum[2] += m * (double)v.z;
        }
        assert_near(mass[1] / (hose * one), 1, 10 * SOURCES_ROUNDING);
        assert_near(mass[2] / (cloud * 8 * one), 1, 10 * SOURCES_ROUNDING);
        const double all = mass[1] * sqrt(17) + mass[2];
        assert_near(momentum[0] / all, 4 * mass[1] / all, 100 * SOURCES_ROUNDING);
        assert_near(momentum[1] / all, (mass[1] - mass[2]) / all, 100 * SOURCES_ROUNDING);
        assert_near(momentum[2] / all, 0, 100 * SOURCES_ROUNDING);
        sources_destroy(s);
    }
}
