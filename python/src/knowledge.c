// SPDX-License-Identifier: MIT
// What this build has: version, solvers, presets, devices, scenes, the scene reference, fields.
#include <stdlib.h>
#include <string.h>

#include "firnpy.h"

PyObject* know_version(PyObject* module, PyObject* none)
{
    (void)module;
    (void)none;
    const firn_version_info v = firn_version();
    return Py_BuildValue("{sssssssssssss(iii)}", "text", v.text, "real", v.real, "simd", v.simd,
                         "simd_all", v.simd_all, "backends", v.backends, "features", v.features,
                         "version", v.major, v.minor, v.patch);
}

PyObject* know_solvers(PyObject* module, PyObject* none)
{
    (void)module;
    (void)none;
    PyObject* dict = PyDict_New();
    firn_solver_info info;
    for (int k = 0; dict != NULL && firn_solver_at(k, &info) == FIRN_OK; k++)
        if (!put(dict, info.name, PyUnicode_FromString(info.help))) Py_CLEAR(dict);
    return dict;
}

PyObject* know_presets(PyObject* module, PyObject* none)
{
    (void)module;
    (void)none;
    PyObject* dict = PyDict_New();
    firn_preset_info p;
    for (int k = 0; dict != NULL && firn_preset_at(k, &p) == FIRN_OK; k++) {
        const firn_material_def* m = &p.material;
        PyObject* item = Py_BuildValue(
            "{sssssdsdsdsdsdsd}", "help", p.help, "source", p.source, "density", (double)m->density,
            "young", (double)m->young, "poisson", (double)m->poisson, "hardening",
            (double)m->hardening, "critical_compression", (double)m->critical_compression,
            "critical_stretch", (double)m->critical_stretch);
        if (!put(dict, p.name, item)) Py_CLEAR(dict);
    }
    return dict;
}

PyObject* know_measured(PyObject* module, PyObject* none)
{
    (void)module;
    (void)none;
    PyObject* list = PyList_New(0);
    firn_measured_info m;
    for (int k = 0; list != NULL && firn_measured_at(k, &m) == FIRN_OK; k++) {
        PyObject* item = Py_BuildValue("{ssssss}", "constant", m.constant, "formula", m.formula,
                                       "source", m.source);
        append(&list, item);
    }
    return list;
}

// ([{…}], why there are none)
PyObject* know_devices(PyObject* module, PyObject* none)
{
    (void)module;
    (void)none;
    firn_device_info devices[16];
    firn_error why = {FIRN_OK, ""};
    PyThreadState* state = PyEval_SaveThread();
    const int count = firn_device_list(devices, 16, &why);
    PyEval_RestoreThread(state);
    PyObject* list = PyList_New(0);
    for (int k = 0; list != NULL && k < count && k < 16; k++) {
        const firn_device_info* d = &devices[k];
        PyObject* item = Py_BuildValue("{sssssKs(ii)}", "backend", d->backend, "name", d->name,
                                       "memory_bytes", (unsigned long long)d->memory_bytes,
                                       "capability", d->capability[0], d->capability[1]);
        append(&list, item);
    }
    return list != NULL ? Py_BuildValue("(Ns)", list, count > 0 ? "" : why.text) : NULL;
}

PyObject* know_scenes(PyObject* module, PyObject* none)
{
    (void)module;
    (void)none;
    char* text;
    firn_error error = {FIRN_OK, ""};
    const firn_result r = firn_scene_list(&text, &error);
    if (r != FIRN_OK) return raise_text(r, error.text);
    PyObject* result = PyUnicode_DecodeFSDefault(text);
    firn_text_free(text);
    return result;
}

PyObject* know_reference(PyObject* module, PyObject* which)
{
    (void)module;
    const char* name;
    if (!to_text(which, &name, "the kind of reference")) return NULL;
    const bool schema = name != NULL && strcmp(name, "schema") == 0;
    char* text = schema ? firn_reference_schema() : firn_reference_markdown();
    if (text == NULL) return PyErr_NoMemory();
    PyObject* result = PyUnicode_FromString(text);
    firn_text_free(text);
    return result;
}

PyObject* know_field(PyObject* module, PyObject* name)
{
    (void)module;
    const char* text;
    if (!to_text(name, &text, "the name of a field")) return NULL;
    const firn_field_info* f = text != NULL ? firn_field_find(text) : NULL;
    if (f == NULL) Py_RETURN_NONE;
    return Py_BuildValue("{ssssssssssssss}", "name", f->name, "key", f->key, "label", f->label,
                         "symbol", f->symbol, "unit", f->unit, "solvers", f->solvers, "help",
                         f->help);
}

PyObject* know_suggest(PyObject* module, PyObject* args)
{
    (void)module;
    const char* word;
    PyObject* list;
    if (!PyArg_ParseTuple(args, "sO!", &word, &PyList_Type, &list)) return NULL;
    const Py_ssize_t count = PyList_Size(list);
    const char** names = PyMem_Calloc((size_t)count + 1, sizeof *names);
    bool good = names != NULL;
    for (Py_ssize_t k = 0; good && k < count; k++)
        good = to_text(PyList_GetItem(list, k), &names[k], "a name") && names[k] != NULL;
    const char* found = good ? firn_suggest(word, names, (size_t)count) : NULL;
    PyObject* result = NULL;
    if (good) result = found != NULL ? PyUnicode_FromString(found) : Py_NewRef(Py_None);
    PyMem_Free(names);
    if (!good && !PyErr_Occurred()) PyErr_NoMemory();
    return result;
}
