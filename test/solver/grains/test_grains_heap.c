// SPDX-License-Identifier: MIT
// Angle of repose: broken snow that is poured on a plate stands as a heap, because friction at rest
// remembers; by velocity alone it creeps flat.
#include "solver/grains/world.h"

// A column of grains whose bonds are broken falls onto a rough plate and spreads for 3 s; degrees
// of the cone that it makes. A cone of height H and radius R has its centre of mass at H/4, and its
// mass is R/2 from the axis in the mean.
static double slope_of(double stick_speed)
{
    world* w = world_create();
    any_source r = {80, 0};
    w->scene.gravity[1] = -9.81;
    w->def.bonds = FIRN_BONDS_FOREVER;
    w->def.durability_loss = 0;
    w->def.stick_speed = stick_speed;
    world_floor(w, 0)->friction = 1;
    for (int k = 0; k < 7 * 7 * 12; k++) {
        const firn_vec3 off = any_vec3(&r, 0.004);
        world_add(w, FIRN_SNOW, 0.105 * (k % 7 - 3) + (double)off.x, 0.06 + 0.105 * (k / 49),
                  0.105 * (k / 7 % 7 - 3) + (double)off.z);
    }
    world_start(w);
    for (firn_local p = 0; p < w->m->p.count; p++) w->m->p.broken[p] = 1;
    while (w->time < 3) world_step(w, 1);
    double height = 0, away = 0;
    for (firn_local p = 0; p < w->m->p.count; p++) {
        const firn_vec3 x = w->m->p.position[p];
        height += ((double)x.y - R_SNOW) / w->m->p.count;
        away += sqrt((double)(x.x * x.x + x.z * x.z)) / w->m->p.count;
        assert_greater(x.y, 0);
        assert_equal(w->m->p.bonds[p], 0);
    }
    print_message("stick speed %.2f m/s: centre %.3f m high, %.3f m from the axis, %.3g m/s\n",
                  stick_speed, height, away, w->report.max_speed);
    world_destroy(w);
    return atan2(2 * height, away) * 180 / 3.14159265358979;
}

static void a_heap_stands(void** state)
{
    (void)state;
    const double sticks = slope_of(0.05), creeps = slope_of(0);
    check_figure(T42_heap, sticks);
    check_figure(T42_heap_steeper, sticks - creeps);
}

int test_grains_heap(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_heap_stands)};
    return cmocka_run_group_tests_name("grains_heap", tests, NULL, NULL);
}
