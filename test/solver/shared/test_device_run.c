// SPDX-License-Identifier: MIT
// Steps out of batches that a device computes ahead: whatever the caller does, and however far the
// device has got, the state is that of the steps given. On a device of plain C.
#include "device/device.h"
#include "solver/shared/fake_steps.h"

// Three frames as `sim` computes them: snapshot, expect, fetch for the writer, steps.
static void run_ahead(void** state)
{
    (void)state;
    for (int most = 0; most <= 7; most++) {
        fake f;
        start(&f, 5, most);
        for (int frame = 0; frame < 3; frame++) {
            snapshot(&f);
            firn_device_run_expect(&f, f.time, frame_left(&f), 1);
            assert_equal(hash(&f), expected(20 * frame));
            steps(&f, 20);
            assert_near(f.time, (frame + 1) / FAKE_FPS, 1e-12);
        }
        assert_equal(hash(&f), expected(60));
        assert_int_equal(f.steps, 60);         // each once
        assert_int_equal(f.rollbacks, 0);      // no frame is computed twice
        assert_int_equal(f.from_snapshot, 2);  // the first one was the host's
        assert_int_equal(f.uploads, 1);
        assert_at_most(f.longest, most > 0 ? most : FAKE_BATCH);
        if (most != 1) assert_less(f.begins, 60);
        stop(&f);
    }
}

// Without a snapshot there is no way back, so that the device does not go ahead.
static void no_snapshot(void** state)
{
    (void)state;
    fake f;
    start(&f, 5, 0);
    steps(&f, 9);
    assert_int_equal(f.longest, 1);
    assert_equal(hash(&f), expected(9));
    assert_int_equal(firn_device_run_restore(&f, &f.error), FIRN_BROKEN_INTERNAL);
    assert_contains(f.error.text, "no snapshot");
    stop(&f);
}

// A fetch in the middle of a frame replays what the caller has seen; then single steps.
static void fetch_within_a_frame(void** state)
{
    (void)state;
    for (int at = 1; at < 20; at++) {
        fake f;
        start(&f, 5, 0);
        steps(&f, 20);
        snapshot(&f);
        steps(&f, at);
        assert_equal(hash(&f), expected(20 + at));
        const int downloads = f.downloads, begins = f.begins;
        fetch(&f);  // it is there
        assert_int_equal(f.downloads, downloads);
        steps(&f, 20 - at);
        assert_int_equal(f.begins - begins, 20 - at);  // single steps until the frame ends
        assert_equal(hash(&f), expected(40));
        snapshot(&f);
        f.longest = 0;
        steps(&f, 20);
        assert_greater(f.longest, 1);  // ahead again
        assert_equal(hash(&f), expected(60));
        stop(&f);
    }
}

static void restore(void** state)
{
    (void)state;
    fake f;
    start(&f, 5, 0);
    steps(&f, 20);
    snapshot(&f);
    const double time = f.time;
    for (int at = 0; at <= 20; at += 5) {
        steps(&f, at);
        f.base.step = 20;  // extra_restore
        f.time = time;
        firn_device_run_host_changed(&f);
        assert_int_equal(firn_device_run_restore(&f, &f.error), FIRN_OK);
        assert_int_equal(firn_device_run_count(&f), 5);
        assert_equal(hash(&f), expected(20));
    }
    steps(&f, 20);
    assert_equal(hash(&f), expected(40));
    assert_int_equal(f.uploads, 1);
    stop(&f);
}

// A step that fails, as sim treats it: back to the snapshot, with half the time step.
static void faults(void** state)
{
    (void)state;
    fake f;
    start(&f, 5, 0);
    f.fault_at = 27;
    steps(&f, 20);
    snapshot(&f);
    const double time = f.time;
    steps(&f, 7);
    assert_int_equal(try_step(&f, 1), FIRN_BROKEN_DIVERGED);
    assert_string_equal(f.error.text, "step 27 fails");
    f.base.step = 20;
    f.time = time;
    firn_device_run_host_changed(&f);
    assert_int_equal(firn_device_run_restore(&f, &f.error), FIRN_OK);
    for (int k = 0; k < 40; k++) assert_int_equal(try_step(&f, 0.5), FIRN_OK);
    assert_int_equal(f.base.step, 60);
    assert_near(f.time, 2 / FAKE_FPS, 1e-12);
    // a replay with the smaller time step
    snapshot(&f);
    for (int k = 0; k < 3; k++) assert_int_equal(try_step(&f, 0.5), FIRN_OK);
    const uint32_t sum = f.sum;
    uint32_t now = 0;
    fetch(&f);
    for (int k = 0; k < 5; k++) now += ((const uint32_t*)f.base.store.fields[0].data)[k];
    assert_int_equal(now, sum);
    stop(&f);
}

// Arrays that are too small grow, in steps and in replays, and change no bit.
static void room(void** state)
{
    (void)state;
    fake f;
    start(&f, 5, 0);
    f.room = 3;
    steps(&f, 20);
    snapshot(&f);
    steps(&f, 11);
    assert_at_least(f.grown, 4);
    f.room = 22;  // as if growing had been forgotten
    assert_equal(hash(&f), expected(31));
    steps(&f, 9);
    assert_equal(hash(&f), expected(40));
    stop(&f);
}

static void replays_that_differ(void** state)
{
    (void)state;
    fake f;
    start(&f, 5, 0);
    steps(&f, 1);
    snapshot(&f);
    steps(&f, 5);
    f.forgetful = true;
    assert_int_equal(firn_device_run_fetch(&f, &f.error), FIRN_BROKEN_INTERNAL);
    assert_string_equal(f.error.text, "replayed steps differ");
    stop(&f);
}

// Steps before the change have the old setting, those after it the new one.
static void colliders_changed(void** state)
{
    (void)state;
    uint64_t hashes[4];
    const int most[4] = {1, 2, 5, 0};
    for (int k = 0; k < 4; k++) {
        fake f;
        start(&f, 5, most[k]);
        f.setting = 6;
        steps(&f, 20);
        snapshot(&f);
        firn_device_run_expect(&f, f.time, frame_left(&f), 1);
        steps(&f, 4);
        f.setting = 77;
        assert_int_equal(firn_device_run_colliders_changed(&f, &f.error), FIRN_OK);
        f.longest = 0;
        steps(&f, 3);
        fetch(&f);
        steps(&f, 13);
        assert_int_equal(f.longest, 1);  // they could not be replayed from the snapshot
        hashes[k] = hash(&f);
        stop(&f);
    }
    for (int k = 1; k < 4; k++) assert_equal(hashes[k], hashes[0]);
    assert_not_equal(hashes[0], expected(40));
}

// Colliders that deform are moved by the host: every batch has one step, in replays, too.
static void single_steps(void** state)
{
    (void)state;
    fake f;
    start(&f, 5, 0);
    f.deforms = true;
    snapshot(&f);
    steps(&f, 20);
    snapshot(&f);
    firn_device_run_expect(&f, f.time, frame_left(&f), 1);
    steps(&f, 5);
    firn_device_run_expect(&f, f.time, frame_left(&f), 1);  // one step ahead
    assert_equal(hash(&f), expected(25));
    assert_int_equal(f.rollbacks, 1);
    steps(&f, 15);
    assert_equal(hash(&f), expected(40));
    stop(&f);
}

// The host's particles become the state; more of them need another device simulation.
static void host_changed(void** state)
{
    (void)state;
    fake f;
    start(&f, 3, 0);
    snapshot(&f);
    steps(&f, 5);
    f.base.store.count = 5;  // a checkpoint of another run
    uint32_t* value = f.base.store.fields[0].data;
    for (int k = 0; k < 5; k++) value[k] = 100 + (uint32_t)k;
    f.base.step = 0;
    f.time = 0;
    firn_device_run_host_changed(&f);
    assert_int_equal(firn_device_run_count(&f), 5);
    snapshot(&f);
    assert_int_equal(f.sims, 2);
    steps(&f, 30);
    assert_equal(firn_device_run_bytes(&f), sizeof(fake_sim));
    assert_int_equal(f.base.step, 30);
    stop(&f);
    start(&f, 5, 0);
    f.bad = 2;
    assert_int_equal(try_step(&f, 1), FIRN_BROKEN_DIVERGED);
    assert_string_equal(f.error.text, "particle 2 is not finite");
    stop(&f);
}

static void no_particles(void** state)
{
    (void)state;
    fake f;
    start(&f, 0, 0);
    for (int frame = 0; frame < 3; frame++) {
        snapshot(&f);
        firn_device_run_expect(&f, f.time, frame_left(&f), 1);
        step(&f);
        fetch(&f);
    }
    assert_int_equal(f.base.step, 3);  // a step is a frame
    assert_int_equal(f.sims, 0);
    assert_equal(firn_device_run_bytes(&f), 0);
    assert_null(firn_device_run_sim(&f));
    assert_int_equal(firn_device_run_colliders_changed(&f, &f.error), FIRN_OK);
    stop(&f);
}

static void out_of_memory(void** state)
{
    (void)state;
    fake f;
    start(&f, 5, 0);
    firn_device_run_destroy(f.base.device_run);
    const uint64_t before = firn_memory_read().bytes;
    const firn_solver_args args = {.device = 3};
    for (uint64_t k = 1; k <= 2; k++) {
        f.base.device_run = NULL;
        firn_memory_fail_at(k, false);
        assert_int_equal(firn_device_run_create(&f, &fake_solver, &args, &f.error),
                         FIRN_BROKEN_MEMORY);
        firn_memory_fail_at(0, false);
        firn_device_run_destroy(f.base.device_run);
        assert_int_equal(firn_memory_read().bytes, before);
    }
    firn_particles_destroy(&f.base.store);
}

// Without a device, the functions of a solver's table give the host's answers.
static void on_the_host(void** state)
{
    (void)state;
    fake f = {0};
    f.base.store.count = 4;
    const firn_solver_args args = {.device = FIRN_DEVICE_CPU};
    assert_int_equal(firn_device_run_create(&f, &fake_solver, &args, &f.error), FIRN_OK);
    assert_false(firn_device_run_remote(&f));
    assert_int_equal(firn_device_run_count(&f), 4);
    assert_int_equal(firn_device_run_colliders_changed(&f, &f.error), FIRN_OK);
    assert_equal(firn_device_run_bytes(&f), 0);
    assert_null(firn_device_run_sim(&f));
    firn_device_run_host_changed(&f);
}

int test_device_run(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(run_ahead),
                                       cmocka_unit_test(no_snapshot),
                                       cmocka_unit_test(fetch_within_a_frame),
                                       cmocka_unit_test(restore),
                                       cmocka_unit_test(faults),
                                       cmocka_unit_test(room),
                                       cmocka_unit_test(replays_that_differ),
                                       cmocka_unit_test(colliders_changed),
                                       cmocka_unit_test(single_steps),
                                       cmocka_unit_test(host_changed),
                                       cmocka_unit_test(no_particles),
                                       cmocka_unit_test(out_of_memory),
                                       cmocka_unit_test(on_the_host)};
    return cmocka_run_group_tests_name("device_run", tests, NULL, NULL);
}
