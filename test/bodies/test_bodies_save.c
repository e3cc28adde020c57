// SPDX-License-Identifier: MIT
// A run that is interrupted and continued from its block is bitwise the same; damage is refused.
#include <math.h>
#include <string.h>

#include "bodies/stage.h"
#include "core/threads/team.h"

// Cubes and balls that fall onto each other, one of them on a rope.
static stage* heap(void)
{
    stage* s = stage_create();
    stage_slope(s, 0.1);
    const firn_shape_node ball = {.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, (firn_real)0.06}};
    for (int k = 0; k < 8; k++)
        stage_body(s, k % 2 == 0 ? stage_box(0.1, 0.1, 0.1) : ball,
                   to_v3(0.03 * (k % 3), 0.1 + 0.11 * k, 0.02 * (k % 2)), 1 + k);
    s->joints[0] = firn_joint_of_kind(FIRN_JOINT_ROPE);
    s->joints[0].a = 3;
    s->joints[0].point_a = s->colliders[3].motion.position;
    s->joints[0].point_b = to_v3(0, 1, 0);
    s->joint_count = 1;
    stage_start_plain(s);
    return s;
}

static void* save(const stage* s, size_t* out_size)
{
    *out_size = firn_bodies_extra_size(s->bodies);
    void* block = firn_alloc(*out_size, 1);
    assert_non_null(block);
    firn_bodies_extra_save(s->bodies, block);
    return block;
}

static void resumes(void** state)
{
    (void)state;
    stage *a = heap(), *b = heap();
    for (int k = 0; k < 300; k++) stage_step(a, 1e-3);
    size_t size, size_b;
    void* block = save(a, &size);
    assert_int_equal(firn_bodies_extra_check(b->bodies, block, size, &b->error), FIRN_OK);
    firn_bodies_extra_restore(b->bodies, block, size, b->colliders);
    b->time = a->time;
    firn_free(block);
    // many small steps; more threads in the one
    firn_team* team = firn_team_create(3);
    for (int k = 0; k < 300; k++) {
        const double dt = k % 2 == 0 ? 1e-3 : 7e-4;
        stage_step(a, dt);
        firn_team* outer = firn_team_use(team);
        stage_step(b, dt);
        firn_team_use(outer);
    }
    firn_team_destroy(team);
    block = save(a, &size);
    void* other = save(b, &size_b);
    assert_int_equal(size, size_b);
    assert_memory_equal(block, other, size);
    firn_free(block);
    firn_free(other);
    stage_destroy(a);
    stage_destroy(b);
}

static void damage(void** state)
{
    (void)state;
    stage* s = heap();
    for (int k = 0; k < 200; k++) stage_step(s, 1e-3);
    size_t size;
    char* block = save(s, &size);
    assert_int_equal(firn_bodies_extra_check(s->bodies, block, size - 1, &s->error),
                     FIRN_REFUSED_DAMAGED);
    // every word as a number that is none: some are refused, none does any harm
    int refusals = 0;
    for (size_t at = 0; at + 4 <= size; at += 4) {
        char kept[4];
        memcpy(kept, block + at, 4);
        memset(block + at, 0xff, 4);
        const firn_result r = firn_bodies_extra_check(s->bodies, block, size, &s->error);
        refusals += r == FIRN_REFUSED_DAMAGED;
        if (r == FIRN_OK && at % 16 == 0) {
            firn_bodies_extra_restore(s->bodies, block, size, s->colliders);
            stage_step(s, 1e-3);
        }
        memcpy(block + at, kept, 4);
    }
    assert_true(refusals > 100);
    firn_free(block);
    stage_destroy(s);
}

// How many of the times at `at` are refused that are none.
static int refused_times(stage* s, char* block, size_t size, size_t at)
{
    const double none[] = {-1, 2e9, 1e300, INFINITY};
    char kept[sizeof(double)];
    memcpy(kept, block + at, sizeof kept);
    int refused = 0;
    for (size_t k = 0; k < 4; k++) {
        memcpy(block + at, &none[k], sizeof kept);
        refused += firn_bodies_extra_check(s->bodies, block, size, &s->error) != FIRN_OK;
    }
    memcpy(block + at, kept, sizeof kept);
    return refused;
}

// A pose that is said to count from beyond all times, over which nothing must be extrapolated, and
// a body that is said to rest for longer than a float can say.
static void from_the_end_of_time(void** state)
{
    (void)state;
    stage* s = heap();
    stage_step(s, 1e-3);
    stage_step(s, 7e-4);
    size_t size;
    char* block = save(s, &size);
    int rows = 0;
    for (size_t at = 0; at + 2 * sizeof(double) <= size; at += sizeof(double)) {
        double time;
        memcpy(&time, block + at, sizeof time);
        // other words may have the value of the time by chance
        if (time != s->colliders[2].drive_time || refused_times(s, block, size, at) < 4) continue;
        rows++;
        assert_int_equal(refused_times(s, block, size, at + sizeof time), 4);  // at rest
    }
    assert_true(rows >= 8);
    firn_free(block);
    stage_destroy(s);
}

// What pushes a body beyond all bounds is noticed after the step, and nothing computes with it.
static void lost(void** state)
{
    (void)state;
    const double impulses[][3] = {{1e20, 0, 0}, {0, 1e30, 0}, {0, 0, 1e300}};
    for (int k = 0; k < 6; k++) {
        stage* s = heap();
        stage_step(s, 1e-3);
        assert_int_equal(firn_bodies_check(s->bodies, &s->error), FIRN_OK);
        const double none[3] = {0};
        firn_bodies_begin(s->bodies, s->colliders, &s->shapes, s->gravity, s->time, 1e-3);
        firn_bodies_push(s->bodies, 2, k < 3 ? impulses[k] : none, k < 3 ? none : impulses[k - 3]);
        firn_bodies_finish(s->bodies, s->colliders);
        assert_int_equal(firn_bodies_check(s->bodies, &s->error), FIRN_BROKEN_DIVERGED);
        assert_non_null(strstr(s->error.text, "collider "));
        assert_non_null(strstr(s->error.text, "likely cause"));
        stage_destroy(s);
    }
}

int test_bodies_save(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(resumes), cmocka_unit_test(damage),
                                       cmocka_unit_test(lost),
                                       cmocka_unit_test(from_the_end_of_time)};
    return cmocka_run_group_tests_name("bodies_save", tests, NULL, NULL);
}
