// SPDX-License-Identifier: MIT
// Bodies on a CUDA device against the same bodies on the host: poses bit for bit, distances and
// velocities but for rounding (a GPU fuses multiply-adds that the baseline of the host does not).
#include "geometry/collider/colliders_cuda.h"

#include "bodies_kernels.h"
#include "bodies_world.h"
#include "device/device.h"

#ifdef FIRN_HAVE_CUDA
#define POINTS 4096
#define MUST(call)                                                    \
    do {                                                              \
        firn_error error = {0};                                       \
        firn_error* e = &error;                                       \
        if ((call) != FIRN_OK) fail_msg("%s: %s", #call, error.text); \
    } while (0)

static firn_vec3 x[POINTS];
static bodies_answer answers[BODIES_MOST * POINTS];
static firn_collider there[BODIES_MOST];

// Rounding of a chain of some twenty operations on numbers of up to 8 (4 m, scaled by 2).
#define ERROR (8 * 20 * (double)FIRN_REAL_EPSILON)

static double apart(firn_vec3 a, firn_vec3 b)
{
    return (double)firn_v3_length(firn_v3_sub(a, b));
}

// Of a velocity c' + omega x arm + s'/s arm, and what a deformation adds (at most 4 m/s here).
static double velocity_error(const firn_pose* pose, firn_vec3 at)
{
    const double turning = (double)firn_v3_length(pose->spin) + fabs((double)pose->growth);
    const double arm = apart(at, pose->position);
    return 32 * (double)FIRN_REAL_EPSILON *
           (4 + (double)firn_v3_length(pose->velocity) + turning * arm);
}

// How often a body's answers differed by more than rounding.
typedef struct differences {
    int phi, normal;
} differences;

static void compare_at(const bodies_world* w, firn_local c, int p, differences* d)
{
    const firn_collider* body = &w->bodies[c];
    const bodies_answer* a = &answers[c * POINTS + p];
    firn_vec3 n;
    const double phi = (double)firn_collider_sample(body, &w->shapes, x[p], &n);
    const double off = fmax(fabs((double)a->sampled - phi), fabs((double)a->distance - phi));
    if (!(off <= ERROR + 0.5 * fabs(phi)))
        fail_msg("body %d at (%g, %g, %g): phi %g and %g instead of %g", (int)c, (double)x[p].x,
                 (double)x[p].y, (double)x[p].z, (double)a->sampled, (double)a->distance, phi);
    d->phi += off > ERROR;
    d->normal += apart(a->normal, n) > 1e-3;
    assert_near(firn_v3_length(a->normal), 1, 1e-5);
    assert_at_most(apart(a->velocity, firn_collider_velocity(body, x[p])),
                   velocity_error(&body->pose, x[p]));
    assert_equal(a->misses != 0, firn_collider_misses(body, x[p]));
}

// All bodies at all points; `w` is posed for the same time.
static void compare(const bodies_world* w)
{
    for (firn_local c = 0; c < w->count; c++) {
        const firn_collider* body = &w->bodies[c];
        assert_memory_equal(&there[c].pose, &body->pose, sizeof body->pose);
        assert_memory_equal(&there[c].reach, &body->reach, sizeof body->reach);
        differences d = {0, 0};
        int inside = 0;
        for (int p = 0; p < POINTS; p++) {
            compare_at(w, c, p, &d);
            inside += answers[c * POINTS + p].distance <= 0;
        }
        // the bound of a height field jumps where its range of cells does, and rounding may decide
        // on which side a point is; and it decides which normal of two equally near faces is given
        if (d.phi > POINTS / 1000) fail_msg("body %d: phi differs %d times", (int)c, d.phi);
        if (d.normal > POINTS / 100)
            fail_msg("body %d: the normal differs %d times", (int)c, d.normal);
        if (inside == 0) fail_msg("body %d: no point is inside", (int)c);
    }
}

// Half of the points are within reach of some body.
static void any_points(any_source* r, const bodies_world* w)
{
    for (int p = 0; p < POINTS; p++)
        x[p] = p % 2 == 0 ? any_vec3(r, 4) : bodies_point(r, &w->bodies[p / 2 % w->count]);
}

// The device poses rigid bodies by itself; the host brings the one that deforms.
static void as_on_the_host(void** state)
{
    (void)state;
    any_source r = any_start(8811);
    bodies_world w;
    bodies_open(&w, &r);
    firn_colliders_cuda* bodies = NULL;
    MUST(firn_colliders_cuda_create(&w.shapes, w.bodies, w.count, &bodies, e));
    assert_true(firn_colliders_cuda_deform(bodies));
    const firn_bodies_view view = firn_colliders_cuda_view(bodies);
    const size_t bytes = firn_colliders_cuda_bytes(bodies);
    assert_int_equal(view.count, w.count);
    for (int q = 0; q < 12; q++) {
        const double time = any_between(&r, 0, 2);
        MUST(firn_colliders_cuda_move(bodies, w.bodies, &w.shapes, q % 3 == 0 ? time + 1 : time,
                                      NULL, e));
        MUST(firn_colliders_cuda_move(bodies, w.bodies, &w.shapes, time, NULL, e));
        any_points(&r, &w);
        MUST(bodies_kernels_ask(view, time, POINTS, x, answers, there, e));
        compare(&w);
        assert_greater(firn_colliders_cuda_bytes(bodies), bytes);
    }
    firn_colliders_cuda_destroy(bodies);
    bodies_close(&w);
}

// Poses from the host are those that the device finds; many moves without waiting, and keys that
// come and go.
static void moved_by_the_host(void** state)
{
    (void)state;
    any_source r = any_start(8812);
    const uint64_t before = firn_memory_read().bytes;
    bodies_world w;
    bodies_open(&w, &r);
    firn_colliders_cuda* bodies = NULL;
    MUST(firn_colliders_cuda_create(&w.shapes, w.bodies, w.count, &bodies, e));
    const size_t fixed = firn_colliders_cuda_bytes(bodies);
    size_t two = 0;  // keys, of a ball that hardly grows
    for (int q = 0; q <= 200; q++) {
        MUST(firn_colliders_cuda_move(bodies, w.bodies, &w.shapes, 0.05 * q, NULL, e));
        const size_t keys = firn_colliders_cuda_bytes(bodies) - fixed;
        if (q == 0) two = keys;
        assert_greater(keys, 0);
        assert_less(keys, 2 * two);  // 40 keys have come and gone in the end
    }
    any_points(&r, &w);
    MUST(bodies_kernels_ask(firn_colliders_cuda_view(bodies), (double)NAN, POINTS, x, answers,
                            there, e));
    for (firn_local c = 0; c < w.count; c++)
        assert_memory_equal(&there[c].pose, &w.bodies[c].pose, sizeof there[c].pose);
    firn_colliders_cuda_destroy(bodies);
    bodies_close(&w);
    assert_equal(firn_memory_read().bytes, before);
}

// Bodies change hands: the device poses them as the host does, those that rest from then on, too.
static void driven(void** state)
{
    (void)state;
    any_source r = any_start(8814);
    bodies_world w;
    bodies_open(&w, &r);
    firn_colliders_cuda* bodies = NULL;
    MUST(firn_colliders_cuda_create(&w.shapes, w.bodies, w.count, &bodies, e));
    // bodies that deform have their key frames from the first move on; the kernel asks all bodies
    MUST(firn_colliders_cuda_move(bodies, w.bodies, &w.shapes, 0, NULL, e));
    for (int q = 0; q < 12; q++) {
        const double time = any_between(&r, 0, 2);
        for (firn_local c = 0; c < w.count; c++) {
            if (w.bodies[c].deforming != NULL || (c + q) % 3 == 0) continue;
            firn_motion state_now = firn_motion_at_rest();
            state_now.position = any_vec3(&r, 2);
            if (q % 2 == 0) state_now.velocity = any_vec3(&r, 1);
            if (q % 4 == 0) state_now.spin = any_vec3(&r, 1);
            MUST(firn_collider_drive(&w.bodies[c], FIRN_MOVED_BY_CALLER, &state_now, time, e));
            if (q % 5 == 4) firn_collider_release(&w.bodies[c], time);
        }
        MUST(firn_colliders_cuda_drive(bodies, w.bodies, NULL, e));
        for (int k = 0; k < 3; k++) {  // kernels alone, then with what the host brings
            const double now = time + 0.1 * k;
            if (k == 2) MUST(firn_colliders_cuda_move(bodies, w.bodies, &w.shapes, now, NULL, e));
            any_points(&r, &w);
            MUST(bodies_kernels_ask(firn_colliders_cuda_view(bodies), now, POINTS, x, answers,
                                    there, e));
            for (firn_local c = 0; c < w.count; c++) {
                if (w.bodies[c].deforming != NULL) continue;
                MUST(firn_collider_move(&w.bodies[c], &w.shapes, now, e));
                assert_memory_equal(&there[c].pose, &w.bodies[c].pose, sizeof there[c].pose);
            }
        }
    }
    firn_colliders_cuda_destroy(bodies);
    bodies_close(&w);
}

// Host memory runs out at every place where it can: nothing is left behind.
static void no_memory(void** state)
{
    (void)state;
    any_source r = any_start(8813);
    bodies_world w;
    bodies_open(&w, &r);
    const uint64_t before = firn_memory_read().bytes;
    firn_colliders_cuda* bodies = NULL;
    for (uint64_t k = 1;; k++) {
        firn_memory_fail_at(k, false);
        const firn_result result =
            firn_colliders_cuda_create(&w.shapes, w.bodies, w.count, &bodies, NULL);
        firn_memory_fail_at(0, false);
        if (result == FIRN_OK) break;
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_null(bodies);
        assert_equal(firn_memory_read().bytes, before);
    }
    firn_colliders_cuda_destroy(bodies);
    assert_equal(firn_memory_read().bytes, before);
    bodies_close(&w);
}

// No bodies at all: kernels find none.
static void empty(void** state)
{
    (void)state;
    const firn_shapes none = {0};
    firn_colliders_cuda* bodies = NULL;
    MUST(firn_colliders_cuda_create(&none, NULL, 0, &bodies, e));
    assert_int_equal(firn_colliders_cuda_view(bodies).count, 0);
    assert_false(firn_colliders_cuda_deform(bodies));
    MUST(firn_colliders_cuda_move(bodies, NULL, &none, 1, NULL, e));
    firn_colliders_cuda_destroy(bodies);
    firn_colliders_cuda_destroy(NULL);
}

int test_colliders_cuda(void)
{
    firn_error error = {0};
    int device;
    if (firn_device_open("cuda", &device, &error) != FIRN_OK) {
        print_message("skipped: %s\n", error.text);
        return FIRN_TEST_SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_on_the_host), cmocka_unit_test(moved_by_the_host),
        cmocka_unit_test(driven), cmocka_unit_test(no_memory), cmocka_unit_test(empty)};
    return cmocka_run_group_tests_name("colliders_cuda", tests, NULL, NULL);
}
#else
int test_colliders_cuda(void)
{
    print_message("skipped: this build has no CUDA\n");
    return FIRN_TEST_SKIPPED;
}
#endif
