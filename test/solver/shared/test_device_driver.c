// SPDX-License-Identifier: MIT
// The thread that keeps a device at work while the caller does something else.
#include "solver/shared/device_driver.h"

#include "solver/shared/fake_steps.h"
#include "solver/shared/impulse.h"

#define COLLIDERS 40

// The device goes on by itself to the frame's end while the caller does something else, also where
// it does single steps, lacks room in between, or is stopped by a fetch or a change of settings.
static void driven_to_the_end_of_the_frame(void** state)
{
    (void)state;
    for (int kind = 0; kind < 12; kind++) {
        fake f;
        start(&f, 5, 0);
        f.deforms = kind % 2 == 1;
        for (int frame = 0; frame < 3; frame++) {
            snapshot(&f);
            if (kind / 2 == 1 && frame == 1) f.room = f.base.step + 3;
            firn_device_run_expect(&f, f.time, frame_left(&f), 1);
            assert_equal(hash(&f), expected(20 * frame));
            const int first = kind / 2 == 2 ? 7 : kind / 2 == 3 ? 19 : 0;
            steps(&f, first);
            if (first > 0) assert_equal(hash(&f), expected(20 * frame + first));
            if (kind / 2 == 4)  // as it was, but the device must stop for it
                assert_int_equal(firn_device_run_colliders_changed(&f, &f.error), FIRN_OK);
            steps(&f, 20 - first);
        }
        assert_equal(hash(&f), expected(60));
        if (kind < 2) assert_int_equal(f.steps, 60);
        if (kind == 1) assert_int_equal(f.begins, 60);
        if (kind / 2 == 5) firn_device_run_expect(&f, f.time, frame_left(&f), 1);  // and ends here
        stop(&f);
    }
}

// What fails while the caller does something else fails in his step, after those before it.
static void driven_into_a_failure(void** state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        fake f;
        start(&f, 5, 0);
        f.deforms = kind % 2 == 1;
        steps(&f, 20);
        snapshot(&f);
        (void)(kind < 2 ? (f.fault_at = 33) : (f.lost_at = 33));
        firn_device_run_expect(&f, f.time, frame_left(&f), 1);
        const int good = kind == 2 ? 0 : 13;  // a lost batch has no records
        firn_result r = FIRN_OK;
        int done = 0;
        while ((r = try_step(&f, 1)) == FIRN_OK) done++;
        assert_at_least(done, good);
        assert_at_most(done, 13);
        assert_int_equal(r, kind < 2 ? FIRN_BROKEN_DIVERGED : FIRN_BROKEN_DEVICE);
        assert_string_equal(f.error.text, kind < 2 ? "step 33 fails" : "the device is lost");
        if (kind < 2) {
            f.base.step = 20;
            f.time = 1 / FAKE_FPS;
            f.fault_at = -1;
            firn_device_run_host_changed(&f);
            assert_int_equal(firn_device_run_restore(&f, &f.error), FIRN_OK);
            steps(&f, 20);
            assert_equal(hash(&f), expected(40));
        }
        stop(&f);
    }
}

// A device whose frames have one batch of 16 steps, and whose colliders take what they are
// numbered.
typedef struct counting_sim {
    firn_device_sim base;
    firn_device_record records[FAKE_BATCH];
    firn_impulse loads[COLLIDERS];
} counting_sim;

static firn_result counting_wait(firn_device_sim* sim, const void** out_records, int* out_count,
                                 firn_error* error)
{
    (void)error;
    counting_sim* d = (counting_sim*)sim;
    for (int k = 0; k < FAKE_BATCH; k++)
        d->records[k] = (firn_device_record){.step = k, .dt = FAKE_DT, .end = FIRN_DEVICE_GOES_ON};
    d->records[FAKE_BATCH - 1].end = FIRN_DEVICE_FRAME;
    *out_records = d->records;
    *out_count = FAKE_BATCH;
    return FIRN_OK;
}

static const firn_impulse* counting_loads(const firn_device_sim* sim, int step)
{
    (void)step;
    return ((const counting_sim*)sim)->loads;
}

// Colliders come and go between frames: each step has the sums of those of its frame.
static void colliders_come_and_go(void** state)
{
    (void)state;
    static const firn_device_ops ops = {.wait = counting_wait, .loads = counting_loads};
    counting_sim sim = {.base = {&ops}};
    for (int c = 0; c < COLLIDERS; c++) sim.loads[c].high[0] = (uint64_t)c + 1;
    firn_device_driver driver;
    firn_device_driver_create(&driver, sizeof(firn_device_record), FAKE_BATCH);
    static const firn_local counts[] = {1, 1, COLLIDERS, COLLIDERS, 2, 0, 30};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const firn_device_batch batch = {.steps = FAKE_BATCH};
        bool more = true;
        firn_device_driver_start(&driver, &sim.base, &batch, counts[k]);
        assert_true(driver.started);
        assert_int_equal(firn_device_driver_take(&driver, &more, NULL), FIRN_OK);
        assert_false(more);
        assert_int_equal(driver.front.count, FAKE_BATCH);
        for (int n = 0; n < FAKE_BATCH * counts[k]; n++)
            assert_equal(driver.front.loads[n].high[0], (uint64_t)(n % counts[k]) + 1);
    }
    firn_device_driver_destroy(&driver);
}

int test_device_driver(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(driven_to_the_end_of_the_frame),
                                       cmocka_unit_test(colliders_come_and_go),
                                       cmocka_unit_test(driven_into_a_failure)};
    return cmocka_run_group_tests_name("device_driver", tests, NULL, NULL);
}
