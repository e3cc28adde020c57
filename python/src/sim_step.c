// SPDX-License-Identifier: MIT
// Steps: without the GIL; between them signals and callbacks. An interrupt ends a call after the
// current step, and the simulation may go on from there.
#include "firnpy.h"

#define LOOK_EVERY 0.05  // [s] between two looks for signals

typedef struct pace {
    double start;        // [s] wall clock
    double time;         // [s] simulated, at the start
    int64_t frame_goal;  // < 0: none
    double fps;
} pace;

static firn_progress progress_of(const firn_sim_info* info, const pace* p, bool frame_done)
{
    const double frame_time = p->fps > 0 ? (double)info->frame / p->fps : info->time;
    const double end = p->frame_goal >= 0 && p->fps > 0 ? (double)p->frame_goal / p->fps : -1;
    const double elapsed = now_seconds() - p->start, done = info->time - p->time;
    return (firn_progress){.frame = frame_done ? info->frame : info->frame + 1,
                           .frame_end = p->frame_goal,
                           .step = info->step,
                           .time = info->time,
                           .dt = info->dt,
                           .frame_fraction = frame_done ? 1 : (info->time - frame_time) * p->fps,
                           .iterations = info->iterations,
                           .particle_count = info->particle_count,
                           .culled = info->culled,
                           .seconds_elapsed = elapsed,
                           .seconds_left =
                               end >= 0 && done > 0 ? elapsed * (end - info->time) / done : -1,
                           .frame_done = frame_done};
}

static pace start_pace(sim_object* self, int64_t frames)
{
    firn_view_info view = {.fps = 0};
    (void)firn_sim_view(self->sim, &view);
    const firn_sim_info info = firn_sim_read(self->sim);
    return (pace){now_seconds(), info.time, frames < 0 ? -1 : info.frame + frames, view.fps};
}

// Ends a call that stepped.
static PyObject* finish(sim_object* self, firn_result r)
{
    guard_end(&self->guard);
    self->unordered = false;
    if (self->has_error) {
        sim_raise_kept(self);
        return NULL;
    }
    if (r == FIRN_INTERRUPTED)
        return raise_text(r,
                          "cancelled between two steps: the simulation may continue, and a run on "
                          "disk has a checkpoint");
    if (r != FIRN_OK) return raise_text(r, firn_sim_error(self->sim));
    Py_RETURN_NONE;
}

// Steps until `steps` (< 0: any number) are done or frame `goal` (< 0: none) is reached. Without
// the GIL, except between steps.
static firn_result step_on(sim_object* self, int64_t steps, const pace* p)
{
    firn_sim_info info = firn_sim_read(self->sim);
    firn_result r = FIRN_OK;
    while (r == FIRN_OK && steps != 0 && (p->frame_goal < 0 || info.frame < p->frame_goal)) {
        const int64_t frame = info.frame;
        r = firn_sim_step(self->sim);
        if (r != FIRN_OK) break;
        steps -= steps > 0;
        info = firn_sim_read(self->sim);
        const bool frame_done = info.frame > frame;
        const bool told = frame_done && self->progress != NULL;
        if (!told && now_seconds() - self->checked < LOOK_EVERY) continue;
        const firn_progress now = progress_of(&info, p, frame_done);
        guard_acquire(&self->guard);
        const bool go_on = sim_between_steps(self, &now);
        guard_release(&self->guard);
        if (!go_on) break;
    }
    return r;
}

static PyObject* steps(PyObject* object, int64_t count, int64_t frames)
{
    sim_object* self = (sim_object*)object;
    if (sim_open(self) == NULL || !guard_move(&self->guard, "step")) return NULL;
    const pace p = start_pace(self, frames);
    guard_release(&self->guard);
    const firn_result r = step_on(self, count, &p);
    guard_acquire(&self->guard);
    return finish(self, r);
}

PyObject* sim_step(PyObject* object, PyObject* args)
{
    long long count;
    return PyArg_ParseTuple(args, "L", &count) ? steps(object, count < 0 ? 0 : count, -1) : NULL;
}

PyObject* sim_frame(PyObject* object, PyObject* args)
{
    long long count;
    return PyArg_ParseTuple(args, "L", &count) ? steps(object, -1, count < 0 ? 0 : count) : NULL;
}

// ---- by time ------------------------------------------------------------------------------------

// Advances in slices, so that signals are seen; what a slice has not reached is left to the next.
static firn_result advance_on(sim_object* self, double seconds, double wall, const pace* p,
                              firn_advance* sum)
{
    double left = seconds;
    firn_result r = FIRN_OK;
    for (bool first = true; r == FIRN_OK && (first || left > 0); first = false) {
        const double budget = wall > 0 ? wall - sum->wall : LOOK_EVERY;
        if (!first && wall > 0 && sum->wall + sum->wall / (double)sum->steps > wall) break;
        firn_advance done = {0, 0, 0, 0};
        r = firn_sim_advance_by(self->sim, left, budget < LOOK_EVERY ? budget : LOOK_EVERY, &done);
        sum->simulated += done.simulated;
        sum->wall += done.wall;
        sum->steps += done.steps;
        left = done.behind;
        if (left <= 0 || r != FIRN_OK) break;
        const firn_sim_info info = firn_sim_read(self->sim);
        const firn_progress now = progress_of(&info, p, false);
        guard_acquire(&self->guard);
        const bool go_on = sim_between_steps(self, &now);
        guard_release(&self->guard);
        if (!go_on) break;
    }
    sum->behind = left;
    return r;
}

PyObject* sim_advance(PyObject* object, PyObject* args)
{
    sim_object* self = (sim_object*)object;
    double seconds, wall;
    if (!PyArg_ParseTuple(args, "dd", &seconds, &wall) || sim_open(self) == NULL ||
        !guard_move(&self->guard, "advance"))
        return NULL;
    if (!(wall >= 0)) {
        guard_end(&self->guard);
        return raise_text(FIRN_REFUSED_ARGUMENT, "the budget of advance() must be at least 0 s");
    }
    firn_advance sum = {0, 0, 0, 0};
    const pace p = start_pace(self, -1);
    guard_release(&self->guard);
    const firn_result r = advance_on(self, seconds, wall, &p, &sum);
    guard_acquire(&self->guard);
    PyObject* none = finish(self, r);
    if (none == NULL) return NULL;
    Py_DECREF(none);
    return Py_BuildValue("(ddLd)", sum.simulated, sum.wall, (long long)sum.steps, sum.behind);
}

// ---- a run on disk ------------------------------------------------------------------------------

PyObject* sim_run(PyObject* object, PyObject* none)
{
    (void)none;
    sim_object* self = (sim_object*)object;
    if (sim_open(self) == NULL || !guard_move(&self->guard, "run")) return NULL;
    guard_release(&self->guard);
    const firn_result r = firn_sim_run(self->sim);
    // an interrupt after the last step has found nothing to stop: the next call must not stop
    if (r == FIRN_OK && self->has_error) (void)firn_sim_step(self->sim);
    guard_acquire(&self->guard);
    return finish(self, r);
}

PyObject* sim_cancel(PyObject* object, PyObject* none)
{
    (void)none;
    sim_object* self = (sim_object*)object;
    if (sim_open(self) == NULL) return NULL;
    firn_sim_cancel(self->sim);
    Py_RETURN_NONE;
}
