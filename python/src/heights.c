// SPDX-License-Identifier: MIT
// Height fields of simulations and of frames: computed once, or kept by the type Heights, which
// computes only what has changed.
#include <string.h>

#include "firnpy.h"

#define SAMPLES_MAX 16384  // columns or rows

// Reads the definition; without a rectangle it gets that of the snow. False: an exception is set.
static bool define(const height_source* source, PyObject* keys, firn_height_def* def)
{
    *def = firn_default_height_def();
    if (!PyDict_Check(keys)) {
        PyErr_SetString(PyExc_TypeError, "heights() needs a dictionary");
        return false;
    }
    if (!def_fill("height", def, keys, "")) return false;
    if (def->columns < 2 || def->rows < 2 || def->columns > SAMPLES_MAX ||
        def->rows > SAMPLES_MAX) {
        raise_text(FIRN_REFUSED_ARGUMENT, "a height field has 2 to 16384 columns and rows");
        return false;
    }
    if (def->width != 0 || def->depth != 0) return true;
    if (!guard_read(source->guard)) return false;
    const firn_result r = source->sim != NULL ? firn_sim_height_box(source->sim, def)
                                              : firn_replay_height_box(source->replay, def);
    guard_end(source->guard);
    return !failed(r);
}

static PyObject* rectangle(const firn_height_def* def)
{
    return Py_BuildValue("{sdsdsdsdsisi}", "x", def->x, "z", def->z, "width", def->width, "depth",
                         def->depth, "columns", def->columns, "rows", def->rows);
}

PyObject* heights_of(const height_source* source, PyObject* keys)
{
    firn_height_def def;
    if (!define(source, keys, &def)) return NULL;
    const Py_ssize_t bytes = (Py_ssize_t)def.columns * def.rows * (Py_ssize_t)sizeof(float);
    PyObject *data = PyByteArray_FromStringAndSize(NULL, bytes), *dict = rectangle(&def);
    if (data == NULL || dict == NULL || !guard_read(source->guard)) {
        Py_XDECREF(data);
        Py_XDECREF(dict);
        return NULL;
    }
    float* out = (float*)PyByteArray_AsString(data);
    guard_release(source->guard);
    const firn_result r = source->sim != NULL ? firn_sim_heights(source->sim, &def, out)
                                              : firn_replay_heights(source->replay, &def, out);
    guard_acquire(source->guard);
    guard_end(source->guard);
    if (!put(dict, "heights", data) || failed(r)) Py_CLEAR(dict);
    return dict;
}

// ---- kept ---------------------------------------------------------------------------------------

// The simulation or frame of an argument. False: an exception is set.
static bool source_of(PyObject* self, PyObject* value, height_source* out)
{
    const module_state* types = state_of(self);
    *out = (height_source){.sim = NULL};
    if (Py_TYPE(value) == (PyTypeObject*)types->sim_type) {
        sim_object* sim = (sim_object*)value;
        out->sim = sim_open(sim);
        out->guard = &sim->guard;
        return out->sim != NULL;
    }
    if (Py_TYPE(value) == (PyTypeObject*)types->replay_type) {
        replay_object* replay = (replay_object*)value;
        out->replay = replay->replay;
        out->guard = &replay->guard;
        if (out->replay == NULL) PyErr_SetString(PyExc_ValueError, "the run is closed");
        return out->replay != NULL;
    }
    PyErr_Format(PyExc_TypeError, "heights are of a simulation or a frame, not %R", value);
    return false;
}

// Heights(source, keys)
static int heights_init(PyObject* object, PyObject* args, PyObject* keywords)
{
    (void)keywords;
    heights_object* self = (heights_object*)object;
    PyObject *value, *keys;
    height_source source;
    self->guard.what = "height field";
    if (!PyArg_ParseTuple(args, "OO!", &value, &PyDict_Type, &keys) ||
        !source_of(object, value, &source))
        return -1;
    if (self->heights != NULL) {
        PyErr_SetString(PyExc_TypeError, "a height field is initialised once");
        return -1;
    }
    if (!define(&source, keys, &self->def)) return -1;
    firn_error error = {FIRN_OK, ""};
    const firn_result r = firn_heights_create(&self->def, &self->heights, &error);
    if (r != FIRN_OK) raise_text(r, error.text);
    return r == FIRN_OK ? 0 : -1;
}

static void heights_dealloc(PyObject* object)
{
    PyTypeObject* type = Py_TYPE(object);
    firn_heights_destroy(((heights_object*)object)->heights);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

static PyObject* describe(PyObject* object, PyObject* none)
{
    (void)none;
    return rectangle(&((heights_object*)object)->def);
}

static void copy_changed(const heights_object* self, const firn_rect* changed, float* to)
{
    const float* from = firn_heights_data(self->heights);
    const size_t columns = (size_t)self->def.columns;
    for (int row = changed->row; row < changed->row + changed->rows; row++) {
        const size_t at = (size_t)row * columns + (size_t)changed->column;
        memcpy(to + at, from + at, (size_t)changed->columns * sizeof *to);
    }
}

static PyObject* update_from(heights_object* self, const height_source* source, float* to)
{
    firn_rect changed = {0, 0, 0, 0};
    if (!guard_read(source->guard)) return NULL;
    guard_release(source->guard);
    const firn_result r = source->sim != NULL
                              ? firn_heights_update(self->heights, source->sim, &changed)
                              : firn_replay_heights_update(source->replay, self->heights, &changed);
    if (r == FIRN_OK) copy_changed(self, &changed, to);
    guard_acquire(source->guard);
    guard_end(source->guard);
    if (failed(r)) return NULL;
    return Py_BuildValue("(iiii)", changed.column, changed.row, changed.columns, changed.rows);
}

// update(source, array): the field's own memory is not shown, so that the array may be kept while
// the simulation steps; what changed is copied into it.
static PyObject* update(PyObject* object, PyObject* args)
{
    heights_object* self = (heights_object*)object;
    PyObject *value, *result = NULL;
    Py_buffer array;
    height_source source;
    if (!PyArg_ParseTuple(args, "Ow*", &value, &array)) return NULL;
    const Py_ssize_t bytes =
        (Py_ssize_t)self->def.columns * self->def.rows * (Py_ssize_t)sizeof(float);
    if (self->heights == NULL || array.len != bytes) {
        PyErr_SetString(PyExc_ValueError, "update() needs the array of this height field");
    } else if (source_of(object, value, &source) && guard_write(&self->guard)) {
        result = update_from(self, &source, array.buf);
        guard_end(&self->guard);
    }
    PyBuffer_Release(&array);
    return result;
}

static PyMethodDef methods[] = {
    {"rectangle", describe, METH_NOARGS, "rectangle() -> dict\n\nWhere its samples are."},
    {"update", update, METH_VARARGS,
     "update(source: object, array: object) -> tuple\n\n(column, row, columns, rows) of what "
     "changed."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot slots[] = {
    {Py_tp_doc, "Heights(source, keys)\n--\n\nA height field that is kept."},
    {Py_tp_init, heights_init},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_dealloc, heights_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};
PyType_Spec heights_spec = {"firn._firn.Heights", sizeof(heights_object), 0, Py_TPFLAGS_DEFAULT,
                            slots};
