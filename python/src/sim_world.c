// SPDX-License-Identifier: MIT
// The world around the snow: colliders and emitters come and go, gravity, wind, temperature.
#include <string.h>

#include "firnpy.h"

static PyObject* finish(sim_object* self, firn_result r, uint32_t slot1, uint32_t owner)
{
    guard_end(&self->guard);
    if (r != FIRN_OK) return raise_text(r, firn_sim_error(self->sim));
    return from_id(slot1, owner);
}

// add_collider(prefabs, keys)
PyObject* sim_add_collider(PyObject* object, PyObject* args)
{
    sim_object* self = (sim_object*)object;
    PyObject *prefabs, *dict, *result = NULL;
    firn_collider_def def;
    firn_collider_key* keys = NULL;
    firn_collider_id id = {0, 0};
    if (!PyArg_ParseTuple(args, "O!O!", state_of(object)->scene_type, &prefabs, &PyDict_Type,
                          &dict) ||
        sim_open(self) == NULL)
        return NULL;
    scene_object* scene = (scene_object*)prefabs;
    if (collider_of(dict, &def, &keys) && guard_write(&scene->guard)) {
        if (guard_move(&self->guard, "add a collider")) {
            const firn_result r = firn_sim_add_collider(self->sim, scene->scene, &def, NULL, &id);
            result = finish(self, r, id.slot1, id.owner);
        }
        guard_end(&scene->guard);
    }
    PyMem_Free(keys);
    return result;
}

PyObject* sim_remove_collider(PyObject* object, PyObject* value)
{
    sim_object* self = (sim_object*)object;
    firn_collider_id id;
    if (!to_id(value, &id.slot1, &id.owner, "collider") || sim_open(self) == NULL ||
        !guard_move(&self->guard, "remove a collider"))
        return NULL;
    return finish(self, firn_sim_remove_collider(self->sim, id), id.slot1, id.owner);
}

PyObject* sim_add_emitter(PyObject* object, PyObject* args)
{
    sim_object* self = (sim_object*)object;
    PyObject *prefabs, *dict, *result = NULL;
    firn_emitter_def def;
    firn_emitter_id id = {0, 0};
    if (!PyArg_ParseTuple(args, "O!O!", state_of(object)->scene_type, &prefabs, &PyDict_Type,
                          &dict) ||
        sim_open(self) == NULL || !emitter_of(dict, &def))
        return NULL;
    scene_object* scene = (scene_object*)prefabs;
    if (!guard_write(&scene->guard)) return NULL;
    if (guard_move(&self->guard, "add an emitter")) {
        const firn_result r = firn_sim_add_emitter(self->sim, scene->scene, &def, &id);
        result = finish(self, r, id.slot1, id.owner);
    }
    guard_end(&scene->guard);
    return result;
}

PyObject* sim_remove_emitter(PyObject* object, PyObject* value)
{
    sim_object* self = (sim_object*)object;
    firn_emitter_id id;
    if (!to_id(value, &id.slot1, &id.owner, "emitter") || sim_open(self) == NULL ||
        !guard_move(&self->guard, "remove an emitter"))
        return NULL;
    return finish(self, firn_sim_remove_emitter(self->sim, id), id.slot1, id.owner);
}

// (gravity, wind, temperature)
PyObject* sim_world(PyObject* object, PyObject* none)
{
    (void)none;
    sim_object* self = (sim_object*)object;
    if (sim_open(self) == NULL || !guard_read(&self->guard)) return NULL;
    const firn_vec3 gravity = firn_sim_gravity(self->sim), wind = firn_sim_wind(self->sim);
    const double temperature = firn_sim_temperature(self->sim);
    guard_end(&self->guard);
    return Py_BuildValue("(NNd)", from_vec3(gravity), from_vec3(wind), temperature);
}

// set_world("gravity", vector)
PyObject* sim_set_world(PyObject* object, PyObject* args)
{
    sim_object* self = (sim_object*)object;
    const char* what;
    PyObject* value;
    firn_vec3 v = {0, 0, 0};
    double celsius = 0;
    if (!PyArg_ParseTuple(args, "sO", &what, &value) || sim_open(self) == NULL) return NULL;
    if (strcmp(what, "temperature") == 0)
        celsius = PyFloat_AsDouble(value);
    else if (!to_vec3(value, &v, what))
        return NULL;
    if (PyErr_Occurred() || !guard_write(&self->guard)) return NULL;
    firn_result r;
    if (strcmp(what, "gravity") == 0)
        r = firn_sim_set_gravity(self->sim, v);
    else if (strcmp(what, "wind") == 0)
        r = firn_sim_set_wind(self->sim, v);
    else
        r = firn_sim_set_temperature(self->sim, celsius);
    guard_end(&self->guard);
    if (r != FIRN_OK) return raise_text(r, firn_sim_error(self->sim));
    Py_RETURN_NONE;
}
