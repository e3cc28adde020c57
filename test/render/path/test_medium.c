// SPDX-License-Identifier: MIT
// The medium against the volume it is made of, its window, and memory that runs out.
#include "render/path/medium.h"

#include "core/memory.h"
#include "firn_test.h"
#include "math/random.h"
#include "math/vec3.h"
#include "render/path/walk.h"

enum { COUNT = 300 };

static firn_density_volume some_volume(firn_vec3* x, firn_real* mass, bool with_stray)
{
    for (int p = 0; p < COUNT; p++) {
        const uint64_t k = (uint64_t)p * 3;
        x[p] = firn_v3((firn_real)(firn_random_unit(5, k) - 0.7),
                       (firn_real)(firn_random_unit(5, k + 1) * 0.6),
                       (firn_real)(firn_random_unit(5, k + 2) - 0.2));
        mass[p] = 1;
    }
    if (with_stray) x[7] = firn_v3(900, -700, 800);
    firn_density_volume v;
    assert_int_equal(firn_density_volume_build(x, NULL, mass, COUNT, 0.05, &v, NULL), FIRN_OK);
    return v;
}

static const double snow_albedo[3] = {0.9, 0.95, 1};

static float medium_node(const firn_medium* m, const double world[3])
{
    firn_walk w = {.m = m};
    const firn_vec3 x = {(firn_real)world[0], (firn_real)world[1], (firn_real)world[2]};
    firn_f3 p = firn_medium_to_cells(m, x);
    p = (firn_f3){roundf(p.x), roundf(p.y), roundf(p.z)};
    firn_walk_put(&w, p);
    return w.block < 0 ? 0 : firn_walk_extinction(&w);
}

static void nodes_are_the_volume(void** state)
{
    (void)state;
    firn_vec3 x[COUNT];
    firn_real mass[COUNT];
    firn_density_volume v = some_volume(x, mass, false);
    firn_medium m;
    assert_int_equal(firn_medium_create(&m, &v, 1.81, snow_albedo, 0.5, NULL), FIRN_OK);
    double sum = 0, nodes = 0;
    for (firn_local b = 0; b < v.block_count; b++)
        for (int k = 0; k < 512; k++) {
            const double at[3] = {(v.origin[b][0] + k / 64) * v.voxel,
                                  (v.origin[b][1] + k / 8 % 8) * v.voxel,
                                  (v.origin[b][2] + k % 8) * v.voxel};
            const double expected = (double)v.density[(size_t)b * 512 + (size_t)k] * 1.81 * v.voxel;
            const double found = (double)medium_node(&m, at);
            if (fabs(found - expected) > 1e-5 * expected + 1e-12)
                fail_msg("node %d of block %d: %g, not %g", k, (int)b, found, expected);
            sum += found;
            nodes += expected > 0;
        }
    assert_greater(nodes, 1000);
    // all of the mass
    const double mass_found = sum / 1.81 / v.voxel * v.voxel * v.voxel * v.voxel;
    assert_near(mass_found, COUNT, 2e-5 * COUNT);  // as the nodes
    assert_equal(m.g, 0.5f);
    assert_equal(m.albedo[1], 0.95f);
    assert_greater(firn_medium_bytes(&m), 0);
    firn_medium_destroy(&m);
    firn_density_volume_destroy(&v);
}

// One crumb a kilometre off must not cost a window of a kilometre.
static void strays_are_left_out(void** state)
{
    (void)state;
    firn_vec3 x[COUNT];
    firn_real mass[COUNT];
    firn_density_volume v = some_volume(x, mass, true);
    firn_medium m;
    assert_int_equal(firn_medium_create(&m, &v, 1.81, snow_albedo, 0.5, NULL), FIRN_OK);
    assert_at_most((int64_t)m.size[0] * m.size[1] * m.size[2], FIRN_MEDIUM_WINDOW_MAX);
    double sum = 0;
    for (int32_t b = 0; b < m.block_count; b++)
        for (int k = 0; k < FIRN_MEDIUM_NODES; k++)
            if (k % 9 < 8 && k / 9 % 9 < 8 && k / 81 < 8)
                sum += (double)m.nodes[(size_t)b * FIRN_MEDIUM_NODES + (size_t)k];
    const double found = sum / 1.81 * v.voxel * v.voxel;
    if (fabs(found - (COUNT - 1)) > 1e-3 * COUNT) fail_msg("mass %g of %d", found, COUNT);
    firn_medium_destroy(&m);
    firn_density_volume_destroy(&v);
}

static void empty_and_out_of_memory(void** state)
{
    (void)state;
    const firn_density_volume none = {.voxel = 0.1};
    firn_medium m;
    assert_int_equal(firn_medium_create(&m, &none, 1, snow_albedo, 0, NULL), FIRN_OK);
    assert_int_equal(m.size[0], 0);
    firn_medium_destroy(&m);
    firn_vec3 x[COUNT];
    firn_real mass[COUNT];
    firn_density_volume v = some_volume(x, mass, false);
    const uint64_t before = firn_memory_read().bytes;
    for (uint64_t k = 1;; k++) {
        firn_memory_fail_at(k, false);
        const firn_result result = firn_medium_create(&m, &v, 1.81, snow_albedo, 0.5, NULL);
        firn_memory_fail_at(0, false);
        if (result == FIRN_OK) break;
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_equal(firn_memory_read().bytes, before);
    }
    firn_medium_destroy(&m);
    firn_density_volume_destroy(&v);
    assert_less(firn_memory_read().bytes, before);
}

int test_medium(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nodes_are_the_volume),
                                       cmocka_unit_test(strays_are_left_out),
                                       cmocka_unit_test(empty_and_out_of_memory)};
    return cmocka_run_group_tests_name("medium", tests, NULL, NULL);
}
