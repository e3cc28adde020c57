// SPDX-License-Identifier: MIT
// Key frames of deforming bodies: which are kept, in which order and by whom they are made, what is
// left when one cannot be.
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "core/hash.h"
#include "geometry/deform/deform_sample.h"
#include "geometry/deform/deforming.h"
#include "geometry/formula_body.h"
#include "seed.h"

static uint64_t hash_key(const firn_deform_key* key)
{
    const uint64_t hash = firn_level_set_hash(key->phi);
    return firn_hash(key->velocity.value, firn_velocity_grid_bytes(&key->velocity), hash);
}

static void memory_is_bounded(void** state)
{
    (void)state;
    formula_body f = formula_long_body();
    const uint64_t before = firn_memory_read().bytes;
    firn_deforming_def def = formula_def(FORMULA_ENOUGH);
    firn_deforming* body = formula_open(&f, &def);
    firn_deform_pose pose = {0};
    assert_int_equal(firn_deforming_move(body, 24.7, &pose, NULL), FIRN_OK);  // the largest keys
    const size_t two = firn_deforming_bytes(body);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
    assert_greater(two, 1000);

    f.made = 0;
    def.memory = 3 * two;  // six keys
    body = formula_open(&f, &def);
    uint64_t most = 0;
    for (double t = 0; t < 25; t += 0.05) {
        assert_int_equal(firn_deforming_move(body, t, &pose, NULL), FIRN_OK);
        assert_at_most(firn_deforming_bytes(body), def.memory);
        most = firn_memory_read().bytes - before > most ? firn_memory_read().bytes - before : most;
    }
    assert_less(most, def.memory + 100000);  // the count is honest
    assert_int_equal(f.made, 100);           // each once
    // the last few are still there, the first are not
    assert_int_equal(firn_deforming_move(body, 24.1, &pose, NULL), FIRN_OK);
    assert_int_equal(f.made, 100);
    assert_int_equal(firn_deforming_move(body, 0.1, &pose, NULL), FIRN_OK);
    assert_int_equal(f.made, 102);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
    assert_equal(firn_memory_read().bytes, before);
}

// Least recently *used*, not least recently made.
static void the_least_recently_used_goes(void** state)
{
    (void)state;
    formula_body f = formula_long_body();
    f.growth = 0;  // keys of about one size
    firn_deforming_def def = formula_def(FORMULA_ENOUGH);
    firn_deforming* body = formula_open(&f, &def);
    firn_deform_pose pose = {0};
    assert_int_equal(firn_deforming_move(body, 0.1, &pose, NULL), FIRN_OK);
    def.memory = (size_t)(2.75 * (double)firn_deforming_bytes(body));  // five keys
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
    body = formula_open(&f, &def);
    f.made = 0;
    const double times[] = {0.1, 0.6, 0.1, 1.1, 0.1};  // keys 0 1, 2 3, 0 1, 4 5, 0 1
    const int made[] = {2, 4, 4, 6, 6};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(firn_deforming_move(body, times[i], &pose, NULL), FIRN_OK);
        assert_int_equal(f.made, made[i]);
    }
    assert_int_equal(firn_deforming_move(body, 0.6, &pose, NULL), FIRN_OK);
    assert_greater(f.made, 6);  // 2 and 3 had to go for 4 and 5
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
}

static void the_order_does_not_matter(void** state)
{
    (void)state;
    any_source r = any_start(105);
    for (int seen = 0; seen < 2; seen++) {
        formula_body f = formula_long_body();
        f.seen_only = seen != 0;
        uint64_t right[100];
        firn_deforming_def def = formula_def(FORMULA_ENOUGH);
        firn_deforming* body = formula_open(&f, &def);
        firn_deform_pose pose = {0};
        for (int k = 0; k < 100; k++) {
            assert_int_equal(firn_deforming_move(body, k * 0.25, &pose, NULL), FIRN_OK);
            right[k] = hash_key(pose.a);
        }
        firn_deform_pose_release(&pose);
        firn_deforming_release(body);
        def.memory = 0;  // only those in use
        body = formula_open(&f, &def);
        for (int q = 0; q < 150; q++) {
            const int k = any_below(&r, 100);
            assert_int_equal(firn_deforming_move(body, k * 0.25, &pose, NULL), FIRN_OK);
            assert_equal(hash_key(pose.a), right[k]);
            if (k < 99) assert_equal(hash_key(pose.b), right[k + 1]);
        }
        firn_deform_pose_release(&pose);
        firn_deforming_release(body);
    }
}

static void poses_hold_their_keys(void** state)
{
    (void)state;
    formula_body f = formula_long_body();
    firn_deforming_def def = formula_def(0);
    firn_deforming* body = formula_open(&f, &def);
    firn_deform_pose held = {0}, pose = {0};
    assert_int_equal(firn_deforming_move(body, 0.1, &held, NULL), FIRN_OK);
    const uint64_t a = hash_key(held.a), b = hash_key(held.b);
    firn_deform_pose second = held;
    firn_deform_pose_share(&second);
    firn_deform_pose_release(&held);
    for (double t = 1; t < 5; t += 0.3)
        assert_int_equal(firn_deforming_move(body, t, &pose, NULL), FIRN_OK);
    assert_equal(hash_key(second.a), a);
    assert_equal(hash_key(second.b), b);
    // found again, not made again, though the memory is for none
    f.made = 0;
    assert_int_equal(firn_deforming_move(body, 0.2, &pose, NULL), FIRN_OK);
    assert_int_equal(f.made, 0);
    assert_equal(pose.a, second.a);
    assert_equal(pose.b, second.b);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);  // a pose outlives the body
    assert_equal(hash_key(second.a), a);
    firn_deform_pose_release(&second);
}

// ---- failures -----------------------------------------------------------------------------------

static void a_missing_key_leaves_the_pose(void** state)
{
    (void)state;
    formula_body f = formula_long_body();
    f.bad_key = 5;
    firn_deforming_def def = formula_def(FORMULA_ENOUGH);
    firn_deforming* body = formula_open(&f, &def);
    firn_deform_pose pose = {0};
    firn_error error;
    assert_int_equal(firn_deforming_move(body, 0.9, &pose, &error), FIRN_OK);
    const firn_deform_pose before = pose;
    assert_int_equal(firn_deforming_move(body, 1.1, &pose, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "key 5 is gone");
    assert_memory_equal(&pose, &before, sizeof pose);
    assert_int_equal(firn_deforming_move(body, 1.3, &pose, &error), FIRN_REFUSED_IO);
    assert_int_equal(firn_deforming_move(body, 1.6, &pose, &error), FIRN_OK);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
}

static void memory_runs_out_cleanly(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    firn_result result = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; k < 100 && result == FIRN_BROKEN_MEMORY; k++) {
        formula_body f = formula_long_body();
        f.seen_only = true;
        firn_deforming_def def = formula_def(FORMULA_ENOUGH);
        def.grid = "phi";
        firn_deforming* body = NULL;
        firn_deform_pose pose = {0};
        firn_memory_fail_at(k, false);
        result = firn_deforming_create(&def, formula_source(&f), &body, NULL);
        if (result == FIRN_OK) result = firn_deforming_move(body, 1.1, &pose, NULL);
        firn_memory_fail_at(0, false);
        if (body != NULL && result != FIRN_OK) {  // and it works once there is memory again
            assert_null(pose.a);
            assert_int_equal(firn_deforming_move(body, 1.1, &pose, NULL), FIRN_OK);
        }
        firn_deform_pose_release(&pose);
        firn_deforming_release(body);
        assert_equal(firn_memory_read().bytes, before);
    }
    assert_int_equal(result, FIRN_OK);
}

// ---- threads ------------------------------------------------------------------------------------

typedef struct visitor {
    firn_deforming* body;
    uint64_t seed;
    double sum;
} visitor;

static void* visit(void* at)
{
    visitor* v = at;
    firn_deform_pose pose = {0};
    for (int q = 0; q < 60; q++) {
        const double t = 10 * (double)firn_random_unit(v->seed, (uint64_t)q);
        if (firn_deforming_move(v->body, t, &pose, NULL) != FIRN_OK) break;
        firn_deform_pose copy = pose;
        firn_deform_pose_share(&copy);
        v->sum += (double)firn_deform_distance_at(&copy, firn_v3((firn_real)t, 0, 1));
        firn_deform_pose_release(&copy);
    }
    firn_deform_pose_release(&pose);
    firn_deforming_release(v->body);
    return NULL;
}

static void several_threads_share_a_body(void** state)
{
    (void)state;
    double alone[4];
    for (int pass = 0; pass < 2; pass++) {
        formula_body f = formula_long_body();
        firn_deforming_def def = formula_def(200000);
        firn_deforming* body = formula_open(&f, &def);
        visitor visitors[4];
        pthread_t threads[4];
        for (int i = 0; i < 4; i++) {
            visitors[i] = (visitor){firn_deforming_share(body), (uint64_t)i + 7, 0};
            if (pass == 0)
                visit(&visitors[i]);
            else
                assert_int_equal(pthread_create(&threads[i], NULL, visit, &visitors[i]), 0);
        }
        for (int i = 0; i < 4; i++) {
            if (pass == 1) pthread_join(threads[i], NULL);
            if (pass == 0) alone[i] = visitors[i].sum;
            assert_equal(visitors[i].sum, alone[i]);
            assert_not_equal(alone[i], 0);
        }
        firn_deforming_release(body);
    }
}

// Hashes of the keys at some times, forwards; with threads that build ahead, or without.
static uint64_t play(formula_body* f, const firn_deforming_def* def, int threads)
{
    firn_deforming* body = formula_open(f, def);
    if (threads > 0) firn_deforming_begin_ahead(body, threads);
    if (threads > 1) firn_deforming_begin_ahead(body, threads);  // a second simulation
    firn_deform_pose pose = {0};
    uint64_t sum = 0;
    for (double t = 0; t < 5; t += 0.11) {
        assert_int_equal(firn_deforming_move(body, t, &pose, NULL), FIRN_OK);
        sum = firn_hash(&(uint64_t){hash_key(pose.a) ^ 3 * hash_key(pose.b)}, 8, sum);
        if (def->memory < FORMULA_ENOUGH) assert_at_most(firn_deforming_bytes(body), def->memory);
    }
    if (threads > 1) firn_deforming_end_ahead(body);
    if (threads > 0) firn_deforming_end_ahead(body);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
    return sum;
}

// Threads that build keys ahead change nothing, whether velocities come from neighbours or not,
// memory is short or the animation loops.
static void keys_ahead_are_the_same(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    for (int kind = 0; kind < 6; kind++) {
        formula_body f = formula_long_body();
        f.growth = 0;
        f.seen_only = kind % 2 == 1;
        firn_deforming_def def = formula_def(FORMULA_ENOUGH);
        if (kind / 2 == 1) f.key_count = 7, def.loop = true;
        if (kind / 2 == 2) {  // twelve keys: two and their neighbours are in use, some are ahead
            firn_deforming* body = formula_open(&f, &def);
            firn_deform_pose pose = {0};
            assert_int_equal(firn_deforming_move(body, 5, &pose, NULL), FIRN_OK);
            def.memory = 6 * firn_deforming_bytes(body);
            firn_deform_pose_release(&pose);
            firn_deforming_release(body);
        }
        const uint64_t alone = play(&f, &def, 0);
        for (int threads = 1; threads <= 3; threads++) assert_equal(play(&f, &def, threads), alone);
    }
    assert_equal(firn_memory_read().bytes, before);
}

static int made(formula_body* f)
{
    return __atomic_load_n(&f->made, __ATOMIC_RELAXED);
}

// Waits until threads have built `count` level sets, and then no more.
static void wait_for(formula_body* f, int count)
{
    for (int ms = 0; ms < 20000 && made(f) < count; ms++) usleep(1000);
    usleep(50000);
}

// Memory for eight keys is enough to build some ahead: the caller's next move takes four. A look
// back, as by the picture of an earlier frame, keeps the threads from nothing and builds nothing.
static void memory_for_a_few_keys(void** state)
{
    (void)state;
    formula_body f = formula_long_body();
    f.growth = 0;
    firn_deforming_def def = formula_def(FORMULA_ENOUGH);
    firn_deforming* body = formula_open(&f, &def);
    firn_deform_pose pose = {0}, picture = {0};
    assert_int_equal(firn_deforming_move(body, 5, &pose, NULL), FIRN_OK);
    def.memory = 4 * firn_deforming_bytes(body) + 1000;  // two keys
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);

    f.made = 0;
    body = formula_open(&f, &def);
    firn_deforming_begin_ahead(body, 2);
    assert_int_equal(firn_deforming_move(body, 5.1, &pose, NULL), FIRN_OK);
    wait_for(&f, 6);
    print_message("%d keys of 8 with one move\n", made(&f));
    assert_at_least(made(&f), 6);
    assert_int_equal(firn_deforming_move(body, 5.1, &picture, NULL), FIRN_OK);  // holds its keys
    for (int k = 1; k < 12; k++)
        assert_int_equal(firn_deforming_move(body, 5.1 + 0.25 * k, &pose, NULL), FIRN_OK);
    wait_for(&f, 16);
    const int before = made(&f);
    assert_int_equal(firn_deforming_move(body, 5.1, &picture, NULL), FIRN_OK);
    wait_for(&f, before);
    assert_int_equal(made(&f), before);
    firn_deforming_end_ahead(body);
    firn_deform_pose_release(&pose);
    firn_deform_pose_release(&picture);
    firn_deforming_release(body);
}

// A key that cannot be built fails the move that needs it, with the same sentence; those before it
// are there. Ending in the midst of builds is fine.
static void a_failure_ahead_waits_for_its_move(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    for (int pass = 0; pass < 2; pass++) {
        formula_body f = formula_long_body();
        f.bad_key = 9;
        const firn_deforming_def def = formula_def(FORMULA_ENOUGH);
        firn_deforming* body = formula_open(&f, &def);
        firn_deforming_begin_ahead(body, 2);
        firn_deform_pose pose = {0};
        firn_error error = {0};
        for (int k = 0; k < 8 && pass == 0; k++)
            assert_int_equal(firn_deforming_move(body, 0.25 * k + 0.1, &pose, &error), FIRN_OK);
        if (pass == 0) {
            assert_int_equal(firn_deforming_move(body, 2.1, &pose, &error), FIRN_REFUSED_IO);
            assert_string_equal(error.text, "key 9 is gone");
            assert_near(pose.a->time, 1.75, 1e-12);  // as it was
        } else {
            assert_int_equal(firn_deforming_move(body, 0, &pose, &error), FIRN_OK);
        }
        firn_deforming_end_ahead(body);
        firn_deform_pose_release(&pose);
        firn_deforming_release(body);
    }
    assert_equal(firn_memory_read().bytes, before);
}

int test_deforming_keys(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_is_bounded),
                                       cmocka_unit_test(the_least_recently_used_goes),
                                       cmocka_unit_test(the_order_does_not_matter),
                                       cmocka_unit_test(poses_hold_their_keys),
                                       cmocka_unit_test(a_missing_key_leaves_the_pose),
                                       cmocka_unit_test(memory_runs_out_cleanly),
                                       cmocka_unit_test(several_threads_share_a_body),
                                       cmocka_unit_test(keys_ahead_are_the_same),
                                       cmocka_unit_test(memory_for_a_few_keys),
                                       cmocka_unit_test(a_failure_ahead_waits_for_its_move)};
    return cmocka_run_group_tests_name("deforming_keys", tests, NULL, NULL);
}
