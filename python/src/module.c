// SPDX-License-Identifier: MIT
// The module firn._firn: its types and functions. Importing it starts no thread and opens no file.
#include "firnpy.h"

PyMethodDef module_functions[] = {
    {"tables", def_describe, METH_NOARGS,
     "tables() -> dict\n\nArguments of definitions: {name: [(name, type, unit, default, help)]}."},
    {"version", know_version, METH_NOARGS, "version() -> dict\n\nVersion and features."},
    {"solvers", know_solvers, METH_NOARGS, "solvers() -> dict\n\nSolvers and what they are."},
    {"presets", know_presets, METH_NOARGS, "presets() -> dict\n\nPresets of materials."},
    {"measured", know_measured, METH_NOARGS, "measured() -> list\n\nFormulas of measured snow."},
    {"devices", know_devices, METH_NOARGS, "devices() -> tuple\n\nGPUs, and why there are none."},
    {"scenes", know_scenes, METH_NOARGS, "scenes() -> str\n\nScenes that ship with firn."},
    {"reference", know_reference, METH_O,
     "reference(which: str) -> str\n\nThe scene reference, 'markdown' or 'schema'."},
    {"field_info", know_field, METH_O, "field_info(name: str) -> dict | None\n\nA field."},
    {"suggest", know_suggest, METH_VARARGS,
     "suggest(word: str, names: list) -> str | None\n\nThe nearest name."},
    {"run_info", run_info, METH_VARARGS,
     "run_info(folder: str, verify: bool) -> dict\n\nSummary of the folder of a run."},
    {"describe", run_describe, METH_O, "describe(path: str) -> str\n\nDescribe a file."},
    {"export", run_export, METH_VARARGS,
     "export(folder: str, keys: dict, progress: object) -> None\n\nExport frames."},
    {"measure", run_measure, METH_VARARGS,
     "measure(folder: str, keys: dict, region: object) -> list\n\nMeasure frames."},
    {"render", run_render, METH_VARARGS,
     "render(folder: str, keys: dict, overrides: list, frames: object, progress: object) -> "
     "dict\n\n"
     "Path-trace frames."},
    {"film", run_film, METH_VARARGS,
     "film(path: str, width: int, height: int, fps: float, pictures: object) -> None\n\n"
     "Write pixels as a film."},
    {NULL, NULL, 0, NULL},
};

module_state* state_of(PyObject* self)
{
    return PyType_GetModuleState(Py_TYPE(self));
}

static PyObject* add_type(PyObject* module, PyType_Spec* spec)
{
    PyObject* type = PyType_FromModuleAndSpec(module, spec, NULL);
    if (type == NULL || PyModule_AddType(module, (PyTypeObject*)type) != 0) {
        Py_XDECREF(type);
        return NULL;
    }
    return type;
}

static int fill_module(PyObject* module)
{
    module_state* s = PyModule_GetState(module);
    s->scene_type = add_type(module, &scene_spec);
    s->sim_type = add_type(module, &sim_spec);
    s->field_type = add_type(module, &field_spec);
    s->replay_type = add_type(module, &replay_spec);
    s->heights_type = add_type(module, &heights_spec);
    if (s->scene_type == NULL || s->sim_type == NULL || s->field_type == NULL ||
        s->replay_type == NULL || s->heights_type == NULL)
        return -1;
    return PyModule_AddIntConstant(module, "REAL_BYTES", (long)sizeof(firn_real));
}

static int visit_module(PyObject* module, visitproc visit, void* arg)
{
    module_state* s = PyModule_GetState(module);
    Py_VISIT(s->scene_type);
    Py_VISIT(s->sim_type);
    Py_VISIT(s->field_type);
    Py_VISIT(s->replay_type);
    Py_VISIT(s->heights_type);
    return 0;
}

static int clear_module(PyObject* module)
{
    module_state* s = PyModule_GetState(module);
    Py_CLEAR(s->scene_type);
    Py_CLEAR(s->sim_type);
    Py_CLEAR(s->field_type);
    Py_CLEAR(s->replay_type);
    Py_CLEAR(s->heights_type);
    return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, fill_module}, {0, NULL}};
static PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "firn._firn",
    .m_doc = "The C library of firn, call by call; the package firn is what programs use.",
    .m_size = sizeof(module_state),
    .m_methods = module_functions,
    .m_slots = slots,
    .m_traverse = visit_module,
    .m_clear = clear_module,
};

PyMODINIT_FUNC PyInit__firn(void);
PyMODINIT_FUNC PyInit__firn(void)
{
    return PyModuleDef_Init(&definition);
}
