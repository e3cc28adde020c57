// SPDX-License-Identifier: MIT
// A device of plain C, and a solver on it whose steps scramble integers: any step that is lost,
// done twice or done with other arguments shows in the bits.
#pragma once
#include <math.h>
#include <string.h>

#include "core/memory.h"
// after what defines bool
#include "firn_test.h"
#include "scene/data/scene.h"
#include "solver/shared/base.h"
#include "solver/shared/device_run.h"

#define FAKE_BATCH 16
#define FAKE_DT 1e-3   // [s]
#define FAKE_FPS 50.0  // 20 steps a frame

typedef struct fake_record {
    firn_device_record base;
    uint32_t sum;  // of all values, after the step
} fake_record;

// The device's state; a snapshot is a copy of it.
typedef struct fake_state {
    uint32_t value[8];
    firn_local count;
    bool knows_time;  // it has met the time of its next step
} fake_state;

typedef struct fake fake;
typedef struct fake_sim {
    firn_device_sim base;
    fake* own;
    fake_state now, snapshot;
    fake_record records[FAKE_BATCH];
    int record_count;
    bool running;
    uint32_t setting;  // enters every step
} fake_sim;

// The solver.
struct fake {
    firn_solver_base base;  // field "value"
    firn_scene_data scene;
    uint32_t sum;      // of the last record
    uint32_t setting;  // the host's
    double time;       // [s] the caller's
    firn_error error;
    // what the device is like
    int64_t room;       // steps that it has room for
    int64_t fault_at;   // this step fails unless dt is scaled; -1: none
    bool fault_recurs;  // whatever dt is
    int64_t lost_at;    // the device is lost in the batch with this step; 0: never
    bool forgetful;     // replays come out otherwise
    bool deforms;       // single steps
    firn_local bad;     // particle that is not finite; -1: none
    // what it was asked to do
    int sims, begins, steps, uploads, downloads, from_snapshot, rollbacks, grown;
    int longest;  // batch
};

static inline void fake_scramble(fake_state* s, int64_t step, double dt, double carried,
                                 uint32_t setting)
{
    uint64_t bits[2];
    memcpy(&bits[0], &dt, sizeof dt);
    memcpy(&bits[1], &carried, sizeof carried);
    for (firn_local k = 0; k < s->count; k++) {
        uint64_t x = (s->value[k] ^ bits[0] ^ bits[1] << 1) + setting + (uint64_t)step * 977;
        x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
        s->value[k] = (uint32_t)(x >> 32);
    }
}

static inline fake_sim* fake_of(firn_device_sim* sim)
{
    return (fake_sim*)sim;
}

static void fake_destroy(firn_device_sim* sim)
{
    firn_free(sim);
}

static size_t fake_bytes(const firn_device_sim* sim)
{
    (void)sim;
    return sizeof(fake_sim);
}

static bool fake_single_steps(const firn_device_sim* sim)
{
    return ((const fake_sim*)sim)->own->deforms;
}

static firn_result fake_upload(firn_device_sim* sim, const firn_particles* from, int64_t step,
                               double* carried, firn_local* out_bad, firn_error* error)
{
    (void)error;
    fake_sim* d = fake_of(sim);
    d->own->uploads++;
    memcpy(d->now.value, from->fields[0].data, (size_t)from->count * sizeof *d->now.value);
    d->now.count = from->count;
    d->now.knows_time = false;
    carried[1] = (double)step;
    *out_bad = d->own->bad >= 0 ? d->own->bad : from->count;
    return FIRN_OK;
}

static firn_result fake_download(firn_device_sim* sim, bool of_snapshot, firn_particles* to,
                                 firn_error* error)
{
    (void)error;
    fake_sim* d = fake_of(sim);
    const fake_state* s = of_snapshot ? &d->snapshot : &d->now;
    assert_true(of_snapshot || !d->running);  // only the snapshot may be read while a batch runs
    d->own->downloads++;
    d->own->from_snapshot += of_snapshot;
    memcpy(to->fields[0].data, s->value, (size_t)s->count * sizeof *s->value);
    to->count = s->count;
    return FIRN_OK;
}

static firn_result fake_snapshot(firn_device_sim* sim, firn_error* error)
{
    (void)error;
    assert_false(fake_of(sim)->running);
    fake_of(sim)->snapshot = fake_of(sim)->now;
    return FIRN_OK;
}

static firn_result fake_rollback(firn_device_sim* sim, firn_error* error)
{
    (void)error;
    fake_sim* d = fake_of(sim);
    assert_false(d->running);
    d->own->rollbacks++;
    d->now = d->snapshot;
    if (d->own->forgetful) d->own->fault_at = 3;
    return FIRN_OK;
}

static firn_result fake_change(firn_device_sim* sim, const void* settings, firn_error* error)
{
    (void)error;
    assert_false(fake_of(sim)->running);
    if (settings != NULL) fake_of(sim)->setting = *(const uint32_t*)settings;
    return FIRN_OK;
}

// Step k of the batch; false: it is the last.
static bool fake_do_step(fake_sim* d, firn_device_batch* b, fake_record* r)
{
    fake* own = d->own;
    const double left = b->frame_time - b->time, dt = FAKE_DT * b->dt_scale;
    const bool last = dt >= left * (1 - 1e-9);
    *r = (fake_record){.base = {.step = b->step,
                                .time = b->time,
                                .dt = last ? left : dt,
                                .count = d->now.count,
                                .end = last ? FIRN_DEVICE_FRAME : FIRN_DEVICE_GOES_ON}};
    memcpy(r->base.carried, b->carried, sizeof b->carried);
    if (b->step == own->fault_at && (b->dt_scale == 1 || own->fault_recurs))
        r->base.end = FIRN_DEVICE_FAULT;
    if (b->step >= own->room) r->base.end = FIRN_DEVICE_ROOM;
    if (r->base.end == FIRN_DEVICE_ROOM) return false;
    own->steps++;
    fake_scramble(&d->now, b->step, r->base.dt, b->carried[0] + b->carried[1], d->setting);
    for (firn_local k = 0; k < d->now.count; k++) r->sum += d->now.value[k];
    r->base.carried[0] = b->carried[0] * 1.25 + 1;
    r->base.carried[1] = b->carried[1] - 0.5;
    memcpy(b->carried, r->base.carried, sizeof b->carried);
    b->time += r->base.dt;
    b->step++;
    return r->base.end == FIRN_DEVICE_GOES_ON;
}

static firn_result fake_begin(firn_device_sim* sim, const firn_device_batch* batch,
                              firn_error* error)
{
    (void)error;
    fake_sim* d = fake_of(sim);
    assert_false(d->running);
    assert_at_least(batch->steps, 1);
    assert_at_most(batch->steps, FAKE_BATCH);
    assert_true(!d->own->deforms || batch->steps == 1);
    assert_true(d->now.knows_time);
    firn_device_batch now = *batch;
    d->own->begins++;
    if (batch->steps > d->own->longest) d->own->longest = batch->steps;
    d->record_count = 0;
    while (d->record_count < batch->steps)
        if (!fake_do_step(d, &now, &d->records[d->record_count++])) break;
    d->running = true;
    return FIRN_OK;
}

// What is carried with the particles has no bits of the time before it.
static firn_result fake_meet_time(firn_device_sim* sim, double time, double* carried,
                                  firn_error* error)
{
    (void)error;
    fake_sim* d = fake_of(sim);
    assert_false(d->running);
    if (d->now.knows_time) return FIRN_OK;
    d->now.knows_time = true;
    carried[1] += 0.125 * time;
    return FIRN_OK;
}

static firn_result fake_wait(firn_device_sim* sim, const void** out_records, int* out_count,
                             firn_error* error)
{
    fake_sim* d = fake_of(sim);
    assert_true(d->running);
    d->running = false;
    const fake_record* last = &d->records[d->record_count - 1];
    if (d->own->lost_at > 0 && last->base.step >= d->own->lost_at)
        return firn_fail(error, FIRN_BROKEN_DEVICE, "the device is lost");
    *out_records = d->records;
    *out_count = d->record_count;
    return FIRN_OK;
}

static firn_result fake_grow(firn_device_sim* sim, firn_error* error)
{
    (void)error;
    assert_false(fake_of(sim)->running);
    fake_of(sim)->own->grown++;
    fake_of(sim)->own->room += 7;
    return FIRN_OK;
}

static const firn_device_ops fake_ops = {.destroy = fake_destroy,
                                         .bytes = fake_bytes,
                                         .single_steps = fake_single_steps,
                                         .upload = fake_upload,
                                         .download = fake_download,
                                         .snapshot = fake_snapshot,
                                         .rollback = fake_rollback,
                                         .change = fake_change,
                                         .begin = fake_begin,
                                         .wait = fake_wait,
                                         .grow = fake_grow,
                                         .meet_time = fake_meet_time};

static firn_result fake_create(void* self, const firn_cuda_def* def, firn_device_sim** out_sim,
                               firn_error* error)
{
    fake* f = self;
    assert_int_equal(def->device, 3);
    assert_at_most(def->capacity, 8);
    fake_sim* d = firn_alloc(1, sizeof *d);
    if (d == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    f->sims++;
    d->base.ops = &fake_ops;
    d->own = f;
    d->setting = f->setting;
    *out_sim = &d->base;
    return FIRN_OK;
}

static void fake_plan(void* self, firn_device_batch* batch)
{
    batch->variant = (int)(((fake*)self)->base.step & 1);
}

static firn_result fake_accept(void* self, const void* record, firn_step_report* report,
                               firn_error* error)
{
    const fake_record* r = record;
    if (r->base.end == FIRN_DEVICE_FAULT)
        return firn_fail(error, FIRN_BROKEN_DIVERGED, "step %d fails", (int)r->base.step);
    assert_equal(report->dt, ((fake*)self)->base.dt);
    ((fake*)self)->sum = r->sum;
    return FIRN_OK;
}

static firn_result fake_refuse(void* self, firn_local p, firn_error* error)
{
    (void)self;
    return firn_fail(error, FIRN_BROKEN_DIVERGED, "particle %d is not finite", (int)p);
}

static firn_result fake_change_settings(void* self, firn_device_sim* sim, firn_error* error)
{
    return sim->ops->change(sim, &((fake*)self)->setting, error);
}

static const firn_device_solver fake_solver = {.batch_max = FAKE_BATCH,
                                               .record_size = sizeof(fake_record),
                                               .create = fake_create,
                                               .plan = fake_plan,
                                               .accept = fake_accept,
                                               .refuse = fake_refuse,
                                               .change = fake_change_settings};
