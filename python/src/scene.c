// SPDX-License-Identifier: MIT
// The type Scene: load, set, check, write.
#include "firnpy.h"

static PyObject* scene_new(PyTypeObject* type, PyObject* args, PyObject* keywords)
{
    (void)args;
    (void)keywords;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    scene_object* self = (scene_object*)allocate(type, 0);
    if (self == NULL) return NULL;
    self->guard.what = "scene";
    const firn_result r = firn_scene_create(&self->scene);
    if (r == FIRN_OK) return (PyObject*)self;
    Py_DECREF(self);
    return raise_result(r);
}

static void scene_dealloc(PyObject* object)
{
    scene_object* self = (scene_object*)object;
    PyTypeObject* type = Py_TYPE(object);
    firn_scene_destroy(self->scene);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

// ---- loading ------------------------------------------------------------------------------------

typedef struct load_options {
    firn_load_def def;
    const char** overrides;  // owned
} load_options;

// Strings are borrowed from the list.
static bool take_overrides(PyObject* list, load_options* out)
{
    const Py_ssize_t count = PyList_Size(list);
    if (count < 0) return false;
    out->overrides = PyMem_Calloc((size_t)count + 1, sizeof *out->overrides);
    if (out->overrides == NULL) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t k = 0; k < count; k++)
        if (!to_text(PyList_GetItem(list, k), &out->overrides[k], "an override")) return false;
    out->def.overrides = out->overrides;
    out->def.override_count = (size_t)count;
    return true;
}

static PyObject* finish_load(scene_object* self, firn_result r)
{
    guard_end(&self->guard);
    if (r != FIRN_OK) return raise_scene(r, self->scene);
    Py_RETURN_NONE;
}

static PyObject* scene_load(PyObject* object, PyObject* args)
{
    scene_object* self = (scene_object*)object;
    const char *text, *name;
    load_options o = {.def = firn_default_load_def()};
    PyObject* list;
    unsigned long long cap;
    int is_file;
    if (!PyArg_ParseTuple(args, "psszzO!K", &is_file, &text, &name, &o.def.variant, &o.def.solver,
                          &PyList_Type, &list, &cap))
        return NULL;
    o.def.memory_cap_bytes = cap;
    if (!take_overrides(list, &o) || !guard_write(&self->guard)) {
        PyMem_Free(o.overrides);
        return NULL;
    }
    guard_release(&self->guard);
    const firn_result r = is_file ? firn_scene_load(self->scene, text, &o.def)
                                  : firn_scene_load_text(self->scene, text, name, &o.def);
    guard_acquire(&self->guard);
    PyMem_Free(o.overrides);
    return finish_load(self, r);
}

static PyObject* scene_set(PyObject* object, PyObject* args)
{
    scene_object* self = (scene_object*)object;
    const char *key, *value;
    if (!PyArg_ParseTuple(args, "ss", &key, &value) || !guard_write(&self->guard)) return NULL;
    return finish_load(self, firn_scene_set(self->scene, key, value));
}

// ---- reading ------------------------------------------------------------------------------------

static PyObject* info_dict(const firn_scene_info* i)
{
    PyObject* dict = PyDict_New();
    if (dict == NULL) return NULL;
    const bool good = put(dict, "name", PyUnicode_FromString(i->name)) &&
                      put(dict, "title", PyUnicode_FromString(i->title)) &&
                      put(dict, "solver", PyUnicode_FromString(i->solver)) &&
                      put(dict, "variant", PyUnicode_FromString(i->variant)) &&
                      put(dict, "frames", PyLong_FromLongLong(i->frames)) &&
                      put(dict, "fps", PyFloat_FromDouble(i->fps)) &&
                      put(dict, "particles", PyLong_FromLongLong(i->particles)) &&
                      put(dict, "cell", PyFloat_FromDouble(i->cell)) &&
                      put(dict, "dt", PyFloat_FromDouble(i->dt)) &&
                      put(dict, "steps", PyFloat_FromDouble(i->steps)) &&
                      put(dict, "memory_bytes", PyFloat_FromDouble(i->memory_bytes)) &&
                      put(dict, "device_bytes", PyFloat_FromDouble(i->device_bytes)) &&
                      put(dict, "disk_bytes", PyFloat_FromDouble(i->disk_bytes)) &&
                      put(dict, "seconds", PyFloat_FromDouble(i->seconds)) &&
                      put(dict, "threads", PyLong_FromLong(i->threads)) &&
                      put(dict, "powder", PyLong_FromLongLong(i->powder));
    if (!good) Py_CLEAR(dict);
    return dict;
}

// (info, messages, whether it has errors)
static PyObject* scene_check(PyObject* object, PyObject* args)
{
    scene_object* self = (scene_object*)object;
    int threads;
    if (!PyArg_ParseTuple(args, "i", &threads) || !guard_write(&self->guard)) return NULL;
    firn_scene_info info;
    guard_release(&self->guard);
    const firn_result r = firn_scene_check(self->scene, threads, &info);
    guard_acquire(&self->guard);
    guard_end(&self->guard);
    if (r < 0) return raise_scene(r, self->scene);
    PyObject* dict = info_dict(&info);
    if (dict == NULL) return NULL;
    return Py_BuildValue("(NsO)", dict, firn_scene_messages(self->scene),
                         r == FIRN_OK ? Py_False : Py_True);
}

static PyObject* scene_messages(PyObject* object, PyObject* none)
{
    (void)none;
    scene_object* self = (scene_object*)object;
    if (!guard_read(&self->guard)) return NULL;
    PyObject* text = PyUnicode_FromString(firn_scene_messages(self->scene));
    guard_end(&self->guard);
    return text;
}

static PyObject* scene_yaml(PyObject* object, PyObject* none)
{
    (void)none;
    scene_object* self = (scene_object*)object;
    if (!guard_read(&self->guard)) return NULL;
    char* text = firn_scene_yaml(self->scene);
    guard_end(&self->guard);
    if (text == NULL) return PyErr_NoMemory();
    PyObject* result = PyUnicode_FromString(text);
    firn_text_free(text);
    return result;
}

static PyObject* scene_variants(PyObject* object, PyObject* none)
{
    (void)none;
    scene_object* self = (scene_object*)object;
    if (!guard_read(&self->guard)) return NULL;
    PyObject* list = PyList_New(0);
    const char* name;
    for (int k = 0; list != NULL && (name = firn_scene_variant(self->scene, k)) != NULL; k++) {
        PyObject* item = PyUnicode_FromString(name);
        append(&list, item);
    }
    guard_end(&self->guard);
    return list;
}

static PyObject* scene_masses(PyObject* object, PyObject* none)
{
    (void)none;
    scene_object* self = (scene_object*)object;
    if (!guard_read(&self->guard)) return NULL;
    PyObject* list = PyList_New(0);
    double mass;
    for (int k = 0; list != NULL && (mass = firn_scene_snow_mass(self->scene, k)) >= 0; k++) {
        PyObject* item = PyFloat_FromDouble(mass);
        append(&list, item);
    }
    guard_end(&self->guard);
    return list;
}

static PyObject* scene_material(PyObject* object, PyObject* name)
{
    scene_object* self = (scene_object*)object;
    const char* text;
    if (!to_text(name, &text, "the name of a material") || !guard_read(&self->guard)) return NULL;
    firn_material_id id;
    const firn_result r = firn_scene_material_named(self->scene, text, &id);
    guard_end(&self->guard);
    if (r != FIRN_OK) return raise_result(r);
    return from_id(id.slot1, id.owner);
}

static PyObject* scene_threads(PyObject* object, PyObject* args)
{
    scene_object* self = (scene_object*)object;
    int threads;
    if (!PyArg_ParseTuple(args, "i", &threads) || !guard_write(&self->guard)) return NULL;
    const firn_result r = firn_scene_set_threads(self->scene, threads, NULL);
    return finish_load(self, r);
}

static PyMethodDef methods[] = {
    {"load", scene_load, METH_VARARGS,
     "load(is_file: bool, text: str, name: str, variant: str | None, solver: str | None, "
     "overrides: list, memory_cap: int) -> None\n\nLoad a file, a shipped scene, or YAML text."},
    {"set", scene_set, METH_VARARGS, "set(key: str, value: str) -> None\n\nSet a key."},
    {"check", scene_check, METH_VARARGS,
     "check(threads: int) -> tuple\n\n(info, messages, whether there are errors)."},
    {"messages", scene_messages, METH_NOARGS, "messages() -> str\n\nOf the last load or check."},
    {"yaml", scene_yaml, METH_NOARGS, "yaml() -> str\n\nThe scene as YAML."},
    {"variants", scene_variants, METH_NOARGS, "variants() -> list\n\nNames of variants."},
    {"masses", scene_masses, METH_NOARGS, "masses() -> list\n\nMasses of the snow bodies [kg]."},
    {"material", scene_material, METH_O, "material(name: str) -> tuple\n\nThe id of a material."},
    {"set_threads", scene_threads, METH_VARARGS,
     "set_threads(threads: int) -> None\n\nThreads that load, build and check; 0: all cores."},
    {"shape", scene_shape, METH_VARARGS,
     "shape(kind: str, *arguments: object) -> tuple\n\nCreate a shape; its id."},
    {"gravity_keys", scene_gravity_keys, METH_O,
     "gravity_keys(keys: list) -> None\n\nGravity over time."},
    {"add", scene_add, METH_VARARGS,
     "add(kind: str, keys: dict, name: str | None = None) -> tuple\n\nAdd an item; its id."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot slots[] = {
    {Py_tp_doc, "Scene()\n--\n\nA scene of the C library."},
    {Py_tp_new, scene_new},
    {Py_tp_dealloc, scene_dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};
PyType_Spec scene_spec = {"firn._firn.Scene", sizeof(scene_object), 0, Py_TPFLAGS_DEFAULT, slots};
