// SPDX-License-Identifier: MIT
// Materials of mpm that change over time: factors are those of the keys, and nothing changes where
// they are 1.
#include "solver/mpm/world.h"

#define STEPS 40

static world* create(const firn_material_key* keys, int count)
{
    world* w = world_create(0.02);
    w->scene.gravity[1] = -9.81;
    w->material.key_count = count;
    for (int k = 0; k < count; k++) w->material.keys[k] = keys[k];
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 0.4);
    world_lattice(w, (const double[]){0, 1, 0}, (const double[]){6, 6, 6}, 2, 0);
    for (firn_local p = 0; p < w->seeds.count; p++) w->seeds.velocity[p] = firn_v3(0, -3, 0);
    return w;
}

// Hash after each step of 2e-4 s.
static void run(world* w, uint64_t out_hash[STEPS])
{
    world_start(w);
    for (int k = 0; k < STEPS; k++) {
        world_step(w, 2e-4);
        out_hash[k] = firn_particles_hash(&w->m->base.store);
    }
    world_destroy(w);
}

// Constant keys are a material with other constants, bit for bit: powers of two are exact.
static void constant_factors(void** state)
{
    (void)state;
    uint64_t keyed[STEPS], other[STEPS], plain[STEPS];
    const firn_material_key key = {0, 0.5, 2, 4, 0.25};
    run(create(&key, 1), keyed);
    world* w = create(NULL, 0);
    firn_snow_material* s = &w->material.snow;
    s->young *= (firn_real)0.5;
    s->hardening *= 2;
    s->critical_compression *= 4;
    s->critical_stretch *= (firn_real)0.25;
    run(w, other);
    assert_memory_equal(keyed, other, sizeof keyed);
    run(create(NULL, 0), plain);
    assert_true(plain[STEPS - 1] != keyed[STEPS - 1]);
    const firn_material_key one = {0, 1, 1, 1, 1};
    run(create(&one, 1), keyed);
    assert_memory_equal(keyed, plain, sizeof keyed);
}

// A step of the keys at 4 ms changes nothing before it.
static void from_a_time_on(void** state)
{
    (void)state;
    uint64_t keyed[STEPS], plain[STEPS];
    const firn_material_key keys[] = {{4e-3, 1, 1, 1, 1}, {4e-3, 1e-3, 1, 1, 1}};
    run(create(keys, 2), keyed);
    run(create(NULL, 0), plain);
    for (int k = 0; k < STEPS; k++)
        if ((keyed[k] == plain[k]) != (k * 2e-4 < 4e-3 - 1e-9))
            fail_msg("step %d from %g s: %s", k, k * 2e-4,
                     keyed[k] == plain[k] ? "no change" : "a change");
}

// Between keys, the constants are in between: a linear law.
static void between_keys(void** state)
{
    (void)state;
    const firn_material_key keys[] = {{1, 1, 1, 1, 1}, {3, 0.2, 2, 1, 0}};
    world* w = create(keys, 2);
    world_start(w);
    const double times[] = {0, 1, 2, 3, 9}, young[] = {1, 1, 0.6, 0.2, 0.2};
    const double stretch[] = {1, 1, 0.5, 0, 0};
    const firn_lame whole = firn_snow_lame(w->material.snow.young, w->material.snow.poisson);
    for (int k = 0; k < 5; k++) {
        firn_mpm_take_materials(w->m, times[k]);
        const firn_mpm_material* m = &w->m->materials[0];
        assert_near((double)(m->lame_0.mu / whole.mu), young[k], 1e-6);
        assert_near((double)(m->theta_s / w->material.snow.critical_stretch), stretch[k], 1e-6);
        assert_near((double)m->sound_squared * 400 / (double)(whole.lambda + 2 * whole.mu),
                    young[k], 1e-6);
    }
    world_destroy(w);
}

int test_mpm_keyed(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_factors),
        cmocka_unit_test(from_a_time_on),
        cmocka_unit_test(between_keys),
    };
    return cmocka_run_group_tests_name("mpm_keyed", tests, NULL, NULL);
}
