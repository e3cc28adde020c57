// SPDX-License-Identifier: MIT
// T41: flakes: alone in vacuum, in air, from emitters; and what an air flow does to them.
#include "solver/sph/world.h"
#include "terminal_speed.h"

#define H 0.01

static void T41_free_fall(void** state)
{
    (void)state;
    for (int with_body = 0; with_body < 2; with_body++) {
        world* w = world_create(H);
        w->scene.gravity[1] = -9.81;
        world_add(w, firn_v3(0, 1, 0), world_mass(w));
        world_add(w, firn_v3(1, 1, 0), world_mass(w));  // out of reach of the first
        if (with_body) world_plane(w, firn_v3(0, -5, 0), firn_v3(0, 1, 0), 1);
        world_start(w);
        double y = 1, v = 0;
        for (int n = 0; n < 100; n++) {
            world_step(w, 1e-3);
            v -= 9.81 * 1e-3;
            y += v * 1e-3;
        }
        for (firn_local p = 0; p < 2; p++) {
            check_figure(T41_free_fall, ((double)w->m->p.velocity[p].y - v) / v);
            check_figure(T41_free_fall, (double)w->m->p.position[p].y - y);
            assert_equal(w->m->p.velocity[p].x, 0);
            assert_equal(w->m->p.velocity[p].z, 0);
            assert_less(firn_m3_norm(firn_m3_sub(w->m->p.def_grad_elastic[p], firn_m3_identity())),
                        4 * ROUNDING);
        }
        world_destroy(w);
    }
}

// gravity_rise: v = -g t^2 / (2 T) until T, then -g (t - T/2); steps take gravity in their middle,
// which is exact, and T falls on the end of one.
static void slow_gravity(void** state)
{
    (void)state;
    world* w = world_create(H);
    w->scene.gravity[1] = -9.81;
    w->def.gravity_rise = 0.05;
    world_add(w, firn_v3(0, 1, 0), world_mass(w));
    world_start(w);
    for (int n = 1; n <= 100; n++) {
        world_step(w, 1e-3);
        const double t = n * 1e-3;
        const double v = -9.81 * (t < 0.05 ? t * t / 0.1 : t - 0.025);
        assert_near(w->m->p.velocity[0].y, v, 100 * ROUNDING);
    }
    world_destroy(w);
}

// Two flakes within each other's reach, which section 4.2.6's hardening must leave alone, too: at
// rest they stay so (rest densities of packed snow would pull them together).
static void two_lone_flakes(void** state)
{
    (void)state;
    for (int plastic = 0; plastic < 2; plastic++) {
        world* w = world_create(H);
        w->def.rest_density = plastic ? FIRN_SPH_PLASTIC : FIRN_SPH_CURRENT;
        world_add(w, firn_v3(0, 0, 0), world_mass(w));
        world_add(w, firn_v3((firn_real)(1.3 * H), 0, 0), world_mass(w));
        world_start(w);
        for (int n = 0; n < 100; n++) world_step(w, 1e-3);
        for (firn_local p = 0; p < 2; p++)
            assert_less(firn_v3_length(w->m->p.velocity[p]), 100 * ROUNDING);
        world_destroy(w);
    }
}

static void set_air(world* w, double wind)
{
    w->scene.air.active = w->scene.air.drag = true;
    w->scene.air.density = 1.3;
    w->scene.air.viscosity = 1.7e-5;
    w->scene.air.velocity[0] = wind;
}

// Down with the drag law's speed, along with the wind's.
static void T41_terminal_speed(void** state)
{
    (void)state;
    world* w = world_create(H);
    w->scene.gravity[1] = -9.81;
    w->material.snow.density = 30;  // a light flake, so that it is soon there
    set_air(w, 2);
    world_add(w, firn_v3(0, 0, 0), world_mass(w));
    world_start(w);
    const double mass = world_mass(w);
    const double terminal = terminal_speed(sphere_diameter((firn_real)H), (firn_real)mass,
                                           (firn_real)9.81, (firn_real)1.3, (firn_real)1.7e-5);
    for (int n = 0; n < 4000; n++) world_step(w, 1e-3);
    const firn_vec3 v = w->m->p.velocity[0];
    print_message("terminal speed %.4g m/s\n", terminal);
    check_figure(T41_terminal_speed, -(double)v.y / terminal);
    check_figure(T41_terminal_speed, (double)v.x / 2);
    world_destroy(w);
}

// Inside a block nothing blows: the air pulls at faces, more at edges and corners.
static void shelter(void** state)
{
    (void)state;
    world* w = world_create(H);
    set_air(w, 10);
    world_lattice(w, firn_v3(0, 0, 0), 5, 5, 5, H);
    world_start(w);
    world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_03_OTHER_ACCELERATIONS, 1e-3);
    const int ids[] = {(2 * 5 + 2) * 5 + 2, (0 * 5 + 2) * 5 + 2, (0 * 5 + 0) * 5 + 2, 0};
    double pull[4];
    for (int k = 0; k < 4; k++) pull[k] = (double)w->m->w.v_star[world_find(w, ids[k])][0];
    assert_near(pull[0], 0, 1e-6);  // a rounding of the exposure
    assert_greater(pull[1], 0);
    assert_greater(pull[2], 1.8 * pull[1]);
    assert_greater(pull[3], 1.3 * pull[2]);
    world_destroy(w);
}

static void add_emitter(world* w, firn_vec3 center, double radius, double rate, int64_t limit)
{
    w->emitters[w->scene.emitter_count++] = (firn_emitter){.shape = world_ball(w, center, radius),
                                                           .rate = rate,
                                                           .velocity = {0, -1, 0},
                                                           .spread = 0.1,
                                                           .stop = INFINITY,
                                                           .limit = limit,
                                                           .seed = 7};
}

// Every flake that is due is there once, with the mass of its cube, to the bit; numbers go on.
static void T41_mass(void** state)
{
    (void)state;
    world* w = world_create(H);
    w->scene.gravity[1] = -9.81;
    add_emitter(w, firn_v3(0, 1, 0), 0.2, 2000, FIRN_EMITTER_NO_LIMIT);
    add_emitter(w, firn_v3(1, 1, 0), 0.2, 500, 20);
    w->emitters[1].size = 2 * H;
    world_start(w);
    assert_int_equal(w->m->p.count, 0);
    for (int n = 0; n < 60; n++) world_step(w, 2e-3);
    const double time = w->time - w->report.dt;  // flakes that are due at a step's start
    const int64_t first = (int64_t)floor(2000 * time + 1e-9);
    assert_in_range(w->m->p.count, first + 20, first + 21);  // a last bit of the time
    const firn_real small = (firn_real)world_mass(w), large = (firn_real)(8 * world_mass(w));
    int larger = 0;
    bool* seen = firn_alloc((size_t)w->m->p.count, sizeof *seen);
    for (firn_local p = 0; p < w->m->p.count; p++) {
        const firn_real m = w->m->p.mass[p];
        assert_true(fabs((double)(m / small) - 1) < ROUNDING ||
                    fabs((double)(m / large) - 1) < ROUNDING);
        larger += m > 2 * small;
        assert_less(w->m->p.id[p], (uint32_t)w->m->p.count);
        assert_false(seen[w->m->p.id[p]]);
        seen[w->m->p.id[p]] = true;
    }
    assert_int_equal(larger, 20);
    assert_int_equal(w->m->next_id, w->m->p.count);
    firn_free(seen);
    world_destroy(w);
}

// Flakes that land stay: on the floor, at rest, none lost and none through it.
static void landing(void** state)
{
    (void)state;
    world* w = world_create(H);
    w->scene.gravity[1] = -9.81;
    add_emitter(w, firn_v3(0, (firn_real)0.1, 0), 0.03, 1000, 60);
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 1);
    world_start(w);
    while (w->time < 0.5) world_step(w, 1e-3);
    assert_int_equal(w->m->p.count, 60);
    double lowest = INFINITY, fastest = 0;
    for (firn_local p = 0; p < w->m->p.count; p++) {
        lowest = fmin(lowest, (double)w->m->p.position[p].y);
        fastest = fmax(fastest, (double)firn_v3_length(w->m->p.velocity[p]));
    }
    print_message("lowest %.2g h, fastest %.3g m/s\n", lowest / H, fastest);
    assert_greater(lowest, -0.01 * H);
    assert_less(fastest, 0.1);  // of 1.4 m/s after the fall: at rest but for some flakes
    world_destroy(w);
}

// Flakes of any size below the spacing fall on snow and on the floor. Alone they are so thin that
// hardening underflows: their pressure is 0 then, and that of the snow that they leave is not
// theirs.
static void small_flakes(void** state)
{
    (void)state;
    const double ratios[] = {0.2, 0.3, 0.5, 0.65, 0.8, 1}, hardening[] = {5, 20, 100};
    for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++)
        for (size_t x = 0; x < sizeof hardening / sizeof *hardening; x++) {
            world* w = world_create(H);
            w->scene.gravity[1] = -9.81;
            w->material.snow.hardening = (firn_real)hardening[x];
            w->material.snow.hardening_max = 10;  // keeps packed snow cheap to solve
            world_lattice(w, firn_v3(0, (firn_real)(0.5 * H), 0), 3, 2, 3, H);
            world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 1);
            add_emitter(w, firn_v3((firn_real)(3 * H), (firn_real)(6 * H), 0), 2 * H, 2000, 30);
            w->emitters[0].size = ratios[r] * H;
            world_start(w);
            while (w->time < 0.1) world_step(w, 2e-3);
            assert_int_equal(w->m->p.count, 48);
            for (firn_local p = 0; p < w->m->p.count; p++) {
                assert_less(firn_v3_length(w->m->p.velocity[p]), 5);
                assert_less(firn_abs(w->m->p.pressure[p]), 1e7);
            }
            world_destroy(w);
        }
}

int test_sph_snowfall(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(T41_free_fall),   cmocka_unit_test(T41_terminal_speed),
        cmocka_unit_test(shelter),         cmocka_unit_test(T41_mass),
        cmocka_unit_test(landing),         cmocka_unit_test(slow_gravity),
        cmocka_unit_test(two_lone_flakes), cmocka_unit_test(small_flakes),
    };
    return cmocka_run_group_tests_name("sph_snowfall", tests, NULL, NULL);
}
