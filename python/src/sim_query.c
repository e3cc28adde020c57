// SPDX-License-Identifier: MIT
// What a program asks of the snow between steps: rays, heights, amounts, a surface.
#include <math.h>

#include "firnpy.h"

// rays(count, origins, directions, max_distance, skip_snow, skip_colliders): bytes of reals [n][3]
typedef struct ray_args {
    int64_t count;
    const firn_vec3 *origins, *directions;
    double reach;
    int skip_snow, skip_colliders;
} ray_args;

// Columns of the answers: kind, distance, point, normal, particle, id, collider.
static PyObject* hits_dict(const firn_ray_hit* hits, int64_t count)
{
    static const char* const names[] = {"kind",  "distance", "point",   "normal",
                                        "index", "id",       "collider"};
    static const size_t sizes[] = {1, sizeof(double), sizeof(firn_vec3), sizeof(firn_vec3), 4, 4,
                                   4};
    PyObject* dict = PyDict_New();
    char* column[7];
    for (int c = 0; c < 7 && dict != NULL; c++) {
        PyObject* bytes =
            PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(sizes[c] * (size_t)count));
        column[c] = bytes != NULL ? PyByteArray_AsString(bytes) : NULL;
        if (!put(dict, names[c], bytes)) Py_CLEAR(dict);
    }
    if (dict == NULL) return NULL;
    for (int64_t k = 0; k < count; k++) {
        const firn_ray_hit* h = &hits[k];
        ((uint8_t*)column[0])[k] = (uint8_t)h->kind;
        ((double*)column[1])[k] = h->distance;
        ((firn_vec3*)column[2])[k] = h->point;
        ((firn_vec3*)column[3])[k] = h->normal;
        ((int32_t*)column[4])[k] = h->particle;
        ((uint32_t*)column[5])[k] = h->particle_id;
        ((int32_t*)column[6])[k] = (int32_t)h->collider.slot1 - 1;
    }
    return dict;
}

static PyObject* trace(sim_object* self, const ray_args* a)
{
    firn_ray* rays = PyMem_Calloc((size_t)a->count + 1, sizeof *rays);
    firn_ray_hit* hits = PyMem_Calloc((size_t)a->count + 1, sizeof *hits);
    PyObject* result = NULL;
    if (rays == NULL || hits == NULL) {
        PyErr_NoMemory();
    } else if (guard_read(&self->guard)) {
        for (int64_t k = 0; k < a->count; k++)
            rays[k] = (firn_ray){a->origins[k], a->directions[k], a->reach, a->skip_snow != 0,
                                 a->skip_colliders != 0};
        guard_release(&self->guard);
        const firn_result r =
            a->count > 0 ? firn_sim_rays(self->sim, rays, a->count, hits) : FIRN_OK;
        guard_acquire(&self->guard);
        guard_end(&self->guard);
        result =
            r == FIRN_OK ? hits_dict(hits, a->count) : raise_text(r, firn_sim_error(self->sim));
    }
    PyMem_Free(rays);
    PyMem_Free(hits);
    return result;
}

PyObject* sim_rays(PyObject* object, PyObject* args)
{
    sim_object* self = (sim_object*)object;
    Py_buffer origins, directions;
    ray_args a;
    if (!PyArg_ParseTuple(args, "y*y*dpp", &origins, &directions, &a.reach, &a.skip_snow,
                          &a.skip_colliders))
        return NULL;
    PyObject* result = NULL;
    a.count = origins.len / (Py_ssize_t)sizeof(firn_vec3);
    a.origins = origins.buf;
    a.directions = directions.buf;
    if (origins.len != directions.len)
        PyErr_SetString(PyExc_ValueError, "rays need as many directions as origins");
    else if (sim_open(self) != NULL)
        result = trace(self, &a);
    PyBuffer_Release(&origins);
    PyBuffer_Release(&directions);
    return result;
}

// ---- heights ------------------------------------------------------------------------------------

PyObject* sim_heights(PyObject* object, PyObject* keys)
{
    sim_object* self = (sim_object*)object;
    const height_source source = {.sim = sim_open(self), .guard = &self->guard};
    return source.sim != NULL ? heights_of(&source, keys) : NULL;
}

PyObject* sim_height_at(PyObject* object, PyObject* args)
{
    sim_object* self = (sim_object*)object;
    double x, z, empty;
    float height;
    if (!PyArg_ParseTuple(args, "ddd", &x, &z, &empty) || sim_open(self) == NULL ||
        !guard_read(&self->guard))
        return NULL;
    const firn_result r = firn_sim_height_at(self->sim, x, z, empty, &height);
    guard_end(&self->guard);
    return failed(r) ? NULL : PyFloat_FromDouble((double)height);
}

// ---- how much snow ------------------------------------------------------------------------------

// amount(low, high or None, radius): a box, or a ball about `low`
PyObject* sim_amount(PyObject* object, PyObject* args)
{
    sim_object* self = (sim_object*)object;
    PyObject *first, *second;
    double low[3], high[3], radius;
    firn_snow_amount a;
    if (!PyArg_ParseTuple(args, "OOd", &first, &second, &radius) ||
        !to_double3(first, low, "a corner") ||
        (second != Py_None && !to_double3(second, high, "a corner")) || sim_open(self) == NULL ||
        !guard_read(&self->guard))
        return NULL;
    const firn_result r = second != Py_None ? firn_sim_snow_in_box(self->sim, low, high, &a)
                                            : firn_sim_snow_in_ball(self->sim, low, radius, &a);
    guard_end(&self->guard);
    if (failed(r)) return NULL;
    PyObject* velocity = from_doubles(a.velocity, 3);
    if (velocity == NULL) return NULL;
    return Py_BuildValue("{sLsdsdsNsd}", "count", (long long)a.count, "mass", a.mass, "density",
                         a.density, "velocity", velocity, "temperature", a.temperature);
}

// ---- surface ------------------------------------------------------------------------------------

static PyObject* surface_dict(const firn_surface_mesh* m)
{
    PyObject* d = PyDict_New();
    const size_t vectors = (size_t)m->vertex_count * sizeof(firn_vec3);
    bool good = d != NULL && put(d, "vertices", from_bytes(m->vertices, vectors)) &&
                put(d, "normals", from_bytes(m->normals, vectors)) &&
                put(d, "triangles", from_bytes(m->triangles, (size_t)m->triangle_count * 12));
    if (good && m->velocities != NULL)
        good = put(d, "velocities", from_bytes(m->velocities, vectors));
    if (good && m->temperatures != NULL)
        good = put(d, "temperatures",
                   from_bytes(m->temperatures, (size_t)m->vertex_count * sizeof(firn_real)));
    if (!good) Py_CLEAR(d);
    return d;
}

// surface(keys, box or None)
PyObject* sim_surface(PyObject* object, PyObject* args)
{
    sim_object* self = (sim_object*)object;
    PyObject *keys, *box, *low, *high;
    firn_surface_def def = firn_default_surface_def();
    firn_surface_mesh mesh;
    if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &keys, &box) ||
        !def_fill("surface", &def, keys, "") || sim_open(self) == NULL)
        return NULL;
    def.use_box = box != Py_None;
    if (def.use_box &&
        (!PyArg_ParseTuple(box, "OO", &low, &high) || !to_double3(low, def.low, "a corner") ||
         !to_double3(high, def.high, "a corner")))
        return NULL;
    if (!guard_read(&self->guard)) return NULL;
    guard_release(&self->guard);
    const firn_result r = firn_sim_surface(self->sim, &def, &mesh);
    guard_acquire(&self->guard);
    guard_end(&self->guard);
    if (r != FIRN_OK) return raise_text(r, firn_sim_error(self->sim));
    PyObject* dict = surface_dict(&mesh);
    firn_surface_mesh_free(&mesh);
    return dict;
}
