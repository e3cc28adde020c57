// SPDX-License-Identifier: MIT
// T76: surface tension as cohesion: a cube becomes a ball, momenta are kept, threads and loops
// agree; what is refused. test_sph_drop.c has the figures of drops.
#include "solver/sph/drop.h"
#include "solver/sph/scene_text.h"
#include "state/particles.h"

#define CUBE_END 0.3  // [s]

// By the fourth moments of a cube and of a ball: sum x^4 over 3 sum x^2 y^2, less 1 for the ball.
static void T76_cube(void** state)
{
    (void)state;
    world* w = drop_world();
    const int n = 8;
    const firn_real from = (firn_real)(-0.5 * (n - 1) * DROP_H);
    world_lattice(w, firn_v3(from, from, from), n, n, n, DROP_H);
    world_start(w);
    double cubic[2] = {0};
    for (int end = 0; end < 2; end++) {
        while (end == 1 && w->time < CUBE_END) world_step(w, 1e-2);
        double fourth = 0, crossed = 0;
        for (firn_local p = 0; p < w->m->p.count; p++) {
            const firn_vec3 x = w->m->p.position[p];
            const double a = (double)x.x * (double)x.x, b = (double)x.y * (double)x.y,
                         c = (double)x.z * (double)x.z;
            fourth += a * a + b * b + c * c;
            crossed += a * b + b * c + c * a;
        }
        cubic[end] = fourth / (3 * crossed) - 1;  // 0 for a ball
    }
    print_message("cubic %.4f, then %.4f\n", cubic[0], cubic[1]);
    check_figure(T76_cube, cubic[1] / cubic[0]);
    world_destroy(w);
}

// A drop that turns, of two fluids: 10 steps.
static world* spinning(int threads)
{
    world* w = drop_world();
    w->scene.material_count = 2;
    w->materials[1] = (firn_material){.name = (char*)"oil", .snow = fluid_material(1000, 0)};
    w->materials[1].snow.surface_tension = (firn_real)0.03;
    drop_ellipsoid(w, 6 * DROP_H, 5 * DROP_H, 4 * DROP_H);
    for (firn_local p = 0; p < w->seeds.count; p++) {
        const firn_vec3 x = w->seeds.position[p];
        w->seeds.material[p] = x.x > 0;
        w->seeds.velocity[p] = firn_v3(-20 * x.y + 1, 20 * x.x, 0);
    }
    world_start_on(w, threads, NULL);
    return w;
}

static void T76_momentum(void** state)
{
    (void)state;
    world* w = spinning(1);
    const firn_vec3 center = firn_v3(0, 0, 0);
    const world_momentum before = world_momentum_about(w, center);
    for (int k = 0; k < 10; k++) world_step(w, 1e-4);
    const world_momentum after = world_momentum_about(w, center);
    double off = 0, turned = 0;
    for (int d = 0; d < 3; d++) {
        off = fmax(off, fabs(after.linear[d] - before.linear[d]) / before.size);
        turned =
            fmax(turned, fabs(after.angular[d] - before.angular[d]) / (6 * DROP_H * before.size));
    }
    print_message("linear momentum %.2g, angular %.2g\n", off, turned);
    check_figure(T76_momentum, off);
    check_figure(T76_turning, turned);
    world_destroy(w);
}

static void same_for_any_threads(void** state)
{
    (void)state;
    uint64_t first = 0;
    const int threads[] = {1, 2, 7};
    for (int k = 0; k < 3; k++) {
        world* w = spinning(threads[k]);
        for (int s = 0; s < 5; s++) world_step(w, 1e-4);
        const uint64_t hash = firn_particles_hash(&w->m->base.store);
        if (k == 0) first = hash;
        assert_true(hash == first);
        world_destroy(w);
    }
}

static void says(const char* text, bool valid, const char* sentence)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    firn_result r = firn_scene_load_text(scene, text, "test", NULL);
    firn_scene_info info;
    if (r == FIRN_OK) r = firn_scene_check(scene, 1, &info);
    assert_int_equal(r == FIRN_OK, valid);
    if (strstr(firn_scene_messages(scene), sentence) == NULL)
        fail_msg("%s", firn_scene_messages(scene));
    firn_scene_destroy(scene);
}

#define BOX "snow: [{shape: {box: {center: [0, 0, 0], size: [0.1, 0.1, 0.1]}}, material: a}]\n"
#define WATER "materials: {a: {phase: water, surface_tension: 0.07}}\n"

static void messages(void** state)
{
    (void)state;
    says("firn: 1\nsolver: sph\nmaterials: {a: {surface_tension: 0.07}}\n" BOX, false,
         "only fluids have a surface tension");
    says("firn: 1\nsolver: mpm\n" WATER BOX, false, "which fluids need: use sph");
    says("firn: 1\nsolver: grains\n" WATER BOX, false, "which fluids need: use sph");
    says("firn: 1\nsolver: sph\nmaterials: {a: {phase: water, surface_tension: -1}}\n" BOX, false,
         "surface_tension");
    says("firn: 1\nsolver: sph\nsph: {spacing: 0.01, dt: 0.1}\n" WATER BOX, true,
         "in which the surface tension of 'a' moves a spacing");
}

int test_sph_tension(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(T76_cube),
        cmocka_unit_test(T76_momentum),
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(messages),
    };
    return cmocka_run_group_tests_name("sph_tension", tests, NULL, NULL);
}
