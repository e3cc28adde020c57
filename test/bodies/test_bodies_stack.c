// SPDX-License-Identifier: MIT
// Ten cubes on each other, the uppermost a hundred times as heavy as the others: for ten seconds,
// with steps of 1 ms. VALIDATION T58.
#include "bodies/stage.h"

#define CUBES 10
#define EDGE 0.1  // [m]

typedef struct tower {
    double drift, overlap;  // [edges] largest so far
} tower;

static stage* build(void)
{
    stage* s = stage_create();
    stage_slope(s, 0);
    for (int k = 0; k < CUBES; k++)
        stage_body(s, stage_box(EDGE, EDGE, EDGE), to_v3(0, EDGE * (k + 0.5), 0),
                   k == CUBES - 1 ? 100 : 1);
    return s;
}

static void measure(const stage* s, tower* t)
{
    double top = 0;  // of the cube below
    for (firn_local c = 1; c <= CUBES; c++) {
        const firn_vec3 x = stage_rigid(s, c)->position;
        const double dx = (double)x.x, dy = (double)x.y - EDGE * (c - 0.5), dz = (double)x.z;
        t->drift = fmax(t->drift, sqrt(dx * dx + dy * dy + dz * dz) / EDGE);
        t->overlap = fmax(t->overlap, (top - ((double)x.y - EDGE / 2)) / EDGE);
        top = (double)x.y + EDGE / 2;
    }
}

static void run(stage* s, double seconds, tower* t)
{
    for (int k = 0; k < (int)(1000 * seconds); k++) {
        stage_step(s, 1e-3);
        measure(s, t);
    }
}

// Without rest: all of it is computed until the end.
static void stands(void** state)
{
    (void)state;
    stage* s = build();
    stage_start(s);
    tower t = {0};
    run(s, FIRN_TEST_SANITIZED ? 0.5 : 10, &t);
    check_figure(T58_stack_drift, t.drift);
    check_figure(T58_stack_overlap, t.overlap);
    stage_destroy(s);
}

// And with it: the tower comes to rest, is not computed, and falls when a cube is taken out.
static void rests(void** state)
{
    (void)state;
    stage* s = build();
    stage_start_plain(s);
    tower t = {0};
    run(s, 2, &t);
    for (firn_local k = 0; k < CUBES; k++) assert_true(firn_bodies_is_inactive(s->bodies, k));
    check_figure(T58_stack_drift, t.drift);
    s->colliders[1].removed = true;
    run(s, 0.1, &t);
    for (firn_local k = 1; k < CUBES; k++) assert_false(firn_bodies_is_inactive(s->bodies, k));
    // g t^2 / 2
    assert_near(stage_rigid(s, CUBES)->position.y, EDGE * (CUBES - 0.5) - 0.04905, 2e-3);
    stage_destroy(s);
}

int test_bodies_stack(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stands), cmocka_unit_test(rests)};
    return cmocka_run_group_tests_name("bodies_stack", tests, NULL, NULL);
}
