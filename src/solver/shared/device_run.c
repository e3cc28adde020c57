// SPDX-License-Identifier: MIT
// Run-ahead, snapshots and replay of simulations on a device.
#include "solver/shared/device_run.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "scene/data/scene.h"
#include "solver/shared/device_bodies.h"
#include "solver/shared/device_run_own.h"
#include "solver/shared/impulse.h"

static const firn_device_record* record_at(const firn_device_run* run, const void* records, int k)
{
    return (const firn_device_record*)((const char*)records + (size_t)k * run->solver->record_size);
}

firn_result firn_device_run_create(void* self, const firn_device_solver* solver,
                                   const firn_solver_args* args, firn_error* error)
{
    if (args->device < 0) return FIRN_OK;
    firn_solver_base* base = self;
    firn_device_run* run = firn_alloc(1, sizeof *run);
    if (run == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    base->device_run = run;  // destroyed with the base
    run->solver = solver;
    run->base = base;
    run->device = args->device;
    const int most = solver->batch_max;
    run->batch_max = args->run_ahead > 0 && args->run_ahead < most ? args->run_ahead : most;
    run->capacity_min = args->particles_max;
    run->host_newer = run->fetched = true;
    firn_device_ahead_begin(base->colliders, base->collider_count, &run->ahead);
    firn_device_driver_create(&run->driver, solver->record_size, most);
    return base->store.count > 0 ? firn_device_make_room(run, error) : FIRN_OK;
}

void firn_device_run_destroy(firn_device_run* run)
{
    if (run == NULL) return;
    firn_device_driver_destroy(&run->driver);
    if (run->sim != NULL) run->sim->ops->destroy(run->sim);
    firn_device_ahead_end(&run->ahead);
    firn_free(run);
}

static firn_device_run* run_of(const void* self)
{
    return ((const firn_solver_base*)self)->device_run;
}

bool firn_device_run_remote(const void* self)
{
    return run_of(self) != NULL;
}

// Takes what the driver has.
static firn_result take(firn_device_run* run, firn_error* error)
{
    run->ready = run->next = 0;
    run->running = false;
    FIRN_TRY(firn_device_driver_take(&run->driver, &run->running, error));
    run->records = run->driver.front.records;
    run->loads = run->driver.load_count > 0 ? run->driver.front.loads : NULL;
    run->ready = run->driver.front.count;
    return FIRN_OK;
}

static firn_result wait(firn_device_run* run, firn_error* error)
{
    const void* records;
    if (run->driver.started) return take(run, error);
    run->running = false;
    run->loads = NULL;
    run->ready = run->next = 0;
    FIRN_TRY(run->sim->ops->wait(run->sim, &records, &run->ready, error));
    run->records = records;
    return FIRN_OK;
}

// Waits for the running batch and ignores its result.
static void drop_batch(firn_device_run* run)
{
    firn_error ignored;
    if (run->driver.started) {
        firn_device_driver_stop(&run->driver);
        run->running = false;
    }
    if (run->running) (void)wait(run, &ignored);
    run->ready = run->next = 0;
}

void firn_device_run_host_changed(void* self)
{
    firn_device_run* run = run_of(self);
    if (run == NULL) return;
    drop_batch(run);
    run->host_newer = run->fetched = true;
}

void firn_device_run_rebuild(void* self)
{
    firn_device_run* run = run_of(self);
    if (run == NULL) return;
    firn_device_run_host_changed(self);
    if (run->sim != NULL) run->sim->ops->destroy(run->sim);
    run->sim = NULL;
    run->has_snapshot = false;
}

firn_result firn_device_upload(firn_device_run* run, firn_error* error)
{
    const firn_particles* store = &run->base->store;
    firn_local bad;
    FIRN_TRY(firn_device_make_room(run, error));
    FIRN_TRY(run->sim->ops->upload(run->sim, store, run->base->step, run->carried, &bad, error));
    run->count = run->entries = store->count;
    run->host_newer = false;
    run->uploaded = true;
    return bad < store->count ? run->solver->refuse(run->base, bad, error) : FIRN_OK;
}

// How many steps to launch: as many as the rest of the frame may need.
static int batch_size(const firn_device_run* run, double dt_limit, double dt_scale)
{
    // without a snapshot there is no way back to a step that the device has gone past
    if (!run->has_snapshot || run->fetched_this_frame || run->sim->ops->single_steps(run->sim) ||
        firn_device_bodies_any(run->base))
        return 1;
    const firn_device_solver* solver = run->solver;
    const double dt =
        solver->dt_expected != NULL ? solver->dt_expected(run->base, dt_scale) : run->base->dt;
    if (!(dt > 0)) return 1;
    const double steps = ceil(1.1 * dt_limit / dt) + 1;
    return steps < run->batch_max ? (int)steps : run->batch_max;
}

static firn_result meet_time(firn_device_run* run, double time, double* carried, firn_error* error)
{
    const firn_device_ops* ops = run->sim->ops;
    return ops->meet_time != NULL ? ops->meet_time(run->sim, time, carried, error) : FIRN_OK;
}

// The dynamic colliders of the batch's only step.
static firn_result drive_bodies(firn_device_run* run, firn_device_batch* batch, firn_error* error)
{
    if (run->tries_again)
        batch->dt = run->last.dt;
    else
        FIRN_TRY(firn_device_bodies_begin(run->base, run->solver, batch, &run->lumps, error));
    run->tries_again = true;
    return run->sim->ops->drive(run->sim, run->lumps, error);
}

static firn_result begin(firn_device_run* run, double time, double dt_limit, double dt_scale,
                         firn_error* error)
{
    const double frame_time = firn_device_frame_time(run->base->scene, time, dt_limit);
    FIRN_TRY(firn_device_expect_more(run, frame_time, error));
    FIRN_TRY(meet_time(run, time, run->carried, error));
    firn_device_batch batch = {.step = run->base->step,
                               .time = time,
                               .frame_time = frame_time,
                               .dt_scale = dt_scale,
                               .steps = batch_size(run, dt_limit, dt_scale)};
    memcpy(batch.carried, run->carried, sizeof batch.carried);
    if (run->solver->plan != NULL) run->solver->plan(run->base, &batch);
    if (firn_device_bodies_any(run->base)) FIRN_TRY(drive_bodies(run, &batch, error));
    run->last = batch;
    if (run->steps_since_snapshot == 0) run->after_snapshot = batch;
    FIRN_TRY(run->sim->ops->begin(run->sim, &batch, error));
    run->ready = run->next = 0;
    run->running = true;
    return FIRN_OK;
}

// The next record, of a batch that has been computed or is computed now.
static firn_result next_record(firn_device_run* run, double time, double dt_limit, double dt_scale,
                               const firn_device_record** out, firn_error* error)
{
    if (run->host_newer) FIRN_TRY(firn_device_upload(run, error));
    for (;;) {
        if (run->running && run->next == run->ready) FIRN_TRY(wait(run, error));
        if (run->next < run->ready) {
            *out = record_at(run, run->records, run->next);
            if ((*out)->end != FIRN_DEVICE_ROOM) {
                run->next++;
                return FIRN_OK;
            }
            FIRN_TRY(run->sim->ops->grow(run->sim, error));
        }
        FIRN_TRY(begin(run, time, dt_limit, dt_scale, error));
    }
}

static const firn_impulse* loads_of(const firn_device_run* run, int k)
{
    if (run->loads == NULL) return run->sim->ops->loads(run->sim, k);
    return run->loads + (size_t)k * (size_t)run->driver.load_count;
}

firn_result firn_device_run_step(void* self, double time, double dt_limit, double dt_scale,
                                 firn_step_report* out_report, firn_error* error)
{
    firn_device_run* run = run_of(self);
    firn_solver_base* base = run->base;
    base->dt_limit = dt_limit;
    if (firn_device_is_empty(run)) {  // no snow moves until the frame ends
        base->time = time;
        base->dt = dt_limit;
        if (firn_device_bodies_any(base))
            FIRN_TRY(firn_device_bodies_alone(base, time, dt_limit, error));
        *out_report = firn_device_report(
            &(firn_device_record){.step = run->base->step++, .time = time}, base->dt, 0);
        return FIRN_OK;
    }
    const firn_device_record* r;
    run->tries_again = false;
    FIRN_TRY(next_record(run, time, dt_limit, dt_scale, &r, error));
    run->fetched = false;
    base->time = r->time;
    base->dt = r->end == FIRN_DEVICE_FRAME ? dt_limit : r->dt;  // the caller compares the two
    base->max_speed = r->max_speed;
    *out_report = firn_device_report(r, base->dt, run->count);
    FIRN_TRY(run->solver->accept(self, r, out_report, error));
    if (r->end > FIRN_DEVICE_FRAME)
        return firn_fail(error, FIRN_BROKEN_INTERNAL, "step %lld ended for an unknown reason (%d)",
                         (long long)r->step, (int)r->end);
    if (run->sim->ops->loads != NULL)
        firn_loads_take(&base->loads, loads_of(run, run->next - 1), base->colliders, r->time);
    if (firn_device_bodies_any(base)) FIRN_TRY(firn_device_bodies_end(base, run->solver, error));
    base->step = r->step + 1;
    run->count = r->count;
    run->entries = r->entries > r->count ? r->entries : r->count;
    memcpy(run->carried, r->carried, sizeof run->carried);
    run->steps_since_snapshot++;
    return FIRN_OK;
}

void firn_device_run_expect(void* self, double time, double dt_limit, double dt_scale)
{
    firn_device_run* run = run_of(self);
    firn_error ignored;
    if (run->sim == NULL || run->host_newer || run->running || run->next < run->ready ||
        firn_device_bodies_any(run->base))
        return;
    if (begin(run, time, dt_limit, dt_scale, &ignored) != FIRN_OK) return;  // the step reports it
    if (!run->has_snapshot || run->batch_max < run->solver->batch_max) return;
    if (run->solver->in_turns != NULL && run->solver->in_turns(run->base)) return;
    const bool loads = run->sim->ops->loads != NULL;
    firn_device_driver_start(&run->driver, run->sim, &run->last,
                             loads ? run->base->collider_count + 1 : 0);
}

// Computes the steps since the snapshot again.
static firn_result replay(firn_device_run* run, firn_error* error)
{
    firn_device_sim* sim = run->sim;
    firn_device_batch batch = run->last;
    batch.step = run->after_snapshot.step;
    batch.time = run->after_snapshot.time;
    memcpy(batch.carried, run->after_snapshot.carried, sizeof batch.carried);
    double ignored[FIRN_DEVICE_CARRIED];
    FIRN_TRY(meet_time(run, batch.time, ignored, error));
    const int most = sim->ops->single_steps(sim) ? 1 : run->solver->batch_max;
    for (int left = run->steps_since_snapshot; left > 0;) {
        batch.steps = left < most ? left : most;
        const void* records;
        int count;
        FIRN_TRY(sim->ops->begin(sim, &batch, error));
        FIRN_TRY(sim->ops->wait(sim, &records, &count, error));
        if (count > 0 && record_at(run, records, count - 1)->end == FIRN_DEVICE_ROOM) {
            FIRN_TRY(sim->ops->grow(sim, error));
            if (--count == 0) continue;
        }
        const firn_device_record* r = count > 0 ? record_at(run, records, count - 1) : NULL;
        if (r == NULL || r->end > FIRN_DEVICE_FRAME)
            return firn_fail(error, FIRN_BROKEN_INTERNAL, "replayed steps differ");
        left -= count;
        batch.step += count;
        batch.time = r->time + r->dt;
        memcpy(batch.carried, r->carried, sizeof batch.carried);
    }
    return FIRN_OK;
}

// Rolls the device back to the last step that the caller received.
static firn_result go_back(firn_device_run* run, firn_error* error)
{
    const bool ahead = run->running || run->next < run->ready;
    drop_batch(run);
    if (!ahead) return FIRN_OK;
    if (!run->has_snapshot)
        return firn_fail(error, FIRN_BROKEN_INTERNAL, "device is ahead but there is no snapshot");
    run->fetched_this_frame = true;
    FIRN_TRY(run->sim->ops->rollback(run->sim, error));
    return replay(run, error);
}

firn_result firn_device_run_settle(void* self, firn_device_sim** out_sim, bool* out_of_snapshot,
                                   firn_error* error)
{
    firn_device_run* run = run_of(self);
    *out_sim = NULL;
    if (firn_device_is_empty(run)) return FIRN_OK;
    if (run->host_newer) FIRN_TRY(firn_device_upload(run, error));
    *out_sim = run->sim;
    *out_of_snapshot = run->has_snapshot && !run->uploaded && run->steps_since_snapshot == 0;
    if (*out_of_snapshot) return FIRN_OK;
    FIRN_TRY(go_back(run, error));
    if (run->steps_since_snapshot > 0) run->fetched_this_frame = true;
    return FIRN_OK;
}

firn_result firn_device_run_fetch(void* self, firn_error* error)
{
    firn_device_run* run = run_of(self);
    if (run->host_newer || run->fetched) return FIRN_OK;
    firn_device_sim* sim;
    bool of_snapshot;
    FIRN_TRY(firn_device_run_settle(self, &sim, &of_snapshot, error));
    FIRN_TRY(sim->ops->download(sim, of_snapshot, &run->base->store, error));
    run->fetched = true;
    return FIRN_OK;
}

// The device still has the colliders that the steps up to now were computed with: it first goes
// back to the last of them. From the snapshot on they could not be replayed with the new colliders,
// so the rest of the frame goes step by step.
firn_result firn_device_run_colliders_changed(void* self, firn_error* error)
{
    firn_device_run* run = run_of(self);
    if (run == NULL || run->sim == NULL)
        return FIRN_OK;  // made from the colliders as they are then
    const bool single = run->fetched_this_frame || run->steps_since_snapshot > 0;
    if (!run->host_newer) FIRN_TRY(go_back(run, error));
    run->fetched_this_frame = single;
    return run->solver->change != NULL ? run->solver->change(run->base, run->sim, error)
                                       : run->sim->ops->change(run->sim, NULL, error);
}

firn_result firn_device_run_snapshot(void* self, firn_error* error)
{
    firn_device_run* run = run_of(self);
    if (firn_device_is_empty(run)) return FIRN_OK;
    if (run->host_newer) FIRN_TRY(firn_device_upload(run, error));
    FIRN_TRY(go_back(run, error));
    FIRN_TRY(run->sim->ops->snapshot(run->sim, error));
    run->has_snapshot = true;
    run->uploaded = false;
    run->snapshot_count = run->count;
    run->snapshot_entries = run->entries;
    memcpy(run->snapshot_carried, run->carried, sizeof run->carried);
    run->steps_since_snapshot = 0;
    run->fetched_this_frame = false;
    return FIRN_OK;
}

firn_result firn_device_run_restore(void* self, firn_error* error)
{
    firn_device_run* run = run_of(self);
    drop_batch(run);
    if (!run->has_snapshot)
        return firn_fail(error, FIRN_BROKEN_INTERNAL, "there is no snapshot to return to");
    FIRN_TRY(run->sim->ops->rollback(run->sim, error));
    run->count = run->snapshot_count;
    run->entries = run->snapshot_entries;
    memcpy(run->carried, run->snapshot_carried, sizeof run->carried);
    run->steps_since_snapshot = 0;
    run->host_newer = run->uploaded = run->fetched = false;
    return FIRN_OK;
}

firn_local firn_device_run_count(const void* self)
{
    const firn_device_run* run = run_of(self);
    return run == NULL || run->host_newer ? ((const firn_solver_base*)self)->store.count
                                          : run->count;
}

firn_device_sim* firn_device_run_sim(const void* self)
{
    const firn_device_run* run = run_of(self);
    return run != NULL ? run->sim : NULL;
}
