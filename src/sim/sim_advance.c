// SPDX-License-Identifier: MIT
// Time stepping: steps end exactly at frame times; a step that diverges rolls the frame back.
//
//     frame f                          frame f+1
//     |--dt--|--dt--|--dt--|--dt--|--dt--|       When a step diverges, the snapshot of frame f is
//     ^ snapshot            x diverged           restored, dt_scale is halved, and the frame is
//     |--|--|--|--|--|--|--|--|--|--|--|--|      computed again.
#include <string.h>

#include "core/memory.h"
#include "sim/edit/edit.h"
#include "sim/entry.h"
#include "sim/sim.h"
#include "sim/sim_powder.h"
#include "solver/collider_load.h"

#define ROLLBACKS_PER_FRAME 6  // down to dt / 64; beyond, smaller steps do not help

// Steps of a frame: more would not end in any useful time. Speeds or stiffnesses that require them
// are far beyond those of snow.
#define STEPS_PER_FRAME 1e9

// [s] Time of the next frame.
static double frame_time(const firn_sim* sim)
{
    return (double)(sim->frame + 1) / sim->scene.time.fps;
}

// [s] from now to the next frame. The value announced to a device and the value of the step must be
// bitwise equal, so both are computed here.
static double time_left(const firn_sim* sim)
{
    return frame_time(sim) - sim->time;
}

static firn_result copy_particles(firn_sim* sim)
{
    if (firn_sim_remote(sim)) return sim->solver->snapshot_take(sim->self, &sim->error);
    if (firn_snapshot_take(&sim->snapshot, sim->solver->particles(sim->self),
                           firn_sim_copies_all(sim)) != FIRN_OK)
        return firn_fail(&sim->error, FIRN_BROKEN_MEMORY,
                         "out of memory for the snapshot of %d particles",
                         (int)firn_sim_count(sim));
    return FIRN_OK;
}

static firn_result copy_powder(firn_sim* sim)
{
    firn_powder* powder = firn_sim_powder(sim);
    if (powder == NULL || firn_powder_snapshot_take(powder) == FIRN_OK) return FIRN_OK;
    return firn_fail(&sim->error, FIRN_BROKEN_MEMORY, "out of memory for a snapshot of the powder");
}

firn_result firn_sim_take_snapshot(firn_sim* sim)
{
    sim->has_snapshot = false;
    FIRN_TRY(firn_sim_settle(sim));
    FIRN_TRY(copy_particles(sim));
    FIRN_TRY(copy_powder(sim));
    sim->solver->extra_save(sim->self, sim->snapshot_extra);
    sim->snapshot_time = sim->time;
    sim->snapshot_step = sim->step;
    sim->snapshot_culled = sim->culled;
    // rows of earlier frames are on disk by the next step; those before an edit are not
    sim->snapshot_rows = sim->time > (double)sim->frame / sim->scene.time.fps ? sim->row_count : 0;
    firn_sim_loads_save(sim);
    sim->has_snapshot = true;
    return FIRN_OK;
}

// Restores a snapshot that lives on the device.
static firn_result restore_remote(firn_sim* sim)
{
    firn_result r =
        sim->solver->extra_restore(sim->self, sim->snapshot_extra, sim->extra_size, NULL);
    if (r == FIRN_OK) r = sim->solver->snapshot_restore(sim->self, &sim->error);
    if (r == FIRN_OK) return FIRN_OK;
    sim->broken = true;
    firn_error why = sim->error;
    return firn_fail(
        &sim->error, r,
        "cannot roll back to frame %lld after a step diverged (%.1500s); resume from a "
        "checkpoint",
        (long long)sim->frame, why.text);
}

static firn_result restore_snapshot(firn_sim* sim)
{
    if (firn_sim_remote(sim)) return restore_remote(sim);
    firn_particles* particles = sim->solver->particles(sim->self);
    firn_result r = firn_snapshot_restore(&sim->snapshot, particles, sim->snapshot_step == 0);
    if (r == FIRN_OK)
        r = sim->solver->extra_restore(sim->self, sim->snapshot_extra, sim->extra_size, NULL);
    if (r == FIRN_OK && firn_sim_powder(sim) != NULL)
        r = firn_powder_snapshot_restore(firn_sim_powder(sim));
    if (r == FIRN_OK) return FIRN_OK;
    sim->broken = true;
    if (r == FIRN_BROKEN_MEMORY)
        return firn_fail(
            &sim->error, r,
            "out of memory for rolling back to frame %lld with %d particles after a step "
            "diverged: use fewer particles, or resume from a checkpoint",
            (long long)sim->frame, (int)sim->snapshot.count);
    return firn_fail(&sim->error, r,
                     "cannot roll back to frame %lld after a step diverged: its snapshot has %d "
                     "particles, the current state has %d; resume from a checkpoint",
                     (long long)sim->frame, (int)sim->snapshot.count, (int)particles->count);
}

static firn_result roll_back(firn_sim* sim)
{
    sim->rollbacks++;
    sim->rollbacks_in_frame++;
    if (sim->rollbacks_in_frame > ROLLBACKS_PER_FRAME || sim->dt_scale <= FIRN_DT_SCALE_MIN) {
        firn_log_write(&sim->log, FIRN_LOG_ERROR, "sim.diverged", "%s", sim->error.text);
        sim->broken = true;
        return FIRN_BROKEN_DIVERGED;
    }
    sim->dt_scale *= 0.5;
    firn_log_write(&sim->log, FIRN_LOG_WARNING, "sim.rollback",
                   "frame %lld is recomputed with time steps scaled by %g: %s",
                   (long long)sim->frame + 1, sim->dt_scale, sim->error.text);
    FIRN_TRY(restore_snapshot(sim));
    sim->time = sim->snapshot_time;
    sim->step = sim->snapshot_step;
    sim->culled = sim->snapshot_culled;
    sim->row_count = sim->snapshot_rows;
    firn_sim_loads_restore(sim);
    (void)firn_sim_begin(sim);  // its message is in the log; the call goes on
    return FIRN_OK;
}

static firn_result record_step(firn_sim* sim, const firn_step_report* row)
{
    for (int s = 0; s < sim->solver->stage_count; s++)
        sim->stage_seconds[s] += row->stage_seconds[s];
    sim->last = *row;
    sim->step = row->step + 1;
    sim->culled += row->culled;
    firn_sim_loads_add(sim, row->dt);
    if (row->culled > 0 && row->particle_count == 0)
        firn_log_write(&sim->log, FIRN_LOG_WARNING, "sim.culled",
                       "all particles have been culled at %.6g s; the run continues without any",
                       row->time);
    if (!sim->keep_rows) return FIRN_OK;
    const size_t loads = (size_t)sim->load_count * sizeof *sim->row_loads;
    if (!firn_reserve((void**)&sim->rows, &sim->row_capacity, sim->row_count + 1,
                      sizeof *sim->rows) ||
        (loads > 0 && !firn_reserve((void**)&sim->row_loads, &sim->row_load_capacity,
                                    sim->row_count + 1, loads)))
        return firn_fail(&sim->error, FIRN_BROKEN_MEMORY, "out of memory for statistics");
    if (loads > 0)
        memcpy(sim->row_loads + (size_t)sim->row_count * (size_t)sim->load_count,
               sim->load_step.each, loads);
    sim->rows[sim->row_count++] = *row;
    return FIRN_OK;
}

// Takes the snapshot of the frame just reached. If another frame follows, a device starts computing
// it while the host writes this one.
static firn_result begin_frame(firn_sim* sim)
{
    FIRN_TRY(firn_sim_take_snapshot(sim));
    if (firn_sim_remote(sim) && sim->frame < sim->frame_end)
        sim->solver->expect(sim->self, sim->time, time_left(sim), sim->dt_scale);
    return FIRN_OK;
}

// Checks that the steps that the solver chooses reach the next frame.
static firn_result check_pace(firn_sim* sim, const firn_step_report* row, double left)
{
    if (row->dt * STEPS_PER_FRAME >= left) return FIRN_OK;
    return firn_fail(&sim->error, FIRN_BROKEN_DIVERGED,
                     "step %lld: at steps of %.3g s the next frame is more than %g steps away; "
                     "likely cause: a speed of %.3g m/s, or snow that is too stiff",
                     (long long)row->step, row->dt, STEPS_PER_FRAME, row->max_speed);
}

static firn_result advance(firn_sim* sim)
{
    if (sim->broken) return FIRN_BROKEN_DIVERGED;
    if (!sim->has_snapshot) FIRN_TRY(firn_sim_take_snapshot(sim));
    firn_step_report row;
    const double left = time_left(sim);
    firn_result r = sim->solver->step(sim->self, sim->time, left, sim->dt_scale, &row, &sim->error);
    if (r == FIRN_OK) r = check_pace(sim, &row, left);
    // Once a frame: steps check what they compute with, this all the rest. On a device: run_frame.c
    const bool frame_done = r == FIRN_OK && row.dt >= left;
    if (frame_done && !firn_sim_remote(sim)) r = firn_sim_check_values(sim);
    if (r == FIRN_BROKEN_DIVERGED) return roll_back(sim);
    if (r != FIRN_OK) {
        sim->broken = r < 0;
        return r;
    }
    FIRN_TRY(record_step(sim, &row));
    sim->time = frame_done ? frame_time(sim) : sim->time + row.dt;
    if (!frame_done) return FIRN_OK;
    sim->frame++;
    firn_sim_loads_end_frame(sim);
    // after a frame without a rollback the time step may grow again
    if (sim->rollbacks_in_frame == 0 && sim->dt_scale < 1) sim->dt_scale *= 2;
    sim->rollbacks_in_frame = 0;
    return begin_frame(sim);
}

firn_result firn_sim_advance(firn_sim* sim)
{
    const firn_entry entry = firn_sim_enter(sim);
    const firn_result r = advance(sim);
    firn_leave(entry);
    return r;
}

firn_result firn_sim_step(firn_sim* sim)
{
    if (!firn_sim_begin(sim)) return firn_call_null(__func__);
    if (atomic_exchange(&sim->cancelled, false))
        return firn_fail(&sim->error, FIRN_INTERRUPTED, "cancelled before the step");
    return firn_sim_advance(sim);
}

firn_result firn_sim_frame(firn_sim* sim)
{
    if (!firn_sim_begin(sim)) return firn_call_null(__func__);
    const int64_t goal = sim->frame + 1;
    while (sim->frame < goal) {
        if (atomic_exchange(&sim->cancelled, false)) return FIRN_INTERRUPTED;
        FIRN_TRY(firn_sim_advance(sim));
    }
    return FIRN_OK;
}
