// SPDX-License-Identifier: MIT
// Steps of the fake device's solver, as `sim` requests them.
#pragma once
#include "solver/shared/fake_device.h"

static inline void start(fake* f, firn_local count, int run_ahead)
{
    *f = (fake){.fault_at = -1, .bad = -1, .room = 1 << 20, .setting = 5};
    f->scene.time.fps = FAKE_FPS;
    f->base.scene = &f->scene;
    firn_particles* store = &f->base.store;
    firn_particles_add_field(store, "value", "", FIRN_FIELD_U32);
    assert_int_equal(firn_particles_reserve(store, 8), FIRN_OK);
    store->count = count;
    uint32_t* value = store->fields[0].data;
    for (firn_local k = 0; k < count; k++) value[k] = 100 + (uint32_t)k;
    const firn_solver_args args = {.device = 3, .run_ahead = run_ahead};
    assert_int_equal(firn_device_run_create(f, &fake_solver, &args, &f->error), FIRN_OK);
    assert_true(firn_device_run_remote(f));
}

static inline void stop(fake* f)
{
    firn_device_run_destroy(f->base.device_run);
    firn_particles_destroy(&f->base.store);
}

static inline double frame_left(const fake* f)
{
    return (floor(f->time * FAKE_FPS + 1e-6) + 1) / FAKE_FPS - f->time;
}

static inline firn_result try_step(fake* f, double dt_scale)
{
    firn_step_report report;
    const double left = frame_left(f);
    FIRN_TRY(firn_device_run_step(f, f->time, left, dt_scale, &report, &f->error));
    assert_int_equal(report.step, f->base.step - 1);
    assert_at_most(report.dt, left);
    // as sim does it: frames begin at whole multiples of 1 / fps, to the last bit
    f->time = report.dt == left ? floor((f->time + left) * FAKE_FPS + 0.5) / FAKE_FPS
                                : f->time + report.dt;
    return FIRN_OK;
}

static inline void step(fake* f)
{
    if (try_step(f, 1) != FIRN_OK) fail_msg("%s", f->error.text);
}

static inline void steps(fake* f, int count)
{
    for (int k = 0; k < count; k++) step(f);
}

static inline void snapshot(fake* f)
{
    if (firn_device_run_snapshot(f, &f->error) != FIRN_OK) fail_msg("%s", f->error.text);
}

static inline void fetch(fake* f)
{
    if (firn_device_run_fetch(f, &f->error) != FIRN_OK) fail_msg("%s", f->error.text);
}

static inline uint64_t hash(fake* f)
{
    fetch(f);
    return firn_particles_hash(&f->base.store);
}

// The state after `count` steps, computed one by one.
static inline uint64_t expected(int count)
{
    fake f;
    start(&f, 5, 1);
    steps(&f, count);
    assert_at_most(f.longest, 1);
    assert_int_equal(f.rollbacks, 0);
    const uint64_t h = hash(&f);
    stop(&f);
    return h;
}
