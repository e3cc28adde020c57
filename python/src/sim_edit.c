// SPDX-License-Identifier: MIT
// Edits of a simulation between steps: fields, snow, the whole state.
#include <string.h>

#include "firnpy.h"

// Ends an edit.
static bool finish(sim_object* self, firn_result r)
{
    guard_end(&self->guard);
    if (r == FIRN_OK) self->unordered = true;
    if (r != FIRN_OK) raise_text(r, firn_sim_error(self->sim));
    return r == FIRN_OK;
}

static size_t size_of(firn_field_type type)
{
    switch (type) {
    case FIRN_FIELD_REAL: return sizeof(firn_real);
    case FIRN_FIELD_VEC3: return sizeof(firn_vec3);
    case FIRN_FIELD_MAT3: return sizeof(firn_mat3);
    case FIRN_FIELD_U32: return sizeof(uint32_t);
    default: return 1;
    }
}

// Opens one field, or finds it open, and copies the caller's values into it if `take`.
static firn_result write_field(sim_object* self, PyObject* name, PyObject* values, bool take,
                               bool* raised)
{
    const char* text;
    Py_buffer from;
    firn_field_edit edit;
    *raised = true;
    if (!to_text(name, &text, "the name of a field")) return FIRN_REFUSED_ARGUMENT;
    if (PyObject_GetBuffer(values, &from, PyBUF_SIMPLE) != 0) return FIRN_REFUSED_ARGUMENT;
    *raised = false;
    const firn_result r = firn_sim_field_edit(self->sim, text, &edit);
    if (r == FIRN_OK && (size_t)from.len != (size_t)edit.count * size_of(edit.type)) {
        PyErr_Format(PyExc_ValueError,
                     "%s has %lld bytes, not %zd: an array of another shape or type", text,
                     (long long)((size_t)edit.count * size_of(edit.type)), from.len);
        *raised = true;
    }
    if (r == FIRN_OK && !*raised && take && from.len > 0)
        memcpy(edit.data, from.buf, (size_t)from.len);
    PyBuffer_Release(&from);
    return *raised ? FIRN_REFUSED_ARGUMENT : r;
}

// write({name: contiguous bytes}, serial): all or nothing.
PyObject* sim_write(PyObject* object, PyObject* args)
{
    sim_object* self = (sim_object*)object;
    PyObject *dict, *name, *values;
    long long serial;
    if (!PyArg_ParseTuple(args, "O!L", &PyDict_Type, &dict, &serial) || sim_open(self) == NULL)
        return NULL;
    if (serial >= 0 && serial != self->guard.serial)
        return raise_text(
            FIRN_REFUSED_ARGUMENT,
            "the simulation was stepped or edited since this edit began: no value was "
            "taken");
    if (!guard_move(&self->guard, "write fields")) return NULL;
    firn_result r = FIRN_OK;
    bool raised = false;
    // all are opened before any is written: one that is refused leaves the others as they were
    for (int take = 0; take < 2; take++) {
        Py_ssize_t at = 0;
        while (r == FIRN_OK && PyDict_Next(dict, &at, &name, &values))
            r = write_field(self, name, values, take == 1, &raised);
    }
    if (raised) {
        guard_end(&self->guard);
        return NULL;
    }
    if (r == FIRN_OK && PyDict_Size(dict) > 0) r = firn_sim_edit_commit(self->sim);
    if (!finish(self, r)) return NULL;
    Py_RETURN_NONE;
}

// ---- snow comes and goes ------------------------------------------------------------------------

// None, or (position, rotation).
static bool placement_of(PyObject* value, firn_placement* out, bool* is_given)
{
    PyObject *position, *rotation;
    *is_given = value != Py_None;
    if (!*is_given) return true;
    return PyArg_ParseTuple(value, "OO", &position, &rotation) &&
           to_vec3(position, &out->position, "position") &&
           to_quat(rotation, &out->rotation, "rotation");
}

PyObject* sim_add_snow(PyObject* object, PyObject* args)
{
    sim_object* self = (sim_object*)object;
    PyObject *prefabs, *dict, *where;
    firn_snow_def def;
    firn_layer_def* layers = NULL;
    firn_placement placement;
    bool placed, good = false;
    firn_snow_id id = {0, 0};
    if (!PyArg_ParseTuple(args, "O!O!O", state_of(object)->scene_type, &prefabs, &PyDict_Type,
                          &dict, &where) ||
        sim_open(self) == NULL)
        return NULL;
    scene_object* scene = (scene_object*)prefabs;
    if (snow_of(dict, &def, &layers) && placement_of(where, &placement, &placed) &&
        guard_write(&scene->guard)) {
        if (guard_move(&self->guard, "add snow")) {
            guard_release(&self->guard);
            const firn_result r =
                firn_sim_add_snow(self->sim, scene->scene, &def, placed ? &placement : NULL, &id);
            guard_acquire(&self->guard);
            good = finish(self, r);
        }
        guard_end(&scene->guard);
    }
    PyMem_Free(layers);
    return good ? from_id(id.slot1, id.owner) : NULL;
}

PyObject* sim_snow_particles(PyObject* object, PyObject* value)
{
    sim_object* self = (sim_object*)object;
    firn_snow_id id;
    uint32_t first;
    int64_t count;
    if (!to_id(value, &id.slot1, &id.owner, "snow") || sim_open(self) == NULL ||
        !guard_read(&self->guard))
        return NULL;
    const firn_result r = firn_sim_snow_particles(self->sim, id, &first, &count);
    guard_end(&self->guard);
    return failed(r) ? NULL : Py_BuildValue("(IL)", (unsigned)first, (long long)count);
}

PyObject* sim_remove_snow(PyObject* object, PyObject* args)
{
    sim_object* self = (sim_object*)object;
    PyObject *prefabs, *shape, *where;
    firn_shape_id id;
    firn_placement placement;
    bool placed;
    if (!PyArg_ParseTuple(args, "O!OO", state_of(object)->scene_type, &prefabs, &shape, &where) ||
        !to_id(shape, &id.slot1, &id.owner, "shape") || !placement_of(where, &placement, &placed) ||
        sim_open(self) == NULL)
        return NULL;
    scene_object* scene = (scene_object*)prefabs;
    if (!guard_write(&scene->guard)) return NULL;
    int64_t count = 0;
    bool good = false;
    if (guard_move(&self->guard, "remove snow")) {
        guard_release(&self->guard);
        const firn_result r =
            firn_sim_remove_snow(self->sim, scene->scene, id, placed ? &placement : NULL, &count);
        guard_acquire(&self->guard);
        good = finish(self, r);
    }
    guard_end(&scene->guard);
    return good ? PyLong_FromLongLong(count) : NULL;
}

// Contiguous bytes of uint32.
PyObject* sim_remove_particles(PyObject* object, PyObject* args)
{
    sim_object* self = (sim_object*)object;
    Py_buffer ids;
    if (!PyArg_ParseTuple(args, "y*", &ids)) return NULL;
    int64_t count = 0;
    bool good = false;
    if (sim_open(self) != NULL && guard_move(&self->guard, "remove particles"))
        good =
            finish(self, firn_sim_remove_particles(self->sim, ids.buf,
                                                   ids.len / (Py_ssize_t)sizeof(uint32_t), &count));
    PyBuffer_Release(&ids);
    return good ? PyLong_FromLongLong(count) : NULL;
}

PyObject* sim_restore(PyObject* object, PyObject* args)
{
    sim_object* self = (sim_object*)object;
    Py_buffer block;
    if (!PyArg_ParseTuple(args, "y*", &block)) return NULL;
    bool good = false;
    if (sim_open(self) != NULL && guard_move(&self->guard, "restore a state")) {
        guard_release(&self->guard);
        const firn_result r = firn_sim_restore(self->sim, block.buf, (size_t)block.len);
        guard_acquire(&self->guard);
        good = finish(self, r);
    }
    PyBuffer_Release(&block);
    if (!good) return NULL;
    Py_RETURN_NONE;
}
