// SPDX-License-Identifier: MIT
// Snow pushes dynamic colliders: momentum is neither lost nor gained, in any mode of any solver,
// with colliders of a hundredth to a hundred times the snow's mass, and those are stable.
#include "figure.h"
#include "pushed_fixture.h"

typedef struct mode {
    pushed_mode run;
    bool
        turns;  // conserves angular momentum: FLIP, implicit forces and the gradients of sph do not
} mode;

static const mode modes[] = {
    {{"mpm", "mpm: {cell: 0.04, integrator: explicit, transfer: apic}\n", NULL, NULL}, true},
    {{"mpm", "mpm: {cell: 0.04, integrator: explicit}\n", NULL, NULL}, false},
    {{"mpm", "mpm: {cell: 0.04}\n", NULL, NULL}, false},
    {{"mpm", "mpm: {cell: 0.04}\n", "plain", NULL}, false},
    {{"mpm", "mpm: {cell: 0.04, preconditioner: diagonal}\n", NULL, NULL}, false},
    {{"sph", "sph: {spacing: 0.03}\n", NULL, NULL}, false},
    {{"sph", "sph: {spacing: 0.03}\n", "plain", NULL}, false},
    {{"sph", "sph: {spacing: 0.03, contact: paper}\n", NULL, NULL}, false},
    {{"sph", "sph: {spacing: 0.03, elasticity: combined}\n", NULL, NULL}, false},
    {{"sph", "sph: {spacing: 0.03}\nmaterials: {water: {phase: water}}\n", NULL, NULL}, false},
    {{"sph", "sph: {spacing: 0.03}\nmaterials: {oil: {phase: viscous, viscosity: 5}}\n", NULL,
      NULL},
     false},
    {{"grains", "grains: {radius: 0.01}\n", NULL, NULL}, true},
};
enum { MODES = sizeof modes / sizeof *modes };

static void momentum_is_conserved(void** state)
{
    (void)state;
    const double masses[] = {0.032, 3.2, 320};
    double p = 0, l = 0, fastest = 0;
    for (int k = 0; k < MODES; k++)
        for (int w = 0; w < 3; w++) {
            const pushed_drift d = pushed_collide(&modes[k].run, masses[w]);
            p = fmax(p, d.p);
            if (modes[k].turns) l = fmax(l, d.l);
            fastest = fmax(fastest, d.fastest);
        }
    check_figure(T59_momentum, p);
    check_figure(T59_angular_momentum, l);
    // 2 m/s at the contact, and an elastic rebound on top of it
    check_figure(T59_light_speed, fastest);
}

static void a_ball_takes_what_the_snow_gives(void** state)
{
    (void)state;
    check_figure(T59_ball_momentum, pushed_ball_miss(&modes[2].run));
}

// A third of a second after the impact, balls of 14 and 1400 kg/m^3 lie still in snow of 400
// kg/m^3, the heavy one deeper.
static void light_and_heavy_balls_come_to_rest(void** state)
{
    (void)state;
    const int few[] = {2, 5};
    for (int k = 0; k < 2; k++) {
        double y = 1, fastest = 0;
        for (int w = 0; w < 2; w++) {
            const double masses[] = {0.1, 10};
            char scene[2000];
            snprintf(scene, sizeof scene, pushed_bed, masses[w]);
            firn_sim* sim = pushed_start(&modes[few[k]].run, scene, 2);
            play_frames(sim, 30);
            for (int f = 0; f < 5; f++) {
                play_frames(sim, 1);
                fastest = fmax(fastest, (double)firn_v3_length(pushed_body(sim, 0)->velocity));
            }
            const double deep = (double)pushed_body(sim, 0)->position.y;
            print_message("%s, %g kg: rests at %.4f m\n", modes[few[k]].run.solver, masses[w],
                          deep);
            assert_true(deep < y - 0.01 && deep > 0.12);
            y = deep;
            firn_sim_destroy(sim);
        }
        check_figure(T59_rest_speed, fastest);
    }
}

// Snow of 7 kg falls onto a light block that stands on the floor: the block cannot give way, and
// the snow must not sink into it.
static void a_light_block_carries_snow(void** state)
{
    (void)state;
    static const char scene[] =
        "gravity: [0, -9.81, 0]\n"
        "snow:\n  - {shape: {box: {center: [0, 0.42, 0], size: [0.3, 0.2, 0.3]}},\n"
        "     velocity: [0, -0.5, 0]}\n"
        "colliders:\n"
        "  - {shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}, friction: 0.5}\n"
        "  - {shape: {box: {center: [0, 0, 0], size: [0.5, 0.3, 0.5]}}, position: [0, 0.15, 0],\n"
        "     friction: 0.5, mass: 0.5}\n";
    const int few[] = {2, 5};
    for (int k = 0; k < 2; k++) {
        firn_sim* sim = pushed_start(&modes[few[k]].run, scene, 2);
        play_frames(sim, 20);
        int64_t n = 0, inside = 0;
        const firn_vec3* x = pushed_field(sim, "position", &n);
        for (int64_t i = 0; i < n; i++) inside += x[i].y < (firn_real)0.26;
        print_message("%s: block at %.4f m, %d of %d particles below 0.26 m\n",
                      modes[few[k]].run.solver, (double)pushed_body(sim, 0)->position.y,
                      (int)inside, (int)n);
        assert_near((double)pushed_body(sim, 0)->position.y, 0.15, 0.005);
        check_figure(T59_sunk_share, (double)inside / (double)n);
        firn_sim_destroy(sim);
    }
}

int test_sim_pushed(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_is_conserved),
        cmocka_unit_test(a_ball_takes_what_the_snow_gives),
        cmocka_unit_test(light_and_heavy_balls_come_to_rest),
        cmocka_unit_test(a_light_block_carries_snow),
    };
    return cmocka_run_group_tests_name("sim_pushed", tests, NULL, NULL);
}
