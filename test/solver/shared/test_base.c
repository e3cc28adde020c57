// SPDX-License-Identifier: MIT
// Fields from a table, seeds by the names of fields, what base functions find and give.
#include "solver/shared/base.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "solver/shared/toy.h"

static void fields_of_the_table(void** state)
{
    (void)state;
    toy_world w;
    toy_start(&w, true);
    const firn_particles* store = firn_base_particles(w.m);
    assert_int_equal(store->field_count, 6);
    const firn_field* pressure = firn_particles_find(store, "pressure");
    assert_string_equal(pressure->unit, "Pa");
    assert_int_equal(pressure->type, FIRN_FIELD_REAL);
    assert_int_equal(pressure->changes, FIRN_CHANGES_FIRST_STEP);
    uint32_t next_id = 0;
    assert_int_equal(toy_append(&w, NULL, &next_id), FIRN_OK);
    assert_ptr_equal(w.m->p.pressure, pressure->data);
    assert_ptr_equal(w.m->p.hardening, firn_particles_find(store, "hardening")->data);
    toy_stop(&w);
}

static void seeds_become_particles(void** state)
{
    (void)state;
    toy_world w;
    toy_start(&w, true);
    uint32_t next_id = 7;
    firn_real factors[TOY_SEEDS] = {2, 3, 4, 5, 6};
    assert_int_equal(toy_append(&w, NULL, &next_id), FIRN_OK);
    for (int k = 0; k < TOY_SEEDS; k++) w.m->p.pressure[k] = 1;
    assert_int_equal(toy_append(&w, factors, &next_id), FIRN_OK);
    assert_int_equal(next_id, 7 + 2 * TOY_SEEDS);
    assert_int_equal(firn_base_count(w.m), 2 * TOY_SEEDS);
    for (int k = 0; k < 2 * TOY_SEEDS; k++) {
        const int seed = k % TOY_SEEDS;
        assert_equal(w.m->p.position[k].x, (firn_real)seed);
        assert_equal(w.m->p.velocity[k].y, (firn_real)-seed);
        assert_equal(w.m->p.mass[k], (firn_real)(seed + 1));
        assert_equal(w.m->p.hardening[k], k < TOY_SEEDS ? 1 : factors[seed]);
        assert_equal(w.m->p.pressure[k], k < TOY_SEEDS ? 1 : 0);  // what seeds lack is 0
        assert_int_equal(w.m->p.id[k], 7 + k);
    }
    toy_stop(&w);
}

// A slot that an earlier particle has left is cleared for the new one.
static void appended_slots_are_clean(void** state)
{
    (void)state;
    toy_world w;
    toy_start(&w, false);
    uint32_t next_id = 0;
    assert_int_equal(toy_append(&w, NULL, &next_id), FIRN_OK);
    assert_null(w.m->p.hardening);  // not registered
    for (int k = 0; k < TOY_SEEDS; k++) w.m->p.pressure[k] = 9;
    w.m->base.store.count = 0;
    assert_int_equal(toy_append(&w, NULL, &next_id), FIRN_OK);
    for (int k = 0; k < TOY_SEEDS; k++) assert_equal(w.m->p.pressure[k], 0);
    toy_stop(&w);
}

static void out_of_memory(void** state)
{
    (void)state;
    toy_world w;
    toy_start(&w, false);
    uint32_t next_id = 3;
    firn_memory_fail_at(1, true);
    assert_int_equal(toy_append(&w, NULL, &next_id), FIRN_BROKEN_MEMORY);
    firn_memory_fail_at(0, false);
    assert_int_equal(firn_base_count(w.m), 0);
    assert_int_equal(next_id, 3);
    const firn_solver_args args = {0};
    for (uint64_t k = 1; k <= 2; k++) {
        void* self = NULL;
        firn_memory_fail_at(k, false);
        assert_int_equal(firn_base_create(sizeof(toy), &w.scene, &args, &self, &w.error),
                         FIRN_BROKEN_MEMORY);
        assert_null(self);
        assert_contains(w.error.text, "out of memory");
    }
    firn_memory_fail_at(0, false);
    const firn_seeds seeds = {.count = 12};
    assert_int_equal(firn_base_no_memory(&seeds, &w.error), FIRN_BROKEN_MEMORY);
    assert_contains(w.error.text, "12 particles");
    assert_int_equal(firn_base_no_memory(NULL, NULL), FIRN_BROKEN_MEMORY);
    toy_stop(&w);
}

static void speeds_and_reach(void** state)
{
    (void)state;
    toy_world w;
    toy_start(&w, false);
    uint32_t next_id = 0;
    assert_int_equal(toy_append(&w, NULL, &next_id), FIRN_OK);
    const toy_particles* p = &w.m->p;
    assert_int_equal(firn_base_measure(&w.m->base, p->position, p->velocity, 100), TOY_SEEDS);
    assert_equal(w.m->base.max_speed, TOY_SEEDS - 1);
    assert_int_equal(firn_base_measure(&w.m->base, p->position, p->velocity, 3), 3);  // too far
    p->velocity[2].z = (firn_real)NAN;
    assert_int_equal(firn_base_measure(&w.m->base, p->position, p->velocity, 100), 2);
    p->position[1].y = (firn_real)INFINITY;
    assert_int_equal(firn_base_measure(&w.m->base, p->position, p->velocity, 100), 1);
    toy_stop(&w);
}

static void colliders_are_copies(void** state)
{
    (void)state;
    toy_world w;
    toy_start(&w, false);
    firn_local count;
    firn_collider* copies = firn_base_colliders(w.m, &count);
    assert_int_equal(count, 1);
    assert_not_equal(copies, &w.floor);
    assert_equal(copies[0].shape, w.floor.shape);
    w.m->base.time = 2;
    assert_int_equal(firn_base_move_colliders(&w.m->base, &w.error), FIRN_OK);
    toy_stop(&w);
}

static void culled_at_the_time_of_the_step(void** state)
{
    (void)state;
    toy_world w;
    toy_start(&w, false);
    uint32_t next_id = 0;
    assert_int_equal(toy_append(&w, NULL, &next_id), FIRN_OK);
    w.m->p.position[1].y = w.m->p.position[4].y = -2;
    w.scene.cull.active = true;
    w.scene.cull.below = -1;
    w.scene.cull.inside = w.scene.cull.outside = -1;
    assert_int_equal(firn_base_cull(&w.m->base, &w.error), FIRN_OK);
    assert_int_equal(w.m->base.culled, 2);
    assert_int_equal(firn_base_count(w.m), TOY_SEEDS - 2);
    toy_stop(&w);
}

int test_base(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_of_the_table),
        cmocka_unit_test(seeds_become_particles),
        cmocka_unit_test(appended_slots_are_clean),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(speeds_and_reach),
        cmocka_unit_test(colliders_are_copies),
        cmocka_unit_test(culled_at_the_time_of_the_step),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
