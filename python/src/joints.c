// SPDX-License-Identifier: MIT
// Joints: what holds a collider with a mass to another one or to the world.
#include <string.h>

#include "firnpy.h"

static const char* const kinds[] = {"fixed", "hinge", "ball", "spring", "rope", "rod"};
#define KINDS ((int)(sizeof kinds / sizeof *kinds))

static bool kind_of(PyObject* value, int32_t* out)
{
    const char* text;
    if (!to_text(value, &text, "the kind of a joint")) return false;
    for (int k = 0; k < KINDS && text != NULL; k++)
        if (strcmp(text, kinds[k]) == 0) {
            *out = k;
            return true;
        }
    PyErr_Format(PyExc_ValueError,
                 "a joint is 'fixed', 'hinge', 'ball', 'spring', 'rope' or 'rod', not %R",
                 value != NULL ? value : Py_None);
    return false;
}

// `kind` is a name; `a` and `b` are ids of colliders, None the world.
bool joint_of(PyObject* dict, firn_joint_def* def)
{
    *def = firn_default_joint_def();
    PyObject* point_b = PyDict_GetItemString(dict, "point_b");
    if (!def_fill("joint", def, dict, "kind a b point_b")) return false;
    def->point_b = def->point;  // as in a scene file
    return (point_b == NULL || point_b == Py_None || to_vec3(point_b, &def->point_b, "point_b")) &&
           kind_of(PyDict_GetItemString(dict, "kind"), &def->kind) &&
           to_id(PyDict_GetItemString(dict, "a"), &def->a.slot1, &def->a.owner, "collider") &&
           to_id(PyDict_GetItemString(dict, "b"), &def->b.slot1, &def->b.owner, "collider");
}

static PyObject* finish(sim_object* self, firn_result r, firn_joint_id id)
{
    guard_end(&self->guard);
    if (r != FIRN_OK) return raise_text(r, firn_sim_error(self->sim));
    return from_id(id.slot1, id.owner);
}

PyObject* sim_add_joint(PyObject* object, PyObject* keys)
{
    sim_object* self = (sim_object*)object;
    firn_joint_def def;
    firn_joint_id id = {0, 0};
    if (!PyDict_Check(keys)) {
        PyErr_SetString(PyExc_TypeError, "add_joint() needs a dictionary");
        return NULL;
    }
    if (!joint_of(keys, &def) || sim_open(self) == NULL || !guard_move(&self->guard, "add a joint"))
        return NULL;
    const firn_result r = firn_sim_add_joint(self->sim, &def, &id);
    return finish(self, r, id);
}

PyObject* sim_remove_joint(PyObject* object, PyObject* value)
{
    sim_object* self = (sim_object*)object;
    firn_joint_id id;
    if (!to_id(value, &id.slot1, &id.owner, "joint") || sim_open(self) == NULL ||
        !guard_move(&self->guard, "remove a joint"))
        return NULL;
    return finish(self, firn_sim_remove_joint(self->sim, id), id);
}

PyObject* sim_joint(PyObject* object, PyObject* value)
{
    sim_object* self = (sim_object*)object;
    firn_joint_id id;
    firn_joint_info info;
    if (!to_id(value, &id.slot1, &id.owner, "joint") || sim_open(self) == NULL ||
        !guard_read(&self->guard))
        return NULL;
    const firn_result r = firn_sim_joint(self->sim, id, &info);
    guard_end(&self->guard);
    PyObject* d = failed(r) ? NULL : PyDict_New();
    if (d == NULL) return NULL;
    const bool good = put(d, "force", from_doubles(info.force, 3)) &&
                      put(d, "torque", from_doubles(info.torque, 3)) &&
                      put(d, "angle", PyFloat_FromDouble(info.angle)) &&
                      put(d, "broken", PyBool_FromLong(info.broken)) &&
                      put(d, "removed", PyBool_FromLong(info.removed));
    if (!good) Py_CLEAR(d);
    return d;
}
