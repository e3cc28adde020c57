// SPDX-License-Identifier: MIT
// Parts of a simulation on a device: a step's record, the scene's culling, its memory and fields.
#include <math.h>

#include "firn/device.h"
#include "scene/data/scene.h"
#include "solver/shared/device_run.h"

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
