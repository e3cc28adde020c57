// SPDX-License-Identifier: MIT
// Cases of test_mpm_air.c and test_mpm_cuda_outside.c: drag of the air on lone lumps and flakes,
// against closed forms. Before it, define world_begin(w), which starts the world, and
// world_look(w), which brings its particles to the host.
#pragma once
#include "scene/data/emitter.h"
#include "solver/mpm/world.h"
#include "terminal_speed.h"

#define H 0.02
#define ROUNDING (sizeof(firn_real) == 8 ? 1e-14 : 1e-6)

static void set_air(world* w, double wind)
{
    w->scene.air = (firn_air_block){
        .active = true, .drag = true, .density = 1.3, .viscosity = 1.7e-5, .velocity = {wind}};
}

static world* lone(int mode, double density)
{
    world* w = world_create(H);
    w->material.snow.density = (firn_real)density;
    w->material.snow.young = 500;  // no stress here: slow sound allows long explicit steps
    w->def.integrator = mode == 2 ? FIRN_MPM_SEMI_IMPLICIT : FIRN_MPM_EXPLICIT;
    w->def.transfer = mode == 1 ? FIRN_MPM_APIC : FIRN_MPM_FLIP;
    world_add(w, firn_v3((firn_real)0.003, 1, 0), density * pow(H / 2, 3));
    return w;
}

// A lone lump falls with the speed of a sphere of its volume, and along with the wind.
static void terminal(void** state)
{
    (void)state;
    for (int mode = 0; mode < 3; mode++) {
        world* w = lone(mode, 30);
        w->scene.gravity[1] = -9.81;
        set_air(w, 2);
        world_begin(w);
        while (w->time < 3) world_step(w, 1e-3);
        world_look(w);
        const firn_real d = sphere_diameter((firn_real)(H / 2)), m = w->m->p.mass[0];
        const double speed =
            terminal_speed(d, m, (firn_real)9.81, (firn_real)1.3, (firn_real)1.7e-5);
        const firn_vec3 v = w->m->p.velocity[0];
        print_message("terminal speed %.4g m/s\n", speed);
        check_figure(T41_terminal_speed, -(double)v.y / speed);
        check_figure(T41_terminal_speed, (double)v.x / 2);
        world_destroy(w);
    }
}

// Newton's drag, C_d = 0.44: v = v_0 / (1 + k v_0 t), k = rho C_d pi d^2 / (8 m). Implicit steps
// are wrong by dt k v_0 / 2 of the change: 4e-4; twice that is allowed.
static void newton(void** state)
{
    (void)state;
    world* w = lone(0, 300);
    w->seeds.velocity[0] = firn_v3(25, 0, 0);
    set_air(w, 0);
    w->def.dt_max = 1e-4;
    world_begin(w);
    const double d = (double)sphere_diameter((firn_real)(H / 2)), m = (double)w->m->p.mass[0];
    const double k = 1.3 * 0.44 * 3.14159265358979 * d * d / (8 * m);
    while (w->time < 0.2) world_step(w, 1e-4);
    world_look(w);
    const double v = 25 / (1 + k * 25 * w->time), now = (double)w->m->p.velocity[0].x;
    assert_greater(now * d * 1.3 / 1.7e-5, 1000);  // Re: the law's range
    assert_near((25 - now) / (25 - v), 1, 1e-4 * k * 25);
    world_destroy(w);
}

// Flakes of an emitter fall as the flakes that they are, not as lumps.
static void flakes(void** state)
{
    (void)state;
    world* w = world_create(H);
    const firn_shape_node ball = world_ball_node(firn_v3(0, 5, 0), 0.01);
    firn_emitter e = {.shape = world_add_shape(&w->scene, &ball),
                      .rate = 1000,
                      .flake_size = FIRN_FLAKE_SIZE,
                      .flake_density = FIRN_FLAKE_DENSITY,
                      .stop = INFINITY,
                      .limit = 1};
    w->scene.emitters = &e;
    w->scene.emitter_count = 1;
    w->scene.gravity[1] = -9.81;
    w->material.snow.young = 500;
    set_air(w, 0);
    world_begin(w);
    while (w->time < 1.5) world_step(w, 1e-3);
    world_look(w);
    assert_int_equal(w->m->p.count, 1);
    const firn_real mass = firn_drag_flake_mass((firn_real)0.005, 12);
    const double speed =
        terminal_speed((firn_real)0.005, mass, (firn_real)9.81, (firn_real)1.3, (firn_real)1.7e-5);
    check_figure(T41_terminal_speed, -(double)w->m->p.velocity[0].y / speed);
    world_destroy(w);
}
