// SPDX-License-Identifier: MIT
// Materials, snow, emitters, colliders and joints from keyword arguments.
#include <string.h>

#include "firnpy.h"

static PyObject* finish(scene_object* self, firn_result r, uint32_t slot1, uint32_t owner)
{
    guard_end(&self->guard);
    if (r != FIRN_OK) return raise_scene(r, self->scene);
    return from_id(slot1, owner);
}

static PyObject* item(PyObject* dict, const char* key)
{
    PyObject* value = PyDict_GetItemString(dict, key);
    return value == Py_None ? NULL : value;
}

bool snow_of(PyObject* dict, firn_snow_def* def, firn_layer_def** out_layers)
{
    *def = firn_default_snow_def();
    *out_layers = NULL;
    return def_fill("snow", def, dict, "shape material vary shell layers") &&
           to_id(item(dict, "shape"), &def->shape.slot1, &def->shape.owner, "shape") &&
           to_id(item(dict, "material"), &def->material.slot1, &def->material.owner, "material") &&
           def_fill_variation(dict, def, out_layers);
}

bool emitter_of(PyObject* dict, firn_emitter_def* def)
{
    *def = firn_default_emitter_def();
    return def_fill("emitter", def, dict, "shape material follow") &&
           to_id(item(dict, "follow"), &def->follow.slot1, &def->follow.owner, "collider") &&
           to_id(item(dict, "shape"), &def->shape.slot1, &def->shape.owner, "shape") &&
           to_id(item(dict, "material"), &def->material.slot1, &def->material.owner, "material");
}

// Poses at times: (time, position, rotation, scale)
static bool keys_of(PyObject* list, firn_collider_def* def, firn_collider_key** out_keys)
{
    const Py_ssize_t count = PySequence_Size(list);
    if (count < 0) return false;
    *out_keys = PyMem_Calloc((size_t)count + 1, sizeof **out_keys);
    if (*out_keys == NULL) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject *row = PySequence_GetItem(list, k), *position, *rotation;
        double time, scale;
        firn_collider_key* key = &(*out_keys)[k];
        const bool good = row != NULL &&
                          PyArg_ParseTuple(row, "dOOd", &time, &position, &rotation, &scale) &&
                          to_vec3(position, &key->position, "position of a key") &&
                          to_quat(rotation, &key->rotation, "rotation of a key");
        Py_XDECREF(row);
        if (!good) return false;
        key->time = time;
        key->scale = (firn_real)scale;
    }
    def->keys = *out_keys;
    def->key_count = (size_t)count;
    return true;
}

bool collider_of(PyObject* dict, firn_collider_def* def, firn_collider_key** out_keys)
{
    *def = firn_default_collider_def();
    *out_keys = NULL;
    PyObject* keys = item(dict, "keys");
    return def_fill("collider", def, dict, "shape keys") &&
           to_id(item(dict, "shape"), &def->shape.slot1, &def->shape.owner, "shape") &&
           (keys == NULL || keys_of(keys, def, out_keys));
}

// ---- adding -------------------------------------------------------------------------------------

// None, "snow", "water" or "viscous"
static bool phase_of(PyObject* value, firn_material_kind* out_phase)
{
    static const char* const names[] = {"snow", "water", "viscous"};
    const char* text;
    if (value == NULL) return true;
    if (!to_text(value, &text, "phase")) return false;
    for (int k = 0; k < 3; k++) {
        if (strcmp(text, names[k]) != 0) continue;
        *out_phase = (firn_material_kind)k;
        return true;
    }
    PyErr_Format(PyExc_ValueError, "phase is 'snow', 'water' or 'viscous', not '%s'", text);
    return false;
}

static PyObject* add_material(scene_object* self, PyObject* dict, const char* name)
{
    firn_material_def def = firn_default_material_def();
    firn_material_id id = {0, 0};
    def.name = name;
    PyObject* becomes = item(dict, "becomes");
    if (!def_fill("material", &def, dict, "phase becomes") ||
        !phase_of(item(dict, "phase"), &def.phase) ||
        (becomes != NULL && !to_id(becomes, &def.becomes.slot1, &def.becomes.owner, "becomes")) ||
        !guard_write(&self->guard))
        return NULL;
    const firn_result r = firn_scene_add_material(self->scene, &def, &id);
    return finish(self, r, id.slot1, id.owner);
}

static PyObject* add_measured(scene_object* self, PyObject* dict, const char* name)
{
    firn_measured_def def = firn_default_measured_def();
    firn_material_id id = {0, 0};
    def.name = name;
    if (!def_fill("measured", &def, dict, "") || !guard_write(&self->guard)) return NULL;
    const firn_result r = firn_scene_add_measured(self->scene, &def, &id);
    return finish(self, r, id.slot1, id.owner);
}

static PyObject* add_snow(scene_object* self, PyObject* dict)
{
    firn_snow_def def;
    firn_layer_def* layers;
    firn_snow_id id = {0, 0};
    PyObject* result = NULL;
    if (snow_of(dict, &def, &layers) && guard_write(&self->guard)) {
        const firn_result r = firn_scene_add_snow(self->scene, &def, &id);
        result = finish(self, r, id.slot1, id.owner);
    }
    PyMem_Free(layers);
    return result;
}

static PyObject* add_emitter(scene_object* self, PyObject* dict)
{
    firn_emitter_def def;
    firn_emitter_id id = {0, 0};
    if (!emitter_of(dict, &def) || !guard_write(&self->guard)) return NULL;
    const firn_result r = firn_scene_add_emitter(self->scene, &def, &id);
    return finish(self, r, id.slot1, id.owner);
}

// Factors at times: [(time, factor)]
static bool factors_of(PyObject* list, firn_force_def* def, firn_factor_key** out_keys)
{
    const Py_ssize_t count = list != NULL ? PySequence_Size(list) : 0;
    if (count < 0) return false;
    *out_keys = PyMem_Calloc((size_t)count + 1, sizeof **out_keys);
    if (*out_keys == NULL) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject* row = PySequence_GetItem(list, k);
        PyObject* tuple = row != NULL ? PySequence_Tuple(row) : NULL;
        const bool good =
            tuple != NULL && PyArg_ParseTuple(tuple, "dd;a key is (time, factor)",
                                              &(*out_keys)[k].time, &(*out_keys)[k].factor);
        Py_XDECREF(tuple);
        Py_XDECREF(row);
        if (!good) return false;
    }
    def->keys = *out_keys;
    def->key_count = (size_t)count;
    return true;
}

static PyObject* add_force(scene_object* self, PyObject* dict)
{
    firn_force_def def = firn_default_force_def();
    firn_factor_key* keys = NULL;
    PyObject* result = NULL;
    PyObject *type = item(dict, "type"), *falloff = item(dict, "falloff");
    if (type != NULL) def.type = (int32_t)PyLong_AsLong(type);
    if (falloff != NULL) def.falloff = (int32_t)PyLong_AsLong(falloff);
    if (!PyErr_Occurred() && def_fill("force", &def, dict, "keys type falloff") &&
        factors_of(item(dict, "keys"), &def, &keys) && guard_write(&self->guard)) {
        const firn_result r = firn_scene_add_force(self->scene, &def);
        guard_end(&self->guard);
        result = r == FIRN_OK ? Py_NewRef(Py_None) : raise_scene(r, self->scene);
    }
    PyMem_Free(keys);
    return result;
}

// [(time, (x, y, z))]
PyObject* scene_gravity_keys(PyObject* object, PyObject* list)
{
    scene_object* self = (scene_object*)object;
    const Py_ssize_t count = PySequence_Size(list);
    if (count < 0) return NULL;
    firn_gravity_at* keys = PyMem_Calloc((size_t)count + 1, sizeof *keys);
    if (keys == NULL) return PyErr_NoMemory();
    bool good = true;
    for (Py_ssize_t k = 0; k < count && good; k++) {
        PyObject *row = PySequence_GetItem(list, k), *gravity = NULL;
        PyObject* tuple = row != NULL ? PySequence_Tuple(row) : NULL;
        good = tuple != NULL &&
               PyArg_ParseTuple(tuple, "dO;a key is (time, gravity)", &keys[k].time, &gravity) &&
               to_vec3(gravity, &keys[k].gravity, "gravity of a key");
        Py_XDECREF(tuple);
        Py_XDECREF(row);
    }
    PyObject* result = NULL;
    if (good && guard_write(&self->guard)) {
        const firn_result r = firn_scene_set_gravity_keys(self->scene, keys, (size_t)count);
        guard_end(&self->guard);
        result = r == FIRN_OK ? Py_NewRef(Py_None) : raise_scene(r, self->scene);
    }
    PyMem_Free(keys);
    return result;
}

static PyObject* add_collider(scene_object* self, PyObject* dict)
{
    firn_collider_def def;
    firn_collider_key* keys;
    firn_collider_id id = {0, 0};
    PyObject* result = NULL;
    if (collider_of(dict, &def, &keys) && guard_write(&self->guard)) {
        guard_release(&self->guard);
        const firn_result r = firn_scene_add_collider(self->scene, &def, &id);
        guard_acquire(&self->guard);
        result = finish(self, r, id.slot1, id.owner);
    }
    PyMem_Free(keys);
    return result;
}

static PyObject* add_joint(scene_object* self, PyObject* dict)
{
    firn_joint_def def;
    firn_joint_id id = {0, 0};
    if (!joint_of(dict, &def) || !guard_write(&self->guard)) return NULL;
    const firn_result r = firn_scene_add_joint(self->scene, &def, &id);
    return finish(self, r, id.slot1, id.owner);
}

PyObject* scene_add(PyObject* object, PyObject* args)
{
    scene_object* self = (scene_object*)object;
    const char *kind, *name = NULL;
    PyObject* dict;
    if (!PyArg_ParseTuple(args, "sO!|z", &kind, &PyDict_Type, &dict, &name)) return NULL;
    if (strcmp(kind, "material") == 0) return add_material(self, dict, name);
    if (strcmp(kind, "measured") == 0) return add_measured(self, dict, name);
    if (strcmp(kind, "snow") == 0) return add_snow(self, dict);
    if (strcmp(kind, "emitter") == 0) return add_emitter(self, dict);
    if (strcmp(kind, "collider") == 0) return add_collider(self, dict);
    if (strcmp(kind, "joint") == 0) return add_joint(self, dict);
    if (strcmp(kind, "force") == 0) return add_force(self, dict);
    return PyErr_Format(PyExc_ValueError, "a scene has no '%s'", kind);
}
