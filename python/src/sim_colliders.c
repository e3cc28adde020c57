// SPDX-License-Identifier: MIT
// Colliders of a simulation: poses, motion, loads, meshes. The C library calls them bodies.
#include "firnpy.h"

static bool begin(sim_object* self, PyObject* value, firn_collider_id* id, bool writes)
{
    return to_id(value, &id->slot1, &id->owner, "collider") && sim_open(self) != NULL &&
           (writes ? guard_write(&self->guard) : guard_read(&self->guard));
}

static PyObject* finish(sim_object* self, firn_result r)
{
    guard_end(&self->guard);
    if (r != FIRN_OK) return raise_text(r, firn_sim_error(self->sim));
    Py_RETURN_NONE;
}

PyObject* sim_bodies(PyObject* object, PyObject* none)
{
    (void)none;
    sim_object* self = (sim_object*)object;
    if (sim_open(self) == NULL || !guard_read(&self->guard)) return NULL;
    PyObject* list = PyList_New(0);
    const int count = firn_sim_body_count(self->sim);
    for (int k = 0; k < count && list != NULL; k++) {
        firn_collider_id id;
        PyObject* item =
            firn_sim_body_at(self->sim, k, &id) == FIRN_OK ? from_id(id.slot1, id.owner) : NULL;
        append(&list, item);
    }
    guard_end(&self->guard);
    return list;
}

PyObject* body_dict(const firn_body_info* i)
{
    static const char* const drivers[] = {"scene", "caller", "free"};
    const double colour[3] = {(double)i->colour[0], (double)i->colour[1], (double)i->colour[2]};
    PyObject* d = PyDict_New();
    if (d == NULL) return NULL;
    const bool good =
        put(d, "position", from_vec3(i->pose.position)) &&
        put(d, "rotation", from_quat(i->pose.rotation)) &&
        put(d, "scale", PyFloat_FromDouble((double)i->pose.scale)) &&
        put(d, "velocity", from_vec3(i->pose.velocity)) &&
        put(d, "spin", from_vec3(i->pose.spin)) &&
        put(d, "driver", PyUnicode_FromString(drivers[i->driver])) &&
        put(d, "mass", PyFloat_FromDouble(i->mass)) &&
        put(d, "hidden", PyBool_FromLong(i->hidden)) &&
        put(d, "deforms", PyBool_FromLong(i->deforms)) &&
        put(d, "bounded", PyBool_FromLong(i->bounded)) && put(d, "point", from_vec3(i->point)) &&
        put(d, "normal", from_vec3(i->normal)) && put(d, "low", from_vec3(i->low)) &&
        put(d, "high", from_vec3(i->high)) && put(d, "colour", from_doubles(colour, 3)) &&
        put(d, "temperature", PyFloat_FromDouble(i->temperature)) &&
        put(d, "removed", PyBool_FromLong(i->removed));
    if (!good) Py_CLEAR(d);
    return d;
}

PyObject* sim_body(PyObject* object, PyObject* value)
{
    sim_object* self = (sim_object*)object;
    firn_collider_id id;
    firn_body_info info;
    if (!begin(self, value, &id, false)) return NULL;
    const firn_result r = firn_sim_body(self->sim, id, &info);
    PyObject* none = finish(self, r);
    if (none == NULL) return NULL;
    Py_DECREF(none);
    return body_dict(&info);
}

// body_move(id, position, rotation, scale, velocity, spin)
PyObject* sim_body_move(PyObject* object, PyObject* args)
{
    sim_object* self = (sim_object*)object;
    PyObject *value, *position, *rotation, *velocity, *spin;
    double scale;
    firn_collider_id id;
    firn_body_pose pose;
    if (!PyArg_ParseTuple(args, "OOOdOO", &value, &position, &rotation, &scale, &velocity, &spin) ||
        !to_vec3(position, &pose.position, "position") ||
        !to_quat(rotation, &pose.rotation, "rotation") ||
        !to_vec3(velocity, &pose.velocity, "velocity") || !to_vec3(spin, &pose.spin, "spin") ||
        !begin(self, value, &id, true))
        return NULL;
    pose.scale = (firn_real)scale;
    return finish(self, firn_sim_body_move(self->sim, id, &pose));
}

PyObject* sim_body_release(PyObject* object, PyObject* value)
{
    sim_object* self = (sim_object*)object;
    firn_collider_id id;
    if (!begin(self, value, &id, true)) return NULL;
    return finish(self, firn_sim_body_release(self->sim, id));
}

static PyObject* load_dict(const firn_body_load* load)
{
    PyObject* d = PyDict_New();
    if (d == NULL) return NULL;
    if (put(d, "force", from_doubles(load->force, 3)) &&
        put(d, "torque", from_doubles(load->torque, 3)) &&
        put(d, "about", from_doubles(load->about, 3)) &&
        put(d, "seconds", PyFloat_FromDouble(load->seconds)))
        return d;
    Py_DECREF(d);
    return NULL;
}

PyObject* sim_body_load(PyObject* object, PyObject* value)
{
    sim_object* self = (sim_object*)object;
    firn_collider_id id;
    firn_body_load step, frame;
    if (!begin(self, value, &id, false)) return NULL;
    PyObject* none = finish(self, firn_sim_body_load(self->sim, id, &step, &frame));
    if (none == NULL) return NULL;
    Py_DECREF(none);
    PyObject *of_step = load_dict(&step), *of_frame = load_dict(&frame);
    if (of_step != NULL && of_frame != NULL) return Py_BuildValue("(NN)", of_step, of_frame);
    Py_XDECREF(of_step);
    Py_XDECREF(of_frame);
    return NULL;
}

PyObject* mesh_dict(const firn_body_mesh* m)
{
    PyObject* d = PyDict_New();
    if (d == NULL) return NULL;
    const size_t vertices = (size_t)m->vertex_count * sizeof(firn_vec3);
    const size_t triangles = (size_t)m->triangle_count * 3 * sizeof(int32_t);
    if (put(d, "vertices", from_bytes(m->vertices, vertices)) &&
        put(d, "normals", from_bytes(m->normals, vertices)) &&
        put(d, "triangles", from_bytes(m->triangles, triangles)))
        return d;
    Py_DECREF(d);
    return NULL;
}

PyObject* sim_body_mesh(PyObject* object, PyObject* value)
{
    sim_object* self = (sim_object*)object;
    firn_collider_id id;
    firn_body_mesh mesh;
    if (!begin(self, value, &id, false)) return NULL;
    guard_release(&self->guard);
    firn_error error = {FIRN_OK, ""};
    const firn_result r = firn_sim_body_mesh(self->sim, id, &mesh, &error);
    guard_acquire(&self->guard);
    guard_end(&self->guard);
    if (r != FIRN_OK) return raise_text(r, error.text);
    PyObject* dict = mesh_dict(&mesh);
    firn_body_mesh_free(&mesh);
    return dict;
}

// body_push(id, impulse, point or None, angular or None)
PyObject* sim_body_push(PyObject* object, PyObject* args)
{
    sim_object* self = (sim_object*)object;
    PyObject *value, *impulse, *point, *angular;
    firn_collider_id id;
    firn_vec3 push = {0, 0, 0}, at = {0, 0, 0}, twist = {0, 0, 0};
    if (!PyArg_ParseTuple(args, "OOOO", &value, &impulse, &point, &angular) ||
        (impulse != Py_None && !to_vec3(impulse, &push, "impulse")) ||
        (point != Py_None && !to_vec3(point, &at, "point")) ||
        (angular != Py_None && !to_vec3(angular, &twist, "angular")) ||
        !begin(self, value, &id, true))
        return NULL;
    firn_result r = FIRN_OK;
    if (impulse != Py_None)
        r = firn_sim_body_impulse(self->sim, id, push, point != Py_None ? &at : NULL);
    if (r == FIRN_OK && angular != Py_None) r = firn_sim_body_torque(self->sim, id, twist);
    return finish(self, r);
}
