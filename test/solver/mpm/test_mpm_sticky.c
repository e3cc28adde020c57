// SPDX-License-Identifier: MIT
// T27: sticky bodies hold snow, also where it would fall off.
#include "solver/mpm/world.h"

static const double h = 0.02;

// No node that a body holds may move, to the last bit.
static double held_speed(const world* w, int* out_count)
{
    double most = 0;
    *out_count = 0;
    for (firn_local n = 0; n < world_nodes(w); n++) {
        if (w->m->node_fixed[n] == 0) continue;
        ++*out_count;
        for (int a = 0; a < 3; a++) most = fmax(most, fabs((double)w->m->node_new[n][a]));
    }
    return most;
}

// A layer two cells thick that touches a plate with inner normal `n` pointing to the snow, for 1 s.
static void hangs_for_a_second(firn_vec3 n)
{
    const firn_vec3 across = firn_v3_normalize(firn_v3_cross(n, firn_v3(0, 0, 1)), n);
    world* w = world_create(h);
    w->scene.gravity[1] = -9.81;
    world_lattice(w, (const double[3]){-3, 0, -3}, (const double[3]){6, 2, 6}, 2, 0);
    for (firn_local p = 0; p < w->seeds.count; p++) {
        const firn_vec3 x = w->seeds.position[p];  // lay it down along the plate, a hair inside
        const firn_real depth = x.y - (firn_real)(0.5 * h);
        w->seeds.position[p] = firn_v3_add(
            firn_v3_add(firn_v3_scale(n, depth), firn_v3_scale(across, x.x)), firn_v3(0, 0, x.z));
    }
    world_plane(w, firn_v3(0, 0, 0), n, 0)->sticky = true;
    world_start(w);
    while (w->time < 1 - 1e-9) {
        world_step(w, 1 - w->time);
        int held;
        assert_equal(held_speed(w, &held), 0);
        assert_greater(held, 30);
    }
    double sag = 0;
    for (firn_local p = 0; p < w->m->p.count; p++) {
        const firn_vec3 x0 = w->seeds.position[w->m->p.id[p]];
        sag = fmax(sag, (double)firn_v3_length(firn_v3_sub(w->m->p.position[p], x0)) / h);
    }
    int held;
    check_figure(T27_plate_speed, held_speed(w, &held));
    check_figure(T27_hanging_layer, sag);
    world_destroy(w);
}

static void under_a_plate(void** state)
{
    (void)state;
    hangs_for_a_second(firn_v3(0, -1, 0));
}

static void on_a_wall(void** state)
{
    (void)state;
    hangs_for_a_second(firn_v3(1, 0, 0));
}

static void on_an_overhang(void** state)
{
    (void)state;
    hangs_for_a_second(firn_v3((firn_real)0.8, (firn_real)-0.6, 0));
}

// Snow that flies away from a sticky wall is held; from one that is not, it is not.
static void holds_what_separates(void** state)
{
    (void)state;
    for (int sticky = 0; sticky < 2; sticky++) {
        world* w = world_create(h);
        world_lattice(w, (const double[3]){0, 0, 0}, (const double[3]){2, 2, 2}, 2, 0);
        for (firn_local p = 0; p < w->seeds.count; p++) w->seeds.velocity[p].x = 1;
        world_plane(w, firn_v3((firn_real)(3.5 * h), 0, 0), firn_v3(1, 0, 0), 0)->sticky = sticky;
        world_start(w);
        world_step(w, 1e-5);
        for (firn_local p = 0; p < w->m->p.count; p++)
            assert_equal(w->m->p.velocity[p].x == 0, sticky == 1);
        world_destroy(w);
    }
}

int test_mpm_sticky(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(under_a_plate), cmocka_unit_test(on_a_wall),
                                       cmocka_unit_test(on_an_overhang),
                                       cmocka_unit_test(holds_what_separates)};
    return cmocka_run_group_tests_name("mpm_sticky", tests, NULL, NULL);
}
