// SPDX-License-Identifier: MIT
// Drag of the air on snow of the material point method: lone lumps against closed forms, blocks,
// whose inside is sheltered, momentum, any number of threads.
#include "solver/mpm/world.h"

#define world_begin(w) world_start(w)
#define world_look(w) ((void)(w))
#include "solver/mpm/air_cases.h"

static firn_vec3 velocity_of(const world* w, uint32_t id)
{
    for (firn_local p = 0; p < w->m->p.count; p++)
        if (w->m->p.id[p] == id) return w->m->p.velocity[p];
    fail_msg("no particle %u", id);
    return firn_v3(0, 0, 0);
}

static double momentum_x(const world* w)
{
    double sum = 0;
    for (firn_local p = 0; p < w->m->p.count; p++)
        sum += (double)w->m->p.mass[p] * (double)w->m->p.velocity[p].x;
    return sum;
}

// Nothing blows inside a block; faces are dragged, edges more, corners most. What the air gives is
// what the snow has after the step.
static void shelter(void** state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        world* w = world_create(H);
        w->def.transfer = mode == 1 ? FIRN_MPM_APIC : FIRN_MPM_FLIP;
        set_air(w, 10);
        world_lattice(w, (const double[3]){0.25, 0.25, 0.25}, (const double[3]){4, 4, 4}, 2, 0);
        world_start(w);
        world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_00_PREPARE, 1e-4);
        const double inside = (double)velocity_of(w, (4 * 8 + 4) * 8 + 4).x;
        const double face = (double)velocity_of(w, (0 * 8 + 4) * 8 + 4).x;
        const double edge = (double)velocity_of(w, (0 * 8 + 0) * 8 + 4).x;
        const double corner = (double)velocity_of(w, 0).x;
        assert_equal(inside, 0);
        assert_greater(face, 0);
        assert_greater(edge, 1.5 * face);
        assert_greater(corner, 1.2 * edge);
        const double given = momentum_x(w);
        world_stages(w, FIRN_MPM_01_RASTERIZE, FIRN_MPM_10_ADVECT, 1e-4);
        assert_near(momentum_x(w) / given, 1, 100 * ROUNDING);
        world_destroy(w);
    }
}

// A ball of snow that flies apart in gusts.
static void any_number_of_threads(void** state)
{
    (void)state;
    uint64_t expected[20];
    const int threads[] = {1, 2, 7};
    for (int t = 0; t < 3; t++) {
        any_source r = {11, 0};
        world* w = world_create(H);
        w->def.integrator = FIRN_MPM_SEMI_IMPLICIT;
        world_scatter(w, &r, (const double[3]){1, 1, 1}, (const double[3]){6, 6, 6}, 8, 3);
        for (firn_local p = 0; p < w->seeds.count; p++) w->seeds.velocity[p] = any_vec3(&r, 2);
        set_air(w, 6);
        w->scene.air.gusts =
            (firn_gust_block){.strength = 0.3, .length = 0.1, .period = 0.1, .seed = 1};
        world_start_on(w, threads[t], NULL);
        for (int k = 0; k < 20; k++) {
            world_step(w, 5e-4);
            const uint64_t hash = firn_particles_hash(&w->m->base.store);
            if (t == 0) expected[k] = hash;
            if (hash != expected[k]) fail_msg("step %d differs with %d threads", k, threads[t]);
        }
        world_destroy(w);
    }
}

int test_mpm_air(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(terminal), cmocka_unit_test(newton),
                                       cmocka_unit_test(shelter), cmocka_unit_test(flakes),
                                       cmocka_unit_test(any_number_of_threads)};
    return cmocka_run_group_tests_name("mpm_air", tests, NULL, NULL);
}
