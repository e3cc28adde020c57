// SPDX-License-Identifier: MIT
// What acts on the snow of a device from outside, against closed forms: drag of the air, and the
// mass and momentum of what emitters give. Whole runs are compared with the CPU in
// test_mpm_cuda_run.c.
#include "geometry/levelset/velocity_volume.h"
#include "solver/mpm/device_world.h"

#define world_begin(w) device_start(w, 0)
#define world_look(w) device_fetch(w)
#include "solver/mpm/air_cases.h"
#include "solver/mpm/emit_cases.h"

// Wind on 4x4x4 nodes around the block, unknown at some of them.
typedef struct windy {
    firn_velocity_volume volume;
    firn_vec3 value[64];
    uint8_t known[64];
} windy;

static windy* windy_make(void)
{
    any_source r = {24, 0};
    windy* v = firn_alloc(1, sizeof *v);
    assert_non_null(v);
    v->volume.grid = (firn_velocity_grid){.value = v->value,
                                          .origin = firn_v3((firn_real)-0.02, 0, 0),
                                          .voxel = (firn_real)0.05,
                                          .size = {4, 4, 4}};
    v->volume.known = v->known;
    for (int k = 0; k < 64; k++) {
        v->value[k] = any_vec3(&r, 12);
        v->known[k] = k % 5 != 2;
    }
    return v;
}

// Particle by particle after one step of snow at rest: what is sheltered on the CPU is sheltered
// here. Sums over 64 nodes of up to 512 particles in another order, twice: 1e-5 of the largest
// velocity.
static void sheltered(const windy* volume)
{
    world* w[2];
    for (int side = 0; side < 2; side++) {
        w[side] = world_create(H);
        set_air(w[side], 10);
        w[side]->scene.air.gusts =
            (firn_gust_block){.strength = 0.5, .length = 0.05, .period = 0.1, .seed = 2};
        w[side]->scene.air.volume.velocities = volume != NULL ? &volume->volume : NULL;
        world_lattice(w[side], (const double[3]){0.25, 0.3, 0.1}, (const double[3]){5, 4, 6}, 2, 0);
        if (side == 0)
            world_start_on(w[side], 1, "plain");
        else
            device_start(w[side], 0);
        world_step(w[side], 1e-4);
        world_look(w[side]);
    }
    const firn_local count = w[0]->m->p.count;
    firn_local* there = device_by_id(w[1], count);
    double worst = 0, largest = 0;
    for (firn_local p = 0; p < count; p++) {
        const firn_vec3 a = w[0]->m->p.velocity[p];
        const firn_vec3 b = w[1]->m->p.velocity[there[w[0]->m->p.id[p]]];
        worst = fmax(worst, (double)firn_v3_length(firn_v3_sub(a, b)));
        largest = fmax(largest, (double)firn_v3_length(a));
    }
    print_message("largest velocity %.4g m/s, apart %.3g\n", largest, worst);
    assert_greater(largest, 1e-4);
    assert_at_most(worst, 1e-5 * largest);
    firn_free(there);
    for (int side = 0; side < 2; side++) {
        w[side]->scene.air.volume.velocities = NULL;
        world_destroy(w[side]);
    }
}

static void sheltered_as_on_the_cpu(void** state)
{
    (void)state;
    windy* volume = windy_make();
    sheltered(NULL);
    sheltered(volume);
    firn_free(volume);
}

int test_mpm_cuda_outside(void)
{
    if (!device_open()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terminal), cmocka_unit_test(newton), cmocka_unit_test(flakes),
        cmocka_unit_test(sheltered_as_on_the_cpu), cmocka_unit_test(mass_and_momentum)};
    return cmocka_run_group_tests_name("mpm_cuda_outside", tests, NULL, NULL);
}
