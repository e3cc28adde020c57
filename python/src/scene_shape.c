// SPDX-License-Identifier: MIT
// Shapes of a scene, by the name of their kind.
#include <string.h>

#include "firnpy.h"

typedef firn_result (*pair_fn)(firn_scene*, firn_shape_id, firn_shape_id, firn_shape_id*);

static PyObject* finish(scene_object* self, firn_result r, firn_shape_id id)
{
    guard_end(&self->guard);
    if (r != FIRN_OK) return raise_scene(r, self->scene);
    return from_id(id.slot1, id.owner);
}

// Two vectors and up to two numbers: enough for all primitives.
static PyObject* primitive(scene_object* self, const char* kind, PyObject* args)
{
    PyObject *first, *second = NULL;
    double p = 0, q = 0;
    firn_vec3 a, b = {0, 0, 0};
    const char* ignored;
    if (!PyArg_ParseTuple(args, "sO|Odd", &ignored, &first, &second, &p, &q) ||
        !to_vec3(first, &a, kind) || (second != NULL && !to_vec3(second, &b, kind)) ||
        !guard_write(&self->guard))
        return NULL;
    firn_scene* s = self->scene;
    firn_shape_id id = {0, 0};
    const firn_real r1 = (firn_real)p, r2 = (firn_real)q;
    firn_result r = FIRN_REFUSED_ARGUMENT;
    if (strcmp(kind, "plane") == 0) r = firn_scene_plane(s, a, b, &id);
    if (strcmp(kind, "box") == 0) r = firn_scene_box(s, a, b, r1, &id);
    if (strcmp(kind, "capsule") == 0) r = firn_scene_capsule(s, a, b, r1, &id);
    if (strcmp(kind, "cylinder") == 0) r = firn_scene_cylinder(s, a, b, r1, &id);
    if (strcmp(kind, "cone") == 0) r = firn_scene_cone(s, a, b, r1, r2, &id);
    if (strcmp(kind, "wedge") == 0) r = firn_scene_wedge(s, a, b, &id);
    return finish(self, r, id);
}

static PyObject* sphere(scene_object* self, PyObject* args)
{
    const char* kind;
    PyObject* center;
    double radius;
    firn_vec3 c;
    firn_shape_id id = {0, 0};
    if (!PyArg_ParseTuple(args, "sOd", &kind, &center, &radius) || !to_vec3(center, &c, kind) ||
        !guard_write(&self->guard))
        return NULL;
    return finish(self, firn_scene_sphere(self->scene, c, (firn_real)radius, &id), id);
}

static PyObject* pair(scene_object* self, PyObject* args, pair_fn combine)
{
    const char* kind;
    PyObject *first, *second;
    firn_shape_id a, b, id = {0, 0};
    if (!PyArg_ParseTuple(args, "sOO", &kind, &first, &second) ||
        !to_id(first, &a.slot1, &a.owner, "shape") || !to_id(second, &b.slot1, &b.owner, "shape") ||
        !guard_write(&self->guard))
        return NULL;
    return finish(self, combine(self->scene, a, b, &id), id);
}

static PyObject* transform(scene_object* self, PyObject* args)
{
    const char* kind;
    PyObject *shape, *move, *turn;
    double scale;
    firn_shape_id of, id = {0, 0};
    firn_vec3 by;
    firn_quat rotation;
    if (!PyArg_ParseTuple(args, "sOOOd", &kind, &shape, &move, &turn, &scale) ||
        !to_id(shape, &of.slot1, &of.owner, "shape") || !to_vec3(move, &by, "move") ||
        !to_quat(turn, &rotation, "rotation") || !guard_write(&self->guard))
        return NULL;
    return finish(self, firn_scene_transform(self->scene, of, by, rotation, (firn_real)scale, &id),
                  id);
}

static PyObject* text(scene_object* self, PyObject* args)
{
    const char* kind;
    PyObject* keys;
    firn_text_def def = firn_default_text_def();
    firn_shape_id id = {0, 0};
    if (!PyArg_ParseTuple(args, "ssO!", &kind, &def.text, &PyDict_Type, &keys) ||
        !def_fill("text", &def, keys, "") || !guard_write(&self->guard))
        return NULL;
    guard_release(&self->guard);
    const firn_result r = firn_scene_text(self->scene, &def, &id);
    guard_acquire(&self->guard);
    return finish(self, r, id);
}

// From a file, or from bytes of vertices [n][3] of reals and triangles [m][3] of int32.
static PyObject* mesh(scene_object* self, PyObject* args)
{
    const char* kind;
    PyObject* keys;
    Py_buffer vertices = {0}, triangles = {0};
    firn_mesh_def def = firn_default_mesh_def();
    firn_shape_id id = {0, 0};
    if (!PyArg_ParseTuple(args, "szO!|y*y*", &kind, &def.file, &PyDict_Type, &keys, &vertices,
                          &triangles))
        return NULL;
    firn_result r = FIRN_OK;
    const bool good = def_fill("mesh", &def, keys, "") && guard_write(&self->guard);
    if (good) {
        def.vertices = vertices.buf;
        def.vertex_count = vertices.len / (Py_ssize_t)sizeof(firn_vec3);
        def.triangles = triangles.buf;
        def.triangle_count = triangles.len / (Py_ssize_t)(3 * sizeof(int32_t));
        guard_release(&self->guard);
        r = firn_scene_mesh(self->scene, &def, &id);
        guard_acquire(&self->guard);
    }
    if (vertices.obj != NULL) PyBuffer_Release(&vertices);
    if (triangles.obj != NULL) PyBuffer_Release(&triangles);
    return good ? finish(self, r, id) : NULL;
}

static PyObject* level_set(scene_object* self, PyObject* args)
{
    const char *kind, *file, *grid;
    firn_shape_id id = {0, 0};
    if (!PyArg_ParseTuple(args, "ssz", &kind, &file, &grid) || !guard_write(&self->guard))
        return NULL;
    guard_release(&self->guard);
    const firn_result r = firn_scene_level_set(self->scene, file, grid, &id);
    guard_acquire(&self->guard);
    return finish(self, r, id);
}

PyObject* scene_shape(PyObject* object, PyObject* args)
{
    scene_object* self = (scene_object*)object;
    PyObject* first = PyTuple_Size(args) > 0 ? PyTuple_GetItem(args, 0) : NULL;
    const char* kind = NULL;
    if (first == NULL || !to_text(first, &kind, "the kind of a shape") || kind == NULL) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "shape() needs a kind");
        return NULL;
    }
    static const char* const primitives[] = {"plane",    "box",  "capsule",
                                             "cylinder", "cone", "wedge"};
    for (size_t k = 0; k < sizeof primitives / sizeof *primitives; k++)
        if (strcmp(kind, primitives[k]) == 0) return primitive(self, kind, args);
    if (strcmp(kind, "sphere") == 0) return sphere(self, args);
    if (strcmp(kind, "union") == 0) return pair(self, args, firn_scene_union);
    if (strcmp(kind, "intersection") == 0) return pair(self, args, firn_scene_intersection);
    if (strcmp(kind, "difference") == 0) return pair(self, args, firn_scene_difference);
    if (strcmp(kind, "transform") == 0) return transform(self, args);
    if (strcmp(kind, "text") == 0) return text(self, args);
    if (strcmp(kind, "mesh") == 0) return mesh(self, args);
    if (strcmp(kind, "level_set") == 0) return level_set(self, args);
    return PyErr_Format(PyExc_ValueError, "there is no shape '%s'", kind);
}
