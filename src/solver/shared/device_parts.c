// SPDX-License-Identifier: MIT
// Parts of a simulation on a device: a step's record, the scene's culling, its memory and fields;
// room for its particles. Arrays of a device do not grow: where the solver adds particles by itself
// (emitters) they go to the host and back into larger ones, before a batch, a few times in a run.
#include <math.h>

#include "firn/device.h"
#include "scene/data/scene.h"
#include "solver/shared/cuda/device_air.h"
#include "solver/shared/device_run_own.h"

double firn_device_seconds(const firn_device_record* record, int from, int to)
{
    const uint64_t* stamp = record->stamp;
    return stamp[to] >= stamp[from] ? 1e-9 * (double)(stamp[to] - stamp[from]) : 0;
}

double firn_device_frame_time(const firn_scene_data* scene, double time, double dt_limit)
{
    const double fps = scene->time.fps, end = time + dt_limit;
    const double whole = fps > 0 ? floor(end * fps + 0.5) / fps : end;
    return fabs(whole - end) <= 1e-12 * fmax(1, fabs(end)) ? whole : end;
}

firn_step_report firn_device_report(const firn_device_record* r, double dt, firn_local count_before)
{
    return (firn_step_report){.step = r->step,
                              .time = r->time,
                              .dt = dt,
                              .momentum = {r->momentum[0], r->momentum[1], r->momentum[2]},
                              .kinetic = r->kinetic,
                              .potential = r->potential,
                              .max_speed = r->max_speed,
                              .plastic_min = 1,
                              .plastic_max = 1,
                              .particle_count = r->count,
                              .culled = count_before - r->count};
}

firn_device_cull firn_device_cull_of(const firn_scene_data* scene)
{
    const firn_cull_block* c = &scene->cull;
    return (firn_device_cull){c->active, c->start, c->below, c->inside, c->outside};
}

firn_device_air firn_device_air_of(const firn_scene_data* scene)
{
    const firn_air_block* air = &scene->air;
    const double* v = air->velocity;
    return (firn_device_air){.drags = air->active && air->drag,
                             .wind = {v[0], v[1], v[2]},
                             .gusts = air->gusts,
                             .density = (firn_real)air->density,
                             .viscosity = (firn_real)air->viscosity};
}

size_t firn_device_run_bytes(const void* self)
{
    const firn_device_sim* sim = firn_device_run_sim(self);
    return sim != NULL ? sim->ops->bytes(sim) : 0;
}

firn_result firn_device_run_field(void* self, const firn_field* field, bool wait,
                                  firn_device_field* out_field, firn_error* error)
{
    firn_device_sim* sim;
    bool of_snapshot;
    FIRN_TRY(firn_device_run_settle(self, &sim, &of_snapshot, error));
    if (sim == NULL) return FIRN_OK;  // no particles
    FIRN_TRY(sim->ops->field(sim, of_snapshot, field, wait, out_field, error));
    out_field->gone_count = out_field->count - firn_device_run_count(self);
    return FIRN_OK;
}

static int64_t arrivals(const firn_device_run* run, double time)
{
    return run->solver->arrivals != NULL ? run->solver->arrivals(run->base, time) : 0;
}

bool firn_device_is_empty(const firn_device_run* run)
{
    return run->host_newer && run->base->store.count == 0 && arrivals(run, INFINITY) == 0;
}

static firn_local with_reserve(int64_t count, int64_t more)
{
    return (firn_local)(count + more < INT32_MAX ? count + more : INT32_MAX);
}

firn_result firn_device_make_room(firn_device_run* run, firn_error* error)
{
    const firn_local count = run->base->store.count;
    if (run->sim != NULL && count <= run->capacity) return FIRN_OK;
    if (run->sim != NULL) {  // particles were added: more may follow
        run->sim->ops->destroy(run->sim);
        run->capacity_min = with_reserve(count, count / 4);
    }
    run->sim = NULL;
    run->has_snapshot = false;
    run->capacity = count > run->capacity_min ? count : run->capacity_min;
    if (run->capacity < 1) run->capacity = 1;
    const firn_solver_base* base = run->base;
    const firn_cuda_def def = {.device = run->device,
                               .capacity = run->capacity,
                               .shapes = &base->scene->shapes,
                               .scene = base->scene,
                               .colliders = base->colliders,
                               .collider_count = base->collider_count};
    return run->solver->create(run->base, &def, &run->sim, error);
}

firn_result firn_device_expect_more(firn_device_run* run, double time, firn_error* error)
{
    const int64_t more = arrivals(run, time), count = run->count + more;
    if (more == 0 || run->entries + more <= run->capacity) return FIRN_OK;
    if (count > INT32_MAX)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "more than %d particles at %g s", INT32_MAX,
                         time);
    const bool snapshot = run->has_snapshot && run->steps_since_snapshot == 0;
    FIRN_TRY(firn_device_run_fetch(run->base, error));
    firn_device_run_rebuild(run->base);
    run->capacity_min = with_reserve(count, count / 2);
    FIRN_TRY(firn_device_upload(run, error));
    return snapshot ? firn_device_run_snapshot(run->base, error) : FIRN_OK;
}
