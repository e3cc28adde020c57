// SPDX-License-Identifier: MIT
// Functions on the folder of a run: summary, export, measures.
#include "firnpy.h"

PyObject* run_info(PyObject* module, PyObject* args)
{
    (void)module;
    const char* folder;
    int verify;
    if (!PyArg_ParseTuple(args, "sp", &folder, &verify)) return NULL;
    firn_cache_info i;
    firn_error error = {FIRN_OK, ""};
    PyThreadState* state = PyEval_SaveThread();
    const firn_result r = firn_cache_read(folder, verify != 0, &i, &error);
    PyEval_RestoreThread(state);
    if (r != FIRN_OK) return raise_text(r, error.text);
    return Py_BuildValue(
        "{sssssLsLsLsdsdsLsLsLsLsKsKsO}", "scene", i.scene, "solver", i.solver, "frame_first",
        (long long)i.frame_first, "frame_last", (long long)i.frame_last, "frame_count",
        (long long)i.frame_count, "fps", i.fps, "cell", i.cell, "particles", (long long)i.particles,
        "culled", (long long)i.culled, "checkpoint", (long long)i.checkpoint, "damaged",
        (long long)i.damaged, "bytes", (unsigned long long)i.bytes, "state_hash",
        (unsigned long long)i.state_hash, "complete", i.complete ? Py_True : Py_False);
}

PyObject* run_describe(PyObject* module, PyObject* path)
{
    (void)module;
    const char* name;
    char* text;
    firn_error error = {FIRN_OK, ""};
    if (!to_text(path, &name, "a path")) return NULL;
    const firn_result r = firn_file_describe(name, &text, &error);
    if (r != FIRN_OK) return raise_text(r, error.text);
    PyObject* result = PyUnicode_FromString(text);
    firn_text_free(text);
    return result;
}

// ---- calls that take long -----------------------------------------------------------------------

// A call without an object of its own: callbacks and signals.
typedef struct call {
    PyThreadState* state;
    PyObject* progress;  // borrowed; None: none
    bool has_error;      // the exception is set when the call returns
    double checked;
    PyObject *type, *value, *trace;
} call;

static void keep(call* c)
{
    if (c->has_error) {
        PyErr_Clear();
    } else {
        PyErr_Fetch(&c->type, &c->value, &c->trace);
        c->has_error = true;
    }
}

static bool is_cancelled(void* user)
{
    call* c = user;
    if (c->has_error || now_seconds() - c->checked < 0.05) return c->has_error;
    PyEval_RestoreThread(c->state);
    c->checked = now_seconds();
    if (PyErr_CheckSignals() != 0) keep(c);
    c->state = PyEval_SaveThread();
    return c->has_error;
}

static void report(void* user, const firn_progress* p)
{
    call* c = user;
    if (c->has_error || c->progress == Py_None) return;
    PyEval_RestoreThread(c->state);
    PyObject* dict = progress_dict(p);
    PyObject* result = dict != NULL ? PyObject_CallFunctionObjArgs(c->progress, dict, NULL) : NULL;
    if (result == NULL) keep(c);
    Py_XDECREF(dict);
    Py_XDECREF(result);
    c->state = PyEval_SaveThread();
}

PyObject* run_export(PyObject* module, PyObject* args)
{
    (void)module;
    firn_export_def def = firn_default_export_def();
    PyObject* keys;
    call c = {.state = NULL};
    if (!PyArg_ParseTuple(args, "sO!O", &def.input_dir, &PyDict_Type, &keys, &c.progress) ||
        !def_fill("export", &def, keys, ""))
        return NULL;
    def.progress = report;
    def.cancelled = is_cancelled;
    def.user = &c;
    firn_error error = {FIRN_OK, ""};
    c.state = PyEval_SaveThread();
    const firn_result r = firn_export(&def, &error);
    PyEval_RestoreThread(c.state);
    if (c.has_error) {
        PyErr_Restore(c.type, c.value, c.trace);
        return NULL;
    }
    if (r != FIRN_OK) return raise_text(r, error.text);
    Py_RETURN_NONE;
}

// ---- measures -----------------------------------------------------------------------------------

static PyObject* loads_of(const firn_frame_measure* m)
{
    PyObject* list = PyList_New(0);
    for (int64_t k = 0; list != NULL && k < m->colliders; k++) {
        PyObject* item = Py_BuildValue("(NN)", from_doubles(m->loads[k].force, 3),
                                       from_doubles(m->loads[k].torque, 3));
        append(&list, item);
    }
    return list;
}

static PyObject* measure_dict(const firn_frame_measure* m)
{
    PyObject* d = PyDict_New();
    if (d == NULL) return NULL;
    const bool good = put(d, "frame", PyLong_FromLongLong(m->frame)) &&
                      put(d, "time", PyFloat_FromDouble(m->time)) &&
                      put(d, "particles", PyLong_FromLongLong(m->particles)) &&
                      put(d, "mass", PyFloat_FromDouble(m->mass)) &&
                      put(d, "center", from_doubles(m->center, 3)) &&
                      put(d, "low", from_doubles(m->low, 3)) &&
                      put(d, "high", from_doubles(m->high, 3)) &&
                      put(d, "momentum", from_doubles(m->momentum, 3)) &&
                      put(d, "kinetic", PyFloat_FromDouble(m->kinetic)) &&
                      put(d, "fragments", PyLong_FromLongLong(m->fragments)) &&
                      put(d, "largest", PyFloat_FromDouble(m->largest)) &&
                      put(d, "mean_mass", PyFloat_FromDouble(m->mean_mass)) &&
                      put(d, "dust", PyFloat_FromDouble(m->dust)) &&
                      put(d, "angular", from_doubles(m->angular, 3)) &&
                      put(d, "spread", PyFloat_FromDouble(m->spread)) &&
                      put(d, "temperature", PyFloat_FromDouble(m->temperature)) &&
                      put(d, "water", PyFloat_FromDouble(m->water)) &&
                      put(d, "force", from_doubles(m->force, 3)) && put(d, "loads", loads_of(m));
    if (!good) Py_CLEAR(d);
    return d;
}

static PyObject* rows_of(const firn_frame_measure* rows, int count)
{
    PyObject* list = PyList_New(0);
    for (int k = 0; list != NULL && k < count; k++) {
        PyObject* item = measure_dict(&rows[k]);
        append(&list, item);
    }
    return list;
}

PyObject* run_measure(PyObject* module, PyObject* args)
{
    (void)module;
    firn_measure_def def = firn_default_measure_def();
    PyObject *keys, *region, *low, *high;
    if (!PyArg_ParseTuple(args, "sO!O", &def.input_dir, &PyDict_Type, &keys, &region) ||
        !def_fill("measure", &def, keys, ""))
        return NULL;
    def.use_region = region != Py_None;
    if (def.use_region && (!PyArg_ParseTuple(region, "OO", &low, &high) ||
                           !to_double3(low, def.region_low, "a corner of the region") ||
                           !to_double3(high, def.region_high, "a corner of the region")))
        return NULL;
    firn_frame_measure* rows;
    int count;
    firn_error error = {FIRN_OK, ""};
    PyThreadState* state = PyEval_SaveThread();
    const firn_result r = firn_cache_measure(&def, &rows, &count, &error);
    PyEval_RestoreThread(state);
    if (r != FIRN_OK) return raise_text(r, error.text);
    PyObject* list = rows_of(rows, count);
    firn_measure_free(rows);
    return list;
}

// ---- path tracing -------------------------------------------------------------------------------

static void report_picture(void* user, const firn_render_progress* p)
{
    call* c = user;
    if (c->has_error || c->progress == Py_None) return;
    PyEval_RestoreThread(c->state);
    PyObject* result = PyObject_CallFunction(
        c->progress, "{sLsLsLsLsLsdsdsOsO}", "frame", (long long)p->frame, "done",
        (long long)p->done, "wanted", (long long)p->wanted, "passes", (long long)p->passes,
        "passes_max", (long long)p->passes_max, "noise", p->noise, "seconds_left", p->seconds_left,
        "waiting", p->waiting ? Py_True : Py_False, "picture_done",
        p->picture_done ? Py_True : Py_False);
    if (result == NULL) keep(c);
    Py_XDECREF(result);
    c->state = PyEval_SaveThread();
}

// Numbers of frames and texts of overrides; both are freed with PyMem_Free.
static bool take_lists(PyObject* overrides, PyObject* frames, firn_render_def* def,
                       const char*** out_texts, int64_t** out_frames)
{
    const Py_ssize_t texts = PyList_Size(overrides);
    const Py_ssize_t count = frames != Py_None ? PyList_Size(frames) : 0;
    if (texts < 0 || count < 0) return false;
    *out_texts = PyMem_Calloc((size_t)texts + 1, sizeof **out_texts);
    *out_frames = PyMem_Calloc((size_t)count + 1, sizeof **out_frames);
    if (*out_texts == NULL || *out_frames == NULL) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t k = 0; k < texts; k++)
        if (!to_text(PyList_GetItem(overrides, k), &(*out_texts)[k], "an override")) return false;
    for (Py_ssize_t k = 0; k < count; k++)
        (*out_frames)[k] = PyLong_AsLongLong(PyList_GetItem(frames, k));
    def->overrides = *out_texts;
    def->override_count = (size_t)texts;
    if (frames != Py_None) def->frames = *out_frames;
    def->frame_count = (size_t)count;
    return !PyErr_Occurred();
}

static PyObject* trace_pictures(firn_render_def* def, call* c)
{
    firn_render_summary s;
    firn_error error = {FIRN_OK, ""};
    def->progress = report_picture;
    def->cancelled = is_cancelled;
    def->user = c;
    c->state = PyEval_SaveThread();
    const firn_result r = firn_render(def, &s, &error);
    PyEval_RestoreThread(c->state);
    if (c->has_error) {
        PyErr_Restore(c->type, c->value, c->trace);
        return NULL;
    }
    if (r != FIRN_OK) return raise_text(r, error.text);
    return Py_BuildValue("{sLsLsLsLsLsdsdsssz}", "pictures", (long long)s.pictures, "skipped",
                         (long long)s.skipped, "damaged", (long long)s.damaged, "paths",
                         (long long)s.paths, "events", (long long)s.events, "seconds", s.seconds,
                         "trace_seconds", s.trace_seconds, "first", s.first, "film",
                         s.film[0] != '\0' ? s.film : NULL);
}

// render(folder, keys, overrides, frames or None, progress)
PyObject* run_render(PyObject* module, PyObject* args)
{
    (void)module;
    firn_render_def def = firn_default_render_def();
    PyObject *keys, *overrides, *frames, *result = NULL;
    call c = {.state = NULL};
    const char** texts = NULL;
    int64_t* numbers = NULL;
    if (!PyArg_ParseTuple(args, "sO!O!OO", &def.input_dir, &PyDict_Type, &keys, &PyList_Type,
                          &overrides, &frames, &c.progress) ||
        !def_fill("render", &def, keys, ""))
        return NULL;
    if (take_lists(overrides, frames, &def, &texts, &numbers)) result = trace_pictures(&def, &c);
    PyMem_Free(texts);
    PyMem_Free(numbers);
    return result;
}

// ---- films --------------------------------------------------------------------------------------

// Adds all pictures of an iterator; false: an exception is set, or *out_result says why.
static bool add_pictures(firn_recording* film, PyObject* pictures, Py_ssize_t bytes,
                         firn_result* out_result)
{
    PyObject* item;
    while ((item = PyIter_Next(pictures)) != NULL) {
        Py_buffer pixels;
        const int taken = PyObject_GetBuffer(item, &pixels, PyBUF_SIMPLE);
        Py_DECREF(item);
        if (taken != 0) return false;
        if (pixels.len == bytes) {
            PyThreadState* state = PyEval_SaveThread();
            *out_result = firn_recording_add(film, pixels.buf, NULL);
            PyEval_RestoreThread(state);
        } else {
            PyErr_SetString(PyExc_ValueError, "all pictures of a film must have the same size");
        }
        PyBuffer_Release(&pixels);
        if (*out_result != FIRN_OK || PyErr_Occurred()) return false;
    }
    return !PyErr_Occurred();
}

// film(path, width, height, fps, iterator of contiguous pixels)
PyObject* run_film(PyObject* module, PyObject* args)
{
    (void)module;
    const char* path;
    int width, height;
    double fps;
    PyObject* pictures;
    firn_recording* film;
    if (!PyArg_ParseTuple(args, "siidO", &path, &width, &height, &fps, &pictures)) return NULL;
    firn_result r = firn_recording_begin(path, width, height, fps, &film, NULL);
    if (failed(r)) return NULL;
    if (!add_pictures(film, pictures, (Py_ssize_t)width * height * 3, &r)) {
        if (!PyErr_Occurred()) raise_result(r);
        firn_recording_abandon(film);
        return NULL;
    }
    PyThreadState* state = PyEval_SaveThread();
    r = firn_recording_end(film, NULL);
    PyEval_RestoreThread(state);
    if (failed(r)) return NULL;
    Py_RETURN_NONE;
}
