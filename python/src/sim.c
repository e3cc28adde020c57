// SPDX-License-Identifier: MIT
// The type Sim: creation, callbacks, signals, end.
#include <time.h>

#include "firnpy.h"

#define SIGNALS_EVERY 0.05  // [s] taking the GIL after every step would slow down short steps

double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

firn_sim* sim_open(sim_object* self)
{
    if (self->sim == NULL) PyErr_SetString(PyExc_ValueError, "the simulation is closed");
    return self->sim;
}

// ---- callbacks ----------------------------------------------------------------------------------

// Keeps the current exception until the call of firn has returned.
static void keep_error(sim_object* self)
{
    if (self->has_error) {
        PyErr_Clear();
        return;
    }
    PyErr_Fetch(&self->error_type, &self->error, &self->error_trace);
    self->has_error = true;
}

void sim_raise_kept(sim_object* self)
{
    PyErr_Restore(self->error_type, self->error, self->error_trace);
    self->error_type = self->error = self->error_trace = NULL;
    self->has_error = false;
}

PyObject* progress_dict(const firn_progress* p)
{
    PyObject* dict = PyDict_New();
    if (dict == NULL) return NULL;
    PyObject* preview = Py_None;
    Py_INCREF(preview);
    if (p->preview_path != NULL) {
        Py_DECREF(preview);
        preview = PyUnicode_DecodeFSDefault(p->preview_path);
    }
    const bool good = put(dict, "frame", PyLong_FromLongLong(p->frame)) &&
                      put(dict, "frame_end", PyLong_FromLongLong(p->frame_end)) &&
                      put(dict, "step", PyLong_FromLongLong(p->step)) &&
                      put(dict, "time", PyFloat_FromDouble(p->time)) &&
                      put(dict, "dt", PyFloat_FromDouble(p->dt)) &&
                      put(dict, "frame_fraction", PyFloat_FromDouble(p->frame_fraction)) &&
                      put(dict, "iterations", PyLong_FromLong(p->iterations)) &&
                      put(dict, "particles", PyLong_FromLong((long)p->particle_count)) &&
                      put(dict, "culled", PyLong_FromLongLong(p->culled)) &&
                      put(dict, "seconds_elapsed", PyFloat_FromDouble(p->seconds_elapsed)) &&
                      put(dict, "seconds_left", PyFloat_FromDouble(p->seconds_left)) &&
                      put(dict, "frame_done", PyBool_FromLong(p->frame_done)) &&
                      put(dict, "preview_path", preview);
    if (!good) Py_CLEAR(dict);
    return dict;
}

// Calls `progress`; it may read the simulation, and must let go of its views.
static void call_progress(sim_object* self, const firn_progress* p)
{
    const int64_t pins = self->guard.pins;
    PyObject* dict = progress_dict(p);
    self->guard.callback = true;
    PyObject* result =
        dict != NULL ? PyObject_CallFunctionObjArgs(self->progress, dict, NULL) : NULL;
    self->guard.callback = false;
    Py_XDECREF(dict);
    if (result == NULL) {
        keep_error(self);
    } else if (self->guard.pins > pins) {
        PyErr_SetString(PyExc_BufferError,
                        "a callback kept a view of a field, whose memory the next step would "
                        "change: let it keep a copy (field.copy())");
        keep_error(self);
    }
    Py_XDECREF(result);
}

bool sim_between_steps(sim_object* self, const firn_progress* p)
{
    self->checked = now_seconds();
    if (PyErr_CheckSignals() != 0) keep_error(self);
    const bool due = p->frame_done || self->checked - self->reported >= self->interval;
    if (!self->has_error && self->progress != NULL && due) {
        self->reported = self->checked;
        call_progress(self, p);
    }
    return !self->has_error;
}

// Called by firn_sim_run without the GIL.
void sim_progress(void* user, const firn_progress* p)
{
    sim_object* self = user;
    if (self->has_error || (!p->frame_done && now_seconds() - self->checked < SIGNALS_EVERY))
        return;
    guard_acquire(&self->guard);
    if (!sim_between_steps(self, p)) firn_sim_cancel(self->sim);
    guard_release(&self->guard);
}

// Called in the middle of steps, without the GIL, or while the simulation is created.
void sim_log(void* user, firn_log_level level, const char* id, const char* text)
{
    static const char* const levels[] = {"debug", "info", "warning", "error"};
    sim_object* self = user;
    if (self->has_error || self->log == NULL) return;
    const bool released = self->guard.state != NULL;
    if (released) guard_acquire(&self->guard);
    PyObject* result = PyObject_CallFunction(self->log, "sss", levels[level], id, text);
    if (result == NULL) keep_error(self);
    Py_XDECREF(result);
    if (released) guard_release(&self->guard);
}

// ---- creation and end ---------------------------------------------------------------------------

static firn_result create(sim_object* self, scene_object* scene, const firn_sim_def* def,
                          firn_error* error)
{
    guard_release(&self->guard);
    const firn_result r = firn_sim_create(scene->scene, def, &self->sim, error);
    guard_acquire(&self->guard);
    return r;
}

// Sim(scene, keys, log, progress, interval)
static int sim_init(PyObject* object, PyObject* args, PyObject* keywords)
{
    (void)keywords;
    sim_object* self = (sim_object*)object;
    PyObject *scene, *keys, *log, *progress;
    firn_sim_def def = firn_default_sim_def();
    if (!PyArg_ParseTuple(args, "O!O!OOd", state_of(object)->scene_type, &scene, &PyDict_Type,
                          &keys, &log, &progress, &self->interval) ||
        !def_fill("sim", &def, keys, ""))
        return -1;
    if (self->sim != NULL) {
        PyErr_SetString(PyExc_TypeError, "a simulation is initialised once");
        return -1;
    }
    self->guard.what = "simulation";
    def.log = sim_log;
    def.progress = sim_progress;
    def.user = self;
    if (log != Py_None && self->log == NULL) self->log = Py_NewRef(log);
    if (progress != Py_None && self->progress == NULL) self->progress = Py_NewRef(progress);
    scene_object* of = (scene_object*)scene;
    if (!guard_write(&of->guard)) return -1;
    if (!guard_write(&self->guard)) {
        guard_end(&of->guard);
        return -1;
    }
    firn_error error = {FIRN_OK, ""};
    const firn_result r = create(self, of, &def, &error);
    guard_end(&self->guard);
    guard_end(&of->guard);
    if (self->has_error) {
        firn_sim_destroy(self->sim);
        self->sim = NULL;
        sim_raise_kept(self);
        return -1;
    }
    if (r != FIRN_OK) raise_text(r, error.text);
    return r == FIRN_OK ? 0 : -1;
}

PyObject* sim_close(PyObject* object, PyObject* none)
{
    (void)none;
    sim_object* self = (sim_object*)object;
    if (self->sim == NULL) Py_RETURN_NONE;
    if (!guard_move(&self->guard, "close")) return NULL;
    firn_sim* sim = self->sim;
    self->sim = NULL;
    guard_release(&self->guard);
    firn_sim_destroy(sim);
    guard_acquire(&self->guard);
    guard_end(&self->guard);
    Py_RETURN_NONE;
}

static int visit_sim(PyObject* object, visitproc visit, void* arg)
{
    sim_object* self = (sim_object*)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->log);
    Py_VISIT(self->progress);
    Py_VISIT(self->error_type);
    Py_VISIT(self->error);
    Py_VISIT(self->error_trace);
    return 0;
}

static int clear_sim(PyObject* object)
{
    sim_object* self = (sim_object*)object;
    Py_CLEAR(self->log);
    Py_CLEAR(self->progress);
    Py_CLEAR(self->error_type);
    Py_CLEAR(self->error);
    Py_CLEAR(self->error_trace);
    return 0;
}

static void sim_dealloc(PyObject* object)
{
    sim_object* self = (sim_object*)object;
    PyTypeObject* type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    clear_sim(object);
    firn_sim_destroy(self->sim);  // nobody has a view: views own the simulation
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

static PyType_Slot slots[] = {
    {Py_tp_doc, "Sim(scene, keys, log, progress, interval)\n--\n\nA simulation of the C library."},
    {Py_tp_init, sim_init},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_dealloc, sim_dealloc},
    {Py_tp_traverse, visit_sim},
    {Py_tp_clear, clear_sim},
    {Py_tp_methods, sim_methods},
    {0, NULL},
};
PyType_Spec sim_spec = {"firn._firn.Sim", sizeof(sim_object), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};
