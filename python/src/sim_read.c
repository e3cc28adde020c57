// SPDX-License-Identifier: MIT
// What a simulation says of itself: counts, energies, fields, hash, camera, a picture.
#include "firnpy.h"

static PyObject* stages_of(const firn_sim_info* i)
{
    PyObject* dict = PyDict_New();
    for (int k = 0; dict != NULL && k < i->stage_count; k++)
        if (!put(dict, i->stage_names[k], PyFloat_FromDouble(i->stage_seconds[k]))) Py_CLEAR(dict);
    return dict;
}

static PyObject* info_dict(const firn_sim_info* i)
{
    PyObject* d = PyDict_New();
    if (d == NULL) return NULL;
    const bool good =
        put(d, "frame", PyLong_FromLongLong(i->frame)) &&
        put(d, "step", PyLong_FromLongLong(i->step)) &&
        put(d, "time", PyFloat_FromDouble(i->time)) && put(d, "dt", PyFloat_FromDouble(i->dt)) &&
        put(d, "particles", PyLong_FromLong((long)i->particle_count)) &&
        put(d, "iterations", PyLong_FromLong(i->iterations)) &&
        put(d, "residual", PyFloat_FromDouble(i->residual)) &&
        put(d, "momentum", from_doubles(i->momentum, 3)) &&
        put(d, "kinetic", PyFloat_FromDouble(i->kinetic)) &&
        put(d, "elastic", PyFloat_FromDouble(i->elastic)) &&
        put(d, "potential", PyFloat_FromDouble(i->potential)) &&
        put(d, "plastic_min", PyFloat_FromDouble(i->plastic_min)) &&
        put(d, "plastic_max", PyFloat_FromDouble(i->plastic_max)) &&
        put(d, "active_blocks", PyLong_FromLong((long)i->active_blocks)) &&
        put(d, "shear_iterations", PyLong_FromLong(i->shear_iterations)) &&
        put(d, "neighbours", PyFloat_FromDouble(i->neighbours)) &&
        put(d, "rollbacks", PyLong_FromLongLong(i->rollbacks)) &&
        put(d, "culled", PyLong_FromLongLong(i->culled)) &&
        put(d, "memory_bytes", PyLong_FromUnsignedLongLong(i->memory_bytes)) &&
        put(d, "memory_peak_bytes", PyLong_FromUnsignedLongLong(i->memory_peak_bytes)) &&
        put(d, "threads", PyLong_FromLong(i->threads)) &&
        put(d, "simd", PyUnicode_FromString(i->simd)) &&
        put(d, "backend", PyUnicode_FromString(i->backend)) &&
        put(d, "device", PyUnicode_FromString(i->device)) &&
        put(d, "device_bytes", PyLong_FromUnsignedLongLong(i->device_bytes)) &&
        put(d, "stage_seconds", stages_of(i));
    if (!good) Py_CLEAR(d);
    return d;
}

PyObject* sim_info(PyObject* object, PyObject* none)
{
    (void)none;
    sim_object* self = (sim_object*)object;
    if (sim_open(self) == NULL || !guard_read(&self->guard)) return NULL;
    const firn_sim_info info = firn_sim_read(self->sim);
    guard_end(&self->guard);
    return info_dict(&info);
}

// After an edit a hash or a save may bring the particles into another order.
static bool begin_settling(sim_object* self, const char* verb)
{
    if (sim_open(self) == NULL) return false;
    return self->unordered ? guard_move(&self->guard, verb) : guard_read(&self->guard);
}

PyObject* sim_hash(PyObject* object, PyObject* none)
{
    (void)none;
    sim_object* self = (sim_object*)object;
    if (!begin_settling(self, "compute the hash after an edit")) return NULL;
    guard_release(&self->guard);
    const uint64_t hash = firn_sim_hash(self->sim);
    guard_acquire(&self->guard);
    guard_end(&self->guard);
    self->unordered = false;
    if (hash == 0) return raise_text(FIRN_BROKEN_INTERNAL, firn_sim_error(self->sim));
    return PyLong_FromUnsignedLongLong(hash);
}

PyObject* sim_save(PyObject* object, PyObject* none)
{
    (void)none;
    sim_object* self = (sim_object*)object;
    if (!begin_settling(self, "save after an edit")) return NULL;
    size_t size = 0;
    firn_result r = firn_sim_save(self->sim, NULL, 0, &size);
    PyObject* block = r == FIRN_OK ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size) : NULL;
    if (block != NULL) {
        char* bytes = PyBytes_AsString(block);
        guard_release(&self->guard);
        r = firn_sim_save(self->sim, bytes, size, &size);
        guard_acquire(&self->guard);
    }
    guard_end(&self->guard);
    self->unordered = false;
    if (r != FIRN_OK) {
        Py_XDECREF(block);
        return raise_text(r, firn_sim_error(self->sim));
    }
    return block;
}

PyObject* sim_field(PyObject* object, PyObject* name)
{
    sim_object* self = (sim_object*)object;
    const char* text;
    firn_field_view view;
    if (!to_text(name, &text, "the name of a field") || sim_open(self) == NULL ||
        !guard_read(&self->guard))
        return NULL;
    const firn_result r = firn_sim_field(self->sim, text, &view);
    guard_end(&self->guard);
    return failed(r) ? NULL : field_new(object, state_of(object)->field_type, &view);
}

static firn_result field_at(const void* owner, int k, firn_field_view* out_view)
{
    return firn_sim_field_at(owner, k, out_view);
}

PyObject* sim_fields(PyObject* object, PyObject* none)
{
    (void)none;
    sim_object* self = (sim_object*)object;
    if (sim_open(self) == NULL || !guard_read(&self->guard)) return NULL;
    PyObject* list = field_names(self->sim, firn_sim_field_count(self->sim), field_at);
    guard_end(&self->guard);
    return list;
}

PyObject* view_dict(const firn_view_info* v)
{
    PyObject* d = PyDict_New();
    if (d == NULL) return NULL;
    const bool good =
        put(d, "eye", from_doubles(v->eye, 3)) && put(d, "look_at", from_doubles(v->look_at, 3)) &&
        put(d, "fov", PyFloat_FromDouble(v->fov)) && put(d, "sun", from_doubles(v->sun, 3)) &&
        put(d, "fps", PyFloat_FromDouble(v->fps)) &&
        put(d, "frames", PyLong_FromLongLong(v->frames)) &&
        put(d, "spacing", PyFloat_FromDouble(v->spacing)) &&
        put(d, "colour_by", PyUnicode_FromString(v->colour_by)) &&
        put(d, "colour_low", PyFloat_FromDouble(v->colour_low)) &&
        put(d, "colour_high", PyFloat_FromDouble(v->colour_high)) &&
        put(d, "title", PyUnicode_FromString(v->title));
    if (!good) Py_CLEAR(d);
    return d;
}

PyObject* sim_view(PyObject* object, PyObject* none)
{
    (void)none;
    sim_object* self = (sim_object*)object;
    if (sim_open(self) == NULL || !guard_read(&self->guard)) return NULL;
    firn_view_info view;
    const firn_result r = firn_sim_view(self->sim, &view);
    guard_end(&self->guard);
    return failed(r) ? NULL : view_dict(&view);
}

PyObject* sim_picture(PyObject* object, PyObject* args)
{
    sim_object* self = (sim_object*)object;
    int width, height;
    if (!PyArg_ParseTuple(args, "ii", &width, &height) || sim_open(self) == NULL) return NULL;
    if (width < 1 || height < 1 || width > 32768 || height > 32768)
        return raise_text(FIRN_REFUSED_ARGUMENT, "a picture has 1 to 32768 pixels per side");
    PyObject* pixels = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)width * height * 3);
    if (pixels == NULL || !guard_read(&self->guard)) {
        Py_XDECREF(pixels);
        return NULL;
    }
    uint8_t* to = (uint8_t*)PyByteArray_AsString(pixels);
    guard_release(&self->guard);
    const firn_result r = firn_sim_picture(self->sim, width, height, to);
    guard_acquire(&self->guard);
    guard_end(&self->guard);
    if (r == FIRN_OK) return pixels;
    Py_DECREF(pixels);
    return raise_text(r, firn_sim_error(self->sim));
}

PyObject* sim_serial(PyObject* object, PyObject* none)
{
    (void)none;
    return PyLong_FromLongLong(((sim_object*)object)->guard.serial);
}
